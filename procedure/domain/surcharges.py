"""The surcharge for not paying in time, as the effects of its act (spec 03 item 5)."""

from __future__ import annotations

from typing import Any

from penalties import SurchargeBase, surcharge
from penalties.money import centavos, from_centavos
from procedure.domain.amounts import to_centavos
from procedure.domain.case import Case
from procedure.domain.context import Context


def surcharge_effects(case: Case, ctx: Context) -> dict[str, Any]:
    """The surcharge on the fine as last fixed by a decision: amount in centavos and the line, with the other base
    beside.
    """
    return surcharge_on(case.arbitrada, case, ctx)


def surcharge_on(fine: int, case: Case, ctx: Context) -> dict[str, Any]:
    """The surcharge on a fine of ``fine`` centavos, the payments being those of the case."""
    rule = ctx.book.surcharge
    assert rule is not None  # the caller asks only where the law has one
    result = surcharge(
        from_centavos(fine),
        from_centavos(_paid_in_time(case, fine)),
        base=SurchargeBase(ctx.switches.get("base_acrescimo", "multa_arbitrada")),
        percent=rule["rate"] * 100,
        article=rule["citation"].provision,
        status=rule["citation"].status,
    )
    return {"acrescimo": centavos(result.amount), "surcharge": result.to_dict()}


def _paid_in_time(case: Case, fine: int) -> int:
    """What had been paid when the term ended: a fine lowered afterwards was not paid in time by what came later."""
    due_since = str(case.facts.get("exigivel_em", ""))
    payments = [p for p in case.facts.get("payments", ()) if not due_since or p["date"][:10] < due_since]
    return min(sum(to_centavos(p["amount"]) for p in payments), fine)
