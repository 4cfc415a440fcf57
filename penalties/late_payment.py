"""The increase for late payment: a percentage of the fine, once, when its term ends with any balance open."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from legalbasis import Status
from penalties.memoria import Line
from penalties.money import amount_text, centavos, check_amount, check_rate, from_centavos, money_br, multiply, total
from penalties.units import BRL, REAL


class SurchargeBase(StrEnum):
    """What the percentage falls on: the whole fine as last fixed (the letter), or what of it was not paid in time."""

    MULTA_ARBITRADA = "multa_arbitrada"
    SALDO = "saldo"


@dataclass(frozen=True, slots=True)
class Surcharge:
    """``line`` (None when nothing was left open) and ``balance``, in reais; ``other_*`` under the other base."""

    base: SurchargeBase
    line: Line | None
    amount: Decimal
    balance: Decimal
    other_base: SurchargeBase
    other_amount: Decimal
    other_balance: Decimal

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "base": self.base.value,
            "line": self.line.to_dict() if self.line is not None else None,
            "amount": amount_text(self.amount),
            "balance": amount_text(self.balance),
            "other_base": self.other_base.value,
            "other_amount": amount_text(self.other_amount),
            "other_balance": amount_text(self.other_balance),
        }


def surcharge(
    fine: Decimal,
    paid_in_time: Decimal = Decimal(0),
    *,
    base: SurchargeBase = SurchargeBase.MULTA_ARBITRADA,
    percent: Decimal = Decimal(10),
    article: str | None = None,
    status: Status = Status.TEXTO,
) -> Surcharge:
    """The increase of ``percent`` per cent on ``fine`` reais.

    ``fine`` is the fine as last fixed by a decision, without daily fines, costs, update or interest; ``paid_in_time``
    what was paid of it before the term ended. Raises the typed errors of amounts.
    """
    check_amount(fine, field="fine")
    check_amount(paid_in_time, allow_zero=True, field="paid_in_time")
    check_rate(percent, field="percent")
    other = SurchargeBase.SALDO if base is SurchargeBase.MULTA_ARBITRADA else SurchargeBase.MULTA_ARBITRADA
    open_part = from_centavos(max(0, centavos(fine) - centavos(paid_in_time)))
    line = _line(fine, open_part, base, percent=percent, article=article, status=status)
    other_line = _line(fine, open_part, other, percent=percent, article=article, status=status)
    amounts = [each.amount if each is not None else Decimal("0.00") for each in (line, other_line)]
    return Surcharge(
        base, line, amounts[0], total((open_part, amounts[0])), other, amounts[1], total((open_part, amounts[1]))
    )


def _line(
    fine: Decimal, open_part: Decimal, base: SurchargeBase, *, percent: Decimal, article: str | None, status: Status
) -> Line | None:
    if open_part == 0:
        return None
    of = fine if base is SurchargeBase.MULTA_ARBITRADA else open_part
    words = "a multa arbitrada" if base is SurchargeBase.MULTA_ARBITRADA else "o saldo"
    draft = Line(
        description=f"Acréscimo sobre {words} de {money_br(of)}, não paga no prazo",
        quantity=multiply(of),
        unit=BRL,
        unit_value=REAL.value,
        percent=percent,
        penalty_article=article,
        status=status,
        surcharge=False,
    )
    return draft.with_amount()
