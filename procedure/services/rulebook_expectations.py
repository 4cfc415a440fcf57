"""What a step of a test case may expect of the process afterwards, and where each thing is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from procedure.domain.amounts import amount
from procedure.domain.case import Case

Doc = Mapping[str, Any]
REFUSALS = {"error", "errors", "says"}
"""What a step says of an act that must be refused: its code, several codes, words of the message."""


def found(name: str, doc: Doc, case: Case, wrote: list[str], asked: Any) -> Any:
    """What the case has under the name; of terms, only the kinds that were asked about."""
    if name == "wrote":
        return wrote
    if name in _OF_CASE:
        return _OF_CASE[name](case)
    return _OF_DOCUMENT[name](doc, asked)


def _of_deadlines(key: str) -> Callable[[Doc, Mapping[str, Any]], dict[str, Any]]:
    """``key`` of the last deadline in force of each kind asked for."""

    def read(doc: Doc, asked: Mapping[str, Any]) -> dict[str, Any]:
        last = {item["kind"]: item for item in doc["deadlines"]}
        return {kind: last[kind][key] if kind in last else None for kind in asked}

    return read


def _inscribed(doc: Doc, asked: Any) -> Any:
    item = doc["inscricao"]
    return f"{item['date']}: {item['amount']}" if item else False


def _evidence(doc: Doc, asked: Any) -> dict[str, bool]:
    """Each other auto that was examined, and whether it counts."""
    return {item["auto"]: item["counted"] for examined in doc["evidence"] for item in examined["evidence"]}


def _note(doc: Doc, asked: Any) -> str:
    whole = str(doc["law_note"] or "")
    return str(asked) if asked and asked in whole else whole


_OF_CASE: dict[str, Callable[[Case], Any]] = {
    "tracks": lambda case: dict(case.facts.get("tracks", {})),
    "diaria": lambda case: amount(case.diaria),
    "custos": lambda case: amount(case.custos),
}
_OF_DOCUMENT: dict[str, Callable[[Doc, Any], Any]] = {
    "state": lambda doc, asked: doc["state"],
    "due": _of_deadlines("due"),
    "expires": _of_deadlines("expires_on"),
    "status": _of_deadlines("status"),
    "running": lambda doc, asked: [d["kind"] for d in doc["deadlines"] if d["status"] == "aberto"],
    "fine": lambda doc, asked: doc["amounts"]["arbitrada"],
    "surcharge": lambda doc, asked: doc["amounts"]["acrescimo"],
    "paid": lambda doc, asked: doc["amounts"]["pago"],
    "discount": lambda doc, asked: doc["amounts"]["desconto"],
    "owed": lambda doc, asked: doc["amounts"]["saldo"],
    "evidence": _evidence,
    "credit": lambda doc, asked: doc["credit"],
    "inscribed": _inscribed,
    "note": _note,
    "timeliness": lambda doc, asked: doc["timeliness"][-1]["timeliness"] if doc["timeliness"] else None,
    "revel": lambda doc, asked: "revel" in doc["flags"],
    "gate": lambda doc, asked: [item["code"] for item in doc["gate"]],
    "allowed": lambda doc, asked: doc["allowed_acts"],
    "punished_by": lambda doc, asked: doc["infractions"][0]["penalty_article"],
}
EXPECTATIONS = {*_OF_CASE, *_OF_DOCUMENT, "wrote", *REFUSALS}
