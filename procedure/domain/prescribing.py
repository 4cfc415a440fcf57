"""The prescription of a case's debt: its days taken from the record, before and after inscription (spec 04)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from procedure.domain.case import Case
from procedure.domain.derived import derived
from procedure.domain.prescription import Debt, Interruption, Interrupts, Prescription, prescription
from procedure.domain.vocabulary import Act


def interruptions_of(recorded: Sequence[Mapping[str, Any]]) -> tuple[Interruption, ...]:
    """The interruptions that the facts of a case keep."""
    return tuple(
        Interruption(
            Interrupts(item["kind"]),
            date.fromisoformat(item["day"]),
            date.fromisoformat(item["resumes"]) if item.get("resumes") else None,
        )
        for item in recorded
    )


def prescription_of(
    case: Case,
    *,
    inscribed_on: date | None = None,
    filed_on: date | None = None,
    interruptions: Sequence[Mapping[str, Any]] | None = None,
) -> Prescription | None:
    """Every thesis applied to the case as it stands; None while no decision is final.

    While the term to pay has not ended, the debt is taken as due when the decision became final: the earliest that it
    can be. ``inscribed_on``, ``filed_on`` and ``interruptions`` replace what the case has.
    """
    final = case.facts.get("final_at")
    due = case.facts.get("exigivel_em") or (final[:10] if final else None)
    if due is None:
        return None
    item = case.inscribed
    recorded = case.facts.get("interruptions", ()) if interruptions is None else interruptions
    return prescription(
        Debt(
            exigivel_em=date.fromisoformat(due),
            final_on=final or due,
            inscribed_on=inscribed_on or (item.day if item else None),
            filed_on=filed_on or (filed_day(item.beside) if item else None),
            interruptions=interruptions_of(recorded),
        )
    )


def prescribes_on_inscription(case: Case, day: date) -> str | None:
    """The last day to file by the adopted thesis, of a debt inscribed on ``day``, as text."""
    found = None if _is_plain(case) else prescription_of(case, inscribed_on=day)
    return days_of(found).get("prescribes_on") if found else _of_plain(case, day, _prescribes)


def warning_on_inscription(case: Case, day: date) -> str | None:
    """The earliest day that the adopted and the cautious theses warn by, of a debt inscribed on ``day``, as text."""
    found = None if _is_plain(case) else prescription_of(case, inscribed_on=day)
    return days_of(found).get("warns_on") if found else _of_plain(case, day, _warns)


def _is_plain(case: Case) -> bool:
    """Whether two days alone tell the prescription: nothing interrupted it."""
    return not case.facts.get("interruptions")


def _of_plain(case: Case, day: date, reckon: Callable[[str, str, str], str]) -> str | None:
    final = case.facts.get("final_at")
    due = case.facts.get("exigivel_em") or final
    return derived(reckon, due, final or due, day.isoformat()) if due else None


@lru_cache(maxsize=4_096)
def _prescribes(due: str, final: str, inscribed: str) -> str:
    return str(_debt(due, final, inscribed).prescribes_on)


@lru_cache(maxsize=4_096)
def _warns(due: str, final: str, inscribed: str) -> str:
    return str(_debt(due, final, inscribed).warns_on)


def _debt(due: str, final: str, inscribed: str) -> Prescription:
    return prescription(Debt(date.fromisoformat(due[:10]), final[:10], date.fromisoformat(inscribed)))


def filed_day(beside: Mapping[str, Any]) -> date | None:
    """The day on which the suit that runs was filed; None out of court."""
    filed = beside.get("filed")
    return date.fromisoformat(filed["date"][:10]) if filed else None


def interruptions_after(case: Case, kind: str, day: date) -> list[dict[str, Any]]:
    """The interruptions of the case once an act of ``kind`` is dated ``day``."""
    held = [dict(item) for item in case.facts.get("interruptions", ())]
    if kind in (Act.RECONHECIMENTO, Act.PARCELAMENTO, Act.PROTESTO):
        return [*held, {"kind": str(kind), "day": day.isoformat(), "resumes": None}]
    if kind == Act.PARCELAMENTO_ROMPIDO:
        for item in reversed(held):
            if item["kind"] == Act.PARCELAMENTO and item["resumes"] is None:
                item["resumes"] = day.isoformat()
                break
    return held


def days_of(found: Prescription | None) -> dict[str, Any]:
    """The days that the register keeps: the adopted one, and the earliest that the cautious theses warn by."""
    known = {"prescribes_on": found.prescribes_on, "warns_on": found.warns_on} if found else {}
    return {name: day.isoformat() if day else None for name, day in known.items()}
