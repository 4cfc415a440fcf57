"""A second way to count, written for the tests from the specification: one day after another, dates and strings only.

It shares nothing with the packages: days are given as lists, rules as mappings, terms as a number and a letter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

ONE = timedelta(days=1)


@dataclass
class Office:
    closed: set[date] = field(default_factory=set)
    reduced: dict[date, tuple[bool, bool]] = field(default_factory=dict)  # opens late, closes early
    suspended: list[tuple[date, date]] = field(default_factory=list)

    def named(self, day: date) -> bool:
        return any(first <= day <= last for first, last in self.suspended)

    def kind(self, day: date) -> str:
        if day.weekday() >= 5 or day in self.closed:
            return "fechado"
        if self.named(day):
            return "suspenso"
        return "reduzido" if day in self.reduced else "normal"


def _start_open(office: Office, rule: dict[str, str], day: date) -> bool:
    kind = office.kind(day)
    return kind == "normal" or (kind == "reduzido" and rule["reduced"] != "closed")


def _end_open(office: Office, rule: dict[str, str], day: date) -> bool:
    kind = office.kind(day)
    if kind == "reduzido":
        closes_early = office.reduced[day][1]
        return {"open": True, "early_closing_at_end": not closes_early}.get(rule["reduced"], False)
    return kind == "normal"


def _counts(office: Office, rule: dict[str, str], day: date) -> bool:
    kind = office.kind(day)
    return kind in ("normal", "reduzido") or (kind == "fechado" and rule["days"] == "corridos")


def _same_day_number(day: date, months: int, missing: str) -> date:
    year, month = day.year, day.month
    for _ in range(months):
        month += 1
        if month == 13:
            year, month = year + 1, 1
    last = date(year + month // 12, month % 12 + 1, 1) - ONE
    if day.day <= last.day:
        return date(year, month, day.day)
    return last if missing == "last_day" else last + ONE


def count_day_by_day(  # noqa: PLR0912  # read from top to bottom beside the specification
    office: Office, rule: dict[str, str], amount: int, unit: str, start: date
) -> tuple[date, date, date, date]:
    """Deemed day, first counted, last counted, due."""
    deemed, first = start, None
    if rule["start_on"] == "expediente" and not _start_open(office, rule, start):
        following = start + ONE
        while not _start_open(office, rule, following):
            following += ONE
        if rule["start_on_closed"] == "deemed_next":
            deemed = following
        else:
            first = following
    if first is None:
        first = deemed + ONE
        if rule["first_day"] == "next_expediente":
            while not _start_open(office, rule, first):
                first += ONE
        else:
            while not _counts(office, rule, first):
                first += ONE

    if unit in "ma":
        last = deemed
        remaining = (_same_day_number(deemed, amount * (12 if unit == "a" else 1), rule["months"]) - deemed).days
        while remaining:
            last += ONE
            if not office.named(last):
                remaining -= 1
    else:
        days = amount if unit == "d" else (amount + 23) // 24
        last, counted, waiting = first, 1, False
        while counted < days:
            last += ONE
            if office.kind(last) == "suspenso":
                waiting = True
                continue
            if waiting:
                back = _start_open if rule["resume"] == "next_expediente" else _counts
                if not back(office, rule, last):
                    continue
                waiting = False
            if _counts(office, rule, last):
                counted += 1

    due = last
    if rule["end_on"] == "expediente":
        while not _end_open(office, rule, due):
            due += ONE
    return deemed, first, last, due


def count_minutes(  # noqa: PLR0912  # the same
    office: Office,
    rule: dict[str, str],
    hours: int,
    start: datetime,
    *,
    opens: time | None = None,
    closes: time | None = None,
) -> datetime:
    """The due moment of a term in hours, one real minute after another. ``start`` is aware, without seconds."""
    zone = start.tzinfo
    at_open = opens or time(0)

    def local(day: date, clock: time) -> datetime:
        return datetime.combine(day, clock, zone).astimezone(UTC).astimezone(zone)

    now = start
    if rule["start_on"] == "expediente":
        day = start.date()
        if _start_open(office, rule, day) and opens is not None and start.time() < opens:
            now = local(day, at_open)
        elif not _start_open(office, rule, day) or (closes is not None and start.time() > closes):
            day += ONE
            while not _start_open(office, rule, day):
                day += ONE
            now = local(day, at_open)

    left, waiting = hours * 60, False
    while left:
        day = now.date()
        back = _start_open if rule["resume"] == "next_expediente" else _counts
        if office.kind(day) == "suspenso":
            waiting = True
        elif (
            waiting
            and back(office, rule, day)
            and (rule["resume"] == "next_day" or opens is None or now.time() >= opens)
        ):
            waiting = False
        following = (now.astimezone(UTC) + timedelta(minutes=1)).astimezone(zone)
        if not waiting:
            left -= 1
        now = following

    if rule["end_on"] == "any":
        return now
    day, clock = now.date(), now.time()
    normal = office.kind(day) == "normal"
    early, late = opens is not None and clock < opens, closes is not None and clock > closes
    if normal and not early and not late:
        return now
    if not (normal and early):
        day += ONE
        while office.kind(day) != "normal":
            day += ONE
    if rule["hours_end"] == "end_of_expediente":
        return datetime.combine(day, closes or time(23, 59, 59), zone)
    if rule["hours_end"] == "first_minute":
        return local(day, at_open)
    if early and opens is not None:
        clock = opens
    if late and closes is not None:
        clock = closes
    return local(day, clock)
