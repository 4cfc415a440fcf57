"""From an act that came in to acts recorded: outcome, row, effects as data, and the engine's acts that follow at
once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from legalbasis import ErrorGroup, PosturasError
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import procedure_note
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.context import Context
from procedure.domain.deadlines import open_deadline
from procedure.domain.effects import effects_of
from procedure.domain.fold import deadline_document, fold
from procedure.domain.gate import build_termo, inscription_gate
from procedure.domain.guards import Beside, check
from procedure.domain.moment import Moment
from procedure.domain.outcomes import outcome_of
from procedure.domain.rulebook import Row
from procedure.domain.surcharges import surcharge_effects
from procedure.domain.vocabulary import Act, DeadlineStatus, Role

SYSTEM = "posturas"


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who records, and when: what goes on the act beside what the law looks at."""

    actor: str
    role: str
    recorded_at: str
    office: str | None = None
    key: str | None = None


def case_place(case: Case) -> str:
    """How messages name the case."""
    return f"auto {case.auto}"


def decide(
    case: Case, act: ActInput, ctx: Context, beside: Beside, stamp: Stamp, references: Mapping[str, Any]
) -> None:
    """Record one act that came in, and what follows from it at the same moment.

    ``references`` replace personal fields in the payload. Raises one typed error, or an ErrorGroup with every defect;
    the case is then as it was (the caller drops it).
    """
    outcome = _checked_outcome(case, act, ctx, beside)
    row = ctx.table.move(case.state, act.kind, outcome, place=case_place(case))
    _require_row(case, row, ctx)
    fields = {**act.fields}
    effects = effects_of(case, act, row, ctx, beside)
    record(case, row, act.at, {**fields, **effects, **references}, ctx, stamp)


def _checked_outcome(case: Case, act: ActInput, ctx: Context, beside: Beside) -> str | None:
    """The outcome, after every guard; the machine's own refusal comes first, since other defects may follow from it."""
    if not ctx.table.outcomes(case.state.value if case.state else None, act.kind):
        raise ctx.table.refusal(case.state.value if case.state else None, act.kind, None, case_place(case))
    found = check(case, act, ctx, beside)
    outcome = None
    try:
        outcome = outcome_of(case, act.kind, {**act.fields, "at": act.at}, ctx, beside)
    except ErrorGroup as group:
        found.extend(group.errors)
    except PosturasError as error:
        found.append(error)
    if found:
        for defect in found:
            defect.at(case_place(case))
        raise found[0] if len(found) == 1 else ErrorGroup(found, place=case_place(case))
    return outcome


def _require_row(case: Case, row: Row, ctx: Context) -> None:
    if row.switch and ctx.switches.get(row.switch[0]) != row.switch[1]:
        raise errors.SwitchNeeded(
            f"“{row.act}” no estado “{row.origin}” só existe com {row.switch[0]} = {row.switch[1]} ({row.citation}).",
            place=case_place(case),
            remedy=f"A leitura em uso é {row.switch[0]} = {ctx.switches.get(row.switch[0])}.",
        )
    for name in row.requires:
        _REQUIREMENTS[name](case)


def row_is_open(case: Case, row: Row, ctx: Context) -> bool:
    """Whether the row's own conditions hold: the reading it needs and what it requires of the case."""
    try:
        _require_row(case, row, ctx)
    except PosturasError:
        return False
    return True


def _second_instance_notified(case: Case) -> None:
    decisions = case.facts.get("decisions") or []
    if decisions and decisions[-1]["act"] == Act.JULGAMENTO_RECURSO and not decisions[-1]["notified"]:
        raise errors.DecisionNotNotified(
            place=case_place(case), remedy="Registre a ciencia_decisao antes, ou no mesmo dia, da intimação para pagar."
        )


def _has_second_instance(case: Case) -> None:
    decisions = case.facts.get("decisions") or []
    if not decisions or decisions[-1]["act"] != Act.JULGAMENTO_RECURSO or decisions[-1]["notified"]:
        raise errors.DecisionNotNotified(
            "não há decisão de segunda instância à espera de ciência.", place=case_place(case)
        )


def _late_appeal(case: Case) -> None:
    if not pending_appeal(case):
        raise errors.TimelinessUndecided(
            "não há recurso tardio a decidir: a reconsideração só cabe sobre recurso.", place=case_place(case)
        )


def pending_appeal(case: Case) -> bool:
    """Whether a recurso filed after its term is on record and was not yet decided."""
    return any(
        f["act"] == Act.RECURSO and not f["moved"] and f["decided"] is None for f in case.facts.get("filings", ())
    )


def _is_revel(case: Case) -> None:
    if not case.facts.get("revel"):
        raise errors.SwitchNeeded("só o revel é intimado a pagar sem abrir recurso.", place=case_place(case))


_REQUIREMENTS = {
    "decisao_notificada": _second_instance_notified,
    "decisao_de_segunda_instancia": _has_second_instance,
    "revel_sem_recurso": _is_revel,
    "recurso_tardio": _late_appeal,
}
REQUIREMENT_NAMES = frozenset(_REQUIREMENTS)


def record(
    case: Case,
    row: Row,
    at: Moment,
    fields: dict[str, Any],
    ctx: Context,
    stamp: Stamp,
    *,
    expired: Deadline | None = None,
) -> None:
    """Write the act of ``row`` into the case, with deadlines closed and opened, then the acts that follow
    (``then``).
    """
    payload: dict[str, Any] = {
        **fields,
        "from": row.origin,
        "to": row.target,
        "outcome": row.outcome,
        "article": row.citation.provision,
        "status": row.citation.status.value,
    }
    note = procedure_note(ctx.book, at.day, ctx.end, ctx.switches.get("apos_revogacao", "ultima_redacao"))
    if note:
        payload["law_note"] = note
    payload["opens"] = [_opened(case, kind, at, fields, ctx) for kind in row.opens]
    payload["closes"] = _closed(case, row, ctx, expired)
    act = RecordedAct(
        kind=row.act,
        at=at,
        recorded_at=stamp.recorded_at,
        actor=stamp.actor,
        role=stamp.role,
        payload=payload,
        office=stamp.office,
        key=stamp.key,
        rulebook_version=ctx.book.version,
        calendar_version=ctx.calendar.version,
        deadline=f"{expired.kind}:{expired.number}" if expired else None,
    )
    fold(case, act)
    for follower in row.then:
        _FOLLOWERS[Act(follower)](case, at, ctx, stamp)


def _opened(case: Case, kind: str, at: Moment, fields: Mapping[str, Any], ctx: Context) -> dict[str, Any]:
    former = case.deadline(kind)
    reopened = fields.get("reopens")
    supersedes = former.number if former and former.status is DeadlineStatus.ABERTO else reopened
    return deadline_document(open_deadline(ctx, case, ctx.book.deadlines[kind], at, fields, supersedes))


def _closed(case: Case, row: Row, ctx: Context, expired: Deadline | None) -> list[dict[str, Any]]:
    moves = row.origin != row.target
    closed = []
    for item in case.open_deadlines():
        status = None
        if item is expired:
            status = DeadlineStatus.VENCIDO
        elif moves or item.kind in row.opens:
            answers = ctx.book.deadlines[item.kind].answers
            status = DeadlineStatus.CUMPRIDO if row.act in answers else DeadlineStatus.CANCELADO
        elif row.act in ctx.book.deadlines[item.kind].answers and row.act != Act.PAGAMENTO:
            status = DeadlineStatus.CUMPRIDO
        if status is not None:
            closed.append({"kind": item.kind, "number": item.number, "status": status.value})
    return closed


def expire(case: Case, deadline: Deadline, ctx: Context, recorded_at: str) -> None:
    """Write the act of expiry of ``deadline`` at the first instant after it, and what follows from it."""
    at = deadline.expires_at.next_second()
    act = deadline.expiry_act
    fields: dict[str, Any] = {
        "deadline": {"kind": deadline.kind, "number": deadline.number, "due": deadline.due.isoformat()}
    }
    if act == Act.INSCRICAO:
        fields.update(_inscription(case, ctx, at.day))
    if act == Act.DECURSO_PAGAMENTO:
        fields["exigivel_em"] = (deadline.expires_on + timedelta(days=1)).isoformat()
    outcome = outcome_of(case, act, fields, ctx, Beside())
    row = ctx.table.move(case.state, act, outcome, place=case_place(case))
    record(case, row, at, fields, ctx, _system(recorded_at), expired=deadline)


def _inscription(case: Case, ctx: Context, day: date) -> dict[str, Any]:
    reasons = inscription_gate(case, ctx, day)
    if reasons:
        return {"gate": reasons}
    return {
        "gate": [],
        "termo": build_termo(case, ctx, day),
        "original_amount": case.arbitrada,
        "charges": case.acrescimo,
    }


def _system(recorded_at: str) -> Stamp:
    return Stamp(SYSTEM, Role.SISTEMA, recorded_at)


def _follow_acrescimo(case: Case, at: Moment, ctx: Context, stamp: Stamp) -> None:
    if case.saldo > 0 and ctx.book.surcharge is not None:
        row = ctx.table.move(case.state, Act.ACRESCIMO, None, place=case_place(case))
        record(case, row, at, surcharge_effects(case, ctx), ctx, _system(stamp.recorded_at))


def _follow_conversion(case: Case, at: Moment, ctx: Context, stamp: Stamp) -> None:
    if case.arbitrada > 0 and case.saldo == 0:
        row = ctx.table.move(case.state, Act.CONVERSAO_DEPOSITO, None, place=case_place(case))
        fields = {"converted": case.facts.get("payments", [])}
        record(case, row, at, fields, ctx, _system(stamp.recorded_at))


_FOLLOWERS = {Act.ACRESCIMO: _follow_acrescimo, Act.CONVERSAO_DEPOSITO: _follow_conversion}
FOLLOWER_NAMES = frozenset(a.value for a in _FOLLOWERS)


def conclude(case: Case, before_epoch: int, ctx: Context, recorded_at: str) -> int:
    """Write the expiry of every deadline whose last moment is before ``before_epoch``, chains to the end; how many."""
    written = 0
    while True:
        due = [d for d in case.open_deadlines() if d.expires_at.epoch < before_epoch]
        if not due:
            return written
        expire(case, due[0], ctx, recorded_at)
        written += 1


def undo_expiry(  # what is undone, why, and who records it
    case: Case,
    decurso: RecordedAct,
    deadline: Deadline,
    cause: Mapping[str, Any],
    ctx: Context,
    stamp: Stamp,
    *,
    admits: str | None = None,
) -> None:
    """Write the desfazimento of the case's last decurso: the state returns, a new deadline supersedes the undone one.

    ``admits`` names the filing that is let in as if it had come in time (a late recurso that is known): the state is
    then the one that the filing would have brought, and no deadline reopens.
    """
    undoes = {"seq": decurso.seq, "act": decurso.kind, **({"admits": admits} if admits else {})}
    row = ctx.table.move(case.state, Act.DESFAZIMENTO, admits or decurso.kind, place=case_place(case))
    fields = {"undoes": undoes, "cause": dict(cause)}
    reopened = [] if admits else [{**deadline_document(deadline), "supersedes": deadline.number}]
    act = RecordedAct(
        kind=Act.DESFAZIMENTO,
        at=Moment.of_clock(datetime.fromisoformat(str(decurso.at)), ctx.tz),
        recorded_at=stamp.recorded_at,
        actor=SYSTEM,
        role=Role.SISTEMA,
        payload={
            **fields,
            "from": row.origin,
            "to": row.target,
            "outcome": row.outcome,
            "article": row.citation.provision,
            "status": row.citation.status.value,
            "opens": reopened,
            "closes": [
                *_closed(case, row, ctx, None),
                {
                    "kind": deadline.kind,
                    "number": deadline.number,
                    "status": DeadlineStatus.CANCELADO.value,
                    "undone": True,
                },
            ],
        },
        rulebook_version=ctx.book.version,
        calendar_version=ctx.calendar.version,
    )
    fold(case, act)
