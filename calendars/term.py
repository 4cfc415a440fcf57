"""Terms as laws write them (``15d``, ``48h``, ``2m``, ``1a``) and the dates from which they run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from calendars.errors import InvalidDate, InvalidTerm, shown

FIRST_YEAR, LAST_YEAR = 1900, 2100
_TERM = re.compile(r"0*([1-9][0-9]{0,8})([dhma])\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?\Z"
)
HOURS_IN_DAY = 24
MONTHS_IN_YEAR = 12


class TermUnit(StrEnum):
    """The unit of a term; the value is its letter in the notation."""

    DAYS = "d"
    HOURS = "h"
    MONTHS = "m"
    YEARS = "a"


_NAMES = {
    TermUnit.DAYS: ("dia", "dias"),
    TermUnit.HOURS: ("hora", "horas"),
    TermUnit.MONTHS: ("mês", "meses"),
    TermUnit.YEARS: ("ano", "anos"),
}


@dataclass(frozen=True, slots=True)
class Term:
    """A term: ``amount`` (at least 1) of ``unit``. ``str()`` gives the notation, ``label()`` the text for people.

    ``days`` is the term in days (hours rounded up: what they become when the hour of the notice is unknown);
    ``months`` the term in months; whichever does not apply is 0. ``in_hours``: the unit is hours. ``length`` is one
    number for both: the days, or less than nothing the months.
    """

    amount: int
    unit: TermUnit
    days: int = field(init=False, repr=False, compare=False)
    months: int = field(init=False, repr=False, compare=False)
    in_hours: bool = field(init=False, repr=False, compare=False)
    length: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.amount < 1:
            raise InvalidTerm(f"o prazo “{self.amount}{self.unit}” não é maior que zero.", field="term")
        days = months = 0
        if self.unit is TermUnit.DAYS:
            days = self.amount
        elif self.unit is TermUnit.HOURS:
            days = -(-self.amount // HOURS_IN_DAY)
        else:
            months = self.amount * (MONTHS_IN_YEAR if self.unit is TermUnit.YEARS else 1)
        object.__setattr__(self, "days", days)
        object.__setattr__(self, "months", months)
        object.__setattr__(self, "in_hours", self.unit is TermUnit.HOURS)
        object.__setattr__(self, "length", days or -months)

    @classmethod
    def parse(cls, text: object) -> Term:
        """Read ``15d``, ``48h``, ``2m`` or ``1a``. Raises InvalidTerm for 0, a negative amount or anything else."""
        if isinstance(text, str):
            return _parsed(text)
        raise _no_term(text)

    def __str__(self) -> str:
        return f"{self.amount}{self.unit.value}"

    def label(self) -> str:
        """Text for people: ``15 dias``, ``1 mês``."""
        singular, plural = _NAMES[self.unit]
        return f"{self.amount} {singular if self.amount == 1 else plural}"


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Term:
    match = _TERM.match(text.strip())
    if match is None:
        raise _no_term(text)
    return Term(int(match[1]), TermUnit(match[2]))


def _no_term(text: object) -> InvalidTerm:
    return InvalidTerm(f"“{shown(text)}” não é um prazo.", field="term")


def parse_day(text: object, *, field: str = "start") -> date:
    """Read ``AAAA-MM-DD`` between 1900 and 2100. Raises InvalidDate."""
    if isinstance(text, str) and _DATE.match(text.strip()):
        try:
            return _in_years(date.fromisoformat(text.strip()), text, field)
        except ValueError:
            pass
    raise InvalidDate(f"“{shown(text)}” não é uma data.", field=field)


def parse_start(text: object, *, field: str = "start") -> date | datetime:
    """Read a day, or a day with its hour (with or without offset), between 1900 and 2100. Raises InvalidDate."""
    if isinstance(text, str) and _MOMENT.match(text.strip()):
        try:
            moment = datetime.fromisoformat(text.strip())
        except ValueError:
            raise InvalidDate(f"“{shown(text)}” não é uma data com hora.", field=field) from None
        _in_years(moment.date(), text, field)
        return moment
    return parse_day(text, field=field)


def _in_years(day: date, text: str, field: str) -> date:
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise InvalidDate(f"“{shown(text)}” está fora dos anos de {FIRST_YEAR} a {LAST_YEAR}.", field=field)
    return day


def add_months(day: date, months: int, *, to_next_day: bool) -> date:
    """The same day number ``months`` later; where the month lacks it, the first of the next month
    (``to_next_day``) or the last day of that month. Raises OverflowError beyond the year 9999."""
    index = day.year * MONTHS_IN_YEAR + day.month - 1 + months
    year, month = divmod(index, MONTHS_IN_YEAR)
    if year > date.max.year - 1:
        raise OverflowError("year beyond 9998")
    try:
        return date(year, month + 1, day.day)
    except ValueError:
        following = date(year + (month + 1) // MONTHS_IN_YEAR, (month + 1) % MONTHS_IN_YEAR + 1, 1)
        return following if to_next_day else following - timedelta(days=1)
