"""A term counted under a law, as the JSON of ``posturas prazo``: the dates, each step, and the other readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calendars.counting import Count
    from calendars.laws import LawCounting
    from calendars.term import Term


def term_document(law: LawCounting, counted: Count, term: Term, *, start: str, method: str | None) -> dict[str, Any]:
    """The contract's object. ``start`` is the event as it was written."""
    return {
        "law": law.law,
        "method": method,
        "start": start,
        "term": str(term),
        "counting": law.counting,
        **counted.to_dict(),
        "expires_on": law.expires_on(counted).isoformat(),
        "espera": law.espera.value,
        "steps": [step.to_dict() for step in counted.steps],
        "readings": [
            {"due": a.due.isoformat(), "reading": a.reading, "sources": list(a.sources)} for a in counted.alternatives
        ],
        "note": law.note(counted.starts_on),
        "calendar": counted.calendar.id,
        "calendar_version": counted.calendar_version,
    }
