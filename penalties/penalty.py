"""What a law lays down as a fine: frozen descriptions, read from a rulebook, with no arithmetic in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from enum import StrEnum

from legalbasis import Status
from penalties.progression import RecidivismRule
from penalties.units import BRL


class Grau(StrEnum):
    """The grade of a fine."""

    MINIMO = "minimo"
    MEDIO = "medio"
    MAXIMO = "maximo"


@dataclass(frozen=True, slots=True)
class Fixed:
    """``quantity`` of ``unit``."""

    quantity: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class ByGrade:
    """A quantity of ``unit`` for each grade; the authority chooses the grade."""

    quantities: Mapping[Grau, Decimal]
    unit: str


@dataclass(frozen=True, slots=True)
class Range:
    """From ``lower`` to ``upper`` of ``unit``, both included; the authority chooses and says why."""

    lower: Decimal
    upper: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class PercentOfUnit:
    """``percent`` per cent of one ``unit``."""

    percent: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class PercentOfValue:
    """``percent`` per cent of an amount in reais that the case gives; ``of`` says of what."""

    percent: Decimal
    of: str
    unit: str = BRL


@dataclass(frozen=True, slots=True)
class ByClass:
    """A quantity of ``unit`` for each class that the law names.

    ``up_to``: where the class is one of a measure (``measure``, such as "m2"), the most that each reaches; a class that
    is not there is for what is over all of them.
    """

    quantities: Mapping[str, Decimal]
    unit: str
    up_to: Mapping[str, Decimal] = field(default_factory=dict)
    measure: str | None = None

    def class_of(self, measured: Decimal) -> str | None:
        """The class that a measure is in; None where it is over the last one."""
        for name, most in sorted(self.up_to.items(), key=lambda pair: pair[1]):
            if measured <= most:
                return name
        return next((name for name in self.quantities if name not in self.up_to), None)


Base = Fixed | ByGrade | Range | PercentOfUnit | PercentOfValue | ByClass


@dataclass(frozen=True, slots=True)
class Limit:
    """A cap or a floor of a line: ``quantity`` of ``unit``."""

    quantity: Decimal
    unit: str = BRL
    article: str | None = None


@dataclass(frozen=True, slots=True)
class Aggravation:
    """The fine is multiplied when the fact falls on one of ``weekdays`` (0 Monday … 6 Sunday) or between two hours.

    The hours may cross midnight (22:00 to 06:00); the first is included, the last is not.
    """

    factor: Decimal
    weekdays: frozenset[int] = frozenset()
    after: time | None = None
    before: time | None = None
    article: str | None = None

    def applies(self, moment: date | datetime) -> bool | None:
        """Whether it applies at ``moment``; None when it turns on an hour that ``moment`` does not have."""
        if moment.weekday() in self.weekdays:
            return True
        if self.after is None or self.before is None:
            return False
        if not isinstance(moment, datetime):
            return None
        hour = moment.time()
        if self.after <= self.before:
            return self.after <= hour < self.before
        return hour >= self.after or hour < self.before


@dataclass(frozen=True, slots=True)
class Penalty:
    """One penalty of a law, in one wording.

    ``article`` imposes it; ``per`` is what it is multiplied by ("estabelecimento", "dia", "m2"), or None;
    ``daily`` marks a fine that accrues by the day, ``daily_cap`` how many times the auto's fine its days reach at most.
    ``in_force_until`` is the first day it no longer holds (None:
    still).
    ``especial`` and ``prevalece_sobre`` (ids) say which penalty is charged when one fact falls under two.
    """

    id: str
    article: str
    base: Base
    per: str | None = None
    daily: bool = False
    daily_cap: Decimal | None = None
    status: Status = Status.TEXTO
    in_force_from: date | None = None
    in_force_until: date | None = None
    recidivism: RecidivismRule | None = None
    surcharge: bool = True
    cap: Limit | None = None
    floor: Limit | None = None
    aggravation: Aggravation | None = None
    especial: bool = False
    prevalece_sobre: tuple[str, ...] = ()
    side_effects: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    note: str | None = None
    description: str | None = None

    def in_force(self, day: date) -> bool:
        """Whether this wording holds on ``day``."""
        return (self.in_force_from is None or self.in_force_from <= day) and (
            self.in_force_until is None or day < self.in_force_until
        )

    def units(self) -> frozenset[str]:
        """The units its amount needs."""
        limits = (limit.unit for limit in (self.cap, self.floor) if limit is not None)
        return frozenset((self.base.unit, *limits))


@dataclass(frozen=True, slots=True)
class Choice:
    """What the case and the authority decide about one penalty.

    ``quantidade``: how many of ``penalty.per``; in a range without ``per``, the units chosen. ``escolhida``: the units
    chosen in a range that also has ``per``. ``valor``: the reais a percentage is taken of. ``motivo``: the reason.
    """

    grau: Grau | None = None
    quantidade: Decimal | None = None
    escolhida: Decimal | None = None
    classe: str | None = None
    valor: Decimal | None = None
    motivo: str | None = None


NO_CHOICE = Choice()


@dataclass(frozen=True, slots=True)
class ChosenBase:
    """A base after the choice: ``quantity`` (of ``percent`` per cent, when given) of ``unit``, ``times`` over."""

    quantity: Decimal
    unit: str
    percent: Decimal | None = None
    times: Decimal = field(default=Decimal(1))
    words: str = ""
