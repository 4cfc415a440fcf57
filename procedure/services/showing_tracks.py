"""What stands beside the fine in a case, as JSON-able documents: goods held, obligation, daily fine, costs, choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from legalbasis import Citation
from penalties import AntecedentReading
from procedure.domain.amounts import amount, to_centavos
from procedure.domain.case import Case, RecordedAct
from procedure.domain.context import Context
from procedure.domain.fold import standing_facts
from procedure.domain.track_fold import accrued
from procedure.domain.vocabulary import ENDED_INSCRIPTION, MAIN_TRACK, Act, Decision, State, Track, TrackState

CHOICE_OF_THE_AUTHORITY = "escolha_da_autoridade"
RECALCULATE = "recalcular_multa"
GIVE_GOODS_BACK = "devolver_coisas"
CARRY_OUT = "cassacao_a_executar"
TO_CANCEL = "cassacao_a_decidir"
_FELL = (State.ANULADO, State.INSUBSISTENTE, State.CANCELADO)
_UPHELD = (Decision.SUBSISTENTE.value, Decision.PARCIALMENTE_SUBSISTENTE.value)
_HELD = (TrackState.APREENDIDO, TrackState.NAO_RECLAMADO, TrackState.EM_HASTA_PUBLICA)
_NOT_KEPT = (TrackState.NAO_INICIADA, TrackState.NAO_CONCLUIDA)


def track_states(case: Case) -> dict[str, str | None]:
    """Where each track that began stands, the main one first; that of the register as ``side_states`` says."""
    main = case.state.value if case.state else None
    return {MAIN_TRACK: main, **side_states(case)}


def side_states(case: Case) -> dict[str, str]:
    """Where each side track stands. Of an inscription that ended, nothing is collected: its track says how it ended."""
    states: dict[str, str] = {**case.facts.get("tracks", {})}
    item = case.inscription
    if Track.REGISTRO in states and item is not None and item.status in ENDED_INSCRIPTION:
        states[Track.REGISTRO] = str(item.status)
    return states


def goods_document(case: Case) -> dict[str, Any] | None:
    """What was seized, the expenses of it and where it went; None when nothing was."""
    goods = case.facts.get("goods")
    if not goods or not goods.get("items"):
        return None
    gone = goods.get("destination")
    return {
        "state": case.facts.get("tracks", {}).get(Track.APREENSAO),
        "items": [
            {
                "description": item["description"],
                "quantity": item["quantity"],
                "perishable": bool(item.get("perishable")),
                "animal": bool(item.get("animal")),
            }
            for item in goods["items"]
        ],
        "expenses": _text(goods.get("expenses")),
        "destination": {
            "act": gone["act"],
            "date": gone["date"],
            "receipt": gone.get("receipt"),
            "expenses": _text(gone.get("expenses")),
            "proceeds": _text(gone.get("proceeds")),
        }
        if gone
        else None,
    }


def _text(value: str | None) -> str | None:
    return amount(to_centavos(value)) if value else None


def obligation_document(case: Case) -> dict[str, Any] | None:
    """The obligation imposed, with the last days to start and to end it; None when there is none."""
    order = case.facts.get("order")
    if not order:
        return None
    return {
        "state": case.facts.get("tracks", {}).get(Track.OBRIGACAO),
        "description": order["description"],
        "imposed_on": order["imposed_on"],
        "start_by": _last_day(case, "inicio_obrigacao"),
        "end_by": _last_day(case, "termino_obrigacao"),
    }


def _last_day(case: Case, kind: str) -> str | None:
    item = case.deadline(kind)
    return item.expires_on.isoformat() if item else None


def daily_document(case: Case) -> dict[str, Any] | None:
    """The latest daily fine: what a day costs, since when, what it has accrued; None when none was imposed.

    ``consolidated`` is what became due of every daily fine of the case; the rest of ``accrued`` is not due.
    """
    daily = case.facts.get("daily")
    if not daily:
        return None
    return {
        "article": daily["article"],
        "rate": amount(daily["rate"]),
        "from": daily["from"],
        "days": daily["days"],
        "accrued": amount(accrued(case.facts)),
        "running": daily["ended"] is None,
        "ended": daily["ended"],
        "consolidated": amount(case.diaria),
        "consolidated_until": daily["consolidated_until"],
    }


def costs_document(acts: Sequence[RecordedAct]) -> dict[str, str] | None:
    """What the municipality spent in the person's stead, with the law's percentage; None when it did nothing."""
    return next((dict(act.payload["costs"]) for act in acts if act.payload.get("costs")), None)


def pending_choices(case: Case) -> list[str]:
    """What waits for an authority to choose: an obligation not kept has a daily fine, or is done at cost (spec 01)."""
    missed = case.facts.get("tracks", {}).get(Track.OBRIGACAO) in _NOT_KEPT
    daily = case.facts.get("daily")
    running = daily is not None and daily["ended"] is None
    fell = case.state in (State.ANULADO, State.INSUBSISTENTE)
    return [CHOICE_OF_THE_AUTHORITY] if missed and not running and not fell else []


def pending_goods(case: Case) -> list[str]:
    """``devolver_coisas`` while what was seized is held and the auto fell, or the wrong was put right (spec 01)."""
    held = case.facts.get("tracks", {}).get(Track.APREENSAO) in _HELD
    return [GIVE_GOODS_BACK] if held and case.state in (*_FELL, State.REGULARIZADO) else []


def pending_licence(case: Case, acts: Sequence[RecordedAct]) -> list[str]:
    """``cassacao_a_executar`` while a decision that cancelled the licence was not carried out."""
    pronounced = any(a.kind == Act.JULGAMENTO and a.payload.get("license") == "cassacao" for a in acts)
    done = case.facts.get("tracks", {}).get(Track.LICENCA) == TrackState.CASSADA
    fell = case.state in (State.ANULADO, State.INSUBSISTENTE)
    return [CARRY_OUT] if pronounced and not done and not fell else []


def licence_to_decide(case: Case, ctx: Context) -> Citation | None:
    """Where the law says that the licence is cancelled of whoever repeats what this case found, and it ended with no
    decision to cancel it (nobody answered, or the fine was paid), the provision; None otherwise.
    """
    if case.state in _FELL or "final_at" not in case.facts or "collection" in case.facts:
        return None
    decided = any(d["outcome"] in _UPHELD for d in case.facts.get("decisions", ()))
    if decided or case.facts.get("tracks", {}).get(Track.LICENCA) == TrackState.CASSADA:
        return None  # a decision that upholds a repeated fact without cancelling is refused
    for fact, found in zip(standing_facts(case), case.facts.get("recidivism", ()), strict=False):
        cited = ctx.book.infractions[fact["article"]].cancels_licence
        if cited is not None and found["counted"]:
            return cited
    return None


def counted_autos(case: Case) -> set[str]:
    """The autos that doubled the fine, whether they still stand or not."""
    return {e["auto"] for found in case.facts.get("recidivism", ()) for e in found["evidence"] if e["counted"]}


def recalculation(case: Case, others: Mapping[str, Case]) -> list[str]:
    """``recalcular_multa`` when an auto that doubled this fine no longer stands (spec 01): told, never just done.

    ``others`` holds, by auto, the ``counted_autos`` of the case as they are now.
    """
    if case.state in (State.ANULADO, State.INSUBSISTENTE):
        return []
    evidence = case.facts.get("recidivism", ())
    by_final = any(found["antecedente"] == AntecedentReading.DECISAO_DEFINITIVA for found in evidence)
    now = [others[auto] for auto in counted_autos(case) if auto in others]
    fell = any(
        other.state in (State.ANULADO, State.INSUBSISTENTE) or (by_final and "final_at" not in other.facts)
        for other in now
    )
    return [RECALCULATE] if fell else []


def dropped_autos(case: Case) -> set[str]:
    """The autos that the evidence of the fine, as it now is, does not count."""
    return {e["auto"] for found in case.facts.get("recidivism", ()) for e in found["evidence"] if not e["counted"]}


def restored(case: Case, others: Mapping[str, Case], stand: Sequence[RecordedAct]) -> list[str]:
    """``recalcular_multa`` when a fine was lowered because an auto had fallen that now stands again, as it was when it
    doubled the fine: whoever lowered it annuls that.

    ``others`` holds, by auto, the ``dropped_autos`` of the case as they are now; ``stand`` are its acts not undone.
    """
    fixed = [act for act in stand if act.payload.get("recidivism")]
    if not fixed or fixed[-1].kind != Act.RECALCULO_MULTA or case.state in (State.ANULADO, State.INSUBSISTENTE):
        return []
    dropped = dropped_autos(case)
    before = [
        (found["antecedente"], e)
        for act in fixed[:-1]
        for found in act.payload["recidivism"]
        for e in found["evidence"]
        if e["counted"] and e["auto"] in dropped
    ]
    again = any(_stands_again(others.get(e["auto"]), reading, e) for reading, e in before)
    return [RECALCULATE] if again else []


def _stands_again(other: Case | None, reading: str, counted: Mapping[str, Any]) -> bool:
    if other is None or other.state in (State.ANULADO, State.INSUBSISTENTE):
        return False
    final = other.facts.get("final_at")
    return reading != AntecedentReading.DECISAO_DEFINITIVA or (final is not None and final[:10] == counted["final_day"])


def licence_document(acts: Sequence[RecordedAct]) -> list[dict[str, Any]]:
    """The acts on the licence, in order, with the reasons given."""
    kinds = (Act.INTERDICAO, Act.SUSPENSAO_LICENCA, Act.CASSACAO)
    found = [a for a in acts if a.kind in kinds or Track.LICENCA in a.payload.get("tracks", {})]
    return [
        {
            "act": act.kind,
            "date": str(act.at),
            "licence": act.payload["license"] if act.kind in kinds else None,
            "grounds": act.payload.get("grounds"),
            "state": act.payload.get("tracks", {}).get(Track.LICENCA),
        }
        for act in found
    ]
