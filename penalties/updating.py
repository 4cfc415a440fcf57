"""Update and interest after the due date, month by month, only by a municipal act that is cited (spec 03 item 7).

The update compounds a price index; interest is simple: a fixed percentage a month, or the sum of a series (Selic, which
holds update and interest in one and so stands alone). Months of deflation count, and the whole never falls below the
original amount. What both add is capped at what the Selic alone would add, where the rule says so (STF, Tema 1217).
Figures stay exact to 34 digits and are rounded once, at the end of each part.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import StrEnum
from typing import Any

from legalbasis import InputError
from penalties.index_series import IndexSeries, Month, month_iso, months_between
from penalties.money import amount_text, check_amount, check_rate, decimal_text, to_cents, total

CAP_SOURCE = "STF, Tema 1217"
MOST_MONTHS = 12 * 100
_WORK = Context(prec=34, rounding=ROUND_HALF_EVEN)
SHOWN_DECIMALS = 10
_SHOWN = Decimal(1).scaleb(-SHOWN_DECIMALS)


class FirstMonth(StrEnum):
    """The first month that counts: the one after the credit became due (default), or that month itself."""

    MES_SEGUINTE = "mes_seguinte"
    MES_DO_VENCIMENTO = "mes_do_vencimento"


class LastMonth(StrEnum):
    """The last month that counts: the one before the day of the figure (default), or that month itself."""

    MES_ANTERIOR = "mes_anterior"
    MES_DO_PAGAMENTO = "mes_do_pagamento"


class InterestBase(StrEnum):
    """What interest falls on: the updated amount (default) or the amount as it was."""

    ATUALIZADO = "valor_atualizado"
    ORIGINAL = "valor_original"


class UpdateRuleInvalid(InputError):
    """A regra de atualização não fecha."""

    code = "regra_de_atualizacao_invalida"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRule:
    """What a municipal ``act`` orders. ``index`` compounds; ``interest_percent`` (a month) or ``interest_index`` adds.

    ``cap`` is the series that the whole addition may not pass (None: the municipality switched the cap off).
    ``month_of_payment_percent`` is what counts for the month of payment itself (the 1% of the Selic's usual rule).
    """

    act: str
    index: IndexSeries | None = None
    interest_percent: Decimal | None = None
    interest_index: IndexSeries | None = None
    interest_base: InterestBase = InterestBase.ATUALIZADO
    month_of_payment_percent: Decimal | None = None
    first_month: FirstMonth = FirstMonth.MES_SEGUINTE
    last_month: LastMonth = LastMonth.MES_ANTERIOR
    cap: IndexSeries | None = None

    def __post_init__(self) -> None:
        if not self.act.strip():
            raise UpdateRuleInvalid("falta o ato municipal que manda atualizar.", field="act")
        if self.interest_percent is not None and self.interest_index is not None:
            raise UpdateRuleInvalid("os juros são um percentual fixo ou uma série, não ambos.", field="interest")
        if self.index is None and self.interest_percent is None and self.interest_index is None:
            raise UpdateRuleInvalid("não há índice nem juros.", field="index")
        for rate, field in (
            (self.interest_percent, "interest"),
            (self.month_of_payment_percent, "month_of_payment_percent"),
        ):
            if rate is not None:
                check_rate(rate, field=field)


@dataclass(frozen=True, slots=True)
class MonthStep:
    """One month: its index and interest in per cent, and what both had accumulated by its end.

    ``factor`` multiplies the original amount; ``interest_total`` and ``cap_total`` are sums in per cent.
    """

    month: Month
    index_percent: Decimal | None
    factor: Decimal
    interest_percent: Decimal | None
    interest_total: Decimal
    cap_percent: Decimal | None
    cap_total: Decimal | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "month": month_iso(self.month),
            "index_percent": _text(self.index_percent),
            "factor": _text(self.factor),
            "interest_percent": _text(self.interest_percent),
            "interest_total": _text(self.interest_total),
            "cap_percent": _text(self.cap_percent),
            "cap_total": _text(self.cap_total),
        }


@dataclass(frozen=True, slots=True)
class Updated:
    """``original`` reais that became due on ``due``, on the day ``on``: what update and interest add, and the total.

    ``uncapped`` is the total that the rule alone would give; it differs from ``total`` only when the cap bites, and
    then ``update`` and ``interest`` are what is left of each under the cap, the update first.
    """

    original: Decimal
    due: date
    on: date
    act: str
    index: str | None
    update: Decimal
    interest: Decimal
    total: Decimal
    uncapped: Decimal
    cap: str | None
    months: tuple[MonthStep, ...]

    @property
    def capped(self) -> bool:
        """Whether the cap took something off."""
        return self.total != self.uncapped

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "original": amount_text(self.original),
            "due": self.due.isoformat(),
            "on": self.on.isoformat(),
            "act": self.act,
            "index": self.index,
            "update": amount_text(self.update),
            "interest": amount_text(self.interest),
            "total": amount_text(self.total),
            "uncapped": amount_text(self.uncapped),
            "cap": self.cap,
            "capped": self.capped,
            "months": [step.to_dict() for step in self.months],
        }


def update(original: Decimal, due: date, on: date, rule: UpdateRule) -> Updated:
    """What ``original`` reais, due on ``due``, come to on the day ``on`` under ``rule``.

    Before the first whole month nothing is added. Raises IndexValueUnknown for a month that a series lacks, and the
    errors of an amount.
    """
    check_amount(original, allow_zero=True, field="original")
    steps = _steps(due, on, rule)
    factor, interest_total, cap_total = (
        (steps[-1].factor, steps[-1].interest_total, steps[-1].cap_total)
        if steps
        else (Decimal(1), Decimal(0), Decimal(0) if rule.cap else None)
    )
    # Months of deflation count, but the result never falls below what was owed (STJ, REsp 1.265.580).
    updated = max(to_cents(_WORK.multiply(original, factor)), to_cents(original))
    base = updated if rule.interest_base is InterestBase.ATUALIZADO else original
    update_part = total((updated, original.copy_negate()))
    interest_part = to_cents(_share(base, interest_total))
    uncapped = total((original, update_part, interest_part))
    if cap_total is not None:
        most = to_cents(_share(original, max(cap_total, Decimal(0))))
        update_part = min(update_part, most)
        interest_part = min(interest_part, total((most, update_part.copy_negate())))
    return Updated(
        original=check_amount(original, allow_zero=True),
        due=due,
        on=on,
        act=rule.act,
        index=rule.index.name if rule.index else rule.interest_index.name if rule.interest_index else None,
        update=update_part,
        interest=interest_part,
        total=total((original, update_part, interest_part)),
        uncapped=uncapped,
        cap=rule.cap.name if rule.cap else None,
        months=steps,
    )


def _steps(due: date, on: date, rule: UpdateRule) -> tuple[MonthStep, ...]:
    first = (due.year, due.month) if rule.first_month is FirstMonth.MES_DO_VENCIMENTO else _next(due)
    here = (on.year, on.month)
    last = here if rule.last_month is LastMonth.MES_DO_PAGAMENTO else _before(on)
    if (last[0] - first[0]) * 12 + last[1] - first[1] > MOST_MONTHS:
        raise UpdateRuleInvalid("o período passa de cem anos.", field="on")
    steps: list[MonthStep] = []
    factor, interest_total = Decimal(1), Decimal(0)
    cap_total = Decimal(0) if rule.cap else None
    for month in months_between(first, last):
        index = rule.index.percent(month) if rule.index else None
        interest = rule.interest_index.percent(month) if rule.interest_index else rule.interest_percent
        if index is not None:
            factor = _WORK.multiply(factor, _WORK.add(Decimal(1), _WORK.scaleb(index, -2)))
        interest_total = _WORK.add(interest_total, interest or Decimal(0))
        cap = rule.cap.percent(month) if rule.cap else None
        if cap is not None and cap_total is not None:
            cap_total = _WORK.add(cap_total, cap)
        steps.append(MonthStep(month, index, factor, interest, interest_total, cap, cap_total))
    closing = rule.month_of_payment_percent
    if closing is not None and here >= first and here > last:
        interest_total = _WORK.add(interest_total, closing)
        if cap_total is not None:  # the Selic's own rule counts the same 1% for the month of payment
            cap_total = _WORK.add(cap_total, closing)
        shown = closing if cap_total is not None else None
        steps.append(MonthStep(here, None, factor, closing, interest_total, shown, cap_total))
    return tuple(steps)


def _share(amount: Decimal, percent: Decimal) -> Decimal:
    return _WORK.multiply(amount, _WORK.scaleb(percent, -2))


def _next(day: date) -> Month:
    return (day.year + day.month // 12, day.month % 12 + 1)


def _before(day: date) -> Month:
    return (day.year - 1, 12) if day.month == 1 else (day.year, day.month - 1)


def _text(value: Decimal | None) -> str | None:
    """Ten decimals at most, for reading; the figures behind keep theirs."""
    if value is None:
        return None
    long = len(decimal_text(value).partition(".")[2]) > SHOWN_DECIMALS
    return decimal_text(value.quantize(_SHOWN, context=_WORK) if long else value)
