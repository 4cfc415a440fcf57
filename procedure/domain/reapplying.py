"""Acts of people, recorded once and undone with what they rested on, recorded again over the case as it now is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from legalbasis import ErrorGroup, PosturasError
from procedure.domain.act_input import ActInput
from procedure.domain.act_shapes import SHAPES
from procedure.domain.case import Case, RecordedAct
from procedure.domain.context import Context
from procedure.domain.decide import Stamp, conclude, decide, record
from procedure.domain.guards import Beside
from procedure.domain.requirements import case_place
from procedure.domain.vocabulary import ENGINE_ACTS, Act, Role

REFERENCES = ("infrator", "responsavel", "copy_to", "by", "signature", "witnesses")
DECISIONS = frozenset({Act.JULGAMENTO, Act.RECONSIDERACAO, Act.JULGAMENTO_RECURSO})
MAY_FALL = frozenset(
    {
        Act.CIENCIA, Act.CIENCIA_DECISAO, Act.INTIMACAO_PAGAMENTO, Act.INTIMACAO, Act.SANEAMENTO, Act.PRORROGACAO,
        Act.AUTENTICACAO, Act.SUBSTITUICAO, Act.SUSPENSAO, Act.PROTESTO, Act.RETIRADA_PROTESTO, Act.RETORNO,
        Act.DEFESA, Act.RECURSO, Act.REMESSA, Act.RATIFICACAO, Act.IMPUGNACAO, Act.REGULARIZACAO, Act.RENUNCIA,
        Act.RECONHECIMENTO, Act.PARCELAMENTO, Act.PARCELAMENTO_ROMPIDO, Act.AJUIZAMENTO, Act.QUITACAO,
    }
)  # fmt: skip
"""What may have no place once the past is another: it stays on record, listed as fallen, and comes again if the past
changes back: so does what was done to collect a debt that was none. Money never falls, and what an authority decided,
forgave or did to somebody's goods is not undone without saying so by an annulment."""
_OF_THE_PAPER = (Act.AUTENTICACAO, Act.SUBSTITUICAO, Act.PROTESTO, Act.RETIRADA_PROTESTO)
"""What is done to a certidão falls with its number; what is done to the debt comes again over the new inscription,
which gets its number at the end."""
HELD = "held"
"""Of a payment: it answered a decision that was annulled. The money stays in, and ends nothing until the case is final
again."""
_MACHINE = frozenset(
    {
        "from", "to", "article", "status", "norm", "tracks", "opens", "closes", "law_note", "alerts", "number", "livro",
        "folha",
    }
)


@dataclass(slots=True)
class Reapplied:
    """What became of acts recorded again: those that fell, and those whose refusal stops the whole."""

    fell: list[RecordedAct] = field(default_factory=list)
    refused: list[tuple[RecordedAct, PosturasError]] = field(default_factory=list)


def reapply_all(
    case: Case, acts: Sequence[RecordedAct], ctx: Context, beside: Beside, recorded_at: str
) -> Reapplied:
    """Record again the acts of people among ``acts`` (in legal order), each after what had expired by its date.

    What the engine had written comes again by itself, where it is still due.
    """
    result = Reapplied()
    for act in acts:
        if act.kind in ENGINE_ACTS:
            continue
        try:
            reapply(case, act, ctx, beside, recorded_at)
        except (PosturasError, ErrorGroup) as error:
            if act.kind in MAY_FALL:
                result.fell.append(act)
            else:
                result.refused.append((act, error))
    return result


def reapply(case: Case, act: RecordedAct, ctx: Context, beside: Beside, recorded_at: str) -> None:
    """Record one act again, by whom and as of when it was done, under the text of the law by which it was. A decision
    keeps what it decided.
    """
    conclude(case, act.at.epoch, ctx, recorded_at)
    ctx = ctx.under(act.rulebook_version)
    stamp = Stamp(act.actor, act.role, recorded_at, act.office)
    if act.kind in DECISIONS:
        carry(case, act, ctx, stamp)
        return
    names = SHAPES[Act(act.kind)].fields
    fields = {name: value for name, value in act.payload.items() if name in names and name not in _MACHINE}
    if case.inscription and not case.inscription.number and act.kind not in _OF_THE_PAPER:
        fields = {name: value for name, value in fields.items() if name not in ("inscription", "inscriptions")}
    if act.kind == Act.PAGAMENTO and (beside.decision_fell or act.payload.get(HELD)):
        fields[HELD] = True
    again = ActInput(
        municipality=case.municipality, auto=case.auto, kind=Act(act.kind), at=act.at, actor=act.actor,
        role=Role(act.role), fields=fields, office=act.office, law=case.law,
    )  # fmt: skip
    references = {name: act.payload[name] for name in REFERENCES if act.payload.get(name)}
    decide(case, again, ctx, beside, stamp, {**references, "reapplies": act.seq})


def carry(case: Case, act: RecordedAct, ctx: Context, stamp: Stamp, *, origin: str | None = None) -> None:
    """Record an act again as it was, with what it had computed, by the row that now applies."""
    payload = act.payload
    state = origin or case.state
    row = ctx.table.move(state, act.kind, payload["outcome"], place=case_place(case))
    states: Mapping[str, str] = case.facts.get("tracks", {})
    side = [
        ctx.side[track].move(states.get(track), act.kind, None, place=case_place(case))
        for track in payload.get("tracks", ())
    ]
    fields: dict[str, Any] = {name: value for name, value in payload.items() if name not in _MACHINE}
    record(case, row, act.at, {**fields, "reapplies": act.seq}, ctx, stamp, side=side)
