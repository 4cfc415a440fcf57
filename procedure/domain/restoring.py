"""What a case was without some of its acts, as a payload carries it, and the case made so again (spec 05)."""

from __future__ import annotations

import copy
from datetime import date
from typing import Any

from procedure.domain.case import Case, RecordedAct

_PLAIN = ("arbitrada", "acrescimo", "diaria", "custos", "pago", "person_id", "person_key")


def snapshot(case: Case) -> dict[str, Any]:
    """The case but for its terms, which the acts open and close one by one. Amounts are centavos."""
    item = case.inscription
    return {
        **{name: getattr(case, name) for name in _PLAIN},
        "facts": copy.deepcopy(case.facts),
        "fact_date": case.fact_date.isoformat() if case.fact_date else None,
        "inscription": {"seq": item.seq, "status": item.status} if item else None,
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
    if case.inscription is not None:
        kept = restored["inscription"]
        case.inscription.status = kept["status"] if kept and kept["seq"] == case.inscription.seq else "cancelado"
        case.inscription.dirty = True
