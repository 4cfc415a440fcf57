"""What each deadline must be, worked out from the specification day by day. It shares nothing with the product."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

ONE = timedelta(days=1)
Parameters = dict[str, str]
Dates = tuple[date, date, date, date]  # deemed day, first counted, last counted, due
Others = tuple[tuple[date, str], ...]  # due date and readings, by date

ART_35_B: Parameters = {
    "start_on": "expediente",
    "start_on_closed": "deemed_next",
    "first_day": "next_expediente",
    "reduced": "closed",
    "resume": "next_expediente",
    "months": "next_day",
}
LEI_9784: Parameters = {
    "start_on": "any",
    "start_on_closed": "deemed_next",
    "first_day": "next_day",
    "reduced": "early_closing_at_end",
    "resume": "next_day",
    "months": "last_day",
}
RULES = {"art-35-b": ART_35_B, "lei-9784": LEI_9784}
# One parameter at a time; under lei-9784 the first reading changes two together.
READINGS: dict[str, list[Parameters]] = {
    "art-35-b": [
        {"start_on_closed": "first_counted"},
        {"first_day": "next_day"},
        {"reduced": "closed_at_end"},
        {"resume": "next_day"},
    ],
    "lei-9784": [
        {"start_on": "expediente", "first_day": "next_expediente"},
        {"first_day": "next_expediente"},
        {"reduced": "closed_at_end"},
    ],
}


@dataclass
class Office:
    """Closed days beside the weekends, days that close early, and suspended days."""

    closed: set[date] = field(default_factory=set)
    early: set[date] = field(default_factory=set)
    suspended: set[date] = field(default_factory=set)

    def shut(self, day: date) -> bool:
        """Neither expediente nor a day on which terms run."""
        return day.weekday() >= 5 or day in self.closed or day in self.suspended

    def paused(self, day: date) -> bool:
        """Terms do not run: suspended, and not shut anyway."""
        return day in self.suspended and day.weekday() < 5 and day not in self.closed

    def starts(self, day: date, rule: Parameters) -> bool:
        """Whether the day may be an excluded day, day 1 or a day of resuming."""
        return not self.shut(day) and (day not in self.early or rule["reduced"] != "closed")

    def ends(self, day: date) -> bool:
        """Whether the day may be a due day: every rule here refuses one that closes early."""
        return not self.shut(day) and day not in self.early


def expected(office: Office, rule: Parameters, days: int, months: int, start: date) -> Dates:
    """The dates of a term of ``days``, or of ``months``, from a notice on ``start``."""
    deemed, first = start, None
    if rule["start_on"] == "expediente" and not office.starts(start, rule):
        following = _first(office, start + ONE, rule)
        if rule["start_on_closed"] == "deemed_next":
            deemed = following
        else:
            first = following
    if first is None:
        first = deemed + ONE
        if rule["first_day"] == "next_expediente":
            first = _first(office, first, rule)
        while office.paused(first):
            first += ONE
    last = _months_later(office, rule, deemed, months) if months else _days_later(office, rule, first, days)
    due = last
    while not office.ends(due):
        due += ONE
    return deemed, first, last, due


def _first(office: Office, day: date, rule: Parameters) -> date:
    while not office.starts(day, rule):
        day += ONE
    return day


def _days_later(office: Office, rule: Parameters, first: date, days: int) -> date:
    day, left, waiting = first, days - 1, False
    while left:
        day += ONE
        if office.paused(day):
            waiting = True
        elif not waiting or rule["resume"] == "next_day" or office.starts(day, rule):
            waiting = False
            left -= 1
    return day


def _months_later(office: Office, rule: Parameters, deemed: date, months: int) -> date:
    year, month = divmod(deemed.year * 12 + deemed.month - 1 + months, 12)
    last = date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1) - ONE
    late = last if rule["months"] == "last_day" else last + ONE
    left = ((last.replace(day=deemed.day) if deemed.day <= last.day else late) - deemed).days
    day = deemed
    while left:
        day += ONE
        left -= day not in office.suspended
    return day


def others(office: Office, rule_id: str, days: int, months: int, start: date, due: date) -> Others:
    """The due dates under the other readings where they differ from ``due``."""
    found: dict[date, list[str]] = {}
    for changes in READINGS[rule_id]:
        other = expected(office, {**RULES[rule_id], **changes}, days, months, start)[3]
        if other != due:
            name, value = next(iter(changes.items()))
            found.setdefault(other, []).append(f"{name}={value}")
    return tuple((day, "; ".join(found[day])) for day in sorted(found))


class Answers:
    """The answers for one office, each worked out once."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._known: dict[tuple[str, str, date], tuple[Dates, Others]] = {}

    def of(self, rule_id: str, term: str, start: date) -> tuple[Dates, Others]:
        """Dates and other readings of a term like ``15d``, ``48h`` (hour unknown) or ``1m``."""
        known = self._known.get((rule_id, term, start))
        if known is None:
            amount, unit = int(term[:-1]), term[-1]
            days, months = (0, amount) if unit == "m" else (-(-amount // 24) if unit == "h" else amount, 0)
            dates = expected(self._office, RULES[rule_id], days, months, start)
            known = dates, others(self._office, rule_id, days, months, start, dates[3])
            self._known[rule_id, term, start] = known
        return known


def wrong_share(found: Iterable[date], right: Iterable[date]) -> float:
    """The share of dates that are not the right ones, in percent."""
    pairs = list(zip(found, right, strict=True))
    return 100 * sum(one != other for one, other in pairs) / len(pairs)
