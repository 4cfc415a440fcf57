"""What each act that comes in adds to its payload: starts of terms, fines with evidence, timeliness (spec 01, 03,
05).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from calendars import Term, TermUnit
from legalbasis import ErrorGroup, PosturasError, Provision
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br, find_infraction, penalty_for, require_in_force
from procedure.domain.amounts import to_centavos
from procedure.domain.case import Case
from procedure.domain.collecting import collection_of, fixed_collection
from procedure.domain.context import Context
from procedure.domain.deadlines import HALF, count_term, half, start_of_notice, timeliness
from procedure.domain.ex_officio import decided
from procedure.domain.field_checks import MissingField
from procedure.domain.fines import fact_day, penalty_on
from procedure.domain.forgiving import annulment_ground
from procedure.domain.gate import PRESCRIPTION_YEARS
from procedure.domain.guards import Beside, defects_on_paper, infractions_of
from procedure.domain.judging import fix_fine_of
from procedure.domain.ledger import payment_shared
from procedure.domain.lowering import lowered_fine
from procedure.domain.moment import Moment, before
from procedure.domain.outcomes import discount_now
from procedure.domain.prescription import years_after
from procedure.domain.register_effects import REGISTER_COMPUTE
from procedure.domain.rulebook import Row
from procedure.domain.rulebook_reader import FIXED_BY_ACT
from procedure.domain.track_effects import TRACK_COMPUTE
from procedure.domain.vocabulary import Act, State

_UNIT_HOURS = {TermUnit.HOURS: 1, TermUnit.DAYS: 24, TermUnit.MONTHS: 24 * 30, TermUnit.YEARS: 24 * 365}


def effects_of(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    """The computed part of the act's payload. Raises typed errors, all defects at once."""
    compute, side = _EFFECTS.get(act.kind), TRACK_COMPUTE.get(act.kind) or REGISTER_COMPUTE.get(act.kind)
    found = compute(case, act, row, ctx, beside) if compute else side(case, act, ctx) if side else {}
    return {**found, **_late_punishment(act, found.get("infractions") or case.facts.get("infractions", []))}


def _late_punishment(act: ActInput, facts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A lavratura or judgment more than five years after the fact: an alert, never a refusal (spec 04)."""
    if act.kind not in (Act.LAVRATURA, Act.JULGAMENTO, Act.JULGAMENTO_RECURSO):
        return {}
    old = [f for f in facts if act.at.day > years_after(fact_day(f), PRESCRIPTION_YEARS)]
    if not old:
        return {}
    days = ", ".join(br(fact_day(f)) for f in old)
    reason = f"“{act.kind}” de {br(act.at.day)}, mais de {PRESCRIPTION_YEARS} anos depois do fato de {days}"
    return {"alerts": [{"code": "alerta_prescricao_punitiva", "reason": reason}]}


def _iso(moment: date | datetime) -> str:
    return moment.isoformat()


def _start(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    return {"start": _iso(start_of_notice(ctx, act.fields))}


def checked_facts(facts: Sequence[Mapping[str, Any]], ctx: Context, at: Moment) -> list[dict[str, Any]]:
    """The facts with their provisions resolved and the penalty's article printed. Raises every LawError at once."""
    found: list[dict[str, Any]] = []
    defects: list[PosturasError] = []
    for fact in facts:
        try:
            found.append(_checked_fact(fact, ctx, at))
        except ErrorGroup as group:
            defects.extend(group.errors)
        except PosturasError as error:
            defects.append(error)
    if defects:
        raise defects[0] if len(defects) == 1 else ErrorGroup(defects)
    return found


def _checked_fact(fact: Mapping[str, Any], ctx: Context, at: Moment) -> dict[str, Any]:
    day = fact_day(fact)
    _require_order(fact, day, ctx, at)
    note = require_in_force(ctx.book, day, ctx.end, fact.get("subject"), ctx.start)
    infraction = find_infraction(ctx.book, fact["article"], day)
    printed = None
    if infraction.penalties:
        name = penalty_for(ctx.book, infraction, day, ctx.switches, fact.get("penalty_article"), fact.get("subject"))
        printed = penalty_on(ctx.book, name, day).article
    return {
        **fact,
        "article": infraction.provision,
        "penalty_article": printed,
        "infraction": infraction.description,
        "warnings": list(infraction.warnings),
        **({"law_note": note} if note else {}),
    }


def _require_order(fact: Mapping[str, Any], day: date, ctx: Context, at: Moment) -> None:
    """The fact ends no earlier than it begins and no later than the act, by the clock where both have an hour."""
    first, last = (Moment.parse(str(fact.get(name) or fact["date"]), ctx.tz) for name in ("date", "until"))
    if before(last, first):
        raise errors.ActOutOfOrder(
            f"o fato acaba em {br(last.day)}, antes de começar, em {br(first.day)}.", field="fact.until"
        )
    if before(at, last):
        raise errors.ActOutOfOrder(f"o fato ({br(day)}) é posterior ao ato ({br(at.day)}).", field="fact.date")


def _notification(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    facts = checked_facts(infractions_of(act.fields), ctx, act.at)
    term = act.fields.get("term") or _term_of_law(case, row, ctx)
    _require_term(facts, term, ctx)
    _require_term_of_law(case, term, row, ctx)
    return {"infractions": facts, "term": term, "start": _iso(start_of_notice(ctx, act.fields))}


def _notified_place(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    """The notice that opens an establishment's case: no term of its own, no fine; what was seized is provisional."""
    return {"infractions": checked_facts(infractions_of(act.fields), ctx, act.at), "fact": None}


def _require_term(facts: Sequence[Mapping[str, Any]], term: str, ctx: Context) -> None:
    """The term the fiscal set is not over the article's own maximum. Raises NoticeTermTooLong."""
    for fact in facts:
        infraction = ctx.book.infractions[fact["article"]]
        if infraction.notice_max is None:
            continue
        if _hours(term) > _hours(infraction.notice_max):
            raise errors.NoticeTermTooLong(
                f"o prazo de {term} passa do máximo de {infraction.notice_max} do "
                f"{Provision.parse(infraction.provision).label()} ({infraction.citation}).",
                field="term",
            )


def _term_of_law(case: Case, row: Row, ctx: Context) -> str:
    """The term of a notice that says none: the law's, or half of it the second time. Raises MissingField."""
    for rule in (ctx.book.deadlines[kind] for kind in row.opens):
        term = rule.default_term if rule.term == FIXED_BY_ACT else rule.term
        if term is not None:
            return half(term) if rule.again == HALF and case.deadline(rule.kind) is not None else term
    raise MissingField(
        "term: falta este campo.", field="term", remedy="A lei não fixa o prazo desta notificação: diga-o em “term”."
    )


def _require_term_of_law(case: Case, term: str, row: Row, ctx: Context) -> None:
    """The term of the notice is the law's, where the law fixes it; the second time, where the law halves it, at most
    half the first. Raises NoticeTermTooLong, NoticeTermTooShort.
    """
    for rule in (ctx.book.deadlines[kind] for kind in row.opens):
        former = case.deadline(rule.kind)
        again = rule.again == HALF and former is not None
        fixed = rule.term != FIXED_BY_ACT
        if not fixed and not again:
            continue
        most = half(former.term if former and not fixed else rule.term) if again else rule.term
        if _hours(term) > _hours(most) or (fixed and _hours(term) != _hours(most)):
            refusal = errors.NoticeTermTooLong if _hours(term) > _hours(most) else errors.NoticeTermTooShort
            raise refusal(
                f"o prazo desta notificação é de {most}, e se deu {term} ({rule.citation}).",
                field="term",
                remedy=f"Escreva term = “{most}”" + (", ou menos." if not fixed else "."),
            )


def _hours(term: str) -> int:
    """The length of a term in hours, months of 30 days: enough to hold one against a maximum in days or hours."""
    parsed = Term.parse(term)
    return parsed.amount * _UNIT_HOURS[parsed.unit]


def _extension(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    notice = case.facts["notice"]
    _require_term([{"article": a} for a in notice["articles"]], act.fields["term"], ctx)
    return {"start": notice["start"]}


def _lavratura(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    if act.fields.get("collects"):
        drawn = collection_of(case, act, beside.origin, ctx, beside.fell)
        fixed = act.kind in ctx.book.fine_fixed_by
        return {**drawn, **(fixed_collection(act.fields, drawn["collection"]) if fixed else {})}
    facts = infractions_of(act.fields)
    if not facts:
        raise errors.MissingContent("o auto não diz fato nem infração.", field="fact")
    found: dict[str, Any] = {"infractions": checked_facts(facts, ctx, act.at), "fact": None}
    if act.kind in ctx.book.fine_fixed_by:
        found.update(fix_fine_of(case, act, ctx, beside, found["infractions"]))
    if act.fields.get("paper"):
        found["defects"] = defects_on_paper(act, ctx)
    if row.outcome == "notificacao_encerrada" and case.state is None:
        cited = {f["article"] for f in found["infractions"]}
        found["prior_notice"] = sorted(n.auto for n in beside.notices if n.ended and cited & set(n.articles))
    return found


def _filing(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    answered = [d for d in case.deadlines if not d.undone and act.kind in ctx.book.deadlines[d.kind].answers]
    deadline = answered[-1] if answered else None
    return {"timeliness": timeliness(deadline, act.at).value, "moved": row.origin != row.target}


def _intimacao(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    """The intimation that states the amount: where the law fixes it, it is the cadastre's sector that reckons it."""
    started = _start(case, act, row, ctx, beside)
    if act.kind not in ctx.book.fine_fixed_by:
        return started
    return {**started, **fix_fine_of(case, act, ctx, beside, list(case.facts["infractions"]))}


def _pagamento(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    if row.origin == State.INSCRITO:
        return payment_shared(case, act.fields, act.at.day, ctx)
    found = discount_now(case, ctx, act.at.day) if row.outcome == "integral" else None
    if found is None:
        return _after_payment(case, act, row, ctx)
    taken = {"percent": str(found.percent), "within": found.within, "article": found.citation.provision}
    if row.target != State.PAGO or case.facts.get("final_at"):
        return {"desconto": taken}
    return {"desconto": taken, "final_at": str(act.at)}  # paid with the discount and ended: no appeal to wait for


def _after_payment(case: Case, act: ActInput, row: Row, ctx: Context) -> dict[str, Any]:
    if row.target != State.PAGO or case.facts.get("final_at"):
        return {}
    return {"final_at": _final_after_payment(case, act, ctx)}


def _final_after_payment(case: Case, act: ActInput, ctx: Context) -> str:
    """When a fine paid before it was final becomes an antecedent: the day its term to appeal ended (spec 01)."""
    to_appeal = [d for d in case.deadlines if not d.undone and Act.RECURSO in ctx.book.deadlines[d.kind].answers]
    if to_appeal:
        return str(to_appeal[-1].expires_at.next_second())
    rule = ctx.book.deadlines.get("recurso")
    if rule is None:  # a single instance: nothing is left to wait for
        return str(act.at)
    counted = count_term(ctx, rule.term, act.at.clock or act.at.day, rule)
    return str(Moment.end_of_day(counted.due, ctx.tz).next_second())


def _annulment(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    ground = annulment_ground(act.fields.get("ground"), act.fields["grounds"])
    return {"ground": ground, "forgiven": case.saldo}


def _cancellation(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    return {"forgiven": case.saldo}


def _restituicao(case: Case, act: ActInput, row: Row, ctx: Context, beside: Beside) -> dict[str, Any]:
    fell = beside.fallen_origin  # with it falls all that was collected for it
    credit = case.pago if fell else case.credit
    if to_centavos(act.fields["amount"]) > credit:
        raise errors.NothingToReturn(
            f"o crédito é de {credit // 100}.{credit % 100:02d} e se quer restituir {act.fields['amount']}.",
            field="amount",
        )
    return {"origin_fell": fell} if fell else {}


_Effect = Callable[[Case, ActInput, Row, Context, Beside], dict[str, Any]]
_EFFECTS: dict[Act, _Effect] = {
    Act.NOTIFICACAO_PRELIMINAR: _notification,
    Act.PRORROGACAO: _extension,
    Act.NOTIFICACAO: _notified_place,
    Act.LAVRATURA: _lavratura,
    Act.CIENCIA: _start,
    Act.CIENCIA_DECISAO: _start,
    Act.INTIMACAO_PAGAMENTO: _start,
    Act.INTIMACAO: _intimacao,
    Act.DEFESA: _filing,
    Act.RECURSO: _filing,
    Act.JULGAMENTO: decided,
    Act.RECONSIDERACAO: decided,
    Act.JULGAMENTO_RECURSO: decided,
    Act.PAGAMENTO: _pagamento,
    Act.RESTITUICAO: _restituicao,
    Act.ANULACAO: _annulment,
    Act.CANCELAMENTO: _cancellation,
    Act.RECALCULO_MULTA: lambda case, act, row, ctx, beside: lowered_fine(case, act, ctx, beside),
}
