"""A sweep asked for, and what came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from procedure.domain.moment import Moment
from procedure.services.sweep import COUNTS, Chunk
from procedure.store.sweeps import Totals

if TYPE_CHECKING:
    from procedure.store.sweep_heads import HeadsBehind


@dataclass(frozen=True, slots=True)
class Order:
    """What to sweep: every deadline of the municipality that ended before ``as_of``, recorded at ``recorded_at``."""

    municipality: str
    as_of: Moment
    recorded_at: datetime
    actor: str = "posturas"
    workers: int = 1
    dry_run: bool = False
    limit: int | None = None
    keep_runs: int = 400
    wait: int = 10  # seconds to wait, at the end, for cases that another transaction holds

    @property
    def stamp(self) -> str:
        """The recording instant as acts carry it."""
        zone = self.as_of.instant.tzinfo
        return self.recorded_at.astimezone(zone).isoformat(timespec="seconds")


@dataclass(slots=True)
class Report:
    """What a sweep of one municipality did; ``run_id`` None for a dry run."""

    municipality: str
    as_of: str
    run_id: int | None = None
    totals: Totals = field(default_factory=Totals)
    by_kind: Counter[str] = field(default_factory=Counter)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)
    passed_over: int = 0  # cases that another transaction held or had done
    acts: int = 0  # written
    heads: HeadsBehind | None = None
    milliseconds: int = 0
    interrupted: bool = False

    def add(self, chunk: Chunk) -> None:
        """Count a chunk in."""
        self._count_in(chunk, chunk)

    def merge(self, other: Report) -> None:
        """Count another worker's part in."""
        self._count_in(other.totals, other)
        self.interrupted = self.interrupted or other.interrupted

    def _count_in(self, counts: Chunk | Totals, part: Chunk | Report) -> None:
        for name in COUNTS:
            setattr(self.totals, name, getattr(self.totals, name) + getattr(counts, name))
        self.passed_over += part.passed_over
        self.acts += part.acts
        self.by_kind.update(part.by_kind)
        self.failures.update(part.failures)

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        totals = self.totals
        return {
            "run_id": self.run_id,
            "as_of": self.as_of,
            "examined": totals.examined,
            "expired": totals.expired,
            "by_kind": dict(sorted(self.by_kind.items())),
            "inscribed": totals.inscribed,
            "surcharged": totals.surcharged,
            "returned_to_origin": totals.returned_to_origin,
            "failed": [
                {"auto": auto, "code": code, "message": message, "municipality": self.municipality}
                for auto, (code, message) in sorted(self.failures.items())
            ],
            "seconds": self.milliseconds / 1000,
            "municipality": self.municipality,
            "interrupted": self.interrupted,
        }
