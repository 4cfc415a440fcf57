"""What a decision fixes: the fine on what it upholds, with the evidence of reincidência; no worse fine on appeal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from legalbasis import PenaltyArticleMismatch, Provision
from penalties import Assessment, Recidivism
from penalties.money import centavos, from_centavos, money_br
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.case import Case
from procedure.domain.collecting import fixed_collection
from procedure.domain.context import Context
from procedure.domain.fines import CHOICES, build_assessment, examine_person
from procedure.domain.fold import standing_facts
from procedure.domain.guards import Beside
from procedure.domain.vocabulary import Act, Decision

CASSACAO = "cassacao"


def fix_fine_of(
    case: Case, act: ActInput, ctx: Context, beside: Beside, facts: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The fine on the facts that carry one; nothing where none does (the law may only recognise the infraction)."""
    if "collection" in case.facts:
        return fixed_collection(act.fields, case.facts["collection"])
    fined = [f for f in facts if f["penalty_article"]]
    if not fined:
        return {}
    recidivism = [examine_person(ctx.book, ctx.switches, beside.antecedents, f) for f in fined]
    return fixed_fine(case.facts, act, ctx, fined, recidivism)


def judgment(case: Case, act: ActInput, ctx: Context, beside: Beside) -> dict[str, Any]:
    """What the first decision fixes, where it is the act that fixes the fine. Raises LicenceNotCancelled and others."""
    if frees(act):
        return {}
    if act.kind not in ctx.book.fine_fixed_by:
        _require_cancelled(act, ctx, _on_record(case, act))
        return second_decision(case, act, ctx, beside)
    facts = upheld(case.facts["infractions"], act)
    _require_penalties(facts, act, ctx)
    _require_cancelled(act, ctx, _examined(case, ctx, beside, facts))
    if act.fields.get("license") == CASSACAO and "collection" not in case.facts:
        return {**_cassation(case, act, ctx, beside, facts), **fix_fine_of(case, act, ctx, beside, facts)}
    return fix_fine_of(case, act, ctx, beside, facts)


def frees(act: ActInput) -> bool:
    """Whether the decision imposes nothing, even where it still goes up by itself."""
    return act.fields["outcome"] in (Decision.INSUBSISTENTE, Decision.NULO)


def _on_record(case: Case, act: ActInput) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """The facts upheld, each with whether the evidence on record found reincidência in it."""
    standing = standing_facts(case)
    kept, evidence = upheld(standing, act), case.facts.get("recidivism", ())
    for fact, found in zip(standing, evidence, strict=False):  # a collection, or no fine yet, has no evidence
        if fact in kept:
            yield fact, bool(found["counted"])


def _examined(
    case: Case, ctx: Context, beside: Beside, facts: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """The facts upheld for which the law cancels the licence, each examined now."""
    for fact in facts:
        if "collection" not in case.facts and ctx.book.infractions[fact["article"]].cancels_licence:
            yield fact, bool(examine_person(ctx.book, ctx.switches, beside.antecedents, fact).counted)


def _require_cancelled(act: ActInput, ctx: Context, facts: Iterable[tuple[Mapping[str, Any], bool]]) -> None:
    """Where the law says that reincidência cancels the licence, the decision in the new case cancels it.

    Raises LicenceNotCancelled, citing the article. Where the law only allows it, the decision chooses.
    """
    for fact, repeated in facts:
        cited = ctx.book.infractions[fact["article"]].cancels_licence
        if cited is not None and repeated and act.fields.get("license") != CASSACAO:
            raise errors.LicenceNotCancelled(
                f"na reincidência em {Provision.parse(fact['article']).label()} a lei determina a cassação da licença, "
                f"que a decisão não pronuncia ({cited}).",
                field="license",
            )


def _cassation(
    case: Case, act: ActInput, ctx: Context, beside: Beside, facts: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The evidence a cassação rests on. Raises CassationWithoutRecidivism, unless the law cancels at once."""
    found = [examine_person(ctx.book, ctx.switches, beside.antecedents, f) for f in facts]
    immediate = ctx.switches.get("cassacao") == "art_11"
    if not immediate and not any(r.counted for r in found):
        raise errors.CassationWithoutRecidivism(field="license")
    return {"cassation_evidence": [r.to_dict() for r in found]}


def fixed_fine(
    drawn_up: Mapping[str, Any],
    act: ActInput,
    ctx: Context,
    facts: Sequence[Mapping[str, Any]],
    recidivism: Sequence[Recidivism],
) -> dict[str, Any]:
    """The fine on the facts with the evidence given. ``drawn_up``: what the case says of them since the auto."""
    assessment = _assess(drawn_up, act, ctx, facts, recidivism)
    return {
        "assessment": assessment.to_dict(),
        "arbitrada": centavos(assessment.amount),
        "recidivism": [r.to_dict() for r in recidivism],
    }


def upheld(facts: Sequence[dict[str, Any]], act: ActInput) -> Sequence[dict[str, Any]]:
    """The facts the decision upholds: all, or, in part, those under the articles it cites as infringed."""
    if act.fields["outcome"] != Decision.PARCIALMENTE_SUBSISTENTE:
        return facts
    cited = [Provision.parse(a) for a in act.fields.get("articles_infringed", [])]
    kept = [
        f
        for f in facts
        if any(Provision.parse(f["article"]).within(c) or c.within(Provision.parse(f["article"])) for c in cited)
    ]
    return kept or facts


def _require_penalties(facts: Sequence[Mapping[str, Any]], act: ActInput, ctx: Context) -> None:
    """Each penalty that the fine rests on is cited by the decision (31, c)."""
    cited = {Provision.parse(a).article for a in act.fields.get("articles_penalty", [])}
    for fact in facts:
        if not fact["penalty_article"]:
            continue
        needed = Provision.parse(fact["penalty_article"])
        if needed.article not in cited:
            raise PenaltyArticleMismatch(
                f"a decisão não cita o {needed.label()}, que pune {Provision.parse(fact['article']).label()} da "
                f"{ctx.book.norm}.",
                field="articles_penalty",
                remedy=f"Cite “{needed}” em articles_penalty.",
            )


def _assess(
    drawn_up: Mapping[str, Any],
    act: ActInput,
    ctx: Context,
    facts: Sequence[Mapping[str, Any]],
    recidivism: Sequence[Recidivism],
) -> Assessment:
    drawing = act.kind == Act.LAVRATURA
    return build_assessment(
        ctx.book,
        ctx.units,
        ctx.switches,
        facts,
        chosen=act.fields,
        drawn_up=drawn_up,
        drawn=act.at.day if drawing else date.fromisoformat(str(drawn_up["drawn_at"])[:10]),
        decided=act.at.day,
        recidivism=recidivism,
        proposal=drawing,
    )


def second_decision(case: Case, act: ActInput, ctx: Context, beside: Beside) -> dict[str, Any]:
    """A reconsideration or a judgment on appeal: what it upholds, of what stood until then, is fixed again with the
    evidence already on record.
    """
    if frees(act):
        return {}
    if "collection" in case.facts:
        return _second_on_collection(case, act, ctx)
    if ctx.book.looks_at_others(act.kind) and "assessment" not in case.facts:  # the first instance had fixed none
        return fix_fine_of(case, act, ctx, beside, upheld(case.facts["infractions"], act))
    chosen = any(act.fields.get(name) for name in CHOICES)
    if not chosen and act.fields["outcome"] == Decision.SUBSISTENTE:
        return {}
    if not chosen and not act.fields.get("articles_infringed"):
        return {}
    if "recidivism" not in case.facts:  # an infraction recognised with no fine: nothing to fix again
        return {}
    standing = standing_facts(case)
    facts = upheld(standing, act)
    evidence = zip(standing, case.facts["recidivism"], strict=True)
    recidivism = [Recidivism.from_dict(found) for fact, found in evidence if fact in facts]
    fixed = fixed_fine(case.facts, act, ctx, facts, recidivism)
    require_not_worse(act, ctx, case.arbitrada, fixed["arbitrada"])
    return fixed


def _second_on_collection(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    """What a later decision leaves of a collection: the same, or the ``valor`` that it upholds in part."""
    partial = act.fields["outcome"] == Decision.PARCIALMENTE_SUBSISTENTE
    if not partial and "assessment" in case.facts:
        return {}
    fixed = fixed_collection(act.fields, case.facts["collection"])
    if "assessment" in case.facts:
        require_not_worse(act, ctx, case.arbitrada, fixed["arbitrada"])
    return fixed


def require_not_worse(act: ActInput, ctx: Context, before: int, amount: int) -> None:
    """That no appeal of the autuado raises his fine, in centavos, unless he was heard. Raises WorseOnAppeal."""
    rule = ctx.book.second_instance
    if rule is None or act.kind not in (rule[0], Act.RECONSIDERACAO) or rule[1] or act.fields.get("notified_to_answer"):
        return
    if amount > before:
        raise errors.WorseOnAppeal(
            f"a multa passaria de {money_br(from_centavos(before))} para {money_br(from_centavos(amount))} "
            f"({rule[2]}).",
            field="grau",
            remedy="Notifique antes quem recorreu para responder, e diga notified_to_answer = true.",
        )
