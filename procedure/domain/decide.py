"""From an act that came in to acts recorded: outcome, row, effects as data, and the engine's acts that follow at
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from legalbasis import ErrorGroup, PosturasError
from procedure.domain.act_input import ActInput
from procedure.domain.admission import procedure_note
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.collecting import collected_mark, costs_are_no_fine
from procedure.domain.context import Context
from procedure.domain.deadlines import open_deadline
from procedure.domain.effects import effects_of
from procedure.domain.fold import deadline_document, fold
from procedure.domain.gate import build_termo, inscription_gate
from procedure.domain.guards import Beside, check
from procedure.domain.moment import Moment
from procedure.domain.outcomes import outcome_of
from procedure.domain.prescribing import warning_on_inscription
from procedure.domain.requirements import WHEN, case_place, require_row, side_outcome
from procedure.domain.rulebook import Row
from procedure.domain.rulebook_versions import version_on
from procedure.domain.surcharges import surcharge_effects
from procedure.domain.track_effects import days_run
from procedure.domain.vocabulary import MAIN_TRACK, Act, DeadlineStatus, Role, State, Track

SYSTEM = "posturas"
FELL = (State.INSUBSISTENTE, State.ANULADO)  # with the auto falls the obligation that it imposed


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who records, and when: what goes on the act beside what the law looks at."""

    actor: str
    role: str
    recorded_at: str
    office: str | None = None
    key: str | None = None


def decide(
    case: Case, act: ActInput, ctx: Context, beside: Beside, stamp: Stamp, references: Mapping[str, Any]
) -> None:
    """Record one act that came in, and what follows from it at the same moment.

    ``references`` replace personal fields in the payload. Raises one typed error, or an ErrorGroup with every defect;
    the case is then as it was (the caller drops it).
    """
    place = case_place(case)
    side = side_rows(case, act, ctx, place)
    _require_known(case, act, ctx, side, place)
    outcome = _checked_outcome(case, act, ctx, beside)
    row = ctx.table.move(case.state, act.kind, outcome, place=place) if ctx.table.knows(act.kind) else None
    for each in (*((row,) if row else ()), *side):
        require_row(case, act.fields, each, ctx)
    effects = effects_of(case, act, row or side[0], ctx, beside)
    record(case, row, act.at, {**act.fields, **effects, **references}, ctx, stamp, side=side)


def side_rows(case: Case, act: ActInput, ctx: Context, place: str) -> list[Row]:
    """The rows by which the act moves side tracks. Raises ActNotAllowed when a track that it must move cannot take
    it.
    """
    found = []
    for track, table in ctx.side.items():
        rows = [r for r in table.rows if r.act == act.kind]
        if not rows or (rows[0].when and not WHEN[rows[0].when](act.fields)):
            continue
        state = case.facts.get("tracks", {}).get(track)
        outcome = side_outcome(case, act.kind, act.fields) if any(r.outcome for r in rows) else None
        found.append(table.move(state, act.kind, outcome, place=f"{place}, {track}"))
    return found


def _require_known(case: Case, act: ActInput, ctx: Context, side: Sequence[Row], place: str) -> None:
    """That some track takes the act; the machine's own refusal comes first, since other defects may follow from it."""
    state = case.state.value if case.state else None
    if ctx.table.knows(act.kind):
        if not ctx.table.outcomes(state, act.kind):
            raise ctx.table.refusal(state, act.kind, None, place)
    elif not side or state is None:
        raise ctx.table.refusal(state, act.kind, None, place)


def _checked_outcome(case: Case, act: ActInput, ctx: Context, beside: Beside) -> str | None:
    """The outcome, after every guard."""
    found = check(case, act, ctx, beside)
    outcome = None
    try:
        if ctx.table.knows(act.kind):
            outcome = outcome_of(case, act.kind, {**act.fields, "at": act.at, "decides": act}, ctx, beside)
    except ErrorGroup as group:
        found.extend(group.errors)
    except PosturasError as error:
        found.append(error)
    if found:
        for defect in found:
            defect.at(case_place(case))
        raise found[0] if len(found) == 1 else ErrorGroup(found, place=case_place(case))
    return outcome


def record(
    case: Case,
    row: Row | None,
    at: Moment,
    fields: dict[str, Any],
    ctx: Context,
    stamp: Stamp,
    *,
    expired: Deadline | None = None,
    side: Sequence[Row] = (),
) -> None:
    """Write an act into the case: the main track's row, those of side tracks, terms closed and opened, what follows."""
    moves = [*((row,) if row else ()), *side]
    first = moves[0]
    payload: dict[str, Any] = {
        **fields,
        "from": row.origin if row else case.state,
        "to": row.target if row else case.state,
        "outcome": first.outcome,
        "article": first.citation.provision,
        "status": first.citation.status.value,
    }
    if first.citation.norm != ctx.book.norm:
        payload["norm"] = first.citation.norm
    if row and row.target in FELL and row.origin not in FELL:
        payload.update(days_run(case, at.day))
    if side:
        payload["tracks"] = {each.track: each.target for each in side}
    note = procedure_note(ctx.book, at.day, ctx.end, ctx.switches.get("apos_revogacao", "ultima_redacao"))
    if note:
        payload["law_note"] = note
    opened = (_opened(case, kind, at, fields, ctx) for each in moves for kind in each.opens)
    payload["opens"] = [doc for doc in opened if doc is not None]
    payload["closes"] = _closed(case, moves, ctx, expired)
    act = RecordedAct(
        kind=first.act,
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
    for follower in first.then:
        _FOLLOWERS[Act(follower)](case, at, ctx, stamp)


def _opened(case: Case, kind: str, at: Moment, fields: Mapping[str, Any], ctx: Context) -> dict[str, Any] | None:
    former = case.deadline(kind)
    supersedes = former.number if former and former.status is DeadlineStatus.ABERTO else None
    opened = open_deadline(ctx, case, ctx.book.deadlines[kind], at, fields, supersedes)
    return deadline_document(opened) if opened else None


def _closed(
    case: Case, moves: Sequence[Row], ctx: Context, expired: Deadline | None
) -> list[dict[str, Any]]:
    """What the act does to the terms running in the tracks it moves, and to those it answers."""
    moved = {each.track for each in moves if each.origin != each.target}
    opens = {kind for each in moves for kind in each.opens}
    fell = any(each.track == MAIN_TRACK and each.target in FELL and each.origin not in FELL for each in moves)
    act = moves[0].act
    closed = []
    for item in case.open_deadlines():
        answered = act in ctx.book.deadlines[item.kind].answers
        status = None
        if item is expired:
            status = DeadlineStatus.VENCIDO
        elif (
            item.kind in opens
            or (fell and item.track == Track.OBRIGACAO)
            or (item.track in moved and not _outlives(item, moves, ctx))
        ):
            status = DeadlineStatus.CUMPRIDO if answered else DeadlineStatus.CANCELADO
        elif answered and act != Act.PAGAMENTO:
            status = DeadlineStatus.CUMPRIDO
        if status is not None:
            closed.append({"kind": item.kind, "number": item.number, "status": status.value})
    return closed


def _outlives(item: Deadline, moves: Sequence[Row], ctx: Context) -> bool:
    """Whether a side track's term runs on in the state entered: where that state has a row for its expiry."""
    if item.track == MAIN_TRACK:
        return False
    target = next(each.target for each in moves if each.track == item.track)
    return bool(ctx.side[item.track].outcomes(target, item.expiry_act))


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
    if deadline.track != MAIN_TRACK:
        _expire_side(case, deadline, at, fields, ctx, recorded_at)
        return
    outcome = outcome_of(case, act, fields, ctx, Beside())
    row = ctx.table.move(case.state, act, outcome, place=case_place(case))
    side = _collection_begins(case, row, ctx)
    record(case, row, at, fields, ctx, _system(recorded_at), expired=deadline, side=side)


def _collection_begins(case: Case, row: Row, ctx: Context) -> list[Row]:
    """With the inscription begins the track that tells how the debt is collected."""
    if row.target != State.INSCRITO or row.act != Act.INSCRICAO:
        return []
    table = ctx.side[Track.REGISTRO]
    return [table.move(None, row.act, row.outcome, place=case_place(case))]


def _expire_side(
    case: Case, deadline: Deadline, at: Moment, fields: dict[str, Any], ctx: Context, recorded_at: str
) -> None:
    """The expiry of a side track's term; a day of daily fine carries its day and rate."""
    if deadline.expiry_act == Act.DECURSO_MULTA_DIARIA:
        fields["accrues"] = {"day": deadline.due.isoformat(), "rate": case.facts["daily"]["rate"]}
    state = case.facts.get("tracks", {}).get(deadline.track)
    row = ctx.side[deadline.track].move(state, deadline.expiry_act, None, place=case_place(case))
    record(case, None, at, fields, ctx, _system(recorded_at), expired=deadline, side=[row])


def _inscription(case: Case, ctx: Context, day: date) -> dict[str, Any]:
    reasons = inscription_gate(case, ctx, day)
    alerts = {"gate_alerts": list(case.facts["alerts"])} if case.facts.get("alerts") else {}
    if reasons:
        return {"gate": reasons, **alerts}
    return {
        "gate": [],
        **alerts,
        "termo": build_termo(case, ctx, day),
        "original_amount": case.arbitrada,
        "charges": case.acrescimo,
        "warns_on": warning_on_inscription(case, day),
    }


def _system(recorded_at: str) -> Stamp:
    return Stamp(SYSTEM, Role.SISTEMA, recorded_at)


def _follow_acrescimo(case: Case, at: Moment, ctx: Context, stamp: Stamp) -> None:
    if case.saldo > 0 and ctx.book.surcharge is not None and not costs_are_no_fine(case):
        row = ctx.table.move(case.state, Act.ACRESCIMO, None, place=case_place(case))
        record(case, row, at, surcharge_effects(case, ctx), ctx, _system(stamp.recorded_at))


def _follow_conversion(case: Case, at: Moment, ctx: Context, stamp: Stamp) -> None:
    if case.arbitrada > 0 and case.saldo == 0:
        row = ctx.table.move(case.state, Act.CONVERSAO_DEPOSITO, None, place=case_place(case))
        fields = {"converted": case.facts.get("payments", [])}
        record(case, row, at, fields, ctx, _system(stamp.recorded_at))


_FOLLOWERS = {Act.ACRESCIMO: _follow_acrescimo, Act.CONVERSAO_DEPOSITO: _follow_conversion}
FOLLOWER_NAMES = frozenset(a.value for a in _FOLLOWERS)


def mark_collected(origin: Case, collecting: Case, at: Moment, ctx: Context, stamp: Stamp) -> None:
    """Write in the origin's obrigacao track that another auto collects what is due of it.

    Raises ActNotAllowed where the law's track has no row for it.
    """
    state = origin.facts.get("tracks", {}).get(Track.OBRIGACAO)
    table = ctx.side.get(Track.OBRIGACAO, ctx.table)
    row = table.move(state, Act.COBRANCA, None, place=case_place(origin))
    record(origin, None, at, collected_mark(collecting), ctx, _system(stamp.recorded_at), side=[row])


def conclude(case: Case, before_epoch: int, ctx: Context, recorded_at: str) -> int:
    """Write the expiry of every deadline whose last moment is before ``before_epoch``, chains to the end; how many."""
    written = 0
    while True:
        due = [d for d in case.open_deadlines() if d.expires_at.epoch < before_epoch]
        if not due:
            return written
        expire(case, due[0], _text_of(case, due[0], ctx), recorded_at)
        written += 1


def _text_of(case: Case, ended: Deadline, ctx: Context) -> Context:
    """The law's text by which a term ends: that of the day of its end. A case that passed to a new text may have one
    that ended before the new procedure's first day, when what comes late opens it again.
    """
    day = ended.expires_at.next_second().day
    if day >= ctx.book.life.procedure_from and ctx.book.version == case.rulebook_version:
        return ctx
    return ctx.under(version_on(case.rulebook_version, case.facts, day))
