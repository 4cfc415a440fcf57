"""What the acts of the register add to their payloads: the authority, what they leave, the days of prescription."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from procedure.domain.act_input import ActInput
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.ledger import balance_on
from procedure.domain.prescribing import days_of, interruptions_after, prescription_of
from procedure.domain.register_guards import authority_of
from procedure.domain.vocabulary import Act, Track


def _authenticated(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    return dict(authority_of(case, ctx))


def _stopped(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    return {"leaves": case.facts["tracks"][Track.REGISTRO]}


def _interrupted(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    recorded = interruptions_after(case, act.kind, act.at.day)
    found = prescription_of(case, interruptions=recorded)
    return {"interruptions": recorded, "prescription": days_of(found)}


def _agreed(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    balance = balance_on(case, ctx.update, act.at.day)
    return {**_stopped(case, act, ctx), **_interrupted(case, act, ctx), "balance": balance.to_dict()}


def _filed(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    return {"prescription": {"prescribes_on": None, "warns_on": None}}  # in court no date is given


def _returned(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    """Back from court the time is reckoned again; back from a suspension nothing of it changes."""
    beside = case.inscription.beside if case.inscription else {}
    if not beside.get("filed") or case.facts["tracks"][Track.REGISTRO] == "suspenso":
        return {}
    assert case.inscription is not None  # what is filed is inscribed
    kept, case.inscription.beside = beside, {**beside, "filed": None}
    try:
        return {"prescription": days_of(prescription_of(case))}
    finally:
        case.inscription.beside = kept


def _settled(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    return {"balance": balance_on(case, ctx.update, act.at.day).to_dict()}


_Compute = Callable[[Case, ActInput, Context], dict[str, Any]]
REGISTER_COMPUTE: dict[Act, _Compute] = {
    Act.AUTENTICACAO: _authenticated,
    Act.SUSPENSAO: _stopped,
    Act.PARCELAMENTO: _agreed,
    Act.PARCELAMENTO_ROMPIDO: _interrupted,
    Act.PROTESTO: _interrupted,
    Act.RECONHECIMENTO: _interrupted,
    Act.AJUIZAMENTO: _filed,
    Act.RETORNO: _returned,
    Act.QUITACAO: _settled,
}
