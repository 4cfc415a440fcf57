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
    published = fact.published_on.isoformat() if fact.published_on else None
    if isinstance(fact, SuspensionFact):
        row = [fact.first.isoformat(), fact.last.isoformat(), fact.description, fact.act, published]
        return {"type": "suspension", "row": row}
    days = [day.isoformat() for day in (fact.window_from, fact.window_to, fact.to)]
    return {"type": "extension", "row": [*days, fact.act, published]}


def fact_from_document(document: Any) -> Fact:
    """Rebuild a fact from ``fact_to_document``'s result. Raises CalendarDocumentInvalid."""
    try:
        kind, row = document["type"], document["row"]
        if kind == "day":
            return DayFact.from_row(row)
        if kind == "suspension":
            first, last, description, act, published = row
            return SuspensionFact(_day(first), _day(last), description, act, _day(published) if published else None)
        if kind == "extension":
            window_from, window_to, to, act, published = row
            published_on = _day(published) if published else None
            return ExtensionFact(_day(window_from), _day(window_to), _day(to), act, published_on)
        raise ValueError(f"type {kind!r}")
    except (KeyError, TypeError, ValueError, InvalidRange) as error:
        raise CalendarDocumentInvalid(f"o documento guardado não é um fato do calendário: {error!r}.") from error


def _day(text: str) -> date:
    return date.fromisoformat(text)
