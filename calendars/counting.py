"""``count``: a deadline with its dates, its due moment, the alternative readings and, when asked, every step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

from calendars.clock import ClockWalk, finish_clock, moment_of, walk_clock
from calendars.events import Event, Interruption
from calendars.explain import Step, explain_clock, explain_days
from calendars.office import OfficeCalendar
from calendars.readings import Reading, other_readings
from calendars.rules import CountingRule, Hours
from calendars.term import Term, TermUnit
from calendars.walk import View, Walk, day_one, finish, view_of, walk_term
from legalbasis import Citation

_REDUCED, _RESUME = frozenset({"reduced"}), frozenset({"resume"})
_OF_START = frozenset({"start_on", "start_on_closed", "first_day"})


class Timeliness(StrEnum):
    """Whether an act came in time. Never a bare yes or no: readings may disagree."""

    TEMPESTIVA = "tempestiva"
    CONTROVERTIDA = "controvertida"
    INTEMPESTIVA = "intempestiva"


@dataclass(frozen=True, slots=True)
class AlternativeDue:
    """The due date under other readings: ``reading`` is ``parameter=value``, joined by ``; `` when several agree."""

    due: date
    due_at: datetime
    reading: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """A counted term.

    ``start`` is the event as given; ``starts_on`` the day it is deemed to fall on; ``first_counted`` day 1;
    ``last_counted`` the end before the roll; ``due`` the due day and ``due_at`` the due moment in the municipality's
    zone. ``alternatives`` are sorted by date. ``steps`` are empty unless asked for. ``calendar_version`` is the
    calendar's digest.
    """

    start: date | datetime
    term: Term
    rule: CountingRule
    starts_on: date
    first_counted: date
    last_counted: date
    due: date
    due_at: datetime
    alternatives: tuple[AlternativeDue, ...]
    steps: tuple[Step, ...]
    legal_basis: tuple[Citation, ...]
    calendar: OfficeCalendar

    @property
    def calendar_version(self) -> str:
        """The digest of the calendar by which the term was counted."""
        return self.calendar.version

    @property
    def latest_due(self) -> date:
        """The last due date among all readings (``espera = "leitura_mais_favoravel"``)."""
        return max(self.due, *(a.due for a in self.alternatives)) if self.alternatives else self.due

    @property
    def latest_due_at(self) -> datetime:
        """The last due moment among all readings."""
        return max([self.due_at, *(a.due_at for a in self.alternatives)])

    def payment(self, paid_on: date) -> Timeliness:
        """Whether a payment is in time: by its date, whatever the hour of the due moment."""
        dues = [self.due, *(a.due for a in self.alternatives)]
        return _verdict(paid_on <= min(dues), paid_on > max(dues))

    def filing(self, filed: date | datetime) -> Timeliness:
        """Whether an act is in time: by the minute when its protocol has an hour, else by its date."""
        if not isinstance(filed, datetime):
            return self.payment(filed)
        minute = localize(filed, self.calendar).replace(second=0, microsecond=0)
        dues = [self.due_at, *(a.due_at for a in self.alternatives)]
        return _verdict(minute <= min(dues), minute > max(dues))

    def to_dict(self) -> dict[str, Any]:
        """The dates, readings and legal basis as the batch contract writes them."""
        return {**self.dates(), "legal_basis": [str(c) for c in self.legal_basis]}

    def dates(self) -> dict[str, Any]:
        """``to_dict`` without the legal basis."""
        return {
            "starts_on": self.starts_on.isoformat(),
            "first_counted": self.first_counted.isoformat(),
            "last_counted": self.last_counted.isoformat(),
            "due": self.due.isoformat(),
            "due_at": self.due_at.isoformat(),
            "alternatives": [{"due": a.due.isoformat(), "reading": a.reading} for a in self.alternatives],
        }


def _verdict(surely_in: bool, surely_late: bool) -> Timeliness:
    if surely_in:
        return Timeliness.TEMPESTIVA
    return Timeliness.INTEMPESTIVA if surely_late else Timeliness.CONTROVERTIDA


def localize(moment: datetime, calendar: OfficeCalendar) -> datetime:
    """A moment in the municipality's zone; one without offset is already the municipality's clock."""
    if moment.tzinfo is None:
        return moment_of_naive(moment, calendar)
    return moment.astimezone(calendar.zone)


def moment_of_naive(moment: datetime, calendar: OfficeCalendar) -> datetime:
    """A clock time of the municipality as a real instant (one that DST skipped becomes what the clocks showed)."""
    return moment.replace(tzinfo=calendar.zone).astimezone(UTC).astimezone(calendar.zone)


def count(
    calendar: OfficeCalendar,
    rule: CountingRule,
    term: Term,
    start: date | datetime,
    *,
    places: tuple[str, ...] = (),
    alternative_places: tuple[str, ...] = (),
    events: Iterable[Event] = (),
    legal_basis: tuple[Citation, ...] = (),
    explain: bool = False,
) -> Count:
    """Count ``term`` from ``start`` under ``rule``.

    ``start`` is the event that starts the term: a date, or a date-time (naive: the municipality's clock) whose hour
    only terms in hours use. ``places`` are where an end must be normal (default: the office alone);
    ``alternative_places`` the other reading of that (payments). ``events`` befall this term alone.
    ``legal_basis`` is put before the rule's own citations.

    Raises CalendarOutOfRange, UnknownPlace.
    """
    happened = tuple(events)
    calendar = (
        calendar.with_facts([e.fact() for e in happened if not isinstance(e, Interruption)]) if happened else calendar
    )
    local = localize(start, calendar) if isinstance(start, datetime) else start
    job = _Job(calendar, term, local, tuple(e for e in happened if isinstance(e, Interruption)))
    main = job.under(rule, places)
    alternatives = _alternatives(job, rule, places, alternative_places, main)
    own = rule.citations(term.unit.value)
    return Count(
        start=start,
        term=term,
        rule=rule,
        starts_on=main.starts_on,
        first_counted=main.first,
        last_counted=main.last,
        due=main.due_at.date(),
        due_at=main.due_at,
        alternatives=alternatives,
        steps=job.steps(rule, places, main) if explain else (),
        legal_basis=tuple(dict.fromkeys((*legal_basis, *own))) if legal_basis else own,
        calendar=calendar,
    )


def _alternatives(
    job: _Job, rule: CountingRule, places: tuple[str, ...], other_places: tuple[str, ...], main: _Outcome
) -> tuple[AlternativeDue, ...]:
    """The due dates of the other readings that differ from the main one, by date."""
    found: dict[date, tuple[datetime, list[Reading]]] = {}
    readings = other_readings(rule, job.term, in_hours=job.by_clock(rule), other_places=other_places)
    for reading in job.may_differ(readings, places, main):
        if reading.places and set(reading.places) == set(places or ("reparticao",)):
            continue
        due_at = job.other_due(reading, places, main)
        if due_at is not None:
            found.setdefault(due_at.date(), (due_at, []))[1].append(reading)
    if not found:
        return ()
    return tuple(
        AlternativeDue(
            day, due_at, "; ".join(r.label for r in readings), tuple(dict.fromkeys(r.source for r in readings))
        )
        for day, (due_at, readings) in sorted(found.items(), key=lambda item: item[0])
    )


@dataclass(frozen=True, slots=True)
class _Outcome:
    starts_on: date
    first: date
    last: date
    due_at: datetime
    walk: Walk | ClockWalk
    restarts: tuple[Interruption, ...]
    view: View


@dataclass(frozen=True, slots=True)
class _Job:
    """One term and its start, to be counted under several rules."""

    calendar: OfficeCalendar
    term: Term
    start: date | datetime
    interruptions: tuple[Interruption, ...]

    def by_clock(self, rule: CountingRule) -> bool:
        """Whether the term runs from minute to minute: in hours, with the hour of the notice known."""
        return (
            self.term.unit is TermUnit.HOURS
            and isinstance(self.start, datetime)
            and rule.hours is Hours.MINUTE_TO_MINUTE
        )

    def may_differ(self, readings: tuple[Reading, ...], places: tuple[str, ...], main: _Outcome) -> tuple[Reading, ...]:
        """The readings that may give another day: for a day of notice, where nothing else was met, always the same."""
        walk = main.walk
        if self.interruptions or type(self.start) is not date or isinstance(walk, ClockWalk):
            return readings
        if walk.reduced or walk.resumed:
            return readings
        o = self.start.toordinal()
        kept = main.view.kept.get((o, self.term.in_hours))
        if kept is None or kept[0] is not readings:  # not those of an equal rule that knows others
            chosen = tuple(r for r in readings if not self._same_start(r, places, walk, o))
            kept = main.view.kept[o, self.term.in_hours] = readings, chosen
        found: tuple[Reading, ...] = kept[1]
        return found

    def _same_start(self, reading: Reading, places: tuple[str, ...], walk: Walk, o: int) -> bool:
        if reading.changed in (_REDUCED, _RESUME):
            return True
        if not reading.changed or not reading.changed <= _OF_START:
            return False
        begun = view_of(self.calendar, reading.rule, places).begun(o)
        return begun[:2] == (walk.starts_on, walk.first)

    def other_due(self, reading: Reading, places: tuple[str, ...], main: _Outcome) -> datetime | None:
        """The due moment under another reading; None when it falls on the day of the main one.

        Most readings change nothing that the main walk met: they are not walked again.
        """
        walk, places = main.walk, reading.places or places
        if self.interruptions or not reading.changed or isinstance(walk, ClockWalk) or type(self.start) is not date:
            due_at = self.under(reading.rule, places, waits=reading.waits).due_at
            return due_at if due_at.date() != main.due_at.date() else None
        changed = reading.changed
        if (changed == _REDUCED and not walk.reduced) or (changed == _RESUME and not walk.resumed):
            return None
        view = view_of(self.calendar, reading.rule, places)
        starts_on, first, reduced = view.begun(self.start.toordinal())
        if starts_on == walk.starts_on and first == walk.first and changed <= _OF_START:
            return None
        due = finish(view, self.term, starts_on, first, reduced).due
        return self.calendar.end_of_day(due) if due != walk.due else None

    def under(self, rule: CountingRule, places: tuple[str, ...], *, waits: bool = False) -> _Outcome:
        view = view_of(self.calendar, rule, places)
        if isinstance(self.start, datetime) and self.by_clock(rule):
            return self._clock(view, self.start, waits)
        return self._days(view)

    def _days(self, view: View) -> _Outcome:
        day = self.start.date() if isinstance(self.start, datetime) else self.start
        walk = walk_term(view, self.term, day.toordinal())
        restarts = []
        for event in sorted(self.interruptions, key=lambda e: e.first):
            if walk.starts_on < event.last.toordinal() and event.first.toordinal() <= walk.due:
                excluded = event.last.toordinal()
                walk = finish(view, self.term, excluded, day_one(view, excluded), True)
                restarts.append(event)
        of = date.fromordinal
        due_at = self.calendar.end_of_day(walk.due)
        return _Outcome(of(walk.starts_on), of(walk.first), of(walk.last), due_at, walk, tuple(restarts), view)

    def _clock(self, view: View, start: datetime, waits: bool) -> _Outcome:
        walk = walk_clock(view, self.term.amount, start, waits=waits)
        restarts = []
        for event in sorted(self.interruptions, key=lambda e: e.first):
            if walk.begins_at.date() <= event.last and event.first <= walk.due_at.date():
                day = day_one(view, event.last.toordinal())
                opening = self.calendar.opening(day)
                begins = moment_of(view, day, opening) if opening else moment_of(view, day, datetime.min.time())
                walk = finish_clock(view, self.term.amount, begins)
                restarts.append(event)
        began = walk.begins_at.date()
        return _Outcome(began, began, walk.runs_out_at.date(), walk.due_at, walk, tuple(restarts), view)

    def steps(self, rule: CountingRule, places: tuple[str, ...], outcome: _Outcome) -> tuple[Step, ...]:
        view = View(self.calendar, rule, places)
        if isinstance(outcome.walk, ClockWalk):
            assert isinstance(self.start, datetime)
            return explain_clock(view, self.term, self.start, outcome.walk, outcome.restarts)
        day = self.start.date() if isinstance(self.start, datetime) else self.start
        return explain_days(view, self.term, day.toordinal(), outcome.walk, outcome.restarts)
