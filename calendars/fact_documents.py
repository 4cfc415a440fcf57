"""Municipal facts as JSON-able documents: how a database keeps what a municipality supplied."""

from __future__ import annotations

from datetime import date
from typing import Any

from calendars.days import DayFact, ExtensionFact, Fact, SuspensionFact
from calendars.errors import CalendarDocumentInvalid, InvalidRange


def fact_to_document(fact: Fact) -> dict[str, Any]:
    """The fact as JSON-able values under ``type``: ``day``, ``suspension`` or ``extension``."""
    if isinstance(fact, DayFact):
        return {"type": "day", "row": fact.to_row()}
    cited = {"act": fact.act, "published_on": fact.published_on.isoformat() if fact.published_on else None}
    if isinstance(fact, SuspensionFact):
        ends = {"first": fact.first.isoformat(), "last": fact.last.isoformat(), "description": fact.description}
        return {"type": "suspension", **ends, **cited}
    window = {"window_from": fact.window_from.isoformat(), "window_to": fact.window_to.isoformat()}
    return {"type": "extension", **window, "to": fact.to.isoformat(), **cited}


def fact_from_document(document: Any) -> Fact:
    """The fact that ``fact_to_document`` wrote. Raises CalendarDocumentInvalid on anything else."""
    try:
        return _read(document)
    except (KeyError, TypeError, ValueError, InvalidRange) as error:
        raise CalendarDocumentInvalid(f"o documento guardado não é um fato do calendário: {error!r}.") from error


def _read(document: Any) -> Fact:
    if document["type"] == "day":
        return DayFact.from_row(document["row"])
    act, published = document["act"], document["published_on"]
    published_on = date.fromisoformat(published) if published else None
    if document["type"] == "suspension":
        first, last = date.fromisoformat(document["first"]), date.fromisoformat(document["last"])
        return SuspensionFact(first, last, document["description"], act, published_on)
    if document["type"] == "extension":
        first, last, to = (date.fromisoformat(document[k]) for k in ("window_from", "window_to", "to"))
        return ExtensionFact(first, last, to, act, published_on)
    raise ValueError(f"type {document['type']!r}")
