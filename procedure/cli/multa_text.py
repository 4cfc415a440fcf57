"""A fine as text for the fiscal, and as the contract's JSON."""

from __future__ import annotations

from typing import Any

from legalbasis import Provision
from penalties import Line
from penalties.money import ROUNDING, amount_text, money_br
from procedure.services.fining import Fine, OtherReadingAmount


def document(fine: Fine) -> dict[str, Any]:
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


def describe(fine: Fine) -> str:
    """The explanation: infraction, memória line by line, readings, warnings, legal basis."""
    book = fine.rulebook
    label = Provision.parse(fine.infraction.provision).label()
    penalty = Provision.parse(fine.penalty.article).label()
    lines = [
        f"Multa: {label} da {book.norm} ({book.municipality_name}/{book.uf}), fato de {fine.question.day:%d/%m/%Y}",
        f"Infração: {fine.infraction.description}",
        f"Punida pelo {penalty}.",
        "",
        "Memória de cálculo",
    ]
    for number, line in enumerate(fine.assessment.lines, 1):
        lines += _line(number, line)
    lines += ["", f"Total: {money_br(fine.amount)} (arredondamento: {ROUNDING})"]
    lines += _readings(fine)
    if fine.warnings:
        lines += ["", "Avisos", *(f"  {warned.message}" for warned in fine.warnings)]
    lines += ["", "Base legal", *(f"  {citation}" for citation in fine.assessment.legal_basis)]
    return "\n".join(lines)


def _line(number: int, line: Line) -> list[str]:
    cited = f"{_label(line.article)}, punido pelo {_label(line.penalty_article)}"
    if line.factor_article:
        doubled = " e ".join(_label(article) for article in line.factor_article.split("; "))
        cited += f"; elevado pelo {doubled}"
    rows = [f"  {number}. {line.description}", f"     {line.formula()}", f"     {cited}"]
    if line.unit_act:
        rows.append(f"     valor de {line.unit}: {line.unit_act}")
    return rows + [f"     {note}" for note in line.notes]


def _label(provision: str | None) -> str:
    return Provision.parse(provision).label() if provision else "—"


def _readings(fine: Fine) -> list[str]:
    if not fine.readings:
        return []
    lines = ["", "Leituras usadas"]
    for name, value in fine.readings.items():
        lines.append(f"  {name} = {value}: {fine.rulebook.switches[name].note}")
    if fine.others:
        lines += ["", "Outras leituras", *(f"  {o.switch} = {o.reading}: {_worth(o)}" for o in fine.others)]
    return lines


def _worth(other: OtherReadingAmount) -> str:
    if other.minimum is None or other.maximum is None:
        return other.note or "sem valor conhecido"
    if other.amount is not None:
        return money_br(other.amount)
    return f"de {money_br(other.minimum)} a {money_br(other.maximum)}, à escolha da autoridade"
