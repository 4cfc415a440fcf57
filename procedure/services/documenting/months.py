"""The months of a count, drawn: each day with its part (counted, skipped with its reason, due) and its word."""

from __future__ import annotations

from calendar import SUNDAY, Calendar
from collections.abc import Iterator
from datetime import date, timedelta

from calendars import Count
from calendars.days import DayKind
from calendars.explain import StepKind
from procedure.services.documenting.pieces import DayDrawn, MonthDrawn

MONTHS = (
    "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro",
    "dezembro",
)  # fmt: skip
MANY = 4
"""Months; of a longer term only the first two and the last two are drawn."""

_WEEKS = Calendar(SUNDAY)
_SKIPS = {
    StepKind.SKIPPED: ("pulado", "pula"),
    StepKind.SUSPENDED: ("suspenso", "susp."),
    StepKind.NOT_COUNTED: ("pulado", "não conta"),
    StepKind.ROLLED: ("pulado", "adia"),
}


def draw_months(counted: Count, *, expires_on: date) -> Iterator[MonthDrawn]:
    """From the month of the start to that of the last end. ``expires_on``: until when the municipality waits."""
    parts = parts_of(counted)
    if expires_on != counted.due:
        parts[expires_on] = ("espera", "espera")
    first, last = min(counted.starts_on, *parts), max(counted.due, expires_on)
    months = [(n // 12, n % 12 + 1) for n in range(first.year * 12 + first.month - 1, last.year * 12 + last.month)]
    for year, month in months if len(months) <= MANY else (*months[:2], *months[-2:]):
        yield _month(counted, year, month, parts)


def parts_of(counted: Count) -> dict[date, tuple[str, str | None]]:
    """What each day is in the count, and the word under it."""
    parts: dict[date, tuple[str, str | None]] = {}
    for step in counted.steps:
        if step.kind in _SKIPS:
            parts.update((day, _SKIPS[step.kind]) for day in _days(step.first, step.last))
        elif step.kind in (StepKind.EVENT, StepKind.EXCLUDED):
            parts[step.first] = ("inicio", "início")
    ordinal = 0
    for day in _days(counted.first_counted, counted.last_counted):
        if parts.get(day, ("", None))[0] not in ("suspenso", "pulado"):
            ordinal += 1
            parts[day] = ("contado", None if counted.term.months else f"{ordinal}º")
    for day in _days(counted.last_counted + timedelta(1), counted.due - timedelta(1)):
        parts[day] = ("pulado", "adia")
    parts[counted.due] = ("vence", "vence")
    return parts


def _month(counted: Count, year: int, month: int, parts: dict[date, tuple[str, str | None]]) -> MonthDrawn:
    weeks = tuple(
        tuple(_day(counted, date(year, month, number), parts) if number else None for number in week)
        for week in _WEEKS.monthdayscalendar(year, month)
    )
    return MonthDrawn(title=f"{MONTHS[month - 1]} de {year}", weeks=weeks)


def _day(counted: Count, day: date, parts: dict[date, tuple[str, str | None]]) -> DayDrawn:
    part, word = parts.get(day, ("fora", None))
    return DayDrawn(number=day.day, part=part, word=word, closed=_closed(counted, day))


def _closed(counted: Count, day: date) -> bool:
    calendar, ordinal = counted.calendar, day.toordinal()
    if not calendar.first <= ordinal <= calendar.last:
        return False
    fact = calendar.fact_at(ordinal)
    return fact is not None and fact.kind is DayKind.FECHADO


def _days(first: date, last: date) -> Iterator[date]:
    return (date.fromordinal(o) for o in range(first.toordinal(), last.toordinal() + 1))
