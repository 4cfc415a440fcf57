"""A case as one JSON-able document (spec 07): where it stands, its terms with their reasons, the fine, the acts.

What spec 07 documents is always there, null when absent; the other keys are additions. The text for people is made
from the same document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from penalties.memoria import Line
from procedure.domain.admission import law_note
from procedure.domain.amounts import amount
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.context import Context
from procedure.domain.fines import WARNINGS
from procedure.domain.requirements import row_is_open
from procedure.domain.undoing import standing
from procedure.domain.vocabulary import ENGINE_ACTS, State
from procedure.services.collecting import collections_of, fallen_origin
from procedure.services.context import Contexts
from procedure.services.one_case import one_case
from procedure.services.people import person_document
from procedure.services.ports import Repository
from procedure.services.reissuing import reissues_of
from procedure.services.showing_collections import collected_documents, collection_document, to_collect_document
from procedure.services.showing_tracks import (
    costs_document,
    daily_document,
    goods_document,
    licence_document,
    licence_to_decide,
    obligation_document,
    track_states,
)
from procedure.services.terms import Terms
from procedure.services.waiting import pending_of

NOTHING_OWED = (State.REGULARIZADO, State.INSUBSISTENTE, State.CANCELADO, State.ANULADO)
BEFORE_JUDGMENT = (State.LAVRADO, State.AGUARDANDO_DEFESA, State.EM_JULGAMENTO)


def show_case(
    repo: Repository, municipality: str | None, auto: str, *, history: bool = False, unmask: bool = True
) -> dict[str, Any]:
    """The case of ``auto``. ``history``: undone and superseded deadlines too; ``unmask``: the whole CPF.

    Raises UnknownAuto.
    """
    case = one_case(repo, municipality, auto)
    municipality = case.municipality
    contexts = Contexts(repo)
    ctx = contexts.of(municipality, case.law, case.rulebook_version)
    acts = repo.acts(municipality, auto)
    terms, stand = Terms(repo, ctx, acts), standing(acts)
    collecting = collections_of(repo, case)
    to_cancel = licence_to_decide(case, ctx)
    return {
        "auto": case.auto,
        "municipality": case.municipality,
        "law": case.law,
        "rulebook_version": case.rulebook_version,
        "state": case.state.value if case.state else None,
        "tracks": track_states(case),
        "infrator": person_document(repo, municipality, case.facts.get("infrator"), unmask=unmask),
        "fact": next(iter(_facts(case, acts)), None),
        "deadlines": [terms.document(d) for d in deadlines_shown(case, history=history)],
        "amounts": amounts(case),
        "assessment": _lines(case),
        "acts": [_act(act) for act in acts],
        "inscricao": _inscription(case),
        "allowed_acts": allowed_acts(case, ctx),
        "law_title": f"{ctx.book.norm} ({ctx.book.title})",
        "municipality_name": f"{ctx.book.municipality_name}/{ctx.book.uf}",
        "infractions": list(_facts(case, acts)),
        "responsavel": person_document(repo, municipality, case.facts.get("responsavel"), unmask=unmask),
        "next_engine_act": next_engine_act(case),
        "flags": [name for name in ("revel",) if case.facts.get(name)],
        "evidence": case.facts.get("recidivism", []),
        "timeliness": _filings(case),
        "credit": amount(case.pago if fallen_origin(repo, case) else _credit(case)),
        "deposit": amount(case.pago if case.state in BEFORE_JUDGMENT else 0),
        "fine_alternatives": (case.facts.get("assessment") or {}).get("alternatives", []),
        "surcharge": case.facts.get("surcharge"),
        "law_note": law_note(case.facts),
        "gate": case.facts.get("gate") or [],
        "warnings": list(_warnings(case)),
        "pending": pending_of(repo, case, contexts, stand),
        "licence_to_decide": to_cancel.to_dict() if to_cancel else None,
        "goods": goods_document(case),
        "obligation": obligation_document(case),
        "daily_fine": daily_document(case),
        "costs": costs_document(stand),
        "licence": licence_document(stand),
        "linked_auto": case.facts.get("linked_auto"),
        "reissues": case.facts.get("reissues"),
        "reissued_as": [other.auto for other in reissues_of(repo, case)],
        "collection": collection_document(case),
        "collected": collected_documents(case, collecting),
        "to_collect": to_collect_document(case, collecting),
        "copy_to": person_document(repo, municipality, case.facts.get("copy_to"), unmask=unmask),
        "as_of": None,
        "known_at": None,
    }


def deadlines_shown(case: Case, *, history: bool = False) -> list[Deadline]:
    """The terms of law in force, by (``starts_on``, ``kind``); with ``history`` also those undone or superseded."""
    superseded = {(d.kind, d.supersedes) for d in case.deadlines if d.supersedes is not None}
    shown = [
        d for d in case.deadlines if not d.internal and (history or not (d.undone or (d.kind, d.number) in superseded))
    ]
    return sorted(shown, key=lambda d: (d.starts_on, d.kind, d.number))


def next_engine_act(case: Case) -> dict[str, str] | None:
    """The act the engine itself will write next if nobody acts, and its day."""
    running = case.open_deadlines()
    if not running:
        return None
    return {"act": running[0].expiry_act, "date": running[0].expires_at.next_second().day.isoformat()}


def allowed_acts(case: Case, ctx: Context) -> list[str]:
    """What a person may record now, in the order of the rulebook: the main track, then the side tracks that began."""
    rows = [*ctx.book.rows_by_origin.get(case.state.value if case.state else None, ())]
    for track, state in case.facts.get("tracks", {}).items():
        rows += [r for r in ctx.book.track_rows.get(track, ()) if r.origin == state and not r.when]
    names = [r.act for r in rows if r.act not in ENGINE_ACTS and row_is_open(case, r, ctx)]
    return list(dict.fromkeys(names))


def amounts(case: Case) -> dict[str, str]:
    """The contract's amounts; nothing is owed of an auto that fell."""
    return {
        "arbitrada": amount(case.arbitrada),
        "acrescimo": amount(case.acrescimo),
        "diaria": amount(case.diaria),
        "custos": amount(case.custos),
        "pago": amount(case.pago),
        "desconto": amount(case.desconto),
        "saldo": amount(0 if case.state in NOTHING_OWED else case.saldo),
    }


def _credit(case: Case) -> int:
    """What was paid beyond what is owed, in centavos; before the judgment a payment is a deposit, not a credit."""
    if case.state in BEFORE_JUDGMENT:
        return 0
    return case.credit


def _facts(case: Case, acts: Sequence[RecordedAct]) -> Iterator[dict[str, Any]]:
    """The infractions of the auto; before it, those of the notice."""
    listed = case.facts.get("infractions")
    if listed is None:
        listed = next((a.payload["infractions"] for a in acts if a.payload.get("infractions")), [])
    for fact in listed:
        yield {
            "date": fact.get("date"),
            "until": fact.get("until"),
            "place": fact.get("place"),
            "article": fact.get("article"),
            "penalty_article": fact.get("penalty_article"),
            "description": fact.get("description"),
            "infraction": fact.get("infraction"),
        }


def _lines(case: Case) -> list[dict[str, Any]] | None:
    assessment = case.facts.get("assessment")
    if assessment is None:
        return None
    return [{**line, "formula": Line.from_dict(line).formula()} for line in assessment["lines"]]


def _act(act: RecordedAct) -> dict[str, Any]:
    payload = act.payload
    return {
        "seq": act.seq,
        "act": act.kind,
        "date": str(act.at),
        "recorded_at": act.recorded_at or None,
        "actor": act.actor,
        "role": act.role,
        "hash": act.hash or None,
        "office": act.office,
        "from": payload.get("from"),
        "to": payload.get("to"),
        "outcome": payload.get("outcome"),
        "article": payload.get("article"),
        "details": {name: payload[name] for name in DETAILS if payload.get(name)},
    }


DETAILS = (
    "method", "received", "juntada", "publication", "signed_by", "amount", "timeliness", "timeliness_decision", "term",
    "classe", "valor", "desconto", "sent", "read",
    "grau", "quantidade", "ground", "grounds", "undoes", "cause", "number", "gate", "perigo_iminente", "channel", "of",
    "accrues", "recount", "texts", "consolidated", "receipt", "expenses", "proceeds", "license", "reference",
    "legal_act", "second_person", "allocation", "norm", "annuls", "annulled", "fell", "cancels", "reapplies",
    "lowered_from",
)  # fmt: skip


def _inscription(case: Case) -> dict[str, Any] | None:
    item = case.inscription
    if item is None:
        return None
    return {
        "number": item.label if item.number else None,
        "date": item.day.isoformat(),
        "livro": item.livro or None,
        "folha": item.folha or None,
        "amount": item.termo["total"],
        "status": item.status,
        "prescribes_on": item.prescribes_on.isoformat() if item.prescribes_on else None,
    }


def _filings(case: Case) -> list[dict[str, Any]]:
    names = ("seq", "act", "date", "timeliness", "decided", "moved")
    return [{name: filing.get(name) for name in names} for filing in case.facts.get("filings", ())]


def _warnings(case: Case) -> Iterator[dict[str, str]]:
    codes: dict[str, str] = {}
    for fact in case.facts.get("infractions", ()):
        codes.update({code: WARNINGS.get(code, code) for code in fact.get("warnings", ())})
    for warned in (case.facts.get("assessment") or {}).get("warnings", ()):
        codes[warned["code"]] = warned["message"]
    for alert in case.facts.get("alerts", ()):
        codes[alert["code"]] = alert["reason"]
    yield from ({"code": code, "message": message} for code, message in codes.items())
    for text in case.facts.get("defects", ()):
        yield {"code": "vicio_do_auto", "message": text}
