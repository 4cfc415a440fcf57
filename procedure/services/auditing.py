"""The acts that forgive or erase, by person, ground and amount: what an auditor asks for first (spec 05, four eyes)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Protocol

from procedure.domain.amounts import amount, to_centavos
from procedure.domain.case import RecordedAct
from procedure.domain.forgiving import FOUR_EYES
from procedure.domain.vocabulary import Act


class AuditSource(Protocol):
    """What an audit asks of the store."""

    def acts_of_kinds(
        self, municipality: str, kinds: Sequence[str], first: date | None, last: date | None
    ) -> Iterator[tuple[str, RecordedAct]]:
        """The acts of these kinds dated from ``first`` to ``last``, each with its auto, by (date, auto, seq)."""
        ...


def audit(
    source: AuditSource, municipality: str, *, first: date | None = None, last: date | None = None
) -> dict[str, Any]:
    """Every such act, and what each person and each ground comes to. Amounts are contract texts.

    ``amount`` is what was no longer owed by the act, or, of a restituição, what was given back. An act that was
    recorded again counts once; one that was undone is told (``stands`` false) and is in no total.
    """
    undoings = source.acts_of_kinds(municipality, [Act.DESFAZIMENTO], None, None)
    undone = {(auto, item["seq"]) for auto, act in undoings for item in act.payload["undoes"]}
    acts = list(source.acts_of_kinds(municipality, FOUR_EYES, first, last))
    repeated = {(auto, act.payload.get("reapplies")) for auto, act in acts}
    listed = [(auto, act) for auto, act in acts if (auto, act.seq) not in repeated]
    found = [{**_line(auto, act), "stands": (auto, act.seq) not in undone} for auto, act in listed]
    counted = [item for item in found if item["stands"]]
    return {
        "municipality": municipality,
        "from": first.isoformat() if first else None,
        "until": last.isoformat() if last else None,
        "acts": found,
        "by_person": _totals(counted, ("actor", "second_person")),
        "by_ground": _totals(counted, ("ground",)),
        "total": amount(sum(to_centavos(item["amount"]) for item in counted)),
    }


def _line(auto: str, act: RecordedAct) -> dict[str, Any]:
    p = act.payload
    return {
        "auto": auto,
        "seq": act.seq,
        "act": act.kind,
        "date": str(act.at),
        "recorded_at": act.recorded_at,
        "actor": act.actor,
        "role": act.role,
        "second_person": p.get("second_person"),
        "ground": p.get("ground") or p.get("of"),
        "grounds": p.get("grounds"),
        "annulled": p.get("annulled"),
        "amount": amount(_forgiven(act)),
    }


def _forgiven(act: RecordedAct) -> int:
    p = act.payload
    if act.kind == Act.RESTITUICAO:
        return to_centavos(p["amount"])
    if act.kind == Act.RECALCULO_MULTA:
        return int(p["lowered_from"] - p["arbitrada"])
    return int(p.get("forgiven", 0))


def _totals(lines: Sequence[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """How many acts and how much, by each person or ground, the greatest first; an act of two persons is in both."""
    sums: dict[str, list[int]] = {}
    for line in lines:
        for word in dict.fromkeys(str(line[name]) for name in names if line[name]):
            entry = sums.setdefault(word, [0, 0])
            entry[0] += 1
            entry[1] += to_centavos(line["amount"])
    ordered = sorted(sums.items(), key=lambda item: (-item[1][1], -item[1][0], item[0]))
    return [{"name": word, "acts": count, "amount": amount(total)} for word, (count, total) in ordered]
