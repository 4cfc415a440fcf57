"""An infraction to be charged, and what it comes to once charged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from penalties.antecedents import Moment
from penalties.memoria import Line, Warned
from penalties.money import total
from penalties.penalty import NO_CHOICE, Choice, Penalty
from penalties.recidivism import Recidivism
from penalties.units import UnitValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One infraction to be charged.

    ``article`` is the infraction, in the notation of provisions; ``fact`` names the fact it belongs to (items of one
    fact are charged once; None: a fact of its own); ``fact_at`` is needed only by a penalty that is higher at some
    hours or days. ``unit_values`` overrides the assessment's (another day of fact, or a value already fixed).
    """

    penalty: Penalty
    article: str
    description: str
    choice: Choice = NO_CHOICE
    fact: str | None = None
    fact_at: Moment | None = None
    recidivism: Recidivism | None = None
    unit_values: Mapping[str, UnitValue] | None = None
    warnings: tuple[Warned, ...] = ()


@dataclass(frozen=True, slots=True)
class Charged:
    """An item with the lines it makes."""

    item: Item
    lines: tuple[Line, ...]
    warnings: tuple[Warned, ...]

    @property
    def amount(self) -> Decimal:
        """What the item comes to, in reais."""
        return total(line.amount for line in self.lines)
