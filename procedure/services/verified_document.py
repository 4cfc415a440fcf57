"""What ``posturas verify`` found, as JSON: each municipality's counts and head, and every defect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from procedure.services.verifying import Verified


def verified_document(found: Sequence[tuple[Verified, str | None]], *, deep: bool) -> dict[str, Any]:
    """The contract's object; with each municipality's result, its head where it was asked."""
    return {
        "ok": not any(result.defects for result, _ in found),
        "deep": deep,
        "cases": sum(result.cases for result, _ in found),
        "acts": sum(result.acts for result, _ in found),
        "municipalities": [
            {
                "municipality": result.municipality,
                "cases": result.cases,
                "acts": result.acts,
                "erased_persons": len(result.erased_persons),
                "defects": len(result.defects),
                "head": head,
            }
            for result, head in found
        ],
        "defects": [
            {"municipality": r.municipality, "auto": d.auto or None, "seq": d.seq, "code": d.code, "what": d.what}
            for r, _ in found
            for d in r.defects
        ],
    }
