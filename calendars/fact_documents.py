"""Municipal facts as JSON-able documents: how a database keeps what a municipality supplied."""

from __future__ import annotations

from datetime import date
from typing import Any

from calendars.days import DayFact, ExtensionFact, SuspensionFact

Fact = DayFact | SuspensionFact | ExtensionFact


def fact_to_document(fact: Fact) -> dict[str, Any]:
    """The fact as JSON-able values under ``type``: ``day``, ``suspension`` or ``extension``."""
    if isinstance(fact, DayFact):
        return {"type": "day", "row": fact.to_row()}
    published = fact.published_on.isoformat() if fact.published_on else None
    cited = {"description": fact.description, "act": fact.act, "published_on": published}
    if isinstance(fact, SuspensionFact):
        return {"type": "suspension", "first": fact.first.isoformat(), "last": fact.last.isoformat(), **cited}
    return {
        "type": "extension",
        "first": fact.first.isoformat(),
        "last": fact.last.isoformat(),
        "to": fact.to.isoformat(),
        **cited,
    }


def fact_from_document(document: dict[str, Any]) -> Fact:
    """The fact that ``fact_to_document`` wrote. Raises ValueError, KeyError or TypeError on anything else."""
    if document["type"] == "day":
        return DayFact.from_row(document["row"])
    first, last = date.fromisoformat(document["first"]), date.fromisoformat(document["last"])
    published = date.fromisoformat(document["published_on"]) if document["published_on"] else None
    cited = {"description": document["description"], "act": document["act"], "published_on": published}
    if document["type"] == "suspension":
        return SuspensionFact(first, last, **cited)
    return ExtensionFact(first, last, date.fromisoformat(document["to"]), **cited)
