"""A fine as text for the fiscal."""

from __future__ import annotations

from legalbasis import Provision
from penalties import Line
from penalties.money import ROUNDING, money_br
from procedure.services.fining import Fine, OtherReadingAmount


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
