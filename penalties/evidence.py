"""What was found of one other auto of the person, when a fine was examined for reincidência."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True)
class Evidence:
    """One other auto: whether it counts and why (in Portuguese), its provisions, the day of its fact, when final."""

    auto: str
    counted: bool
    reason_code: str
    reason: str
    provisions: tuple[str, ...]
    fact_day: date
    final_day: date | None
    ciencia_day: date | None
    match: str
    state: str | None
    outcome: str | None

    def to_dict(self) -> dict[str, Any]:
        """All fields; days in ISO 8601."""
        return {
            "auto": self.auto,
            "counted": self.counted,
            "reason_code": self.reason_code,
            "reason": self.reason,
            "provisions": list(self.provisions),
            "fact_day": self.fact_day.isoformat(),
            "final_day": _iso(self.final_day),
            "ciencia_day": _iso(self.ciencia_day),
            "match": self.match,
            "state": self.state,
            "outcome": self.outcome,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Evidence:
        """The evidence that ``to_dict`` wrote."""
        days = {k: date.fromisoformat(data[k]) if data[k] else None for k in ("final_day", "ciencia_day")}
        fact_day = date.fromisoformat(data["fact_day"])
        return cls(**{**data, **days, "provisions": tuple(data["provisions"]), "fact_day": fact_day})


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
