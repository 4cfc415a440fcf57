"""What the acts of the register do to an inscription. The Termo never changes: what comes later is kept beside it.

Keys of ``Inscription.beside``: ``authentication``; ``cancellation``; ``settlement``; ``suspensions``, ``agreements``,
``protests``, ``substitutions`` (lists, with the day each ended); ``filed`` (the suit that runs); ``returns_to`` (where
the collection goes back to, innermost last); ``undone`` (by which act, of an inscription that a desfazimento undid).
``case.facts``: ``interruptions``, ``ledger``, ``accretion_paid``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from procedure.domain.case import Case, RecordedAct
from procedure.domain.vocabulary import Act, InscriptionStatus, State, Track, TrackState

_ENDED = {
    State.QUITADO: InscriptionStatus.QUITADO,
    State.CANCELADO: InscriptionStatus.CANCELADO,
    State.ANULADO: InscriptionStatus.CANCELADO,
}
_SAID = ("ground", "reference", "legal_act", "second_person", "description", "judgment")


def stand(case: Case) -> None:
    """The status of the inscription as the case's state and its track of collection make it."""
    item = case.inscription
    if item is None or "undone" in item.beside:  # which stays cancelled, wherever the case goes
        return
    tracked = case.facts.get("tracks", {}).get(Track.REGISTRO)
    collected = tracked if tracked in list(InscriptionStatus) else InscriptionStatus.INSCRITO
    status = InscriptionStatus(_ENDED.get(case.state, collected)) if case.state else InscriptionStatus.INSCRITO
    if item.status != status:
        item.status, item.dirty = status.value, True


def _put(case: Case, **changes: Any) -> None:
    item = case.inscription
    if item is not None:
        item.beside = {**item.beside, **changes}
        item.dirty = True


def _told(act: RecordedAct) -> dict[str, Any]:
    said = {name: act.payload[name] for name in _SAID if act.payload.get(name)}
    return {"seq": act.seq, "date": str(act.at), "by": act.actor, **said}


def _beside(case: Case) -> dict[str, Any]:
    return case.inscription.beside if case.inscription else {}


def _added(case: Case, name: str, entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [*_beside(case).get(name, ()), entry]


def _closed(case: Case, name: str, mark: str, act: RecordedAct) -> list[dict[str, Any]]:
    """The entries, the last one still open marked with the day of the act."""
    held = [dict(entry) for entry in _beside(case).get(name, ())]
    for entry in reversed(held):
        if entry[mark] is None:
            entry[mark] = str(act.at)
            break
    return held


def _days(case: Case, act: RecordedAct) -> None:
    """The interruptions and the days of prescription that the act reckoned."""
    p, item = act.payload, case.inscription
    if "interruptions" in p:
        case.facts["interruptions"] = p["interruptions"]
    if item is not None and "prescription" in p:
        for name in ("prescribes_on", "warns_on"):
            text = p["prescription"].get(name)
            setattr(item, name, date.fromisoformat(text) if text else None)
        item.dirty = True


def _authenticated(case: Case, act: RecordedAct) -> None:
    given = {name: act.payload[name] for name in ("authority", "authority_office", "authority_act")}
    _put(case, authentication={**_told(act), **given})


def _cancelled(case: Case, act: RecordedAct) -> None:
    """A cancelled inscription, or an annulled auto's, leaves the register's count but never the register.

    The annulment of one act is not the auto's: what it does to the inscription is in the desfazimento after it.
    """
    if act.kind == Act.ANULACAO and "annulled" in act.payload:
        return
    _put(case, cancellation=_told(act))


def _settled(case: Case, act: RecordedAct) -> None:
    _put(case, settlement={**_told(act), "balance": act.payload["balance"]})


def _suspended(case: Case, act: RecordedAct) -> None:
    stops = _added(case, "suspensions", {**_told(act), "ended": None})
    _put(case, suspensions=stops, returns_to=[*_beside(case).get("returns_to", ()), act.payload["leaves"]])


def _agreed(case: Case, act: RecordedAct) -> None:
    agreements = _added(case, "agreements", {**_told(act), "balance": act.payload["balance"], "broken": None})
    _put(case, agreements=agreements, returns_to=[*_beside(case).get("returns_to", ()), act.payload["leaves"]])
    _days(case, act)


def _broken(case: Case, act: RecordedAct) -> None:
    _put(case, agreements=_closed(case, "agreements", "broken", act), returns_to=_popped(case))
    _days(case, act)


def _popped(case: Case) -> list[str]:
    return list(_beside(case).get("returns_to", ()))[:-1]


def _protested(case: Case, act: RecordedAct) -> None:
    _put(case, protests=_added(case, "protests", {**_told(act), "withdrawn": None}))
    _days(case, act)


def _withdrawn(case: Case, act: RecordedAct) -> None:
    """With no protest left, what was to return to it returns to plain collection."""
    waiting = _beside(case).get("returns_to", ())
    back = [TrackState.EM_COBRANCA.value if state == TrackState.EM_PROTESTO else state for state in waiting]
    _put(case, protests=_closed(case, "protests", "withdrawn", act), returns_to=back)


def _filed(case: Case, act: RecordedAct) -> None:
    _put(case, filed=_told(act))
    _days(case, act)


def _returned(case: Case, act: RecordedAct) -> None:
    running = _beside(case).get("suspensions", ())
    if any(s["ended"] is None for s in running):
        _put(case, suspensions=_closed(case, "suspensions", "ended", act), returns_to=_popped(case))
        return
    _put(case, filed=None)
    _days(case, act)


def _substituted(case: Case, act: RecordedAct) -> None:
    mended = {name: act.payload[name] for name in ("infrator", "processo") if act.payload.get(name)}
    _put(case, substitutions=_added(case, "substitutions", {**_told(act), "mended": mended}))


def _recognised(case: Case, act: RecordedAct) -> None:
    _days(case, act)


def paid_after(case: Case, act: RecordedAct) -> None:
    """A payment of an inscribed debt: what it leaves open of each part, what of it went to update and interest."""
    p = act.payload
    if "ledger" in p:
        case.facts["ledger"] = p["ledger"]
        case.facts["accretion_paid"] = case.facts.get("accretion_paid", 0) + p["accretion_paid"]


REGISTER_FOLD: dict[str, Callable[[Case, RecordedAct], None]] = {
    Act.AUTENTICACAO: _authenticated,
    Act.CANCELAMENTO: _cancelled,
    Act.ANULACAO: _cancelled,
    Act.QUITACAO: _settled,
    Act.SUSPENSAO: _suspended,
    Act.PARCELAMENTO: _agreed,
    Act.PARCELAMENTO_ROMPIDO: _broken,
    Act.PROTESTO: _protested,
    Act.RETIRADA_PROTESTO: _withdrawn,
    Act.AJUIZAMENTO: _filed,
    Act.RETORNO: _returned,
    Act.SUBSTITUICAO: _substituted,
    Act.RECONHECIMENTO: _recognised,
}
