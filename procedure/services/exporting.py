"""The authenticated inscriptions that stand, for another system: JSON Lines or CSV (spec 04, Collection)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from procedure.domain.amounts import amount
from procedure.domain.ledger import balance_on
from procedure.services.context import Contexts
from procedure.services.ports import Repository
from procedure.services.register import show_termo

COLUMNS = (
    "number", "date", "livro", "folha", "auto", "processo", "debtor", "doc", "street", "street_number", "district",
    "city", "uf", "cep", "origin", "nature", "legal_basis", "original_amount", "charges", "total", "paid_after",
    "saldo", "exigivel_em", "prescribes_on", "status", "authority", "authority_office", "authority_act",
    "authenticated_on",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def exported(repo: Repository, contexts: Contexts, municipality: str, number: str, on: date) -> dict[str, Any] | None:
    """One inscription, ``saldo`` updated to ``on``; None when it was not authenticated.

    Raises UnknownInscription, TermoElementMissing, IndexValueUnknown.
    """
    termo = show_termo(repo, municipality, number)
    if not termo["authenticated"]:
        return None
    case = repo.load(municipality, [termo["auto"]], lock=False)[termo["auto"]]
    ctx = contexts.of(municipality, case.law, case.rulebook_version)
    debtor, home = termo["debtor"], termo["debtor"].get("address") or {}
    given = termo["collection"]["authentication"]["date"][:10] if termo["collection"].get("authentication") else None
    said = {
        "debtor": debtor["name"],
        "doc": debtor["doc"],
        "street": home.get("street"),
        "street_number": home.get("number"),
        **{name: home.get(name) for name in ("district", "city", "uf", "cep")},
        "paid_after": amount(case.pago - _centavos(termo["paid"])),
        "saldo": amount(balance_on(case, ctx.update, on).total),
        "prescribes_on": termo["current"]["prescribes_on"],
        "authenticated_on": given,
    }
    return {name: said[name] if name in said else termo[name] for name in COLUMNS}


def _centavos(text: str) -> int:
    return int(text.replace(".", ""))


def json_lines(rows: Iterator[Mapping[str, Any]]) -> Iterator[str]:
    """One JSON object a line."""
    for row in rows:
        yield json.dumps(row, ensure_ascii=False) + "\n"


def csv_lines(rows: Iterator[Mapping[str, Any]]) -> Iterator[str]:
    """A header and one line for each, ``;`` between; a text that a spreadsheet would take as a formula is quoted."""
    yield ";".join(COLUMNS) + "\r\n"
    for row in rows:
        line = io.StringIO()
        csv.writer(line, delimiter=";", lineterminator="\r\n").writerow([_cell(row[name]) for name in COLUMNS])
        yield line.getvalue()


def _cell(value: Any) -> str:
    text = " | ".join(value) if isinstance(value, list) else "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
