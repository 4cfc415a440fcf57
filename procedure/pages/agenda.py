"""The open terms as an iCalendar file (RFC 5545), event by event: an agenda of any length stays small in memory.

The one door to ``icalendar``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from icalendar import Calendar, Event

from procedure.services.agenda import Appointment

PRODID = "-//Posturas//agenda de prazos//PT-BR"
_END = b"END:VCALENDAR\r\n"


def calendar_file(name: str, entries: Iterable[Appointment]) -> Iterator[bytes]:
    """The file called ``name`` in the reader's list of calendars, in parts to be written one after another."""
    calendar = Calendar()
    for key, value in (("prodid", PRODID), ("version", "2.0"), ("calscale", "GREGORIAN"), ("method", "PUBLISH")):
        calendar.add(key, value)
    calendar.add("x-wr-calname", name)
    yield calendar.to_ical().removesuffix(_END)
    for entry in entries:
        yield _event(entry).to_ical()
    yield _END


def _event(entry: Appointment) -> Event:
    event = Event()
    event.add("uid", entry.uid)
    event.add("dtstamp", entry.stamp)
    event.add("dtstart", entry.day)
    event.add("dtend", entry.day + timedelta(days=1))
    event.add("summary", entry.summary)
    event.add("description", entry.description)
    event.add("categories", [entry.category])
    event.add("transp", "TRANSPARENT")  # a last day takes nobody's time
    return event
