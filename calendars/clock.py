"""A term in hours whose notice has a known hour: it runs from minute to minute, in elapsed hours (DST included)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from calendars.rules import EndOn, HoursEnd, NextDay, StartOn
from calendars.walk import View, extended

_MIDNIGHT = time(0)


@dataclass(frozen=True, slots=True)
class ClockWalk:
    """Where a term in hours goes: the moment from which it runs, where it runs out, and its due moment."""

    begins_at: datetime
    runs_out_at: datetime
    due_at: datetime


def moment_of(view: View, ordinal: int, clock: time) -> datetime:
    """A local time as a real instant: a clock time that DST skipped becomes the one the clocks showed."""
    zone = view.calendar.zone
    return datetime.combine(date.fromordinal(ordinal), clock, zone).astimezone(UTC).astimezone(zone)


def _opening(view: View, ordinal: int) -> datetime:
    return moment_of(view, ordinal, view.calendar.opening(ordinal) or _MIDNIGHT)


def walk_clock(view: View, hours: int, notice: datetime, *, waits: bool = False) -> ClockWalk:
    """Run ``hours`` from ``notice`` (aware, in the municipality's zone).

    ``waits``: a notice before a closed day waits for the next day of expediente (Súmula 310 on hours).
    Raises CalendarOutOfRange.
    """
    begins = _begin(view, notice)
    ordinal = begins.date().toordinal()
    if waits and not view.may_start(ordinal + 1):
        begins = _opening(view, view.next_start(ordinal + 1))
    return finish_clock(view, hours, begins)


def finish_clock(view: View, hours: int, begins: datetime) -> ClockWalk:
    """The walk once the moment from which the hours run is known."""
    try:
        ends = _elapse(view, begins, timedelta(hours=hours))
    except OverflowError:
        raise view.calendar.out_of_range(0) from None
    return ClockWalk(begins, ends, _due(view, ends))


def _begin(view: View, notice: datetime) -> datetime:
    ordinal, clock = notice.date().toordinal(), notice.time()
    view.calendar.kind_at(ordinal)
    if view.rule.start_on is not StartOn.EXPEDIENTE:
        return notice
    if view.may_start(ordinal):
        opens, closes = view.calendar.opening(ordinal), view.calendar.closing(ordinal)
        if opens is not None and clock < opens:
            return _opening(view, ordinal)
        if closes is None or clock <= closes:
            return notice
    return _opening(view, view.next_start(ordinal + 1))


def _elapse(view: View, begins: datetime, left: timedelta) -> datetime:
    """The instant after ``left`` of running time; the days that are suspended do not run."""
    now = begins
    while True:
        end = (now.astimezone(UTC) + left).astimezone(view.calendar.zone)
        if end.date().toordinal() > view.calendar.last:
            raise view.calendar.out_of_range(end.date().toordinal())
        day, last = now.date().toordinal(), end.date().toordinal()
        stop = next((o for o in range(day, last + 1) if view.stops(o)), None)
        if stop is None:
            return end
        if stop > day:
            left -= moment_of(view, stop, _MIDNIGHT).astimezone(UTC) - now.astimezone(UTC)
            if not left:
                return moment_of(view, stop, _MIDNIGHT)
        now = _resume(view, stop)


def _resume(view: View, stop: int) -> datetime:
    ordinal = stop + 1
    while view.stops(ordinal) or not view.resumes(ordinal):
        ordinal += 1
    if view.rule.resume is NextDay.NEXT_EXPEDIENTE:
        return _opening(view, ordinal)
    return moment_of(view, ordinal, _MIDNIGHT)


def _due(view: View, ends: datetime) -> datetime:
    calendar, ordinal, clock = view.calendar, ends.date().toordinal(), ends.time()
    due = ends
    if view.rule.end_on is EndOn.EXPEDIENTE:
        opens, closes = calendar.opening(ordinal), calendar.closing(ordinal)
        early = opens is not None and clock < opens
        late = closes is not None and clock > closes
        if not view.is_normal(ordinal) or early or late:
            due = _moved(view, ordinal if early and view.is_normal(ordinal) else ordinal + 1, clock)
    moved_to = extended(view, due.date().toordinal())
    return due if moved_to == due.date().toordinal() else calendar.end_of_day(moved_to)


def _moved(view: View, ordinal: int, clock: time) -> datetime:
    """The due moment on the next normal day from ``ordinal`` on, as ``hours_end`` says."""
    while not view.is_normal(ordinal):
        ordinal += 1
    calendar = view.calendar
    if view.rule.hours_end is HoursEnd.END_OF_EXPEDIENTE:
        return calendar.end_of_day(ordinal)
    if view.rule.hours_end is HoursEnd.FIRST_MINUTE:
        return _opening(view, ordinal)
    # The same clock, brought inside the office's hours where the clock is itself outside them.
    opens, closes = calendar.opening(ordinal), calendar.closing(ordinal)
    if opens is not None and clock < opens:
        clock = opens
    if closes is not None and clock > closes:
        clock = closes
    return moment_of(view, ordinal, clock)
