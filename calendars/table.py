"""``due_date``: the fast path. Per calendar and rule one set of tables, then a look-up for each deadline.

``ranks[i]`` is the position, in the list of days that count in a running term, of day 1 of a notice on day ``i``;
``dues[r]`` the due date of a term whose last counted day has position ``r``. A term of n days is
``dues[ranks[i] + n - 1]``. ``calendars.walk`` says the same day by day; tests hold them equal.
"""

from __future__ import annotations

from datetime import date

from calendars.counting import count
from calendars.office import OfficeCalendar
from calendars.rules import CountingRule, EndOn, Months, NextDay, StartOn, StartOnClosed
from calendars.term import Term, add_months
from calendars.walk import View, extended

_NONE = -1
_TERMS_KEPT = 64  # laws know few terms; a program that asks for all of them does not fill the memory


class Tables:
    """The look-up tables of one calendar under one rule."""

    __slots__ = (
        "dues",
        "dues_by_day",
        "first",
        "known",
        "ranks",
        "running",
        "running_rank",
        "starts",
        "to_next_day",
    )

    def __init__(self, calendar: OfficeCalendar, rule: CountingRule) -> None:
        view = View(calendar, rule)
        days = range(calendar.first, calendar.last + 1)
        self.first = calendar.first
        may_start = [view.may_start(o) for o in days]
        counts = [view.counts(o) for o in days]
        next_start = _next_true(may_start)
        day_one = next_start if rule.first_day is NextDay.NEXT_EXPEDIENTE else _next_true(counts)
        self.starts = _starts(rule, may_start, next_start)
        counted = self._counted(view, may_start, counts)
        self.dues_by_day = self._dues_by_day(view)
        self.dues = [self.dues_by_day[i] for i in counted]
        rank_of = {i: rank for rank, i in enumerate(counted)}
        first_days = _first_days(rule, self.starts, may_start, next_start, day_one)
        # None: beyond the calendar, or a day 1 inside a pause (it counts although a running term would still wait).
        self.ranks = [None if f == _NONE else rank_of.get(f) for f in first_days]
        self.running = [i for i, o in enumerate(days) if not calendar.stopped_at(o)]
        self.running_rank = _ranks_up_to(self.running, len(days))
        self.to_next_day = rule.months is Months.NEXT_DAY
        self.known: dict[int, dict[date, date]] = {}  # length of the term -> notice -> due: each worked out once

    @staticmethod
    def _counted(view: View, may_start: list[bool], counts: list[bool]) -> list[int]:
        resumes = may_start if view.rule.resume is NextDay.NEXT_EXPEDIENTE else counts
        counted, paused, first = [], False, view.calendar.first
        for i, day_counts in enumerate(counts):
            if view.stops(first + i):
                paused = True
            elif not paused or resumes[i]:
                paused = False
                if day_counts:
                    counted.append(i)
        return counted

    @staticmethod
    def _dues_by_day(view: View) -> list[date | None]:
        calendar = view.calendar
        days = range(calendar.first, calendar.last + 1)
        if view.rule.end_on is EndOn.ANY:
            rolled = list(range(len(days)))
        else:
            may_end = [view.may_end(o) for o in days]
            following = _next_true(may_end)
            rolled = [i if may_end[i] else following[i] for i in range(len(days))]
        if calendar.extensions:
            rolled = [r if r == _NONE else extended(view, calendar.first + r) - calendar.first for r in rolled]
        return [None if r == _NONE else date.fromordinal(calendar.first + r) for r in rolled]


def _next_true(flags: list[bool]) -> list[int]:
    """For each position, the first later position whose flag is set, or -1."""
    following, seen = [_NONE] * len(flags), _NONE
    for i in range(len(flags) - 1, -1, -1):
        following[i] = seen
        if flags[i]:
            seen = i
    return following


def _starts(rule: CountingRule, may_start: list[bool], next_start: list[int]) -> list[int]:
    """The deemed day of a notice on each day."""
    if rule.start_on is StartOn.ANY or rule.start_on_closed is StartOnClosed.FIRST_COUNTED:
        return list(range(len(may_start)))
    return [i if ok else next_start[i] for i, ok in enumerate(may_start)]


def _first_days(
    rule: CountingRule, starts: list[int], may_start: list[bool], next_start: list[int], day_one: list[int]
) -> list[int]:
    if rule.start_on is StartOn.EXPEDIENTE and rule.start_on_closed is StartOnClosed.FIRST_COUNTED:
        return [day_one[i] if ok else next_start[i] for i, ok in enumerate(may_start)]
    return [_NONE if s == _NONE else day_one[s] for s in starts]


def _ranks_up_to(positions: list[int], length: int) -> list[int]:
    """For each position, how many of ``positions`` are at or before it."""
    ranks, seen, listed = [], 0, set(positions)
    for i in range(length):
        seen += i in listed
        ranks.append(seen)
    return ranks


def tables_of(calendar: OfficeCalendar, rule: CountingRule) -> Tables:
    """The tables, built once per calendar and rule."""
    tables: Tables | None = calendar.tables.get(rule.key)
    if tables is None:
        tables = calendar.tables[rule.key] = Tables(calendar, rule)
    return tables


def due_date(calendar: OfficeCalendar, rule: CountingRule, term: Term, start: date) -> date:
    """The due date alone, by look-up (``count`` explains it). Raises CalendarOutOfRange.

    From a date-time it is ``count``'s: the hour, or the offset, may matter.
    """
    try:
        due: date = calendar.tables[rule.key].known[term.length][start]  # no date-time equals a date
    except KeyError:
        return _work_out(calendar, rule, term, start)
    return due


def _work_out(calendar: OfficeCalendar, rule: CountingRule, term: Term, start: date) -> date:
    if type(start) is not date:
        return count(calendar, rule, term, start).due
    tables = tables_of(calendar, rule)
    due = (_months if term.months else _days)(tables, calendar, rule, term, start)
    if term.length not in tables.known and len(tables.known) >= _TERMS_KEPT:
        tables.known.clear()
    tables.known.setdefault(term.length, {})[start] = due
    return due


def _days(tables: Tables, calendar: OfficeCalendar, rule: CountingRule, term: Term, start: date) -> date:
    i = start.toordinal() - tables.first
    rank = tables.ranks[i] if 0 <= i < len(tables.ranks) else None
    if rank is not None and rank + term.days <= len(tables.dues):
        due = tables.dues[rank + term.days - 1]
        if due is not None:
            return due
    return count(calendar, rule, term, start).due


def _months(tables: Tables, calendar: OfficeCalendar, rule: CountingRule, term: Term, start: date) -> date:
    i = start.toordinal() - tables.first
    if 0 <= i < len(tables.starts) and (deemed := tables.starts[i]) != _NONE:
        try:
            began = date.fromordinal(tables.first + deemed)
            length = add_months(began, term.months, to_next_day=tables.to_next_day).toordinal() - began.toordinal()
            due = tables.dues_by_day[tables.running[tables.running_rank[deemed] + length - 1]]
        except (IndexError, OverflowError):
            due = None
        if due is not None:
            return due
    return count(calendar, rule, term, start).due
