"""Municipal facts as JSON-able documents: how a database keeps what a municipality supplied."""

from __future__ import annotations

from datetime import date
from typing import Any

from calendars.days import DayFact, ExtensionFact, Fact, SuspensionFact
from calendars.errors import CalendarDocumentInvalid, InvalidRange


def fact_to_document(fact: Fact) -> dict[str, Any]:
    """A fact as a JSON-able object, with its ``type``: what a database stores and ``fact_from_document`` reads."""
    if isinstance(fact, DayFact):
        return {"type": "day", "row": fact.to_row()}
    cited = {"act": fact.act, "published_on": fact.published_on.isoformat() if fact.published_on else None}
    if isinstance(fact, SuspensionFact):
        ends = {"first": fact.first.isoformat(), "last": fact.last.isoformat(), "description": fact.description}
        return {"type": "suspension", **ends, **cited}
    window = {"window_from": fact.window_from.isoformat(), "window_to": fact.window_to.isoformat()}
    return {"type": "extension", **window, "to": fact.to.isoformat(), **cited}


def fact_from_document(document: dict[str, Any]) -> Fact:
    """The fact that ``fact_to_document`` wrote. Raises ValueError, KeyError or TypeError on anything else."""
    if document["type"] == "day":
        return DayFact.from_row(document["row"])
    act, published = document["act"], document["published_on"]
    published_on = date.fromisoformat(published) if published else None
    if document["type"] == "suspension":
        first, last = date.fromisoformat(document["first"]), date.fromisoformat(document["last"])
        return SuspensionFact(first, last, document["description"], act, published_on)
    days = (date.fromisoformat(document[k]) for k in ("window_from", "window_to", "to"))
    return ExtensionFact(*days, act, published_on)
