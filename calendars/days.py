"""The days of an office: their kinds, the facts (acts) that make them so, and its hours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from enum import StrEnum
from typing import Any

from calendars.errors import InvalidRange


class DayKind(StrEnum):
    """What the office does on a day (spec: "Days of the office")."""

    NORMAL = "normal"
    REDUZIDO = "reduzido"
    FECHADO = "fechado"
    SUSPENSO = "suspenso"


class Nature(StrEnum):
    """Why a day is closed: banks follow holidays, not the office's own pontos facultativos."""

    FERIADO = "feriado"
    PONTO_FACULTATIVO = "ponto_facultativo"


# "fechado" wins over "suspenso", "suspenso" over "reduzido" when facts overlap.
PRECEDENCE = {DayKind.NORMAL: 0, DayKind.REDUZIDO: 1, DayKind.SUSPENSO: 2, DayKind.FECHADO: 3}
KIND_LABELS = {
    DayKind.NORMAL: "expediente normal",
    DayKind.REDUZIDO: "expediente reduzido",
    DayKind.FECHADO: "sem expediente",
    DayKind.SUSPENSO: "prazos suspensos",
}
WEEKDAYS = (
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
    "domingo",
)


@dataclass(frozen=True, slots=True)
class DayFact:
    """One act about one day. ``kind`` ``normal`` opens a day that would be closed.

    ``opens``/``closes`` are the hours of a reduced day, None when not known. ``opens_late``/``closes_early`` None
    means: whatever the hours say, and both when there are no hours.
    """

    day: date
    kind: DayKind
    description: str
    act: str | None = None
    published_on: date | None = None
    nature: Nature = Nature.FERIADO
    opens: time | None = None
    closes: time | None = None
    opens_late: bool | None = None
    closes_early: bool | None = None
    verified: bool = True

    def late(self) -> bool:
        """Whether a reduced day opens later than usual."""
        if self.opens_late is None:
            return self.opens is not None or (self.closes is None and self.closes_early is None)
        return self.opens_late

    def early(self) -> bool:
        """Whether a reduced day closes earlier than usual."""
        if self.closes_early is None:
            return self.closes is not None or (self.opens is None and self.opens_late is None)
        return self.closes_early

    def to_row(self) -> list[Any]:
        """The day as JSON-able values, in the order that ``from_row`` reads."""
        return [
            self.day.isoformat(),
            self.kind.value,
            self.description,
            self.act,
            self.published_on.isoformat() if self.published_on else None,
            self.nature.value,
            self.opens.isoformat("minutes") if self.opens else None,
            self.closes.isoformat("minutes") if self.closes else None,
            self.opens_late,
            self.closes_early,
            self.verified,
        ]

    @classmethod
    def from_row(cls, row: list[Any]) -> DayFact:
        """Read what ``to_row`` wrote. Raises ValueError, KeyError or TypeError on anything else."""
        day, kind, description, act, published, nature, opens, closes, late, early, verified = row
        return cls(
            date.fromisoformat(day),
            DayKind(kind),
            description,
            act,
            date.fromisoformat(published) if published else None,
            Nature(nature),
            time.fromisoformat(opens) if opens else None,
            time.fromisoformat(closes) if closes else None,
            late,
            early,
            verified,
        )


@dataclass(frozen=True, slots=True)
class SuspensionFact:
    """Terms do not run from ``first`` to ``last``, both included. Raises InvalidRange if it ends before it starts."""

    first: date
    last: date
    description: str = "prazos suspensos"
    act: str | None = None
    published_on: date | None = None

    def __post_init__(self) -> None:
        _check_range(self.first, self.last)


@dataclass(frozen=True, slots=True)
class ExtensionFact:
    """Every end from ``window_from`` to ``window_to`` (both included) moves to ``to``.

    Raises InvalidRange when the window ends before it starts, or ``to`` is before the window's end.
    """

    window_from: date
    window_to: date
    to: date
    act: str | None = None
    published_on: date | None = None

    def __post_init__(self) -> None:
        _check_range(self.window_from, self.window_to)
        if self.to < self.window_to:
            raise InvalidRange(f"a prorrogação leva a {self.to}, antes do fim da sua janela ({self.window_to}).")


Fact = DayFact | SuspensionFact | ExtensionFact


def _check_range(first: date, last: date) -> None:
    if last < first:
        raise InvalidRange(f"o período de {first.isoformat()} a {last.isoformat()} termina antes de começar.")


@dataclass(frozen=True, slots=True)
class OfficeHours:
    """Opening and closing time by weekday (0 Monday … 6 Sunday); a weekday left out has no known hours."""

    week: tuple[tuple[time, time] | None, ...]

    @classmethod
    def same_every_day(cls, opens: time, closes: time) -> OfficeHours:
        """The same hours on all seven weekdays (days off are closed anyway)."""
        return cls(((opens, closes),) * 7)

    def to_document(self) -> list[list[str] | None]:
        """Seven entries, [opens, closes] as HH:MM or None."""
        return [[h[0].isoformat("minutes"), h[1].isoformat("minutes")] if h else None for h in self.week]

    @classmethod
    def from_document(cls, document: list[list[str] | None]) -> OfficeHours:
        """Read what ``to_document`` wrote."""
        return cls(tuple((time.fromisoformat(h[0]), time.fromisoformat(h[1])) if h else None for h in document))


def weekly_closed(ordinal: int) -> DayFact:
    """The closed day that a weekly day off is."""
    day = date.fromordinal(ordinal)
    return DayFact(day, DayKind.FECHADO, WEEKDAYS[day.weekday()])


def settle(days: Mapping[int, DayFact], weekly_off: frozenset[int], facts: list[DayFact]) -> dict[int, DayFact]:
    """The days with ``facts`` laid over them, in order of publication.

    A ``normal`` fact undoes what came before it (a ponto facultativo moved to another day); among the others the
    stronger kind wins, and of two reduced days the later.
    """
    settled = dict(days)
    for fact in sorted(facts, key=lambda f: f.published_on or date.min):
        ordinal = fact.day.toordinal()
        before = settled.get(ordinal)
        if before is None and (ordinal + 6) % 7 in weekly_off:
            before = weekly_closed(ordinal)
        if before is None or fact.kind is DayKind.NORMAL or _stronger(fact, before):
            settled[ordinal] = fact
    for ordinal in [fact.day.toordinal() for fact in facts if fact.kind is DayKind.NORMAL]:
        now = settled.get(ordinal)
        if now is not None and now.kind is DayKind.NORMAL and (ordinal + 6) % 7 not in weekly_off:
            del settled[ordinal]  # a plain normal day needs no fact
    return settled


def _stronger(fact: DayFact, before: DayFact) -> bool:
    if fact.kind is before.kind:
        weekly = before.kind is DayKind.FECHADO and before.act is None and before.description in WEEKDAYS
        return weekly or fact.kind is DayKind.REDUZIDO
    return PRECEDENCE[fact.kind] > PRECEDENCE[before.kind]
