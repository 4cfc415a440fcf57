"""Acts that come late: done at their own date and recorded after others (spec 05; the issue on corrections).

The act is tried where it belongs in law. What was recorded for later moments is then tried again after it; from the
first act that would not have come, or not so, what was recorded is undone by an act that says so, and what people did
is recorded again. Where nothing would have been otherwise, the act is simply recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from legalbasis import ErrorGroup, PosturasError
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br
from procedure.domain.case import Case, RecordedAct
from procedure.domain.context import Context
from procedure.domain.decide import Stamp, conclude, decide
from procedure.domain.guards import Beside
from procedure.domain.labels import act_label
from procedure.domain.machine import ActNotAllowed
from procedure.domain.moment import Moment, before
from procedure.domain.reapplying import DECISIONS, Reapplied, carry, reapply_all
from procedure.domain.requirements import pending_appeal, require_row
from procedure.domain.undoing import fallen, in_legal_order, named, standing, without, write_undoing
from procedure.domain.vocabulary import ENGINE_ACTS, MAIN_TRACK, Act, Timeliness, Track
from procedure.services.ports import Repository
from procedure.services.retelling import IN_NOBODYS_WAY, follow, meets, otherwise, with_leaning, with_register

_ON_APPEAL = (Act.RECONSIDERACAO, Act.REMESSA)
_FOLLOWERS = (Act.ACRESCIMO, Act.CONVERSAO_DEPOSITO)
_BY_SIDE = {"nada_pendente", "decidida", "sanado"}  # what an act of a side track asks of the main one
ANNUL_FIRST = "Anule antes o que se decidiu (anulacao, com annuls = o número do ato), lance este e decida de novo."


@dataclass(slots=True)
class Late:
    """What an act that comes late undoes (in legal order), and what of it is to be recorded again after the act.

    ``kept`` is the act itself, where it only joins the record: a filing out of time, which moved nothing where it
    belongs and has no place where the case now stands.
    """

    undone: list[RecordedAct] = field(default_factory=list)
    again: list[RecordedAct] = field(default_factory=list)
    kept: RecordedAct | None = None


class LateActs:
    """Looks at what was recorded for moments after that of an act."""

    def __init__(self, repo: Repository) -> None:
        self.repo = repo

    def settle(
        self, case: Case, act: ActInput, ctx: Context, stamp: Stamp, beside: Beside, references: Mapping[str, Any]
    ) -> Late:
        """Undo what would not have come, or not so, had the act been known; nothing for an act that is in order.

        Raises ActOutOfOrder when the act is before the one it answers; WouldUndo when an authority decided meanwhile.
        """
        if not case.last_at or not _is_late(case, act, ctx):
            return Late()
        recorded = [*self.repo.acts(case.municipality, case.auto), *case.new_acts]
        stand = standing(recorded)
        tracks = _tracks_of(act, ctx)
        later = in_legal_order([a for a in _later(stand, act) if meets(a, tracks)])
        if act.kind in _ending_daily(ctx):  # it gives up the days beyond it, which stand in nobody's way
            later = [a for a in later if a.kind != Act.DECURSO_MULTA_DIARIA]
        lost = [a for a in fallen(recorded) if before(act.at, a.at) and meets(a, with_register(tracks))]
        if not later and not lost:  # what came after it was undone, or moved other tracks
            return Late()
        trial = _Trial(case, recorded, act, ctx, beside, references, stamp, lost)
        undone = trial.would_fall(later, tracks)
        if not trial.fits(undone):  # where what stands would leave it, the act has no place, or moves what it did not
            if not undone and trial.made is not None and _only_kept(trial.made):
                return Late(kept=_as_of_now(case, trial.made))
            undone = trial.with_leaning(later)
        if not undone:
            return Late(again=trial.rehearse([])[0] if lost else [])
        try:
            return self._undo(case, trial, undone)
        except errors.WouldUndo:
            if act.kind == Act.PAGAMENTO:  # money that came in is recorded, whatever was decided since
                return Late()
            raise

    def _undo(self, case: Case, trial: _Trial, undone: list[RecordedAct]) -> Late:
        act = trial.act
        decided = [a for a in undone if a.kind in DECISIONS and act.kind != Act.PAGAMENTO]
        if decided:
            raise _would_undo(act, undone)
        self._require_no_auto_rests(case, act)
        again, result = trial.rehearse(undone)
        if result.refused:
            raise _would_undo(act, [refused for refused, _ in result.refused])
        restored = without(case, trial.recorded, {a.seq for a in undone})
        cause = {"act": act.kind, "date": str(act.at), "actor": act.actor}
        fell = [a for a in result.fell if a in undone]
        write_undoing(case, undone, restored, cause, trial.ctx, trial.stamp, fell=fell)
        conclude(case, act.at.epoch, trial.ctx, trial.stamp.recorded_at)
        return Late(undone, again)

    def resume(self, case: Case, late: Late, ctx: Context, beside: Beside, stamp: Stamp) -> None:
        """Record again, after the act that came late, what people had done and still has a place."""
        reapply_all(case, late.again, ctx, beside, stamp.recorded_at)

    def _require_no_auto_rests(self, case: Case, act: ActInput) -> None:
        """A regularização in time, typed late, would take the ground from an auto drawn up in another number."""
        if act.kind != Act.REGULARIZACAO or case.person_key is None:
            return
        autos = self.repo.autos_of_person(case.municipality, case.person_key)
        others = self.repo.load(case.municipality, sorted(autos), lock=False).values()
        resting = [o.auto for o in others if case.auto in o.facts.get("prior_notice", ())]
        if resting:
            raise errors.WouldUndo(
                f"a regularização de {br(act.at.day)} foi lançada depois da lavratura que ela desfaria, do auto "
                f"{', '.join(resting)}.",
                field="date",
                remedy="Anule antes o auto, ou trate o caso à mão.",
            )

    def admit_appeal(self, case: Case, act: ActInput, ctx: Context, stamp: Stamp) -> None:
        """A late recurso that the authority knows acts as if filed in time (spec 05): what came since the end of its
        term is undone, and the recurso recorded again where it belongs.
        """
        decided = act.fields.get("timeliness_decision") or {}
        if act.kind not in _ON_APPEAL or decided.get("outcome") != "conhecida" or not pending_appeal(case):
            return
        recorded = [*self.repo.acts(case.municipality, case.auto), *case.new_acts]
        main = in_legal_order([a for a in standing(recorded) if meets(a, {MAIN_TRACK})])
        ended = [i for i, a in enumerate(main) if a.deadline and _answered_by_appeal(a, ctx)]
        filed = [a for a in main if a.kind == Act.RECURSO and not a.payload["moved"]]
        if not ended or not filed:
            return
        undone = main[ended[-1] :]
        decisions = [a for a in undone if a.kind in DECISIONS]
        if decisions:
            raise _would_undo(act, decisions)
        others = [a for a in undone if a is not filed[-1]]
        cause = {"act": act.kind, "date": str(act.at), "actor": act.actor, "admits": named(filed[-1])}

        def admit(into: Case) -> Reapplied:
            carry(into, _as_if_in_time(filed[-1]), ctx, Stamp(filed[-1].actor, filed[-1].role, stamp.recorded_at))
            return reapply_all(into, others, ctx, Beside(), stamp.recorded_at)

        restored = without(case, recorded, {a.seq for a in undone})
        result = admit(without(case, recorded, {a.seq for a in undone}))
        if result.refused:
            raise _would_undo(act, [refused for refused, _ in result.refused])
        write_undoing(case, undone, restored, cause, ctx, stamp, fell=result.fell)
        admit(case)


class _Trial:
    """The act tried where it belongs in law, over copies of the case."""

    def __init__(  # noqa: PLR0917  # everything that deciding asks, held together for three tries
        self,
        case: Case,
        recorded: Sequence[RecordedAct],
        act: ActInput,
        ctx: Context,
        beside: Beside,
        references: Mapping[str, Any],
        stamp: Stamp,
        lost: Sequence[RecordedAct],
    ) -> None:
        self.case = case
        self.recorded = recorded
        self.act = act
        self.ctx = ctx
        self.beside = beside
        self.references = references
        self.stamp = stamp
        self.lost = lost  # acts that had fallen and may have a place again
        self.moves: list[str] = []  # the tracks that the act moves, where it belongs
        self.made: RecordedAct | None = None  # the act, as it is there

    def would_fall(self, later: Sequence[RecordedAct], tracks: set[str]) -> list[RecordedAct]:
        """Of the acts recorded for later moments, the first that would be otherwise and those after it."""
        stand = standing(self.recorded)
        ahead = _later(stand, self.act)
        made = without(self.case, self.recorded, {a.seq for a in ahead})
        self._decide(made, later)
        self.made = made.new_acts[-1]
        self.moves = _moves(made, self.made)
        came = follow(made, later, self.lost, tracks, self.ctx, self.beside, self.stamp.recorded_at)
        return self.with_leaning(otherwise(later, came))

    def with_leaning(self, fallen: Sequence[RecordedAct]) -> list[RecordedAct]:
        """As ``retelling.with_leaning``, among what stands."""
        return with_leaning(fallen, standing(self.recorded))

    def _decide(self, made: Case, later: Sequence[RecordedAct]) -> None:
        try:
            conclude(made, self.act.at.epoch, self.ctx, self.stamp.recorded_at)
            decide(made, self.act, self.ctx, self.beside, self.stamp, self.references)
        except ActNotAllowed as error:
            answered = f"“{act_label(later[0].kind)}” de {br(later[0].at.day)}"
            raise errors.ActOutOfOrder(
                f"o ato “{act_label(self.act.kind)}” é de {br(self.act.at.day)}, anterior a {answered}.",
                field="date",
                remedy="Um ato não pode ser anterior àquele a que responde.",
            ) from error

    def fits(self, undone: Sequence[RecordedAct]) -> bool:
        """Whether the act can be recorded over what stands, and moves there what it moves where it belongs."""
        made = without(self.case, self.recorded, {a.seq for a in undone})
        try:
            conclude(made, self.act.at.epoch, self.ctx, self.stamp.recorded_at)
            made.new_acts = []
            decide(made, self.act, self.ctx, self.beside, self.stamp, self.references)
        except (PosturasError, ErrorGroup):
            return False
        return _moves(made, made.new_acts[0]) == self.moves

    def rehearse(self, undone: Sequence[RecordedAct]) -> tuple[list[RecordedAct], Reapplied]:
        """What of ``undone`` is recorded again, and what falls or is refused, tried over a copy."""
        made = without(self.case, self.recorded, {a.seq for a in undone})
        conclude(made, self.act.at.epoch, self.ctx, self.stamp.recorded_at)
        decide(made, self.act, self.ctx, self.beside, self.stamp, self.references)
        result = reapply_all(made, in_legal_order([*undone, *self.lost]), self.ctx, self.beside, self.stamp.recorded_at)
        result.refused += self._no_longer_possible(made, undone)
        left = {a.seq for a in (*result.fell, *(refused for refused, _ in result.refused))}
        again = in_legal_order([*undone, *self.lost])
        return [a for a in again if a.kind not in ENGINE_ACTS and a.seq not in left], result

    def _no_longer_possible(self, made: Case, undone: Sequence[RecordedAct]) -> list[tuple[RecordedAct, PosturasError]]:
        """Acts of side tracks that stand, and that the law would not have allowed over the case as it now is."""
        gone = {a.seq for a in undone}
        found = []
        for act in standing(self.recorded):
            if act.seq in gone or not before(self.act.at, act.at) or self.ctx.table.knows(act.kind):
                continue
            rows = [r for table in self.ctx.side.values() for r in table.rows if r.act == act.kind]
            asks = {name for row in rows for name in row.requires} & _BY_SIDE
            try:
                for row in rows[:1] if asks else ():
                    require_row(made, act.payload, row, self.ctx)
            except PosturasError as error:
                found.append((act, error))
        return found


def _is_late(case: Case, act: ActInput, ctx: Context) -> bool:
    last = Moment.parse(case.last_at, ctx.tz)
    return before(act.at, last) or (last.has_hour and not act.at.has_hour and act.at.epoch < last.epoch)


def _later(stand: Sequence[RecordedAct], act: ActInput) -> list[RecordedAct]:
    """The acts that stand and are later in law: an expiry that the act's own date does not conclude is after it."""
    found: list[RecordedAct] = []
    after = False
    for each in stand:
        if each.kind in IN_NOBODYS_WAY:
            continue
        if each.deadline:
            after = each.at.epoch > act.at.epoch
        elif each.kind not in _FOLLOWERS:  # what follows an act at its moment stands where that act stands
            after = before(act.at, each.at)
        if after:
            found.append(each)
    return found


def _tracks_of(act: ActInput, ctx: Context) -> set[str]:
    own = {track for track, table in ctx.side.items() if table.knows(act.kind)}
    if act.kind in DECISIONS:  # with the auto falls the obligation that it imposed
        own.add(Track.OBRIGACAO.value)
    return own | {MAIN_TRACK} if ctx.table.knows(act.kind) else own


def _ending_daily(ctx: Context) -> frozenset[str]:
    """The acts that end a daily fine, and so give up the days recorded beyond them."""
    rules = ctx.book.deadlines.values()
    return frozenset(act for rule in rules if rule.expiry == Act.DECURSO_MULTA_DIARIA for act in rule.answers)


def _moves(case: Case, act: RecordedAct) -> list[str]:
    """The tracks that an act moves, and the terms that it ends, each by the day from which it runs."""
    main = [MAIN_TRACK] if act.payload["from"] != act.payload["to"] else []
    ended = {(c["kind"], c["number"]) for c in act.payload["closes"]}
    terms = sorted(f"{d.kind} {d.starts_on}" for d in case.deadlines if (d.kind, d.number) in ended)
    return [*main, *sorted(act.payload.get("tracks", ())), *terms]


def _only_kept(made: RecordedAct) -> bool:
    """Whether a filing, as it is where it belongs, is out of time under every reading: it stays in the case and nobody
    had to decide of it (spec 05). A disputed one the decision should have seen.
    """
    if made.payload.get("timeliness") != Timeliness.INTEMPESTIVA:
        return False
    return made.payload["from"] == made.payload["to"] and not (made.payload["opens"] or made.payload["closes"])


def _as_of_now(case: Case, made: RecordedAct) -> RecordedAct:
    """The filing recorded where the case stands, which it leaves as it is; ``filed_in`` says where it belongs."""
    made.payload = {**made.payload, "from": case.state, "to": case.state, "filed_in": made.payload["from"]}
    return made


def _answered_by_appeal(act: RecordedAct, ctx: Context) -> bool:
    return Act.RECURSO in ctx.book.deadlines[str(act.deadline).split(":")[0]].answers


def _as_if_in_time(filed: RecordedAct) -> RecordedAct:
    payload = {**filed.payload, "moved": True}
    return RecordedAct(
        kind=filed.kind, at=filed.at, recorded_at=filed.recorded_at, actor=filed.actor, role=filed.role,
        payload=payload, seq=filed.seq, office=filed.office,
    )  # fmt: skip


def _would_undo(act: ActInput, undone: Sequence[RecordedAct]) -> errors.WouldUndo:
    names = ", ".join(f"{act_label(a.kind)} de {br(a.at.day)}" for a in undone)
    return errors.WouldUndo(
        f"o ato “{act_label(act.kind)}” de {br(act.at.day)} foi lançado depois de atos que ele desfaria: {names}.",
        field="date",
        remedy=ANNUL_FIRST,
    )
