"""The annulment of one act: the case returns to where that act found it, and what leaned on it falls (spec 01, 05).

The annulment itself moves nothing: the desfazimento that follows it does, and says what fell and what came again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from legalbasis import ErrorGroup
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br
from procedure.domain.case import Case, RecordedAct
from procedure.domain.context import Context
from procedure.domain.decide import Stamp
from procedure.domain.fold import fold
from procedure.domain.forgiving import CANCELLATION_GROUNDS, annulment_ground
from procedure.domain.guards import Beside, check
from procedure.domain.moment import before
from procedure.domain.reapplying import DECISIONS, reapply_all
from procedure.domain.requirements import case_place
from procedure.domain.undoing import fallen, in_legal_order, named, standing, without, write_undoing
from procedure.domain.vocabulary import ENGINE_ACTS, MAIN_TRACK, Act, State
from procedure.services.late import ANNUL_FIRST
from procedure.services.ports import Repository
from procedure.services.retelling import IN_NOBODYS_WAY, follow, meets, otherwise, with_leaning, with_register

_STAND_ALONE = (Act.ANULACAO, Act.PAGAMENTO, Act.RESTITUICAO)
"""What of an annulled auto may itself be annulled: its annulment, and money."""
_MONEY = {Act.PAGAMENTO: "o pagamento", Act.RESTITUICAO: "a restituição"}
_WHOLE = (Act.LAVRATURA, Act.NOTIFICACAO_PRELIMINAR, Act.NOTIFICACAO)


def annulled_act(repo: Repository, case: Case, act: ActInput) -> RecordedAct | None:
    """The act that an annulment names by its key, its number or its kind; None when it annuls the whole auto.

    Raises UndoNotAvailable when no such act stands, or it is the engine's own.
    """
    name = act.fields.get("annuls")
    if act.kind != Act.ANULACAO or case.state is None or name is None:
        return None
    if name in (*_WHOLE, *case.facts.get("drawn_names", ()), str(case.facts.get("notice", {}).get("seq"))):
        return None
    recorded = [*repo.acts(case.municipality, case.auto), *case.new_acts]
    found = [a for a in standing(recorded) if name in (a.kind, *_names(a, recorded))]
    if not found:
        raise errors.UndoNotAvailable(
            f"não há neste auto ato em pé com a chave, o número ou o nome “{name[:40]}”.",
            field="annuls",
            remedy=f"Veja os atos e os seus números: posturas auto show {case.auto}",
        )
    if case.state is State.ANULADO and found[-1].kind not in _STAND_ALONE:
        raise errors.UndoNotAvailable(
            "o auto já foi anulado, e com ele todos os seus atos.",
            field="annuls",
            remedy="Se a anulação foi um erro, anule-a: annuls=anulacao.",
        )
    if found[-1].kind in ENGINE_ACTS:
        raise errors.UndoNotAvailable(
            f"“{found[-1].kind}” é ato do sistema: cai com o ato de que correu.",
            field="annuls",
            remedy="Anule a ciência ou a decisão que abriu o prazo, ou lance o ato praticado em tempo.",
        )
    return found[-1]


def _names(act: RecordedAct, recorded: Sequence[RecordedAct]) -> list[str]:
    """The numbers and keys of the act, and of those that it repeats."""
    names: list[str] = []
    by_seq = {a.seq: a for a in recorded}
    each: RecordedAct | None = act
    while each is not None:
        names += [str(each.seq), *([each.key] if each.key else [])]
        each = by_seq.get(each.payload.get("reapplies", 0))
    return names


def annul_act(  # noqa: PLR0917  # the act annulled, and everything that deciding asks
    repo: Repository, case: Case, act: ActInput, target: RecordedAct, ctx: Context, beside: Beside, stamp: Stamp
) -> None:
    """Record the annulment of ``target``, undo it and what leans on it, and record again what does not.

    Raises every defect at once; WouldUndo when money or goods would be left without a place.
    """
    defects = check(case, act, ctx, beside)
    if before(act.at, target.at):
        defects.append(errors.ActOutOfOrder(f"o ato que se anula é de {br(target.at.day)}, posterior.", field="date"))
    if defects:
        for defect in defects:
            defect.at(case_place(case))
        raise defects[0] if len(defects) == 1 else ErrorGroup(defects, place=case_place(case))
    recorded = [*repo.acts(case.municipality, case.auto), *case.new_acts]
    beside = replace(beside, decision_fell=target.kind in DECISIONS)
    undone, again = _leaning(case, recorded, target, ctx, beside, stamp.recorded_at)
    gone = {a.seq for a in undone}
    rehearsed = without(case, recorded, gone)
    result = reapply_all(rehearsed, again, ctx, beside, stamp.recorded_at)
    money = [a for a, _ in result.refused if a.kind in _MONEY]
    if money:
        raise errors.WouldUndo(
            f"sem o ato anulado não teria lugar {_MONEY[Act(money[0].kind)]} de {br(money[0].at.day)}.",
            field="annuls",
            remedy=ANNUL_FIRST,
        )
    fell = [*result.fell, *(refused for refused, _ in result.refused)]
    ground = annulment_ground(act.fields.get("ground"), act.fields["grounds"])
    less = {"ground": ground, "forgiven": max(0, case.saldo - rehearsed.saldo)}
    _write_annulment(case, act, target, less, ctx, stamp)
    known = {"act": act.kind, "date": str(act.at), "actor": act.actor, "seq": case.last_seq}
    cause = {**known, "ground": _of_register(ground)}
    listed = in_legal_order([a for a in fell if a.seq in gone])
    write_undoing(case, undone, without(case, recorded, gone), cause, ctx, stamp, fell=listed)
    left = {a.seq for a in fell}
    reapply_all(case, [a for a in again if a.seq not in left], ctx, beside, stamp.recorded_at)


def _leaning(  # the act annulled, and everything that deciding asks
    case: Case, recorded: Sequence[RecordedAct], target: RecordedAct, ctx: Context, beside: Beside, recorded_at: str
) -> tuple[list[RecordedAct], list[RecordedAct]]:
    """What falls with the act, itself first; and what people did of it, to be tried again."""
    stand = standing(recorded)
    tracks = set(target.payload.get("tracks", ())) | ({MAIN_TRACK} if meets(target, {MAIN_TRACK}) else set())
    ordered = in_legal_order(stand)
    place = next(i for i, a in enumerate(ordered) if a.seq == target.seq)
    later = [a for a in ordered[place + 1 :] if meets(a, tracks)]
    after = [a for a in fallen(recorded) if a.seq != target.seq and not before(a.at, target.at)]
    lost = [a for a in after if meets(a, with_register(tracks))]
    ahead = [a for a in ordered[place + 1 :] if a.kind not in IN_NOBODYS_WAY]
    made = without(case, recorded, {a.seq for a in (target, *ahead)})
    came = follow(made, later, lost, tracks, ctx, beside, recorded_at)
    undone = with_leaning([target, *otherwise(later, came)], stand)
    return undone, in_legal_order([*(a for a in undone if a.seq != target.seq and a.kind not in ENGINE_ACTS), *lost])


def _write_annulment(
    case: Case, act: ActInput, target: RecordedAct, less: Mapping[str, Any], ctx: Context, stamp: Stamp
) -> None:
    cited = ctx.book.competences[Act.ANULACAO].citation
    payload: Mapping[str, Any] = {
        **act.fields,
        **less,
        "annulled": named(target),
        "from": case.state,
        "to": case.state,
        "outcome": None,
        "article": cited.provision,
        "status": cited.status.value,
        "opens": [],
        "closes": [],
    }
    fold(
        case,
        RecordedAct(
            kind=act.kind, at=act.at, recorded_at=stamp.recorded_at, actor=stamp.actor, role=stamp.role,
            payload=dict(payload), office=stamp.office, key=stamp.key, rulebook_version=ctx.book.version,
            calendar_version=ctx.calendar.version,
        ),
    )  # fmt: skip


def _of_register(ground: str) -> str:
    """The ground on which an inscription that falls with the act is cancelled."""
    return ground if ground in CANCELLATION_GROUNDS else "decisao_administrativa"
