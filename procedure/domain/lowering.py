"""The fine reckoned again when a ground of it fell: only ever lowered, on evidence examined anew (spec 01, 03)."""

from __future__ import annotations

from datetime import date
from typing import Any

from penalties.money import centavos, from_centavos, money_br
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.fines import CHOICES, build_assessment, examine_person
from procedure.domain.fold import standing_facts
from procedure.domain.guards import Beside
from procedure.domain.requirements import case_place
from procedure.domain.surcharges import surcharge_on


def lowered_fine(case: Case, act: ActInput, ctx: Context, beside: Beside) -> dict[str, Any]:
    """The memória, the evidence and the amounts (centavos) of the fine reckoned again; the surcharge follows it.

    Raises NothingToLower when it would be the same or more, and where nothing was fixed from the person's other autos.
    """
    if "assessment" not in case.facts or "recidivism" not in case.facts:
        raise errors.NothingToLower(place=case_place(case))
    facts = [f for f in standing_facts(case) if f["penalty_article"]]
    evidence = [examine_person(ctx.book, ctx.switches, beside.antecedents, fact) for fact in facts]
    decisions = case.facts.get("decisions")
    drawn = date.fromisoformat(str(case.facts["drawn_at"])[:10])
    chosen = {name: value for name, value in case.facts.get("chosen", {}).items() if name in CHOICES}
    assessment = build_assessment(
        ctx.book, ctx.units, ctx.switches, facts, drawn_up=case.facts, drawn=drawn,
        chosen={**chosen, "grounds": act.fields["grounds"]},
        decided=date.fromisoformat(decisions[-1]["date"][:10]) if decisions else drawn, recidivism=evidence,
    )  # fmt: skip
    amount = centavos(assessment.amount)
    if amount >= case.arbitrada:
        raise errors.NothingToLower(
            f"refeita, a multa é de {money_br(from_centavos(amount))}; a fixada é de "
            f"{money_br(from_centavos(case.arbitrada))}.",
            place=case_place(case),
        )
    found: dict[str, Any] = {
        **chosen,
        "assessment": assessment.to_dict(),
        "arbitrada": amount,
        "recidivism": [r.to_dict() for r in evidence],
        "lowered_from": case.arbitrada,
    }
    if case.acrescimo and ctx.book.surcharge is not None:
        found.update(surcharge_on(amount, case, ctx))
    if case.inscription is not None and case.inscription.status == "inscrito":
        reason = f"a multa da inscrição {case.inscription.label} foi recalculada: substitua a certidão"
        found["alerts"] = [{"code": "inscricao_a_substituir", "reason": reason}]
    return found
