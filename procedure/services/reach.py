"""What recording an act undid, or would undo: told before it is applied, and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from procedure.domain.amounts import amount
from procedure.domain.case import Case, RecordedAct
from procedure.domain.undoing import named
from procedure.domain.vocabulary import Act, InscriptionStatus

_ERASING = (Act.CANCELAMENTO, Act.ANULACAO, Act.RECALCULO_MULTA)
AMOUNTS = ("arbitrada", "acrescimo", "diaria", "custos", "pago", "saldo")


class Before(NamedTuple):
    """Where a case stood: its state, and its amounts (centavos) in the order of ``AMOUNTS``."""

    state: str | None
    amounts: tuple[int, ...]
    cancelled: int | None = None  # the act of an inscription that was cancelled already


def where_it_stands(case: Case) -> Before:
    """The case as it is now, to be compared with what it will be."""
    return Before(case.state, tuple(getattr(case, name) for name in AMOUNTS), _cancelled(case))


def _cancelled(case: Case) -> int | None:
    item = case.inscription
    return item.seq if item and item.status == InscriptionStatus.CANCELADO else None


def _cancels(before: Before, case: Case, undoings: Sequence[Any], erasing: Sequence[RecordedAct]) -> list[Any]:
    """The inscriptions cancelled: by desfazimentos, and by an act that erases without one."""
    told = [p["cancels"] for p in undoings if "cancels" in p]
    item = case.inscription
    if item is None or not erasing or _cancelled(case) in (None, before.cancelled):
        return told
    if item.label in [one["inscription"] for one in told]:
        return told
    return [*told, {"inscription": item.label, "ground": erasing[-1].payload["ground"]}]


def reach_of(before: Before, case: Case, acts: Sequence[RecordedAct]) -> dict[str, Any] | None:
    """The reach of the desfazimentos among the new ``acts`` of the case, and of those that forgive or erase without
    one, JSON-able; None when there is neither.
    """
    undoings = [a.payload for a in acts if a.kind == Act.DESFAZIMENTO]
    erasing = [a for a in acts if a.kind in _ERASING]
    if not undoings and not erasing:
        return None
    after = where_it_stands(case)
    return {
        "auto": case.auto,
        "state": {"from": before.state, "to": after.state},
        "undone": [item for p in undoings for item in p["undoes"]],
        "fell": [item for p in undoings for item in p.get("fell", ())],
        "reapplied": [{**named(a), "seq": a.payload["reapplies"]} for a in acts if "reapplies" in a.payload],
        "reopened": [{"kind": d["kind"], "due": d["due"]} for p in undoings for d in p["opens"] if not d["internal"]],
        "amounts": {"before": _texts(before), "after": _texts(after)},
        "inscriptions": _cancels(before, case, undoings, erasing),
    }


def _texts(at: Before) -> Mapping[str, str]:
    return {name: amount(value) for name, value in zip(AMOUNTS, at.amounts, strict=True)}
