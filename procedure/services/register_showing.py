"""An inscription as it stands on a day: the Termo, what came after it, the prescription step by step, the balance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from procedure.domain.amounts import amount
from procedure.domain.case import Case
from procedure.domain.ledger import balance_on
from procedure.domain.prescribing import prescription_of
from procedure.domain.undoing import standing
from procedure.domain.vocabulary import Act
from procedure.services.context import Contexts
from procedure.services.ports import Repository
from procedure.services.register import show_termo


def show_inscription(repo: Repository, municipality: str | None, number: str, on: date | None = None) -> dict[str, Any]:
    """The Termo ``N/AAAA`` and, beside it, ``saldo``, ``paid_after``, ``history``, ``prescription`` and, on the day
    asked for, ``balance``.

    Raises UnknownInscription, InputError ``numero_invalido``, TermoElementMissing; IndexValueUnknown for a day that the
    municipality's series do not reach.
    """
    termo = show_termo(repo, municipality, number)
    case = repo.load(str(municipality), [termo["auto"]], lock=False)[termo["auto"]]
    ctx = Contexts(repo).of(case.municipality, case.law, case.rulebook_version)
    stands = case.inscribed is not None and case.inscribed.label == termo["number"]
    found = prescription_of(case) if stands else None  # an inscription undone or replaced collects nothing
    return {
        **termo,
        "saldo": amount(case.saldo if stands else 0),
        "paid_after": list(_paid_after(repo, case)) if stands else [],
        "history": list(history(termo["collection"])),
        "prescription": found.to_dict() if found else None,
        "balance": balance_on(case, ctx.update, on).to_dict() if on and stands else None,
    }


def _paid_after(repo: Repository, case: Case) -> Iterator[dict[str, Any]]:
    """The payments after the inscription, each with its shares and the order in which they were made."""
    for act in standing(repo.acts(case.municipality, case.auto)):
        if act.kind == Act.PAGAMENTO and "allocation" in act.payload:
            shared = act.payload["allocation"]
            yield {
                "date": str(act.at),
                "amount": act.payload["amount"],
                "channel": act.payload.get("channel"),
                "parts": shared["parts"],
                "credit": shared["credit"],
                "order": shared["order"],
            }


_ENTRIES = (
    ("authentication", Act.AUTENTICACAO),
    ("substitutions", Act.SUBSTITUICAO),
    ("suspensions", Act.SUSPENSAO),
    ("agreements", Act.PARCELAMENTO),
    ("protests", Act.PROTESTO),
    ("filed", Act.AJUIZAMENTO),
    ("settlement", Act.QUITACAO),
    ("cancellation", Act.CANCELAMENTO),
    ("undone", Act.DESFAZIMENTO),
)
_END = {"ended": Act.RETORNO, "broken": Act.PARCELAMENTO_ROMPIDO, "withdrawn": Act.RETIRADA_PROTESTO}


def history(beside: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What happened to an inscription after it was made, in order of day: act, date, by, ground, reference."""
    found: list[dict[str, Any]] = []
    for name, act in _ENTRIES:
        kept = beside.get(name) or ()
        for entry in (kept,) if isinstance(kept, Mapping) else kept:
            told = {key: entry.get(key) for key in ("date", "by", "ground", "reference", "legal_act", "second_person")}
            found.append({"act": act.value, **told, "seq": entry["seq"]})
            ends = ((_END[mark], entry[mark]) for mark in _END if entry.get(mark))
            blank = dict.fromkeys(told)
            found += [{"act": end.value, **blank, "date": day, "seq": entry["seq"]} for end, day in ends]
    yield from sorted(found, key=lambda item: (item["date"], item["seq"]))
