"""What a recorded act does to a case: the one function that the recording, the sweep and the replay share.

It reads the act's payload alone (no calendar, no law, no other case), so replaying a case's acts rebuilds it exactly.
What ``case.facts`` holds and the deadlines are replaced, never changed in place: a case's copies share them.

Keys of ``case.facts``: ``infrator``, ``responsavel`` (person references); ``infractions``; ``grau``, ``quantidade``,
``classe``, ``valor`` (proposal) and ``chosen`` (the same, as the act that fixed the fine said); ``drawn_by``;
``notice`` (articles noticed and its number); ``defects`` (of a paper auto); ``revel``; ``filings``; ``decisions``;
``ciencias``; ``review`` (what stood before a decision that goes up in part); ``assessment``; ``recidivism``;
``payments``; ``desconto``; ``final_at``; ``exigivel_em``; ``gate``; ``law_note``; ``confirmed``. Others: ``*_fold``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from procedure.domain.amounts import to_centavos
from procedure.domain.case import Case, Deadline, Inscription, RecordedAct
from procedure.domain.changing import change_effects
from procedure.domain.derived import day_in
from procedure.domain.moment import Moment, before, zone
from procedure.domain.register_fold import REGISTER_FOLD, paid_after, stand
from procedure.domain.restoring import restore
from procedure.domain.track_fold import TRACK_EFFECTS
from procedure.domain.vocabulary import STATES, Act, DeadlineStatus, State

_CHOICES = ("grau", "quantidade", "classe", "valor")
_KEPT = (
    *_CHOICES, "defects", "linked_auto", "collects", "collection", "property", "prior_notice",
    "perigo_iminente", "reissues",
)  # fmt: skip
_FINAL_ON_ENTRY = frozenset({State.DEFINITIVO, State.AGUARDANDO_PAGAMENTO, State.VENCIDO})


def fold(case: Case, act: RecordedAct) -> None:
    """Apply ``act`` to ``case`` and append it to the acts to be written. ``act.seq`` is given here."""
    case.last_seq += 1
    act.seq = case.last_seq
    apply(case, act)
    case.new_acts.append(act)


def apply(case: Case, act: RecordedAct) -> None:
    """What the act, which already has its ``seq``, does to the case.

    An act that moves nothing leaves the state as it is, whatever it was when the act was recorded: without the acts
    that were undone, the case may then have stood elsewhere.
    """
    payload = act.payload
    state_before = case.state
    if payload["from"] != payload["to"]:
        case.state = STATES.get(payload["to"]) or State(payload["to"])
    if payload.get("tracks"):
        case.facts["tracks"] = {**case.facts.get("tracks", {}), **payload["tracks"]}
    tz = zone(case.timezone)
    if not case.last_at or not before(act.at, Moment.parse(case.last_at, tz)):
        case.last_at = str(act.at)
    for closed in payload.get("closes", ()):
        _close(case, closed, act.seq)
    effect = _EFFECTS.get(act.kind) or TRACK_EFFECTS.get(act.kind) or REGISTER_FOLD.get(act.kind)
    if effect is not None:
        effect(case, act)
    stand(case)
    if payload.get("alerts"):
        case.facts["alerts"] = [*case.facts.get("alerts", ()), *payload["alerts"]]
    if payload.get("law_note"):
        case.facts["law_note"] = payload["law_note"]
    for opened in payload.get("opens", ()):
        case.deadlines.append(deadline_from(opened, act.seq, tz))
    if case.state is not state_before and act.kind != Act.DESFAZIMENTO:  # which gives back what was there
        _on_entry(case, act)


def _close(case: Case, closed: dict[str, Any], seq: int) -> None:
    for index, item in enumerate(case.deadlines):
        if item.kind == closed["kind"] and item.number == closed["number"]:
            changed = case.deadlines[index] = item.copied()
            changed.status = DeadlineStatus(closed["status"])
            changed.closed_by = seq
            changed.undone = bool(closed.get("undone", False))
            changed.dirty = True


def deadline_document(item: Deadline) -> dict[str, Any]:
    """The deadline as the payload of the act that opens it carries it."""
    return {
        "kind": item.kind,
        "term": item.term,
        "counting": item.counting,
        "starts_on": item.starts_on.isoformat(),
        "first_counted": item.first_counted and item.first_counted.isoformat(),
        "last_counted": item.last_counted and item.last_counted.isoformat(),
        "due": item.due.isoformat(),
        "due_at": str(item.due_at),
        "expires_on": item.expires_on.isoformat(),
        "expires_at": str(item.expires_at),
        "article": item.article,
        "calendar_version": item.calendar_version,
        "alternatives": [{"due": d.isoformat(), "reading": r} for d, r in item.alternatives],
        "expiry_act": item.expiry_act,
        "internal": item.internal,
        "track": item.track,
        "supersedes": item.supersedes,
    }


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def deadline_from(doc: dict[str, Any], number: int, tz: ZoneInfo) -> Deadline:
    """The deadline that a payload's ``opens`` entry describes, opened by the act ``number``."""
    return Deadline(
        kind=doc["kind"],
        number=number,
        status=DeadlineStatus.ABERTO,
        term=doc["term"],
        counting=doc["counting"],
        starts_on=date.fromisoformat(doc["starts_on"]),
        first_counted=_day(doc["first_counted"]),
        last_counted=_day(doc["last_counted"]),
        due=date.fromisoformat(doc["due"]),
        due_at=Moment.parse(doc["due_at"], tz),
        expires_on=date.fromisoformat(doc["expires_on"]),
        expires_at=Moment.parse(doc["expires_at"], tz),
        article=doc["article"],
        calendar_version=doc["calendar_version"],
        alternatives=tuple((date.fromisoformat(a["due"]), a["reading"]) for a in doc["alternatives"]),
        expiry_act=doc["expiry_act"],
        internal=doc["internal"],
        track=doc["track"],
        supersedes=doc["supersedes"],
        dirty=True,
    )


def _on_entry(case: Case, act: RecordedAct) -> None:
    """Facts that follow from the state a case enters."""
    if case.state in _FINAL_ON_ENTRY and "final_at" not in case.facts:
        case.facts["final_at"] = str(act.at)
    elif case.state is State.PAGO and "final_at" not in case.facts:
        case.facts["final_at"] = act.payload.get("final_at") or str(act.at)
    elif case.state in (State.INSUBSISTENTE, State.ANULADO):
        case.facts.pop("final_at", None)
        if "daily_days" in act.payload:
            TRACK_EFFECTS[Act.MULTA_DIARIA_CESSADA](case, act)


def _notice(case: Case, act: RecordedAct) -> None:
    p = act.payload
    _identify(case, p)
    if p.get("property"):
        case.facts["property"] = p["property"]
    case.facts["notice"] = {
        "articles": [f["article"] for f in p["infractions"]],
        "term": p["term"],
        "start": p["start"],
        "seq": act.seq,
        "by": act.actor,
    }


def _identify(case: Case, payload: dict[str, Any]) -> None:
    person = payload["infrator"]
    case.facts["infrator"] = person
    case.person_id = person["person"]
    case.person_key = person["key"]
    if payload.get("responsavel"):
        case.facts["responsavel"] = payload["responsavel"]


def _lavratura(case: Case, act: RecordedAct) -> None:
    p = act.payload
    _identify(case, p)
    case.facts["infractions"] = p["infractions"]
    case.facts["drawn_by"] = act.actor
    case.facts["drawn_role"] = act.role
    case.facts["drawn_at"] = str(act.at)
    case.facts["drawn_names"] = [str(act.seq), *([act.key] if act.key else [])]
    for key in _KEPT:
        if p.get(key):
            case.facts[key] = p[key]
    fix_fine(case, p)
    case.fact_date = date.fromisoformat(p["infractions"][0]["date"][:10])


def _notificacao(case: Case, act: RecordedAct) -> None:
    p = act.payload
    _identify(case, p)
    case.facts["infractions"] = p["infractions"]
    case.facts["noticed_by"] = act.actor
    case.facts["drawn_at"] = str(act.at)
    case.facts["drawn_names"] = [str(act.seq), *([act.key] if act.key else [])]
    if p.get("copy_to"):
        case.facts["copy_to"] = p["copy_to"]
    case.fact_date = date.fromisoformat(p["infractions"][0]["date"][:10])
    TRACK_EFFECTS[Act.APREENSAO](case, act)


def _ciencia(case: Case, act: RecordedAct) -> None:
    p = act.payload
    served = {"act": act.kind, "seq": act.seq, "method": p["method"], "start": p["start"]}
    if p["outcome"] == "copia":
        served["copy"] = True
    case.facts["ciencias"] = [*case.facts.get("ciencias", ()), served]
    decisions = case.facts.get("decisions")
    if act.kind == Act.CIENCIA_DECISAO and decisions:
        case.facts["decisions"] = [*decisions[:-1], {**decisions[-1], "notified": str(act.at)}]


def _filing(case: Case, act: RecordedAct) -> None:
    p = act.payload
    entry = {"seq": act.seq, "act": act.kind, "date": str(act.at), "timeliness": p["timeliness"], "decided": None}
    entry["moved"] = p["moved"]
    case.facts["filings"] = [*case.facts.get("filings", ()), entry]
    if p.get("deposit"):
        paid = {"seq": act.seq, "date": str(act.at), "amount": p["deposit"], "nature": "deposito"}
        case.facts["payments"] = [*case.facts.get("payments", ()), paid]
        case.pago += to_centavos(p["deposit"])


def _julgamento(case: Case, act: RecordedAct) -> None:
    p = act.payload
    decision = {
        "seq": act.seq,
        "act": act.kind,
        "outcome": p["outcome"],
        "date": str(act.at),
        "by": act.actor,
        "articles_infringed": p.get("articles_infringed", []),
        "articles_penalty": p.get("articles_penalty", []),
        "notified": None,
        **{name: p[name] for name in ("grau", "quantidade") if p.get(name)},
    }
    case.facts["decisions"] = [*case.facts.get("decisions", ()), decision]
    decided = p.get("timeliness_decision")
    if decided:
        filings = case.facts.get("filings", [])
        late = [f for f in filings if f["timeliness"] != "tempestiva" and f["decided"] is None]
        if late:
            case.facts["filings"] = [{**f, "decided": decided["outcome"]} if f in late else f for f in filings]
        if late and decided["outcome"] == "conhecida" and act.kind == Act.JULGAMENTO:
            case.facts.pop("revel", None)
    _review(case, act)
    if case.state is State.INSUBSISTENTE:
        case.arbitrada = 0
        case.facts.pop("assessment", None)
    else:
        fix_fine(case, p)


def _review(case: Case, act: RecordedAct) -> None:
    """What stood before a decision that goes up in part is kept until the one above, which may restore it."""
    review = case.facts.pop("review", None) if act.kind == Act.JULGAMENTO_RECURSO else None
    if "review" in act.payload:
        case.facts["review"] = act.payload["review"]
    if review is not None and "assessment" in act.payload:
        case.facts["chosen"] = review.get("chosen", {})  # what the relief had chosen is undone with it


def fix_fine(case: Case, payload: dict[str, Any]) -> None:
    """The fine that an act fixed, with its memória and the evidence of reincidência; nothing when it fixed none."""
    if "assessment" in payload:
        case.arbitrada = payload["arbitrada"]
        case.facts["assessment"] = payload["assessment"]
        if "recidivism" in payload:
            case.facts["recidivism"] = payload["recidivism"]
        chosen = {name: payload[name] for name in _CHOICES if payload.get(name)}
        if chosen:
            case.facts["chosen"] = {**case.facts.get("chosen", {}), **chosen}


def standing_facts(case: Case) -> list[dict[str, Any]]:
    """The facts that the last decision upheld, in the order of its evidence; before any, all of the auto's."""
    facts: list[dict[str, Any]] = list(case.facts.get("infractions", ()))
    evidence = case.facts.get("recidivism")
    if evidence is None or len(evidence) == len(facts):
        return facts
    upheld = {found["provisions"][0] for found in evidence}
    return [fact for fact in facts if fact["article"] in upheld]


def _pagamento(case: Case, act: RecordedAct) -> None:
    p = act.payload
    centavos = to_centavos(p["amount"])
    entry = {"seq": act.seq, "date": str(act.at), "amount": p["amount"], "nature": p["outcome"]}
    case.facts["payments"] = [*case.facts.get("payments", ()), entry]
    case.pago += centavos
    if p.get("desconto"):
        case.facts["desconto"] = p["desconto"]
    paid_after(case, act)


def _restituicao(case: Case, act: RecordedAct) -> None:
    case.pago -= to_centavos(act.payload["amount"])
    entry = {"seq": act.seq, "amount": act.payload["amount"], "of": act.payload["of"]}
    case.facts.update({name: act.payload[name] for name in ("origin_fell",) if act.payload.get(name)})
    case.facts["restituicoes"] = [*case.facts.get("restituicoes", ()), entry]


def _decurso_defesa(case: Case, act: RecordedAct) -> None:
    case.facts["revel"] = True


def _decurso_pagamento(case: Case, act: RecordedAct) -> None:
    case.facts["exigivel_em"] = act.payload["exigivel_em"]


def _amounts(case: Case, act: RecordedAct) -> None:
    fix_fine(case, act.payload)
    if "surcharge" in act.payload:
        case.acrescimo = act.payload["acrescimo"]
        case.facts["surcharge"] = act.payload["surcharge"]


def _inscricao(case: Case, act: RecordedAct) -> None:
    p = act.payload
    case.facts["gate"] = p["gate"]
    if p["outcome"] != "apta":
        return
    termo = p["termo"]
    if case.inscription is not None and case.inscription.dirty:
        case.former.append(case.inscription)
    case.inscription = Inscription(
        auto=case.auto,
        day=date.fromisoformat(termo["date"]),
        seq=act.seq,
        original_amount=p["original_amount"],
        charges=p["charges"],
        termo=termo,
        exigivel_em=_day(termo["exigivel_em"]),
        prescribes_on=day_in(termo["prescribes_on"]) if termo["prescribes_on"] else None,
        warns_on=day_in(p["warns_on"]) if p["warns_on"] else None,
    )
    if p.get("number"):  # replay: the number is already in the record
        give_number(case.inscription, p["number"], p["livro"], p["folha"])


def give_number(inscription: Inscription, number: str, livro: int, folha: int) -> None:
    """Set the number ``N/AAAA``, livro and folha."""
    inscription.number = int(number.split("/", maxsplit=1)[0])
    inscription.livro, inscription.folha = livro, folha


def _saneamento(case: Case, act: RecordedAct) -> None:
    p = act.payload
    if p.get("infrator"):
        _identify(case, p)
    if p.get("responsavel"):
        case.facts["responsavel"] = p["responsavel"]
    mended = set(p.get("confirmed", ()))
    if mended:
        case.facts["confirmed"] = sorted({*case.facts.get("confirmed", ()), *mended})
    case.facts.pop("gate", None)


def _ratificacao(case: Case, act: RecordedAct) -> None:
    case.facts["ratified"] = {"seq": act.seq, "by": act.actor}


def _regularizacao(case: Case, act: RecordedAct) -> None:
    """A cure that comes when the case is already final ends nothing, but gives back what was held until it."""
    if act.payload["from"] == act.payload["to"]:
        case.facts["cured"] = str(act.at)


def _intimacao(case: Case, act: RecordedAct) -> None:
    _ciencia(case, act)
    fix_fine(case, act.payload)


_EFFECTS: dict[str, Callable[[Case, RecordedAct], None]] = {
    Act.NOTIFICACAO_PRELIMINAR: _notice,
    Act.NOTIFICACAO: _notificacao,
    Act.LAVRATURA: _lavratura,
    Act.CIENCIA: _ciencia,
    Act.CIENCIA_DECISAO: _ciencia,
    Act.INTIMACAO_PAGAMENTO: _ciencia,
    Act.INTIMACAO: _intimacao,
    Act.RATIFICACAO: _ratificacao,
    Act.REGULARIZACAO: _regularizacao,
    Act.DEFESA: _filing,
    Act.RECURSO: _filing,
    Act.JULGAMENTO: _julgamento,
    Act.RECONSIDERACAO: _julgamento,
    Act.JULGAMENTO_RECURSO: _julgamento,
    Act.PAGAMENTO: _pagamento,
    Act.RESTITUICAO: _restituicao,
    Act.DECURSO_DEFESA: _decurso_defesa,
    Act.DECURSO_PAGAMENTO: _decurso_pagamento,
    Act.ACRESCIMO: _amounts,
    Act.INSCRICAO: _inscricao,
    Act.SANEAMENTO: _saneamento,
    Act.DESFAZIMENTO: restore,
    Act.RECALCULO_MULTA: _amounts,
    **change_effects(deadline_from),
}
