"""What changed between two versions of an office's calendar: the days, and the acts that made them other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from calendars.days import DayFact, ExtensionFact
from calendars.office import OfficeCalendar


@dataclass(frozen=True, slots=True)
class Change:
    """A span of days that two calendars see differently, and the act that says so (None: the calendar itself)."""

    first: date
    last: date
    act: str | None
    published_on: date | None
    description: str

    def meets(self, first: date, last: date) -> bool:
        """Whether some day of the span is in ``first`` to ``last``, both included."""
        return self.first <= last and first <= self.last


def changes_between(old: OfficeCalendar, new: OfficeCalendar) -> tuple[Change, ...]:
    """Every span of days on which a term may be counted otherwise, in order; neighbours by the same act are one.

    A change of hours, of the weekly days off or of the calendar's own bounds concerns every day.
    """
    if old.version == new.version:
        return ()
    if _frame(old) != _frame(new):
        first, last = max(old.first_day, new.first_day), min(old.last_day, new.last_day)
        return (Change(first, last, None, None, "horário ou semana da repartição"),)
    found = [*_days(old, new), *_extended(old, new)]
    if old.banks is not None and new.banks is not None:
        found += changes_between(old.banks, new.banks)
    return tuple(sorted(set(found), key=lambda c: (c.first, c.last, c.act or "")))


def _frame(calendar: OfficeCalendar) -> tuple[Any, ...]:
    return (
        calendar.timezone, calendar.first_day, calendar.last_day, calendar.weekly_off, calendar.hours,
        calendar.electronic_filing, calendar.banks is None,
    )  # fmt: skip


def _days(old: OfficeCalendar, new: OfficeCalendar) -> Iterator[Change]:
    named = {fact.day.toordinal() for calendar in (old, new) for fact in calendar.exceptions()}
    stopped = old._stopped ^ new._stopped
    span: Change | None = None
    for ordinal in sorted(named | stopped):
        if _said(old, ordinal) == _said(new, ordinal) and ordinal not in stopped:
            continue
        change = _change(ordinal, old.fact_at(ordinal), new.fact_at(ordinal))
        if span is not None and _continues(span, change):
            span = Change(span.first, change.last, span.act, span.published_on, span.description)
            continue
        if span is not None:
            yield span
        span = change
    if span is not None:
        yield span


def _said(calendar: OfficeCalendar, ordinal: int) -> tuple[Any, ...]:
    """What counting reads of a day; its name and its act are not among it."""
    fact = calendar.fact_at(ordinal)
    hours = (fact.opens, fact.closes, fact.opens_late, fact.closes_early) if fact else ()
    return (calendar.kind_at(ordinal), *hours) if any(hours) else (calendar.kind_at(ordinal),)


def _change(ordinal: int, was: DayFact | None, now: DayFact | None) -> Change:
    day = date.fromordinal(ordinal)
    if now is not None and now.act is not None:
        return Change(day, day, now.act, now.published_on, now.description)
    # the act that reopens a day leaves no trace in it: what is left to cite is the one it took away
    name = f"deixa de ser: {was.description}" if was else now.description if now else "dia normal"
    return Change(day, day, was.act if was and now is None else None, None, name)


def _continues(span: Change, change: Change) -> bool:
    same = (span.act, span.published_on, span.description) == (change.act, change.published_on, change.description)
    return same and change.first.toordinal() == span.last.toordinal() + 1


def _extended(old: OfficeCalendar, new: OfficeCalendar) -> Iterator[Change]:
    """An extension concerns the ends inside its window."""
    for item in sorted(set(old.extensions) ^ set(new.extensions), key=_window):
        yield Change(item.window_from, item.to, item.act, item.published_on, "prorrogação de prazos")


def _window(item: ExtensionFact) -> tuple[date, date]:
    return item.window_from, item.to
