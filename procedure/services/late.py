"""Acts that come late: those done in time and recorded afterwards undo the expiry that came first (spec 05).

What cannot be undone is refused; nothing is undone that an authority has already acted upon.
"""

from __future__ import annotations

from collections.abc import Sequence

from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br
from procedure.domain.amounts import share_of, to_centavos
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.context import Context
from procedure.domain.decide import Stamp, undo_expiry, undo_side_expiry
from procedure.domain.moment import Moment, before
from procedure.domain.outcomes import best_discount
from procedure.domain.requirements import pending_appeal
from procedure.domain.vocabulary import MAIN_TRACK, Act
from procedure.services.ports import Repository

_LATE = (Act.DEFESA, Act.RECURSO, Act.PAGAMENTO, Act.REGULARIZACAO, Act.RENUNCIA)
_ON_APPEAL = (Act.RECONSIDERACAO, Act.REMESSA)
_MONEY = (Act.DECURSO_PAGAMENTO, Act.ACRESCIMO, Act.INSCRICAO, Act.CONVERSAO_DEPOSITO)


class LateActs:
    """Looks at what was recorded after the moment of an act that comes late."""

    def __init__(self, repo: Repository) -> None:
        self.repo = repo

    def settle(self, case: Case, act: ActInput, ctx: Context, stamp: Stamp) -> None:
        """Order in time: an act before the case's last one is refused, or, done in time, undoes the decurso that
        came first.
        """
        if not case.last_at:
            return
        last = Moment.parse(case.last_at, ctx.tz)
        if not before(act.at, last) or act.kind == Act.IMPUGNACAO:
            return
        recorded = [*self.repo.acts(case.municipality, case.auto), *case.new_acts]
        later = [a for a in recorded if before(act.at, a.at) and not is_undone(a, recorded) and _meets(a, act, ctx)]
        if not later:  # what came after it was undone, or moved other tracks
            return
        if act.kind in _LATE and self._undo(case, act, later, ctx, stamp):
            return
        if not ctx.table.knows(act.kind) and self._undo_side(case, act, recorded, later, ctx, stamp):
            return
        raise errors.ActOutOfOrder(
            f"o ato “{act.kind}” é de {br(act.at.day)}, anterior a “{later[0].kind}” de {br(later[0].at.day)}.",
            field="date",
            remedy="Um ato não pode ser anterior àquele a que responde.",
        )

    def _undo(self, case: Case, act: ActInput, later: list[RecordedAct], ctx: Context, stamp: Stamp) -> bool:
        """Whether the late act may come; writes the desfazimento it needs. Raises WouldUndo beyond one last decurso."""
        touched = [a for a in later if _touches(case, a, act, ctx)]
        if not touched:
            return act.kind == Act.PAGAMENTO
        movers = [a for a in later if a.payload["from"] != a.payload["to"] or a.kind in _MONEY]
        undone = touched[0]  # which may have moved nothing, where only a discount ended with it
        alone = movers in ([], [undone])
        if not alone or not undone.deadline or undone.kind == Act.INSCRICAO:
            names = ", ".join(f"{a.kind} de {br(a.at.day)}" for a in movers)
            raise errors.WouldUndo(
                f"o ato “{act.kind}” de {br(act.at.day)} foi lançado depois de atos que ele desfaria: {names}.",
                field="date",
                remedy="Ainda não se desfaz acréscimo, inscrição ou decisão; guarde o ato e trate o caso à mão.",
            )
        self._require_no_auto_rests(case, act)
        cause = {"act": act.kind, "date": str(act.at), "actor": act.actor}
        undo_expiry(case, undone, _deadline_of(case, undone), cause, ctx, stamp)
        return True

    def _undo_side(
        self,
        case: Case,
        act: ActInput,
        recorded: Sequence[RecordedAct],
        later: Sequence[RecordedAct],
        ctx: Context,
        stamp: Stamp,
    ) -> bool:
        """Whether an act of a side track alone may come late; writes the desfazimentos it needs, the last one first.

        Done in time, it undoes the expiry of the term that it answers, and the expiries after it in the track, which
        the sweep writes again if they still are due. Done out of time, the track's rows say what it still does.
        Raises WouldUndo when somebody has acted upon that expiry, or days of a daily fine have run upon it.
        """
        if not any(_answers_in_time(case, a, act, ctx) for a in later):
            return all(a.deadline for a in later)
        standing = [a for a in later if not a.deadline]
        if act.kind not in _ending_daily(ctx):
            standing += [a for a in recorded if a.kind == Act.DECURSO_MULTA_DIARIA and before(act.at, a.at)][:1]
        if standing:
            names = ", ".join(f"{a.kind} de {br(a.at.day)}" for a in standing)
            raise errors.WouldUndo(
                f"o ato “{act.kind}” de {br(act.at.day)} foi lançado depois de atos que ele desfaria: {names}.",
                field="date",
                remedy="Guarde o ato e trate o caso à mão: desfaz-se o decurso do prazo, não o que se fez depois dele.",
            )
        cause = {"act": act.kind, "date": str(act.at), "actor": act.actor}
        for decurso in reversed(later):
            deadline = _deadline_of(case, decurso)
            former = _state_before(recorded, decurso, deadline.track)
            undo_side_expiry(case, decurso, deadline, cause, ctx, stamp, former=former)
        return True

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
        """A late recurso that the authority knows acts as if filed in time: its decurso is undone first (spec 05)."""
        decided = act.fields.get("timeliness_decision") or {}
        if act.kind not in _ON_APPEAL or decided.get("outcome") != "conhecida" or not pending_appeal(case):
            return
        recorded = [*self.repo.acts(case.municipality, case.auto), *case.new_acts]
        standing = [a for a in recorded if not is_undone(a, recorded)]
        movers = [a for a in standing if a.payload["from"] != a.payload["to"]]
        if movers[-1].kind != Act.DECURSO_RECURSO:
            raise errors.WouldUndo(
                f"conhecer do recurso desfaria “{movers[-1].kind}” de {br(movers[-1].at.day)}.",
                field="timeliness_decision",
                remedy="Ainda não se desfaz intimação, acréscimo ou inscrição; trate o caso à mão.",
            )
        cause = {"act": act.kind, "date": str(act.at), "actor": act.actor}
        deadline = _deadline_of(case, movers[-1])
        undo_expiry(case, movers[-1], deadline, cause, ctx, stamp, admits="recurso_conhecido")


def is_undone(act: RecordedAct, acts: Sequence[RecordedAct]) -> bool:
    """Whether a desfazimento among ``acts`` undid this act; of a desfazimento itself, that it moves nothing more."""
    if act.kind == Act.DESFAZIMENTO:
        return True
    return any(a.kind == Act.DESFAZIMENTO and a.payload["undoes"]["seq"] == act.seq for a in acts)


def _meets(later: RecordedAct, act: ActInput, ctx: Context) -> bool:
    """Whether two acts stand in each other's way: some track is moved by both; days of daily fine stand in nobody's."""
    if later.kind == Act.DECURSO_MULTA_DIARIA:
        return False
    main = later.payload["from"] != later.payload["to"] or not later.payload.get("tracks")
    tracks = set(later.payload.get("tracks", ())) | ({MAIN_TRACK} if main else set())
    own = {track for track, table in ctx.side.items() if table.knows(act.kind)}
    if ctx.table.knows(act.kind):
        own.add(MAIN_TRACK)
    return bool(own & tracks)


def _touches(case: Case, later: RecordedAct, act: ActInput, ctx: Context) -> bool:
    """Whether ``later`` would not have come, or not so, had the late act been known."""
    if act.kind == Act.PAGAMENTO:
        paid = to_centavos(act.fields["amount"]) + case.pago
        covers = paid >= case.total - case.desconto > 0
        lost = paid >= case.total - _discount_lost(case, later, act, ctx) > 0
        return later.kind in _MONEY or (later.kind == Act.DECURSO_RECURSO and covers) or (lost and not covers)
    return _answers_in_time(case, later, act, ctx)


def _answers_in_time(case: Case, later: RecordedAct, act: ActInput, ctx: Context) -> bool:
    """Whether ``later`` ended a term that the act answers, and was done inside of."""
    if not later.deadline:
        return False
    rule = ctx.book.deadlines[later.deadline.split(":")[0]]
    return act.kind in rule.answers and act.at.epoch <= _deadline_of(case, later).expires_at.epoch


def _ending_daily(ctx: Context) -> frozenset[str]:
    """The acts that end a daily fine, and so give up the days recorded beyond them."""
    rules = ctx.book.deadlines.values()
    return frozenset(act for rule in rules if rule.expiry == Act.DECURSO_MULTA_DIARIA for act in rule.answers)


def _state_before(recorded: Sequence[RecordedAct], decurso: RecordedAct, track: str) -> str:
    """Where the track stood when the expiry came."""
    former = [a for a in recorded if a.seq < decurso.seq and track in a.payload.get("tracks", {})]
    return str(former[-1].payload["tracks"][track])


def _discount_lost(case: Case, later: RecordedAct, act: ActInput, ctx: Context) -> int:
    """What the law would take off a payment, had the term that ``later`` concluded still been seen to run."""
    if not later.deadline or case.desconto:
        return 0
    ended = _deadline_of(case, later)
    if act.at.epoch > ended.expires_at.epoch:
        return 0
    found = best_discount(case, ctx, {ended.kind}, act.at.day)
    return share_of(case.arbitrada, found.percent) if found else 0


def _deadline_of(case: Case, decurso: RecordedAct) -> Deadline:
    kind, number = str(decurso.deadline).split(":")
    return next(d for d in case.deadlines if d.kind == kind and d.number == int(number))
