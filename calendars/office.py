"""An office's calendar: immutable, bounded, rebuilt from its document alone."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from calendars.days import (
    DayFact,
    DayKind,
    ExtensionFact,
    Fact,
    Nature,
    OfficeHours,
    SuspensionFact,
    settle,
    weekly_closed,
)
from calendars.errors import CalendarDocumentInvalid, CalendarOutOfRange, UnknownPlace

FORMAT = 1
REPARTICAO, BANCARIO = "reparticao", "bancario"
_NORMAL, _CLOSED = DayKind.NORMAL, DayKind.FECHADO
LAST_SECOND = time(23, 59, 59)
_LAST_SECOND_AGAIN = LAST_SECOND.replace(fold=1)
_BEYOND = date.max.toordinal() + 1
_WORKED_OUT = ("_banks", "_pauses", "_version", "_zone")  # kept once worked out; they say nothing new


class OfficeCalendar:
    """The days of one office between ``first_day`` and ``last_day`` (both known); outside, CalendarOutOfRange.

    ``weekly_off`` are weekdays without expediente (0 Monday … 6 Sunday). ``hours`` None: not known.
    ``electronic_filing``: acts are taken until 23:59:59, whatever the hours. ``banks``: the days of the banks of the
    place (for ends at ``bancario``), None when not known. Build it with ``build``, ``load_calendar`` or
    ``from_document``; change it with ``with_facts``.
    """

    __slots__ = (
        "_banks",
        "_days",
        "_pauses",
        "_sealed",
        "_stopped",
        "_version",
        "_zone",
        "electronic_filing",
        "extensions",
        "first",
        "first_day",
        "hours",
        "id",
        "last",
        "last_day",
        "tables",
        "timezone",
        "weekly_off",
    )

    def __init__(
        self,
        calendar_id: str,
        *,
        timezone: str,
        first_day: date,
        last_day: date,
        weekly_off: frozenset[int] = frozenset({5, 6}),
        hours: OfficeHours | None = None,
        electronic_filing: bool = False,
        days: Mapping[int, DayFact] | None = None,
        stopped: frozenset[int] = frozenset(),
        extensions: tuple[ExtensionFact, ...] = (),
        banks: OfficeCalendar | None = None,
    ) -> None:
        object.__setattr__(self, "_sealed", False)
        self.id = calendar_id
        self.timezone = timezone
        self.first_day, self.last_day = first_day, last_day
        self.first, self.last = first_day.toordinal(), last_day.toordinal()
        self.weekly_off = weekly_off
        self.hours = hours
        self.electronic_filing = electronic_filing
        self.extensions = extensions
        self._banks: tuple[OfficeCalendar | None, list[DayFact]] = (banks, [])  # and holidays not yet laid over them
        self.tables: dict[Any, Any] = {}  # look-up tables by rule, filled by calendars.table
        self._days: dict[int, DayFact] = dict(days or {})
        # Days that a suspension names, weekly days off among them: a term in months moves by all of these.
        self._stopped = stopped
        self._pauses: tuple[list[int], list[int]] | None = None  # suspended days, and days that a suspension names
        self._version: str | None = None
        self._zone: tzinfo | None = None
        self._sealed = True

    def __setattr__(self, name: str, value: Any) -> None:
        if self._sealed and name not in _WORKED_OUT:
            raise AttributeError(f"an OfficeCalendar is immutable: {name} cannot be set")
        object.__setattr__(self, name, value)

    # -- days ---------------------------------------------------------------------------------------------------

    def kind(self, day: date) -> DayKind:
        """The kind of ``day``. Raises CalendarOutOfRange."""
        return self.kind_at(day.toordinal())

    def kind_at(self, ordinal: int) -> DayKind:
        """The kind of a day given as proleptic ordinal. Raises CalendarOutOfRange."""
        if not self.first <= ordinal <= self.last:
            raise self.out_of_range(ordinal)
        fact = self._days.get(ordinal)
        if fact is not None:
            return fact.kind
        return _CLOSED if (ordinal + 6) % 7 in self.weekly_off else _NORMAL

    def fact_at(self, ordinal: int) -> DayFact | None:
        """Why the day is not normal; None for a plain normal day. Raises CalendarOutOfRange."""
        if self.kind_at(ordinal) is _NORMAL:
            return self._days.get(ordinal)
        return self._days.get(ordinal) or weekly_closed(ordinal)

    def fact(self, day: date) -> DayFact | None:
        """Why ``day`` is not normal; None for a plain normal day. Raises CalendarOutOfRange."""
        return self.fact_at(day.toordinal())

    def reason(self, day: date) -> str | None:
        """Why ``day`` is not normal, in words; None for a normal day. Raises CalendarOutOfRange."""
        fact = self.fact_at(day.toordinal())
        return fact.description if fact is not None and fact.kind is not _NORMAL else None

    def is_normal(self, day: date) -> bool:
        """Whether the office has its full expediente. Raises CalendarOutOfRange."""
        return self.kind_at(day.toordinal()) is _NORMAL

    def next_expediente(self, day: date, inclusive: bool = True) -> date:
        """The first normal day on or after ``day`` (after it, unless ``inclusive``). Raises CalendarOutOfRange."""
        ordinal = day.toordinal() + (0 if inclusive else 1)
        while self.kind_at(ordinal) is not _NORMAL:
            ordinal += 1
        return date.fromordinal(ordinal)

    def stopped_at(self, ordinal: int) -> bool:
        """Whether a suspension names the day, be it a weekly day off or not. Raises CalendarOutOfRange."""
        if not self.first <= ordinal <= self.last:
            raise self.out_of_range(ordinal)
        return ordinal in self._stopped

    def has_reduced(self, first: int, last: int) -> bool:
        """Whether a day from ``first`` to ``last``, as far as the calendar goes, has reduced hours."""
        for ordinal in range(first, last + 1):
            fact = self._days.get(ordinal)
            if fact is not None and fact.kind is DayKind.REDUZIDO:
                return True
        return False

    def next_suspended(self, ordinal: int) -> int:
        """The first day from ``ordinal`` on whose kind is ``suspenso``; beyond every date when there is none."""
        return _at_or_after(self._paused_days()[0], ordinal)

    def next_stopped(self, ordinal: int) -> int:
        """The first day from ``ordinal`` on that a suspension names; beyond every date when there is none."""
        return _at_or_after(self._paused_days()[1], ordinal)

    def _paused_days(self) -> tuple[list[int], list[int]]:
        if self._pauses is None:
            suspended = sorted(o for o, fact in self._days.items() if fact.kind is DayKind.SUSPENSO)
            self._pauses = suspended, sorted(self._stopped)
        return self._pauses

    def exceptions(self, year: int | None = None) -> list[DayFact]:
        """The days that differ from the plain week, in order, of one year or of all."""
        return [self._days[o] for o in sorted(self._days) if year is None or self._days[o].day.year == year]

    def out_of_range(self, ordinal: int) -> CalendarOutOfRange:
        """The error for a day that this calendar does not know."""
        day = date.fromordinal(ordinal).isoformat() if 0 < ordinal <= date.max.toordinal() else "um dia além de 9999"
        return CalendarOutOfRange(
            f"o calendário {self.id} vai de {self.first_day} a {self.last_day} e não conhece {day}.",
            remedy="Peça ao município os dias desses anos, ou use datas dentro do calendário.",
        )

    # -- hours and moments --------------------------------------------------------------------------------------

    @property
    def zone(self) -> tzinfo:
        """The municipality's time zone."""
        if self._zone is None:
            self._zone = ZoneInfo(self.timezone)
        return self._zone

    def opening(self, ordinal: int) -> time | None:
        """When the office opens that day; None when not known."""
        fact = self._days.get(ordinal)
        if fact is not None and fact.opens is not None:
            return fact.opens
        hours = self.hours.week[(ordinal + 6) % 7] if self.hours else None
        return hours[0] if hours else None

    def closing(self, ordinal: int) -> time | None:
        """When the day's acts stop being taken (23:59:59 with electronic filing); None when not known."""
        if self.electronic_filing:
            return LAST_SECOND
        fact = self._days.get(ordinal)
        if fact is not None and fact.closes is not None:
            return fact.closes
        hours = self.hours.week[(ordinal + 6) % 7] if self.hours else None
        return hours[1] if hours else None

    def end_of_day(self, ordinal: int) -> datetime:
        """The due moment of a day: the end of its expediente, 23:59:59 where hours are not known."""
        # fold=1: where clocks went back at midnight, the second 23:59:59 is the later one.
        at = self.closing(ordinal)
        at = _LAST_SECOND_AGAIN if at is None or at is LAST_SECOND else at.replace(fold=1)
        return datetime.combine(date.fromordinal(ordinal), at, self.zone)

    # -- places -------------------------------------------------------------------------------------------------

    @property
    def banks(self) -> OfficeCalendar | None:
        """The days of the banks of the place; None when not known."""
        # Worked out when first asked for: few terms end at a bank, and many calendars are made for one term.
        banks, holidays = self._banks
        if banks is not None and holidays:
            banks = banks.with_facts(holidays)
            self._banks = banks, []
        return banks

    def at(self, place: str) -> OfficeCalendar:
        """The calendar of a place of the act: ``reparticao`` (this one) or ``bancario``. Raises UnknownPlace."""
        if place == REPARTICAO:
            return self
        if place == BANCARIO and self.banks is not None:
            return self.banks
        raise UnknownPlace(
            f"o calendário {self.id} não conhece o lugar “{place}”.",
            remedy=f"Os lugares são {REPARTICAO} e {BANCARIO}.",
        )

    # -- change, store ------------------------------------------------------------------------------------------

    def with_facts(self, facts: Iterable[Fact]) -> OfficeCalendar:
        """A new calendar with municipal facts laid over this one, in order of publication.

        Holidays close the banks too; pontos facultativos, reduced days and suspensions do not.
        Raises CalendarOutOfRange for a day (or an end of a window) outside the calendar.
        """
        listed = list(facts)
        extensions = [f for f in listed if isinstance(f, ExtensionFact)]
        day_facts = [f for f in listed if isinstance(f, DayFact)]
        for day in [f.day for f in day_facts] + [e.to for e in extensions]:
            self.kind(day)
        # Suspensions day by day, in their place in the list: of two facts published together the later one is last.
        spread = [day for f in listed if not isinstance(f, ExtensionFact) for day in self._spread(f)]
        days = settle(self._days, self.weekly_off, spread)
        named = {f.day.toordinal() for f in spread if f.kind is DayKind.SUSPENSO}
        stopped = frozenset(o for o in self._stopped | named if not self._normal_in(days, o))
        result = self._replaced(days=days, stopped=stopped, extensions=self.extensions + tuple(extensions))
        suspended = (o for o in {*self._paused_days()[0], *named} if result.kind_at(o) is DayKind.SUSPENSO)
        result._pauses = sorted(suspended), sorted(stopped)
        banks = self.banks
        if banks is not None:
            closed = [f for f in day_facts if f.kind is _CLOSED and f.nature is Nature.FERIADO]
            for fact in closed:
                banks.kind(fact.day)
            result._banks = banks, closed
        return result

    def _normal_in(self, days: Mapping[int, DayFact], ordinal: int) -> bool:
        fact = days.get(ordinal)
        return (ordinal + 6) % 7 not in self.weekly_off if fact is None else fact.kind is _NORMAL

    def _spread(self, fact: DayFact | SuspensionFact) -> list[DayFact]:
        if isinstance(fact, DayFact):
            return [fact]
        for day in (fact.first, fact.last):
            self.kind(day)
        return [
            DayFact(date.fromordinal(o), DayKind.SUSPENSO, fact.description, fact.act, fact.published_on)
            for o in range(fact.first.toordinal(), fact.last.toordinal() + 1)
        ]

    def _replaced(self, **changes: Any) -> OfficeCalendar:
        same: dict[str, Any] = {
            "timezone": self.timezone,
            "first_day": self.first_day,
            "last_day": self.last_day,
            "weekly_off": self.weekly_off,
            "hours": self.hours,
            "electronic_filing": self.electronic_filing,
            "days": self._days,
            "stopped": self._stopped,
            "extensions": self.extensions,
            "banks": self.banks,
        }
        return OfficeCalendar(self.id, **{**same, **changes})

    @property
    def version(self) -> str:
        """sha256 (64 hexadecimal digits) of every day and setting: equal calendars have equal versions."""
        if self._version is None:
            text = json.dumps(self.to_document(), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
            self._version = hashlib.sha256(text.encode("ascii")).hexdigest()
        return self._version

    def to_document(self) -> dict[str, Any]:
        """The whole calendar, JSON-able; ``from_document`` rebuilds an equal one."""
        return {
            "format": FORMAT,
            "id": self.id,
            "timezone": self.timezone,
            "first_day": self.first_day.isoformat(),
            "last_day": self.last_day.isoformat(),
            "weekly_off": sorted(self.weekly_off),
            "hours": self.hours.to_document() if self.hours else None,
            "electronic_filing": self.electronic_filing,
            "days": [fact.to_row() for fact in self.exceptions()],
            "stopped": _ranges(self._stopped),
            "extensions": [
                [e.window_from.isoformat(), e.window_to.isoformat(), e.to.isoformat(), e.act, _iso(e.published_on)]
                for e in self.extensions
            ],
            "banks": self.banks.to_document() if self.banks else None,
        }

    @classmethod
    def from_document(cls, document: Any) -> OfficeCalendar:
        """Rebuild a calendar from ``to_document``'s result. Raises CalendarDocumentInvalid."""
        try:
            return cls._read(document)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise CalendarDocumentInvalid(f"o documento guardado não é um calendário: {error!r}.") from error

    @classmethod
    def _read(cls, document: Any) -> OfficeCalendar:
        if document["format"] != FORMAT:
            raise ValueError(f"format {document['format']!r}")
        facts = [DayFact.from_row(row) for row in document["days"]]
        return cls(
            document["id"],
            timezone=document["timezone"],
            first_day=date.fromisoformat(document["first_day"]),
            last_day=date.fromisoformat(document["last_day"]),
            weekly_off=frozenset(document["weekly_off"]),
            hours=OfficeHours.from_document(document["hours"]) if document["hours"] else None,
            electronic_filing=document["electronic_filing"],
            days={f.day.toordinal(): f for f in facts},
            stopped=frozenset(
                o
                for first, last in document["stopped"]
                for o in range(date.fromisoformat(first).toordinal(), date.fromisoformat(last).toordinal() + 1)
            ),
            extensions=tuple(
                ExtensionFact(
                    date.fromisoformat(e[0]), date.fromisoformat(e[1]), date.fromisoformat(e[2]), e[3], _day(e[4])
                )
                for e in document["extensions"]
            ),
            banks=cls._read(document["banks"]) if document["banks"] else None,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OfficeCalendar) and self.version == other.version

    def __hash__(self) -> int:
        return hash(self.version)

    def __repr__(self) -> str:
        return f"OfficeCalendar({self.id!r}, {self.first_day}..{self.last_day})"


def _at_or_after(ordinals: list[int], ordinal: int) -> int:
    i = bisect_left(ordinals, ordinal)
    return ordinals[i] if i < len(ordinals) else _BEYOND


def _ranges(ordinals: frozenset[int]) -> list[list[str]]:
    ranges: list[list[int]] = []
    for ordinal in sorted(ordinals):
        if ranges and ranges[-1][1] == ordinal - 1:
            ranges[-1][1] = ordinal
        else:
            ranges.append([ordinal, ordinal])
    return [[date.fromordinal(a).isoformat(), date.fromordinal(b).isoformat()] for a, b in ranges]


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
