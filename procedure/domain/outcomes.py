"""Named pure functions that read an act's outcome from the case, where the act itself does not say it (spec 05)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import Any

from legalbasis import Provision
from procedure.domain import errors
from procedure.domain.admission import br, find_infraction
from procedure.domain.amounts import share_of, to_centavos
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.ex_officio import outcome_of_office
from procedure.domain.fines import fact_day
from procedure.domain.guards import Beside, infractions_of
from procedure.domain.ledger import balance_on
from procedure.domain.moment import Moment, before
from procedure.domain.rulebook import Discount
from procedure.domain.vocabulary import Act, State, Track, TrackState


def outcome_of(case: Case, kind: str, fields: Mapping[str, Any], ctx: Context, beside: Beside) -> str | None:
    """The outcome of an act, or None when acts of its kind have none. Raises the typed errors of the named
    functions.
    """
    rule = ctx.book.outcomes.get(kind)
    if rule is None:
        return None
    if rule.by == "field":
        return str(fields["outcome"])
    return _NAMED[rule.by](case, fields, ctx, beside)


def prior_notice(case: Case, fields: Mapping[str, Any], ctx: Context, beside: Beside) -> str:
    """Whether the auto may be drawn up: imminent danger stated, or a notice to the person for the article has ended;
    ``cobranca`` where it collects what another auto left due.

    Raises PriorNoticeMissing or PriorNoticeRunning.
    """
    if fields.get("collects"):
        return "cobranca"  # what it collects was noticed, imposed and consolidated in the auto of origin
    if fields.get("perigo_iminente"):
        return "perigo_iminente"
    if case.state is State.NOTIFICADO:
        running = case.deadline("regularizacao")
        raise errors.PriorNoticeRunning(
            f"o prazo da notificação preliminar corre até {br(running.due) if running else '?'}.",
            remedy="Espere o prazo acabar, ou declare o perigo iminente com os fatos.",
        )
    for fact in infractions_of(fields):
        _require_notice(case, fact, ctx, beside)
    return "notificacao_encerrada"


def _require_notice(case: Case, fact: Mapping[str, Any], ctx: Context, beside: Beside) -> None:
    cited = find_infraction(ctx.book, fact["article"], fact_day(fact)).provision
    own = case.facts.get("notice", {}).get("articles", []) if case.state is State.NOTIFICACAO_VENCIDA else []
    if cited in own or any(n.ended and cited in n.articles for n in beside.notices):
        return
    running = [n for n in beside.notices if cited in n.articles and not n.ended]
    label = Provision.parse(cited).label()
    if running:
        ends = running[0].ends_on
        raise errors.PriorNoticeRunning(
            f"o prazo da notificação preliminar pelo {label} (nº {running[0].auto}) ainda corre"
            + (f" até {br(ends)}." if ends else "."),
            remedy="Espere o prazo acabar, ou declare o perigo iminente com os fatos.",
        )
    raise errors.PriorNoticeMissing(
        f"não houve notificação preliminar à mesma pessoa pelo {label} com prazo encerrado, nem se declarou "
        f"perigo iminente ({'; '.join(_notice_citations(ctx))}).",
        field="perigo_iminente",
        remedy="Notifique antes de autuar, ou declare o perigo iminente com os fatos.",
    )


def _notice_citations(ctx: Context) -> list[str]:
    """The articles of the rows that an auto may come by, and of the notice itself."""
    rows = [r for r in ctx.book.rows if r.outcome == "perigo_iminente" or r.act == "notificacao_preliminar"]
    return list(dict.fromkeys(str(r.citation) for r in rows))


def payment_cover(case: Case, fields: Mapping[str, Any], ctx: Context, beside: Beside) -> str:
    """``deposito`` before the judgment, ``credito`` after the end, else ``integral`` or ``parcial``.

    A deposit recorded after the judgment ends nothing either, whatever its amount: until the decision is definitive
    the person may still appeal, and it converts when the decision becomes so. Nor does what was paid by a decision
    since annulled (``held``): the case is to be judged again.
    """
    possible = ctx.table.outcomes(case.state.value if case.state else None, "pagamento")
    if len(possible) == 1 and possible[0]:
        return possible[0]
    if fields.get("held") and "final_at" not in case.facts:
        return "parcial"
    decisions = case.facts.get("decisions")
    if decisions and "final_at" not in case.facts and _is_before(fields["at"], decisions[0]["date"], ctx):
        return "parcial"
    if case.state is State.INSCRITO:
        owed = balance_on(case, ctx.update, fields["at"].day).total
        return "integral" if owed <= to_centavos(fields["amount"]) else "parcial"
    found = discount_now(case, ctx, fields["at"].day)
    due = case.total - case.desconto - (share_of(case.arbitrada, found.percent) if found else 0)
    # Where nothing was fixed yet, no payment covers the whole of it.
    return "integral" if 0 < due <= to_centavos(fields["amount"]) + case.pago else "parcial"


def discount_now(case: Case, ctx: Context, day: date) -> Discount | None:
    """The best discount that a payment of ``day`` has: one whose term runs, whose state or day lasts, once."""
    running = {*(item.kind for item in case.open_deadlines()), str(case.state)}
    return None if case.desconto else best_discount(case, ctx, running, day)


def best_discount(case: Case, ctx: Context, running: Collection[str], day: date) -> Discount | None:
    """The best of the discounts of the terms and states in ``running``, on ``day``, that the law gives this person."""
    repeated = any(found["counted"] for found in case.facts.get("recidivism", ()))
    open_to = [
        d
        for d in ctx.book.discounts
        if (d.within is None or d.within in running)
        and (d.until is None or day <= d.until)
        and (d.when is None or DISCOUNT_FACTS[d.when](case))
        and (d.reincidente or not repeated)
    ]
    return max(open_to, key=lambda d: d.percent, default=None)


def _is_cured(case: Case) -> bool:
    return bool(case.facts.get("cured")) or case.facts.get("tracks", {}).get(Track.OBRIGACAO) == TrackState.CUMPRIDA


def _has_no_defence(case: Case) -> bool:
    return not any(f["act"] == Act.DEFESA for f in case.facts.get("filings", ()))


DISCOUNT_FACTS: Mapping[str, Callable[[Case], bool]] = {"sanado": _is_cured, "sem_defesa": _has_no_defence}
"""What a discount may turn on beside the calendar: the wrong was put right, or nobody defended."""


def decision(case: Case, fields: Mapping[str, Any], ctx: Context, beside: Beside) -> str:
    """The outcome of a judgment; ``…_de_oficio`` where it frees the autuado of more than the law lets it alone."""
    return outcome_of_office(case, fields["decides"], ctx, beside)


def _is_before(at: Moment, text: str, ctx: Context) -> bool:
    return before(at, Moment.parse(text, ctx.tz))


def gate_outcome(case: Case, fields: Mapping[str, Any], ctx: Context, beside: Beside) -> str:
    """``apta`` when the gate found nothing (its reasons are already in the fields), else ``recusada``."""
    return "recusada" if fields["gate"] else "apta"


def deposit_made(case: Case, fields: Mapping[str, Any], ctx: Context, beside: Beside) -> str:
    """``coberta`` when a deposit already covers the fine, else ``a_pagar``."""
    return "coberta" if case.arbitrada > 0 and case.saldo == 0 else "a_pagar"


def notice_to(case: Case, fields: Mapping[str, Any], ctx: Context, beside: Beside) -> str:
    """Whom a notice with a copy served: the ``infrator`` (the default), or who got the ``copia``."""
    return str(fields.get("to", "infrator"))


_NAMED: dict[str, Callable[[Case, Mapping[str, Any], Context, Beside], str]] = {
    "prior_notice": prior_notice,
    "payment_cover": payment_cover,
    "inscription_gate": gate_outcome,
    "deposit_made": deposit_made,
    "decision": decision,
    "notice_to": notice_to,
}
OUTCOME_FUNCTIONS = frozenset({"field", *_NAMED})
