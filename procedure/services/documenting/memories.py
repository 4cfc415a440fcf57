"""The memórias: how a sum was reckoned, and how a term was counted, month by month."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calendars import Count
from calendars.explain import StepKind
from penalties.memoria import Line
from procedure.domain.amounts import amount, to_centavos
from procedure.domain.case import Deadline
from procedure.domain.document_kinds import TITLES, DocumentKind
from procedure.domain.labels import DEADLINE_STATUSES
from procedure.services.documenting.casefile import CaseFile
from procedure.services.documenting.errors import NothingToPrint
from procedure.services.documenting.months import draw_months
from procedure.services.documenting.papers import MemoriaCalculo, MemoriaPrazo
from procedure.services.documenting.pieces import Memory, MemoryLine, StepTold, TermCounted
from procedure.services.showing import deadlines_shown

# A description ends with a full stop, and the record writes the grade after it.
_GRADED = re.compile(r"\. \(([^()]*)\)$")


def calculation(file: CaseFile) -> MemoriaCalculo:
    """The memória de cálculo. Raises NothingToPrint where no fine was fixed."""
    assessment = file.case.facts.get("assessment")
    if assessment is None:
        raise NothingToPrint("nenhuma multa foi fixada neste processo.", place=file.place)
    kind = DocumentKind.MEMORIA_CALCULO
    memory = memory_of(assessment, file.case.facts.get("recidivism"), file)
    articles = [line.penalty.text for line in memory.lines if line.penalty]
    return MemoriaCalculo(
        **file.common(kind, TITLES[kind], file.request.issued_on.isoformat(), [file.issuer()]),
        basis=tuple(dict.fromkeys(articles)),
        infrator=file.infrator,
        facts=file.facts(),
        memory=memory,
        sums=file.sums(),
        total=amount(file.case.total),
    )


def memory_of(assessment: Mapping[str, Any], recidivism: Sequence[Mapping[str, Any]] | None, file: CaseFile) -> Memory:
    """The memória of an assessment, with what reincidência rests on."""
    lines = [*assessment["lines"]]
    surcharge = (file.case.facts.get("surcharge") or {}).get("line")
    if surcharge and assessment is file.case.facts.get("assessment"):
        lines.append(surcharge)
    return Memory(
        lines=tuple(memory_line(line, file) for line in lines),
        total=amount_of(lines),
        evidence=tuple(_evidence(recidivism or ())),
        alternatives=tuple(_alternatives(assessment)),
        rounding=assessment.get("rounding"),
    )


def amount_of(lines: Sequence[Mapping[str, Any]]) -> str:
    """The sum of lines, as a contract text."""
    return amount(sum(to_centavos(line["amount"]) for line in lines))


def memory_line(line: Mapping[str, Any], file: CaseFile) -> MemoryLine:
    """One line of a memória as printed."""
    unit = line.get("unit_act")
    return MemoryLine(
        description=_GRADED.sub(r" (\1).", line["description"]),
        article=file.cite(line["article"]) if line.get("article") else None,
        penalty=file.cite(line["penalty_article"]) if line.get("penalty_article") else None,
        formula=Line.from_dict(line).formula(),
        amount=line["amount"],
        unit_act=f"Valor da {line['unit']}: {unit}" if unit else None,
        reason=line.get("reason"),
        notes=tuple(line.get("notes") or ()),
    )


def _evidence(recidivism: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for found in recidivism:
        for item in found.get("evidence", ()):
            counted = "conta" if item["counted"] else "não conta"
            reason = f": {item['reason']}" if item.get("reason") else "."
            yield f"Auto {item['auto']}, {counted} como antecedente{reason}"


def _alternatives(assessment: Mapping[str, Any]) -> Iterator[str]:
    for other in assessment.get("alternatives", ()):
        reading = other.get("reading") or other.get("switch") or "outra leitura"
        if other.get("amount"):
            yield f"{reading}: R$ {other['amount'].replace('.', ',')}"


# ---------------------------------------------------------------- terms


def counting(file: CaseFile) -> MemoriaPrazo:
    """The memória de contagem: of the term asked for, else of every term of law in force in the case."""
    kind = DocumentKind.MEMORIA_PRAZO
    shown = counted_terms(file, file.request.term)
    return MemoriaPrazo(
        **file.common(kind, TITLES[kind], file.request.issued_on.isoformat(), [file.issuer()]),
        basis=tuple(dict.fromkeys(t.term.cited.text for t in shown)),
        infrator=file.infrator,
        terms=shown,
    )


def counted_terms(file: CaseFile, kind: str | None = None) -> tuple[TermCounted, ...]:
    """The terms of law in force, counted again and drawn. Raises NothingToPrint when there is none (of ``kind``)."""
    items = [item for item in deadlines_shown(file.case) if kind in (None, item.kind)]
    if not items:
        raise NothingToPrint(
            f"o processo não tem prazo de {kind}." if kind else "nenhum prazo correu neste processo.",
            place=file.place,
            field="term",
        )
    return tuple(term_counted(file, item) for item in items)


def term_counted(file: CaseFile, item: Deadline) -> TermCounted:
    """A deadline with its steps and its months. Raises NothingToPrint when its calendar is no longer kept."""
    counted = file.terms.counted(item)
    told = file.term(item.kind, term=item.term)
    if counted is None or told is None:
        raise NothingToPrint(
            f"o prazo de {item.kind} não pode ser contado de novo: falta o calendário com que se contou.",
            place=file.place,
            remedy="Confira o banco: posturas db check",
        )
    return TermCounted(
        term=told,
        status=DEADLINE_STATUSES[item.status],
        starts_on=item.starts_on.isoformat(),
        first_counted=item.first_counted.isoformat() if item.first_counted else None,
        last_counted=item.last_counted.isoformat() if item.last_counted else None,
        due=item.due.isoformat(),
        due_at=str(item.due_at),
        expires_on=item.expires_on.isoformat(),
        steps=tuple(_steps(counted)),
        months=tuple(draw_months(counted, expires_on=item.expires_on)),
        alternatives=tuple(f"{d:%d/%m/%Y}: {reading}" for d, reading in item.alternatives),
    )


_KINDS = {
    StepKind.SKIPPED: "pulado",
    StepKind.EXCLUDED: "não se conta",
    StepKind.SUSPENDED: "prazo suspenso",
    StepKind.NOT_COUNTED: "não se conta",
    StepKind.ROLLED: "adiado",
}


def _steps(counted: Count) -> Iterator[StepTold]:
    for step in counted.steps:
        word = _KINDS.get(step.kind)
        text = step.reason if word is None or word in step.reason else f"{word}: {step.reason}"
        yield StepTold(first=step.first.isoformat(), last=step.last.isoformat(), text=text, basis=step.citation)
