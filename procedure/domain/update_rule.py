"""The municipality's rule of update and interest, read from its settings, and how the Termo says it (spec 03 item 7).

Without the act that orders it (``atualizacao.ato``) there is no rule: nothing is added, and the Termo says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from penalties.allocation import PaymentOrder
from penalties.index_series import IndexSeries
from penalties.money import decimal_br
from penalties.updating import CAP_SOURCE, FirstMonth, InterestBase, LastMonth, UpdateRule
from procedure.domain.vocabulary import DebtPart

ACT, INDEX = "atualizacao.ato", "atualizacao.indice"
FIRST, LAST, CAP = "atualizacao.primeiro_mes", "atualizacao.ultimo_mes", "atualizacao.teto"
MONTH_OF_PAYMENT = "juros.mes_do_pagamento"
PERCENT, INTEREST_INDEX, BASE = "juros.percentual", "juros.indice", "juros.base"
ORDER = "pagamento.ordem"
NO_CAP, DEFAULT_CAP = "nenhum", "Selic"
TEXTS, NUMBERS = (ACT, INDEX, INTEREST_INDEX, CAP), (PERCENT, MONTH_OF_PAYMENT)
CHOICES: Mapping[str, tuple[str, ...]] = {
    FIRST: tuple(m.value for m in FirstMonth),
    LAST: tuple(m.value for m in LastMonth),
    BASE: tuple(b.value for b in InterestBase),
}
NAMES = (*TEXTS, *NUMBERS, *CHOICES)
NONE_UPDATE = "sem atualização monetária: não há ato municipal informado que indique o índice"
NONE_INTEREST = "não incidem juros: não há ato municipal informado que os fixe"


def series_named(settings: Mapping[str, str]) -> tuple[str, ...]:
    """The index series that the settings need; none without the act that orders the update."""
    if not settings.get(ACT):
        return ()
    cap = settings.get(CAP, DEFAULT_CAP)
    named = (settings.get(INDEX), settings.get(INTEREST_INDEX), None if cap == NO_CAP else cap)
    return tuple(dict.fromkeys(name for name in named if name))


def update_rule(settings: Mapping[str, str], series: Mapping[str, IndexSeries]) -> UpdateRule | None:
    """The rule in force; None without its act, or with neither index nor interest. Raises UpdateRuleInvalid."""
    if not settings.get(ACT) or not any(settings.get(name) for name in (INDEX, PERCENT, INTEREST_INDEX)):
        return None

    def named(name: str | None) -> IndexSeries | None:
        return None if name is None else series.get(name) or IndexSeries(name, {}, "")

    def percent(name: str) -> Decimal | None:
        return Decimal(settings[name]) if settings.get(name) else None

    cap = settings.get(CAP, DEFAULT_CAP)
    return UpdateRule(
        act=settings[ACT],
        index=named(settings.get(INDEX)),
        interest_percent=percent(PERCENT),
        interest_index=named(settings.get(INTEREST_INDEX)),
        interest_base=InterestBase(settings.get(BASE, InterestBase.ATUALIZADO)),
        month_of_payment_percent=percent(MONTH_OF_PAYMENT),
        first_month=FirstMonth(settings.get(FIRST, FirstMonth.MES_SEGUINTE)),
        last_month=LastMonth(settings.get(LAST, LastMonth.MES_ANTERIOR)),
        cap=None if cap == NO_CAP else named(cap),
    )


def payment_order(settings: Mapping[str, str], acts: Mapping[str, str]) -> PaymentOrder | None:
    """The order in which a payment extinguishes the parts of the debt, with its act; None: in proportion."""
    said = settings.get(ORDER)
    if not said:
        return None
    return PaymentOrder(tuple((part,) for part in parts_of_order(said)), acts.get(ORDER, "ato do município"))


def parts_of_order(text: str) -> list[str]:
    """The parts in the order that a setting says."""
    return [DebtPart(part.strip()).value for part in text.split(",")]


def update_told(rule: UpdateRule | None, due: date) -> dict[str, Any]:
    """Whether a debt due on ``due`` is updated, on what basis, from when: as the Termo says it."""
    if rule is None or (rule.index is None and rule.interest_index is None):
        return {"subject": False, "basis": None, "from": None, "note": NONE_UPDATE}
    told = rule.index or rule.interest_index
    assert told is not None  # one of the two is there
    since, note = first_day(rule, due).isoformat(), f"{told.name}, mês a mês{_cap(rule)}"
    return {"subject": True, "basis": f"{told.name} ({rule.act})", "from": since, "note": note}


def interest_told(rule: UpdateRule | None, due: date) -> dict[str, Any]:
    """The first day and the manner of interest, as the Termo says them."""
    if rule is None or (rule.interest_percent is None and rule.interest_index is None):
        return {"from": None, "manner": NONE_INTEREST if rule is None else f"não incidem juros ({rule.act})"}
    if rule.interest_index is not None:
        manner = f"{rule.interest_index.name}, soma simples dos meses"
    else:
        manner = f"{decimal_br(rule.interest_percent or Decimal(0))}% ao mês, sem capitalização"
    base = "o valor atualizado" if rule.interest_base is InterestBase.ATUALIZADO else "o valor originário"
    closing = ""
    if rule.month_of_payment_percent is not None:
        closing = f", e {decimal_br(rule.month_of_payment_percent)}% no mês do pagamento"
    return {
        "from": first_day(rule, due).isoformat(),
        "manner": f"{manner}, sobre {base}{closing} ({rule.act}){_cap(rule)}",
    }


def _cap(rule: UpdateRule) -> str:
    return f", no total até a {rule.cap.name} ({CAP_SOURCE})" if rule.cap else ""


def first_day(rule: UpdateRule, due: date) -> date:
    """The first day of the first month that counts; never before the debt became due."""
    if rule.first_month is FirstMonth.MES_DO_VENCIMENTO:
        return due
    return date(due.year + due.month // 12, due.month % 12 + 1, 1)
