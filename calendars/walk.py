"""A term in days, months or years, walked day by day: the plain statement of what ``calendars.table`` looks up.

Days are proleptic ordinals here. The three *ends* of a term are the excluded day, day 1 and the due day; the day on
which a balance resumes is treated as day 1 is. Every other day only counts or does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from calendars.days import DayKind
from calendars.office import OfficeCalendar
from calendars.rules import CountingRule, Days, EndOn, Months, NextDay, Reduced, StartOn, StartOnClosed
from calendars.term import Term, add_months

_NORMAL, _REDUCED, _CLOSED, _SUSPENDED = DayKind.NORMAL, DayKind.REDUZIDO, DayKind.FECHADO, DayKind.SUSPENSO
_COUNTED = {Days.CORRIDOS: (_NORMAL, _REDUCED, _CLOSED), Days.UTEIS: (_NORMAL, _REDUCED)}


class View:
    """What each day is for one rule, at the places where the act may be done (an end must be normal at each)."""

    __slots__ = ("_begun", "_ended", "_others", "_reduced", "calendar", "counted_kinds", "ends", "kept", "rule")

    def __init__(self, calendar: OfficeCalendar, rule: CountingRule, places: tuple[str, ...] = ()) -> None:
        self.calendar = calendar
        self.rule = rule
        self.ends = (calendar,) if not places else tuple(calendar.at(place) for place in places)
        self._others = len(self.ends) != 1 or self.ends[0] is not calendar
        self._reduced = rule.reduced
        self.counted_kinds = _COUNTED[rule.days]
        # What the days of notice and the ends met so far make: a calendar has few days and many terms.
        self._begun: dict[int, tuple[int, int, bool]] = {}
        self._ended: dict[int, tuple[int, int, bool]] = {}
        self.kept: dict[Any, Any] = {}  # what calendars.counting finds out of a day of notice

    def stops(self, o: int) -> bool:
        """Whether terms do not run that day: its kind is ``suspenso`` (a weekend in a suspension is ``fechado``)."""
        return self.calendar.kind_at(o) is _SUSPENDED

    def counts(self, o: int) -> bool:
        """Whether the day counts once the term runs."""
        return self.calendar.kind_at(o) in self.counted_kinds

    def may_start(self, o: int) -> bool:
        """Whether the day can be the excluded day, day 1 or the day of resuming, where expediente is asked."""
        for place in self.ends:
            kind = place.kind_at(o)
            if kind is not _NORMAL and (kind is not _REDUCED or self._reduced is Reduced.CLOSED):
                return False
        return not self._others or not self.stops(o)

    def may_end(self, o: int) -> bool:
        """Whether the day can be the due day, where expediente is asked."""
        for place in self.ends:
            kind = place.kind_at(o)
            if kind is not _NORMAL and (kind is not _REDUCED or self._closed_at_end(place, o)):
                return False
        return not self._others or not self.stops(o)

    def _closed_at_end(self, place: OfficeCalendar, o: int) -> bool:
        if self._reduced is Reduced.OPEN:
            return False
        if self._reduced is Reduced.EARLY_CLOSING_AT_END:
            fact = place.fact_at(o)
            return fact is None or fact.early()
        return True

    def is_normal(self, o: int) -> bool:
        """Whether every place has its full expediente and terms run."""
        for place in self.ends:
            if place.kind_at(o) is not _NORMAL:
                return False
        return not self._others or not self.stops(o)

    def next_start(self, o: int) -> int:
        """The first day from ``o`` on that may be a start."""
        while not self.may_start(o):
            o += 1
        return o

    def next_end(self, o: int) -> int:
        """The first day from ``o`` on that may be the due day: the roll, as often as needed."""
        while not self.may_end(o):
            o += 1
        return o

    def resumes(self, o: int) -> bool:
        """Whether a balance may resume on the day, after a suspension."""
        if self.rule.resume is NextDay.NEXT_EXPEDIENTE:
            return self.may_start(o)
        return self.counts(o)

    def begun(self, o: int) -> tuple[int, int, bool]:
        """The deemed day of a notice on ``o``, day 1, and whether a reduced day was met between."""
        known = self._begun.get(o)
        if known is None:
            starts_on, first = begin(self, o)
            known = self._begun[o] = starts_on, first, self._meets_reduced(o, first)
        return known

    def ended(self, last: int) -> tuple[int, int, bool]:
        """The end after the roll, the due day, and whether a reduced day may have been met on the way."""
        known = self._ended.get(last)
        if known is None:
            rolled = self.next_end(last) if self.rule.end_on is EndOn.EXPEDIENTE else last
            due = extended(self, rolled)
            known = self._ended[last] = rolled, due, due != rolled or self._meets_reduced(last, rolled)
        return known

    def _meets_reduced(self, first: int, last: int) -> bool:
        return any(place.has_reduced(first, last) for place in self.ends)


def view_of(calendar: OfficeCalendar, rule: CountingRule, places: tuple[str, ...]) -> View:
    """The view of a calendar by a rule, kept with the calendar. Its citations may be those of an equal rule."""
    view: View | None = calendar.tables.get((rule.key, places))
    if view is None:
        view = calendar.tables[rule.key, places] = View(calendar, rule, places)
    return view


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a term goes, in ordinals. ``starts_on`` is the deemed day, ``last`` the end before the roll.

    Where no reduced day was met (``reduced``) or no balance resumed (``resumed``), a rule that differs only there
    goes the same way.
    """

    starts_on: int
    first: int
    last: int
    rolled: int
    due: int
    reduced: bool
    resumed: bool


def begin(view: View, o: int) -> tuple[int, int]:
    """The deemed day of a notice on ``o``, and day 1."""
    rule = view.rule
    if rule.start_on is StartOn.EXPEDIENTE and not view.may_start(o):
        if rule.start_on_closed is StartOnClosed.FIRST_COUNTED:
            return o, view.next_start(o + 1)
        o = view.next_start(o + 1)
    return o, day_one(view, o)


def day_one(view: View, excluded: int) -> int:
    """Day 1 of a term whose excluded day is ``excluded``."""
    o = excluded + 1
    if view.rule.first_day is NextDay.NEXT_EXPEDIENTE:
        return view.next_start(o)
    while not view.counts(o):
        o += 1
    return o


def run(view: View, first: int, days: int) -> int:
    """The last counted day of ``days`` days of which ``first`` is day 1; a suspension keeps what has run."""
    if days > view.calendar.last - first + 1:
        raise view.calendar.out_of_range(first + days)
    kind_at, counted = view.calendar.kind_at, view.counted_kinds
    o, left, paused = first, days - 1, False
    if view.rule.days is Days.CORRIDOS:
        # Every day counts up to the first that is suspended: only from there on is there anything to look at.
        o = min(first + left, view.calendar.next_suspended(first + 1) - 1)
        left -= o - first
    while left:
        o += 1
        kind = kind_at(o)
        if kind is _SUSPENDED:
            paused = True
            continue
        if paused and not view.resumes(o):
            continue
        paused = False
        if kind in counted:
            left -= 1
    return o


def run_months(view: View, starts_on: int, months: int) -> int:
    """The same day number ``months`` later, moved by the calendar days that suspensions have inside the term."""
    calendar = view.calendar
    try:
        end = add_months(
            date.fromordinal(starts_on), months, to_next_day=view.rule.months is Months.NEXT_DAY
        ).toordinal()
    except OverflowError:
        raise calendar.out_of_range(0) from None
    if end > calendar.last:
        raise calendar.out_of_range(end)
    o = min(end, calendar.next_stopped(starts_on + 1) - 1)
    left = end - o
    while left:
        o += 1
        if not calendar.stopped_at(o):
            left -= 1
    return o


def walk_term(view: View, term: Term, o: int) -> Walk:
    """The walk of ``term`` (hours already turned into days) from a notice on ``o``."""
    starts_on, first, reduced = view.begun(o)
    return finish(view, term, starts_on, first, reduced)


def finish(view: View, term: Term, starts_on: int, first: int, reduced: bool) -> Walk:
    """The walk once the excluded day and day 1 are known, and whether a reduced day was met before day 1."""
    if term.months:
        last, resumed = run_months(view, starts_on, term.months), False
    else:
        last = run(view, first, term.days)
        resumed = view.calendar.next_suspended(first + 1) <= last
    rolled, due, reduced_end = view.ended(last)
    return Walk(starts_on, first, last, rolled, due, reduced or reduced_end or resumed, resumed)


def extended(view: View, due: int) -> int:
    """The due day after the extensions of the calendar: a fixed date, moved on if it is no day to end on."""
    for extension in view.calendar.extensions:
        if extension.window_from.toordinal() <= due <= extension.window_to.toordinal():
            to = extension.to.toordinal()
            due = view.next_end(to) if view.rule.end_on is EndOn.EXPEDIENTE else to
    return due
