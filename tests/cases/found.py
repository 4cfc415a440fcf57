"""What a step may expect of the case afterwards, and where each thing is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from procedure.domain.amounts import amount
from procedure.domain.case import Case

Doc = Mapping[str, Any]
NOT_COMPARED = {"error", "errors", "says"}
"""What a step says of a refusal."""


def found(name: str, doc: Doc, case: Case, wrote: list[str], asked: Any) -> Any:
    """What the case has under the name. ``asked`` is what was expected, for names that ask about some kinds alone."""
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


def _readings(doc: Doc, asked: Mapping[str, Any]) -> dict[str, Any]:
    last = {item["kind"]: item for item in doc["deadlines"]}
    return {kind: [f"{a['due']} {a['reading']}" for a in last[kind]["alternatives"]] for kind in asked}


def _inscribed(doc: Doc, asked: Any) -> Any:
    item = doc["inscricao"]
    return f"{item['number']} de {item['date']}: {item['amount']}" if item else False


def _evidence(doc: Doc, asked: Any) -> dict[str, bool]:
    return {item["auto"]: item["counted"] for examined in doc["evidence"] for item in examined["evidence"]}


def _inside(text: Callable[[Doc], str]) -> Callable[[Doc, Any], str]:
    """What was asked, when it stands in the text, else the whole text."""

    def read(doc: Doc, asked: Any) -> str:
        whole = text(doc)
        return str(asked) if asked and asked in whole else whole

    return read


def _memo(doc: Doc) -> str:
    """What the memória de cálculo says beside its figures."""
    lines = doc["assessment"] or []
    said = [text for line in lines for text in (line["formula"], line["unit_act"], line["reason"], *line["notes"])]
    return "\n".join([*(text for text in said if text), *(w["message"] for w in doc["warnings"])])


def _daily(case: Case) -> Any:
    """The daily fine: the rate, the first day it runs and how many days it ran; False when none was imposed."""
    daily = case.facts.get("daily")
    return {"rate": amount(daily["rate"]), "from": daily["from"], "days": daily["days"]} if daily else False


_OF_CASE: dict[str, Callable[[Case], Any]] = {
    "tracks": lambda case: dict(case.facts.get("tracks", {})),
    "daily": _daily,
}
_OF_DOCUMENT: dict[str, Callable[[Doc, Any], Any]] = {
    "state": lambda doc, asked: doc["state"],
    "due": _of_deadlines("due"),
    "expires": _of_deadlines("expires_on"),
    "status": _of_deadlines("status"),
    "running": lambda doc, asked: [d["kind"] for d in doc["deadlines"] if d["status"] == "aberto"],
    "readings": _readings,
    "fine": lambda doc, asked: doc["amounts"]["arbitrada"],
    "surcharge": lambda doc, asked: doc["amounts"]["acrescimo"],
    "diaria": lambda doc, asked: doc["amounts"]["diaria"],
    "custos": lambda doc, asked: doc["amounts"]["custos"],
    "paid": lambda doc, asked: doc["amounts"]["pago"],
    "owed": lambda doc, asked: doc["amounts"]["saldo"],
    "credit": lambda doc, asked: doc["credit"],
    "deposit_held": lambda doc, asked: doc["deposit"],
    "inscribed": _inscribed,
    "evidence": _evidence,
    "note": _inside(lambda doc: doc["law_note"] or ""),
    "memo": _inside(_memo),
    "timeliness": lambda doc, asked: doc["timeliness"][-1]["timeliness"] if doc["timeliness"] else None,
    "revel": lambda doc, asked: "revel" in doc["flags"],
    "gate": lambda doc, asked: [item["code"] for item in doc["gate"]],
    "allowed": lambda doc, asked: doc["allowed_acts"],
    "pending": lambda doc, asked: doc["pending"],
    "to_collect": lambda doc, asked: {k: v for k, v in doc["to_collect"].items() if v != "0.00"},
    "collected": lambda doc, asked: {
        each["auto"]: f"{each['collects']} {each['amount']} {each['state']}" for each in doc["collected"]
    },
    "punished_by": lambda doc, asked: doc["infractions"][0]["penalty_article"],
}
EXPECTATIONS = {*_OF_CASE, *_OF_DOCUMENT, "wrote", *NOT_COMPARED}
