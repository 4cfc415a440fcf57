"""A legal moment: a local day, with its clock time when the hour is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from legalbasis import InputError

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
LAST_SECOND = time(23, 59, 59)
# The extended form alone: Python also reads 20130308 (as midnight) and 2013-W10-5.
_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9.]+)?(Z|[+-][0-9:]+)?)?\Z")


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo:
    """The IANA zone of that name."""
    return ZoneInfo(name)


class _Kept:
    """What is asked of the same moment again and again, kept: zones make both slow to work out."""

    __slots__ = ("_epoch", "_text")
    _epoch: int
    _text: str


@dataclass(frozen=True, slots=True)
class Moment(_Kept):
    """``day`` in the municipality's zone; ``clock`` aware local date-time, or None when no hour was recorded."""

    day: date
    clock: datetime | None
    instant: datetime

    @classmethod
    def of_day(cls, day: date, tz: ZoneInfo) -> Moment:
        """A day with no hour: its instant is the day's first."""
        return cls(day, None, _normal(datetime.combine(day, time(0)), tz))

    @classmethod
    def of_clock(cls, clock: datetime, tz: ZoneInfo) -> Moment:
        """A date-time; naive is local time of the municipality. Seconds are kept, fractions dropped."""
        clock = clock.replace(microsecond=0)
        local = _normal(clock, tz) if clock.tzinfo is None else clock.astimezone(tz)
        return cls(local.date(), local, local)

    @classmethod
    def end_of_day(cls, day: date, tz: ZoneInfo) -> Moment:
        """23:59:59 of the day: the second of the two, where the clocks went back at midnight."""
        return _end_of_day(day, tz)

    @classmethod
    def parse(cls, text: str, tz: ZoneInfo, *, field: str = "date") -> Moment:
        """Read ISO 8601: a date, or a date-time (naive is local). Raises InputError ``data_invalida``."""
        try:
            return _parsed(text, tz)
        except (ValueError, TypeError, OverflowError) as error:
            raise InputError(
                f"“{str(text)[:40]}” não é data.",
                code="data_invalida",
                field=field,
                remedy="Escreva AAAA-MM-DD, ou AAAA-MM-DDTHH:MM quando a hora importa, entre 1900 e 2100.",
            ) from error

    @property
    def has_hour(self) -> bool:
        """Whether the hour is known."""
        return self.clock is not None

    @property
    def epoch(self) -> int:
        """Seconds since 1970 of the instant: what the store compares."""
        try:
            return self._epoch
        except AttributeError:
            epoch = int(self.instant.timestamp())
            object.__setattr__(self, "_epoch", epoch)
            return epoch

    def next_second(self) -> Moment:
        """The first instant after this one, with its hour."""
        local = (self.instant.astimezone(UTC) + timedelta(seconds=1)).astimezone(self.instant.tzinfo)
        return Moment(local.date(), local, local)

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            text = self.clock.isoformat() if self.clock else self.day.isoformat()
            object.__setattr__(self, "_text", text)
            return text


def _normal(naive: datetime, tz: ZoneInfo) -> datetime:
    """Attach the zone; a clock time that a DST change skipped becomes the instant that followed."""
    return naive.replace(tzinfo=tz).astimezone(UTC).astimezone(tz)


@lru_cache(maxsize=16_384)
def _parsed(text: str, tz: ZoneInfo) -> Moment:
    """The moment that a text says, kept: few distinct ones come again and again in a file of acts and in a record."""
    if not _FORM.match(text):
        raise ValueError("form")
    if _DAY.fullmatch(text):
        day = date.fromisoformat(text)
        _require_known_year(day)
        return Moment.of_day(day, tz)
    if not _DAY.match(text):
        raise ValueError("week dates and compact forms are not taken")
    clock = datetime.fromisoformat(text)
    _require_known_year(clock)
    return Moment.of_clock(clock, tz)


def _require_known_year(when: date) -> None:
    if not 1900 <= when.year <= 2100:
        raise ValueError("year")


@lru_cache(maxsize=4_096)
def _end_of_day(day: date, tz: ZoneInfo) -> Moment:
    return Moment.of_clock(datetime.combine(day, LAST_SECOND).replace(fold=1), tz)


def before(first: Moment, second: Moment) -> bool:
    """Whether ``first`` is surely before ``second``: by the clock when both have it, else by the day."""
    if first.has_hour and second.has_hour:
        return first.instant < second.instant
    return first.day < second.day
