"""A decision that goes up by itself: of how much it frees the autuado, and what the instance above may restore.

The appeal of office is the administration's own: what the decision took off may come back, and no more than that. The
rule that an appeal worsens nothing holds for all the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from legalbasis import PenaltyOutOfRange, UnitValueUnknown
from penalties import Recidivism
from penalties.errors import ChoiceMissing
from penalties.money import centavos
from procedure.domain.act_input import ActInput
from procedure.domain.case import Case
from procedure.domain.collecting import fixed_collection
from procedure.domain.context import Context
from procedure.domain.fines import CHOICES, build_assessment, examine_person
from procedure.domain.guards import Beside
from procedure.domain.judging import fixed_fine, frees, judgment, require_not_worse, second_decision, upheld
from procedure.domain.rulebook import Row
from procedure.domain.vocabulary import OF_OFFICE, Act, Decision

PARTLY_OF_OFFICE = f"{Decision.PARCIALMENTE_SUBSISTENTE}{OF_OFFICE}"
OUTCOMES_OF_OFFICE = (
    PARTLY_OF_OFFICE, f"{Decision.INSUBSISTENTE}{OF_OFFICE}", f"{Decision.NULO}{OF_OFFICE}",
)  # fmt: skip


def outcome_of_office(case: Case, act: ActInput, ctx: Context, beside: Beside) -> str:
    """The outcome of a decision; ``…_de_oficio`` where it frees the autuado of more than the law lets it alone.

    Not knowing of how much, it goes up. A decision that upholds the auto and lowers its fine frees in part.
    """
    outcome, rule = str(act.fields["outcome"]), ctx.book.ex_officio
    if rule is None:
        return outcome
    freed = freed_by(case, act, ctx, beside)
    if freed is not None and freed <= centavos(rule.over):
        return outcome
    return f"{outcome}{OF_OFFICE}" if frees(act) else PARTLY_OF_OFFICE


def freed_by(case: Case, act: ActInput, ctx: Context, beside: Beside) -> int | None:
    """Of how many centavos a decision frees the autuado; None where that cannot be known.

    It cannot where neither an act nor the auto's own proposal says an amount, and the auto is not upheld whole.
    """
    before = _charged(case, act, ctx, beside, case.facts["infractions"])
    if frees(act):
        return before
    kept: int | None = judgment(case, act, ctx, beside).get("arbitrada", case.arbitrada)
    if "assessment" not in case.facts and act.kind not in ctx.book.fine_fixed_by:  # an act to come fixes it
        kept = _charged(case, act, ctx, beside, upheld(case.facts["infractions"], act))
    if before is None or kept is None:
        return None if act.fields["outcome"] == Decision.PARCIALMENTE_SUBSISTENTE else 0
    return max(0, before - kept)


def _charged(
    case: Case, act: ActInput, ctx: Context, beside: Beside, facts: Sequence[Mapping[str, Any]]
) -> int | None:
    """What is charged when the decision comes: the fine already fixed, or what the auto proposes, in centavos."""
    if "assessment" in case.facts:
        return case.arbitrada
    if "collection" in case.facts:
        return int(case.facts["collection"]["amount"])
    fined = [f for f in facts if f["penalty_article"]]
    try:
        proposed = build_assessment(
            ctx.book,
            ctx.units,
            ctx.switches,
            fined,
            chosen={},
            drawn_up=case.facts,
            drawn=date.fromisoformat(str(case.facts["drawn_at"])[:10]),
            decided=act.at.day,
            recidivism=[examine_person(ctx.book, ctx.switches, beside.antecedents, f) for f in fined],
            proposal=True,
        )
    except (ChoiceMissing, PenaltyOutOfRange, UnitValueUnknown):
        return None
    return centavos(proposed.amount)


def decided(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    """What a decision fixes. One that goes up in part keeps what stood before it, which the instance above may restore.

    Raises what ``judgment`` and ``second_decision`` raise.
    """
    if act.kind == Act.JULGAMENTO_RECURSO and "review" in case.facts:
        return {} if frees(act) else _reviewed(case, act, ctx, beside, case.facts["review"])
    fixed = (judgment if act.kind == Act.JULGAMENTO else second_decision)(case, act, ctx, beside)
    if row.outcome != PARTLY_OF_OFFICE:
        return fixed
    before = {name: case.facts[name] for name in ("assessment", "recidivism", "chosen") if name in case.facts}
    return {**fixed, "review": {**before, "arbitrada": _charged(case, act, ctx, beside, case.facts["infractions"])}}


def _reviewed(
    case: Case, act: ActInput, ctx: Context, beside: Beside, review: Mapping[str, Any]
) -> dict[str, Any]:
    """The decision on the appeal of office: the auto whole again, a part of it, or what the first one left."""
    whole = act.fields["outcome"] == Decision.SUBSISTENTE  # which cites every article, and chooses none by it
    chosen = any(act.fields.get(name) for name in (*CHOICES, *(() if whole else ("articles_infringed",))))
    if not whole and not chosen:
        return {}
    if whole and not chosen and "assessment" in review:
        return {name: review[name] for name in ("assessment", "arbitrada", "recidivism") if name in review}
    if "collection" in case.facts:
        fixed = fixed_collection(act.fields, case.facts["collection"])
    else:
        fixed = _fixed_again(case, act, ctx, beside, review)
    limit = review["arbitrada"]
    if limit is not None and fixed:
        require_not_worse(act, ctx, limit, fixed["arbitrada"])
    return fixed


def _fixed_again(
    case: Case, act: ActInput, ctx: Context, beside: Beside, review: Mapping[str, Any]
) -> dict[str, Any]:
    """The fine on what is now upheld of the whole auto, with the choices and the evidence of before the relief."""
    facts = case.facts["infractions"]
    kept = [f for f in upheld(facts, act) if f["penalty_article"]]
    if not kept:
        return {}
    if "recidivism" in review:
        by_article = {found["provisions"][0]: Recidivism.from_dict(found) for found in review["recidivism"]}
        evidence = [by_article[f["article"]] for f in kept]
    else:
        evidence = [examine_person(ctx.book, ctx.switches, beside.antecedents, f) for f in kept]
    return fixed_fine(before_relief(case), act, ctx, kept, evidence)


def before_relief(case: Case) -> dict[str, Any]:
    """The facts of a case under review, with the choices that stood before the decision that goes up."""
    facts = {name: value for name, value in case.facts.items() if name != "chosen"}
    former = case.facts["review"].get("chosen")
    return {**facts, "chosen": former} if former else facts
