"""What an auto collects of another, and what others collect of it, as JSON-able documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from procedure.domain.amounts import amount
from procedure.domain.case import Case
from procedure.domain.collecting import no_longer_stands, to_collect
from procedure.domain.decide import FELL
from procedure.domain.vocabulary import Collects


def collection_document(case: Case) -> dict[str, Any] | None:
    """What this auto collects and where it became due; None when it is an auto of its own infraction."""
    found = case.facts.get("collection")
    if found is None:
        return None
    return {
        "collects": found["kind"],
        "auto": found["auto"],
        "amount": amount(found["amount"]),
        "parts": [
            {
                "on": entry["on"][:10],
                "from": entry.get("from"),
                "to": entry.get("to"),
                "days": entry.get("days"),
                "rate": amount(entry["rate"]) if "rate" in entry else None,
                "cost": entry.get("cost"),
                "percent": entry.get("percent"),
                "amount": amount(entry["amount"]),
            }
            for entry in found["entries"]
        ],
    }


def collected_documents(case: Case, collecting: Mapping[str, Case]) -> list[dict[str, Any]]:
    """The autos that collect what this one left due, in the order in which they were drawn up."""
    return [
        {
            "auto": item["auto"],
            "collects": item["kind"],
            "amount": amount(item["amount"]),
            "date": item["on"][:10],
            "state": _state(collecting.get(item["auto"])),
        }
        for item in case.facts.get("collected", ())
    ]


def _state(case: Case | None) -> str | None:
    return case.state.value if case and case.state else None


def to_collect_document(case: Case, collecting: Mapping[str, Case]) -> dict[str, str]:
    """What is due beside the fine and no standing auto collects, by kind; nothing of an auto that fell."""
    fell = [auto for auto, other in collecting.items() if no_longer_stands(other)]
    left = {} if case.state in FELL else to_collect(case, fell)
    return {kind.value: amount(left.get(kind.value, 0)) for kind in Collects}
