"""How much a repetition raises a fine: a flat double, a ladder, compounding, or an addition each time."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from legalbasis import Status, TomlTable
from penalties.errors import InvalidAmount
from penalties.money import add, check_amount, check_rate, decimal_text, multiply, power


class ProgressionKind(StrEnum):
    """The ways a repetition raises a fine."""

    DOBRO = "dobro"
    ESCALA = "escala"
    PROGRESSIVA = "progressiva"
    ADITIVA = "aditiva"


@dataclass(frozen=True, slots=True)
class Progression:
    """The n-th repetition and what it makes of the fine.

    ``dobro``: factor 2, flat. ``escala``: the n-th of ``factors``, the last one for good. ``progressiva``: ``step`` to
    the n-th power, at most ``cap_factor``. ``aditiva``: ``addition`` reais each time (or ``step`` of the base each
    time), the whole fine at most ``cap_amount`` reais.
    ``of_last``: it raises the person's last fine, not this one's base.
    """

    kind: ProgressionKind = ProgressionKind.DOBRO
    factors: tuple[Decimal, ...] = ()
    step: Decimal = Decimal(2)
    addition: Decimal | None = None
    cap_factor: Decimal | None = None
    cap_amount: Decimal | None = None
    of_last: bool = False

    def factor(self, count: int) -> Decimal:
        """The multiplier after ``count`` antecedents that count (1 for none)."""
        if count <= 0:
            return Decimal(1)
        if self.kind is ProgressionKind.DOBRO:
            return Decimal(2)
        if self.kind is ProgressionKind.ESCALA:
            return self.factors[min(count, len(self.factors)) - 1]
        if self.kind is ProgressionKind.PROGRESSIVA:
            return self._compounded(count)
        return Decimal(1) if self.addition is not None else add(Decimal(1), multiply(self.step, Decimal(count)))

    def added(self, count: int) -> Decimal | None:
        """Reais added after ``count`` antecedents, or None when the progression only multiplies."""
        if self.addition is None or count <= 0:
            return None
        return multiply(self.addition, Decimal(count))

    def to_dict(self) -> dict[str, Any]:
        """Keys kind, factors, step, addition, cap_factor, cap_amount."""
        return {
            "kind": self.kind.value,
            "factors": [decimal_text(f) for f in self.factors],
            "step": decimal_text(self.step),
            "addition": decimal_text(self.addition) if self.addition is not None else None,
            "cap_factor": decimal_text(self.cap_factor) if self.cap_factor is not None else None,
            "cap_amount": decimal_text(self.cap_amount) if self.cap_amount is not None else None,
            **({"of_last": True} if self.of_last else {}),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Progression:
        """The progression that ``to_dict`` wrote."""
        optional = {k: None if data[k] is None else Decimal(data[k]) for k in ("addition", "cap_factor", "cap_amount")}
        factors = tuple(Decimal(f) for f in data["factors"])
        of_last = data.get("of_last", False)
        return cls(ProgressionKind(data["kind"]), factors, Decimal(data["step"]), **optional, of_last=of_last)

    def _compounded(self, count: int) -> Decimal:
        if self.cap_factor is None:
            return power(self.step, count)
        result = Decimal(1)
        for _ in range(count):
            result = multiply(result, self.step)
            if result >= self.cap_factor:
                return self.cap_factor
        return result


DOBRO = Progression()


@dataclass(frozen=True, slots=True)
class RecidivismRule:
    """What a penalty says of repetition: the progression, the provision that orders it, its status, its effects."""

    progression: Progression = DOBRO
    article: str | None = None
    status: Status = Status.TEXTO
    effects: tuple[str, ...] = ()


def rule_from_table(table: TomlTable) -> RecidivismRule:
    """A ``reincidencia`` table: progressao, article, status, effects, fatores, passo, adicional, teto_fator, teto."""
    kind = table.enum("progressao", ProgressionKind, ProgressionKind.DOBRO)
    factors = tuple(_decimal(table, "fatores", text) for text in table.strings("fatores", ()))
    step = table.decimal("passo", Decimal(2))
    addition, cap_factor = table.decimal("adicional", None), table.decimal("teto_fator", None)
    cap_amount = table.decimal("teto", None)
    of_last = table.bool("sobre_a_ultima", False)
    if of_last and kind is not ProgressionKind.DOBRO:
        table.defect("sobre_a_ultima", "só com progressao = “dobro”")
    article, status = table.str("article", None), table.enum("status", Status, Status.TEXTO)
    effects = table.strings("effects", ())
    table.close()
    if (kind is ProgressionKind.ESCALA) != bool(factors):
        table.defect("fatores", "é a lista dos fatores da escala, e só dela")
        kind = ProgressionKind.DOBRO
    if addition is not None and kind is not ProgressionKind.ADITIVA:
        table.defect("adicional", "só com progressao = “aditiva”")
    if cap_amount is not None and addition is None:
        table.defect("teto", "só com “adicional”")
    if kind is ProgressionKind.ADITIVA and addition is None and "passo" not in table:
        table.defect("adicional", "a aditiva pede “adicional” (reais) ou “passo” (fração da base)")
    _check(table, {"passo": step, "teto_fator": cap_factor}, {"adicional": addition, "teto": cap_amount})
    progression = Progression(kind, factors, step, addition, cap_factor, cap_amount, of_last)
    return RecidivismRule(progression, article, status, effects)


def _decimal(table: TomlTable, key: str, text: str) -> Decimal:
    try:
        return check_rate(Decimal(text))
    except (ArithmeticError, InvalidAmount):
        table.defect(key, f"“{text}” não é um fator")
        return Decimal(1)


def _check(table: TomlTable, rates: dict[str, Decimal | None], amounts: dict[str, Decimal | None]) -> None:
    for check, values in ((check_rate, rates), (check_amount, amounts)):
        for key, value in values.items():
            try:
                if value is not None:
                    check(value)
            except InvalidAmount as error:
                table.defect(key, error.message)
