"""What acts do to the side tracks of a case: goods, obligations and daily fines, costs (spec 01, Tracks).

Keys of ``case.facts`` kept here: ``goods`` (items, expenses, receipts), ``order`` (the obligation imposed),
``daily`` (the
daily fine: rate in centavos, first day, days accrued, the day it ended, until when it was consolidated),
``due_beside`` (what is due of it and of costs, by act), ``collected`` (by which autos, and of which acts).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from procedure.domain.amounts import to_centavos
from procedure.domain.case import Case, RecordedAct
from procedure.domain.vocabulary import Act, Collects


def _apreensao(case: Case, act: RecordedAct) -> None:
    p = act.payload
    held = case.facts.get("goods", {})
    case.facts["goods"] = {
        "items": [*held.get("items", ()), *p.get("goods", ())],
        "expenses": p.get("expenses") or held.get("expenses"),
        "seq": act.seq,
    }


def _destination(case: Case, act: RecordedAct) -> None:
    p = act.payload
    said = {k: p[k] for k in ("receipt", "expenses", "proceeds") if p.get(k)}
    case.facts["goods"] = {**case.facts.get("goods", {}), "destination": {"act": act.kind, "date": str(act.at), **said}}


def _order(case: Case, act: RecordedAct) -> None:
    p = act.payload
    case.facts["order"] = {"seq": act.seq, "description": p.get("description"), "imposed_on": str(act.at)}


def _end_of_daily(case: Case, act: RecordedAct) -> None:
    """The daily fine stops: a day recorded beyond the last one that counts is given up, never charged."""
    daily = case.facts.get("daily")
    if daily and daily["ended"] is None:
        case.facts["daily"] = {**daily, "ended": str(act.at), "days": act.payload["daily_days"]}


def _executed(case: Case, act: RecordedAct) -> None:
    _end_of_daily(case, act)
    owed = act.payload.get("custos", 0)
    case.custos += owed
    if owed:
        memo = act.payload["costs"]
        _due(case, act, Collects.CUSTOS, {"amount": owed, "cost": memo["cost"], "percent": memo["percent"]})


def _imposed(case: Case, act: RecordedAct) -> None:
    case.facts["daily"] = {**act.payload["daily"], "days": 0, "ended": None, "consolidated_until": None, "seq": act.seq}


def _accrued(case: Case, act: RecordedAct) -> None:
    daily = case.facts["daily"]
    case.facts["daily"] = {**daily, "days": daily["days"] + 1, "last_day": act.payload["accrues"]["day"]}


def _consolidated(case: Case, act: RecordedAct) -> None:
    p, daily = act.payload["consolidated"], case.facts["daily"]
    case.diaria += p["amount"]
    owed = daily.get("consolidated", 0) + p["amount"]
    case.facts["daily"] = {**daily, "consolidated_until": p["to"], "consolidated": owed}
    day = daily["assessment"]["lines"][0]
    of_a_day = {"article": daily["article"], "status": day["status"], "rate": daily["rate"], "day": day}
    _due(case, act, Collects.MULTA_DIARIA, {**p, **of_a_day})


def _due(case: Case, act: RecordedAct, kind: Collects, entry: dict[str, Any]) -> None:
    """Due beside the fine, and collected by an auto of its own."""
    basis = {name: act.payload[name] for name in ("article", "status")}
    found = {"seq": act.seq, "kind": kind.value, "on": str(act.at), **basis, **entry}
    case.facts["due_beside"] = [*case.facts.get("due_beside", ()), found]


def _collected(case: Case, act: RecordedAct) -> None:
    p = act.payload
    taken = {"auto": p["in"], "kind": p["collects"], "amount": to_centavos(p["amount"]), "entries": p["entries"]}
    case.facts["collected"] = [*case.facts.get("collected", ()), {**taken, "seq": act.seq, "on": str(act.at)}]


def accrued(facts: dict[str, Any]) -> int:
    """What a daily fine has accrued so far, in centavos; not due until consolidated."""
    daily = facts.get("daily")
    return within_most(daily, daily["days"] * daily["rate"]) if daily else 0


def within_most(daily: Mapping[str, Any], value: int, besides: int = 0) -> int:
    """``value`` centavos of a daily fine, or what is left of the most that all its days may reach."""
    most = daily.get("most")
    return value if most is None else min(value, most - besides)


TRACK_EFFECTS: dict[str, Callable[[Case, RecordedAct], None]] = {
    Act.APREENSAO: _apreensao,
    Act.DEVOLUCAO: _destination,
    Act.DOACAO: _destination,
    Act.HASTA_PUBLICA: _destination,
    Act.OBRIGACAO_IMPOSTA: _order,
    Act.OBRIGACAO_CUMPRIDA: _end_of_daily,
    Act.EXECUCAO_PELA_PREFEITURA: _executed,
    Act.MULTA_DIARIA_IMPOSTA: _imposed,
    Act.MULTA_DIARIA_CESSADA: _end_of_daily,
    Act.MULTA_DIARIA_CONSOLIDADA: _consolidated,
    Act.COBRANCA: _collected,
    Act.DECURSO_MULTA_DIARIA: _accrued,
}
