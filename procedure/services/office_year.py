"""The office's year for whoever draws it: the kind of each day, and the runs of days that are not normal."""

from __future__ import annotations

from calendar import SUNDAY, Calendar
from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum

from calendars.days import WEEKDAYS, DayFact, DayKind, Nature, weekly_closed
from calendars.office import OfficeCalendar

# Weeks run from Sunday to Saturday, as on the wall calendars of Brazil.
_WEEKS = Calendar(SUNDAY)


class DayMark(StrEnum):
    """What a day of the office is, as it is drawn."""

    NORMAL = "normal"
    WEEKLY = "folga"
    HOLIDAY = "feriado"
    OPTIONAL = "ponto_facultativo"
    REDUCED = "reduzido"
    SUSPENDED = "suspenso"
    OPENED = "aberto"
    UNKNOWN = "desconhecido"


LABELS = {
    DayMark.NORMAL: "expediente normal",
    DayMark.WEEKLY: "folga semanal",
    DayMark.HOLIDAY: "feriado",
    DayMark.OPTIONAL: "ponto facultativo",
    DayMark.REDUCED: "expediente reduzido",
    DayMark.SUSPENDED: "prazos suspensos",
    DayMark.OPENED: "aberto por ato em dia de folga",
    DayMark.UNKNOWN: "fora do calendário",
}
RARE = (DayMark.OPENED, DayMark.UNKNOWN)
"""In a legend only when drawn."""


def day_mark(calendar: OfficeCalendar, day: date) -> DayMark:
    """What a day of the calendar is."""
    ordinal = day.toordinal()
    if not calendar.first <= ordinal <= calendar.last:
        return DayMark.UNKNOWN
    fact = calendar.fact_at(ordinal)
    if fact is None:
        return DayMark.NORMAL
    if fact.kind is DayKind.FECHADO:
        if fact == weekly_closed(ordinal):
            return DayMark.WEEKLY
        return DayMark.OPTIONAL if fact.nature is Nature.PONTO_FACULTATIVO else DayMark.HOLIDAY
    marks = {DayKind.REDUZIDO: DayMark.REDUCED, DayKind.SUSPENSO: DayMark.SUSPENDED}
    return marks.get(fact.kind, DayMark.OPENED)


def weeks_of(year: int, month: int) -> list[list[date | None]]:
    """The weeks of a month, Sunday first; None for a place of another month."""
    return [[date(year, month, d) if d else None for d in week] for week in _WEEKS.monthdayscalendar(year, month)]


def days_of(year: int) -> list[date]:
    """Every day of a year."""
    return [day for month in range(1, 13) for week in weeks_of(year, month) for day in week if day is not None]


def runs(calendar: OfficeCalendar, days: Iterable[date]) -> Iterator[tuple[date, date, DayFact]]:
    """Neighbours that say the same together; weekly days off between them do not part them (a recess of weeks)."""
    open_run: tuple[date, date, DayFact] | None = None
    for day in days:
        mark = day_mark(calendar, day)
        if mark is DayMark.WEEKLY:
            continue
        fact = None if mark in (DayMark.NORMAL, DayMark.UNKNOWN) else calendar.fact(day)
        if open_run is not None and fact is not None and _same(open_run[2], fact):
            open_run = (open_run[0], day, fact)
            continue
        if open_run is not None:
            yield open_run
        open_run = None if fact is None else (day, day, fact)
    if open_run is not None:
        yield open_run


def _same(one: DayFact, other: DayFact) -> bool:
    return one.to_row()[1:] == other.to_row()[1:]


def when(first: date, last: date, form: str) -> str:
    """``29/03 sexta``, or ``20/12 a 06/01``; ``form`` is the date's."""
    weekday = WEEKDAYS[first.weekday()].removesuffix("-feira")
    return f"{first:{form}} {weekday}" if first == last else f"{first:{form}} a {last:{form}}"


def hours(fact: DayFact) -> str:
    """`` (abre às 13:00)`` of a day with reduced hours; else nothing."""
    if fact.kind is not DayKind.REDUZIDO:
        return ""
    opens = (f"abre às {fact.opens:%H:%M}" if fact.opens else "abre mais tarde") if fact.late() else ""
    closes = (f"fecha às {fact.closes:%H:%M}" if fact.closes else "fecha mais cedo") if fact.early() else ""
    return f" ({' e '.join(filter(None, (opens, closes)))})" if opens or closes else ""
