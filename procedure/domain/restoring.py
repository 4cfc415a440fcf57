"""What a case was without some of its acts, as a payload carries it, and the case made so again (spec 05)."""

from __future__ import annotations

import copy
from datetime import date
from typing import Any

from procedure.domain.case import Case, Inscription, RecordedAct
from procedure.domain.vocabulary import InscriptionStatus

_PLAIN = ("arbitrada", "acrescimo", "diaria", "custos", "pago", "person_id", "person_key")


def snapshot(case: Case) -> dict[str, Any]:
    """The case but for its terms, which the acts open and close one by one. Amounts are centavos."""
    item = case.inscription
    return {
        **{name: getattr(case, name) for name in _PLAIN},
        "facts": copy.deepcopy(case.facts),
        "fact_date": case.fact_date.isoformat() if case.fact_date else None,
        "inscription": _inscription(item) if item else None,
    }


def restore(case: Case, act: RecordedAct) -> None:
    """The case as it is without the acts undone: the payload carries what those that stand made of it.

    An inscription that is not among what stands is cancelled, and stays in the register.
    """
    restored = copy.deepcopy(act.payload["restores"])  # the payload stays as it was hashed
    case.facts = restored["facts"]
    for name in _PLAIN:
        setattr(case, name, restored[name])
    day = restored["fact_date"]
    case.fact_date = date.fromisoformat(day) if day else None
    item = case.inscription
    if item is None:
        return
    item.dirty = True
    kept = restored["inscription"]
    if kept and kept["seq"] == item.seq:
        item.status, item.beside = kept["status"], kept["beside"]
        item.prescribes_on, item.warns_on = _day(kept["prescribes_on"]), _day(kept["warns_on"])
    else:
        item.status = InscriptionStatus.CANCELADO.value
        ground = act.payload.get("cancels", {}).get("ground")  # one that was cancelled before has its own
        item.beside = {**item.beside, "undone": {"seq": act.seq, "date": str(act.at), "ground": ground}}
        item.prescribes_on = item.warns_on = None  # it collects nothing


def _inscription(item: Inscription) -> dict[str, Any]:
    days = {"prescribes_on": item.prescribes_on, "warns_on": item.warns_on}
    return {
        "seq": item.seq,
        "status": item.status,
        "beside": copy.deepcopy(item.beside),
        **{name: day.isoformat() if day else None for name, day in days.items()},
    }


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
