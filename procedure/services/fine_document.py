"""A fine as the JSON of ``posturas multa``: the amount, each line of it, the other readings and the legal basis."""

from __future__ import annotations

from typing import Any

from penalties.money import amount_text
from procedure.services.fining import Fine, OtherReadingAmount


def fine_document(fine: Fine) -> dict[str, Any]:
    """The contract's keys (amount, lines, unit, unit_value, unit_act, factor, legal_basis) and what goes with them."""
    memoria = fine.assessment.to_dict()
    asked = fine.question
    return {
        **memoria,
        "legal_basis": [str(c) for c in fine.assessment.legal_basis],
        "citations": memoria["legal_basis"],
        "law": fine.rulebook.id,
        "article": fine.infraction.provision,
        "infraction": fine.infraction.description,
        "penalty_article": fine.penalty.article,
        "fact_date": asked.fact.isoformat(),
        "readings": dict(fine.readings),
        "alternatives": [_other(other) for other in fine.others],
        "warnings": [{"code": w.code, "message": w.message} for w in fine.warnings],
    }


def _other(other: OtherReadingAmount) -> dict[str, str | None]:
    amounts = {"amount": other.amount, "minimum": other.minimum, "maximum": other.maximum}
    texts = {key: amount_text(value) if value is not None else None for key, value in amounts.items()}
    return {"switch": other.switch, "reading": other.reading, **texts, "note": other.note}
