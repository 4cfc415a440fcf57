"""What an inscribed debt comes to on a day, part by part, and how a payment is shared among its parts (spec 03).

The parts are the fine and the surcharge, as inscribed, and what update and interest add to both under the
municipality's rule. Facts used: ``exigivel_em``; ``ledger`` (the parts that the last payment after inscription left
open, and its day).
Amounts are centavos.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from penalties.allocation import Allocation, OpenPart, allocate
from penalties.money import centavos, from_centavos
from penalties.updating import Updated, UpdateRule, update
from procedure.domain.amounts import amount
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.vocabulary import DebtPart

NOMINAL = (DebtPart.MULTA, DebtPart.ACRESCIMO)
ACCRETIONS = (DebtPart.ATUALIZACAO, DebtPart.JUROS)


@dataclass(frozen=True, slots=True)
class Balance:
    """What is owed on ``on``: ``parts`` in centavos; ``updated`` the months behind them, None without a rule.

    ``carried``: update and interest that earlier payments left open, inside ``parts``. ``counted``: those that the last
    payment already measured, and until when; the months of ``updated`` are from the first, so that they are taken off.
    """

    on: date
    parts: Mapping[DebtPart, int]
    updated: Updated | None
    carried: Mapping[DebtPart, int]
    counted: Updated | None = None

    @property
    def total(self) -> int:
        """The whole, in centavos."""
        return sum(self.parts.values())

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "on": self.on.isoformat(),
            "parts": {part.value: amount(value) for part, value in self.parts.items()},
            "carried": {part.value: amount(value) for part, value in self.carried.items()},
            "total": amount(self.total),
            "updated": self.updated.to_dict() if self.updated else None,
            "counted": _counted(self.counted) if self.counted else None,
        }


def balance_on(case: Case, rule: UpdateRule | None, day: date) -> Balance:
    """What the inscribed debt comes to on ``day``. Raises IndexValueUnknown for a month that a series lacks."""
    nominal, carried, since = _open(case)
    due = case.facts.get("exigivel_em")
    parts: dict[DebtPart, int] = {**nominal, **carried}
    if rule is None or due is None:
        return Balance(day, parts, None, carried)
    from_day, principal = date.fromisoformat(due), from_centavos(sum(nominal.values()))
    now = update(principal, from_day, day, rule)
    before = update(principal, from_day, min(since, day), rule) if since is not None else None
    grown = {
        DebtPart.ATUALIZACAO: centavos(now.update) - (centavos(before.update) if before else 0),
        DebtPart.JUROS: centavos(now.interest) - (centavos(before.interest) if before else 0),
    }
    for part, value in grown.items():
        parts[part] = max(0, carried[part] + value)
    return Balance(day, parts, now, carried, before)


def _counted(before: Updated) -> dict[str, str]:
    """What a payment had measured of update and interest on what it left open, and its day."""
    measured = {DebtPart.ATUALIZACAO.value: centavos(before.update), DebtPart.JUROS.value: centavos(before.interest)}
    return {"until": before.on.isoformat(), **{name: amount(value) for name, value in measured.items()}}


def _open(case: Case) -> tuple[dict[DebtPart, int], dict[DebtPart, int], date | None]:
    """What is open of fine and surcharge, of update and interest, and until which payment these were counted.

    A payment made when there was no rule counted none: what it left open is updated since it fell due, as it would be
    had nothing been paid.
    """
    ledger = case.facts.get("ledger")
    if ledger is not None:
        held = {part: int(ledger["parts"][part.value]) for part in DebtPart}
        day = date.fromisoformat(ledger["on"]) if ledger["ruled"] else None
        return {p: held[p] for p in NOMINAL}, {p: held[p] for p in ACCRETIONS}, day
    whole = [
        OpenPart(DebtPart.MULTA, from_centavos(case.arbitrada - case.desconto)),
        OpenPart(DebtPart.ACRESCIMO, from_centavos(case.acrescimo)),
    ]
    left = {part.key: part.open for part in whole}
    if case.pago:
        left = {share.key: share.remaining for share in allocate(from_centavos(case.pago), whole).parts}
    return {p: centavos(left[p]) for p in NOMINAL}, dict.fromkeys(ACCRETIONS, 0), None


def payment_shared(case: Case, fields: Mapping[str, Any], day: date, ctx: Context) -> dict[str, Any]:
    """The payload of a payment after inscription: the balance of its day, its shares, what they leave open.

    Raises PaidPartUnknown for a ``pays`` that is no part, and as ``balance_on``.
    """
    balance = balance_on(case, ctx.update, day)
    parts = [OpenPart(part.value, from_centavos(value)) for part, value in balance.parts.items()]
    named = [name.strip() for name in str(fields.get("pays") or "").split(",") if name.strip()]
    shared = allocate(Decimal(fields["amount"]), parts, order=ctx.payment_order, pays=named)
    return {
        "balance": balance.to_dict(),
        "allocation": shared.to_dict(),
        "accretion_paid": sum(centavos(shared.paid(part)) for part in ACCRETIONS),
        "ledger": _ledger(shared, day, ruled=balance.updated is not None),
    }


def _ledger(shared: Allocation, day: date, *, ruled: bool) -> dict[str, Any]:
    parts = {part.key: centavos(part.remaining) for part in shared.parts}
    return {"on": day.isoformat(), "ruled": ruled, "parts": parts}
