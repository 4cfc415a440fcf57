"""A counted term as text for the fiscal: event, days, end, other readings, legal basis, calendar."""

from __future__ import annotations

from datetime import date, datetime

from calendars.counting import Count
from calendars.days import WEEKDAYS
from calendars.explain import Step, StepKind
from calendars.laws import Espera, LawCounting
from calendars.notice import NoticeEvent, notice_event

_EVENTS = {
    NoticeEvent.RECEIPT: "recebimento",
    NoticeEvent.JUNTADA: "juntada aos autos",
    NoticeEvent.PUBLICATION: "publicação do edital",
    NoticeEvent.PUBLICATION_NEXT_EXPEDIENTE: "publicação do edital",
}
_LEADS = {
    StepKind.SKIPPED: "não inicia: ",
    StepKind.NOT_COUNTED: "não conta: ",
    StepKind.SUSPENDED: "não corre: ",
    StepKind.ROLLED: "não vence: ",
}


def describe(law: LawCounting, counted: Count, start: date | datetime, method: str | None) -> str:
    """The explanation, one fact a line."""
    event = _EVENTS[notice_event(method, law.notice)] if method else "evento que inicia o prazo"
    lines = [
        f"Prazo de {counted.term.label()}, pela {law.name} de {law.place_name}",
        f"{event[0].upper()}{event[1:]}: {long_day(start)}{_clock(start)}",
    ]
    if method and _date(start) != _date(counted.start):
        cite = law.notice_citations[method]
        lines.append(f"Ciência por {method}: {long_day(counted.start)}, 1º dia de expediente seguinte [{cite}]")
    lines += ["", "Contagem", *(_step(step) for step in counted.steps), ""]
    lines.append(f"Vence em {long_day(counted.due)}, às {counted.due_at:%H:%M:%S} ({_offset(counted.due_at)})")
    lines += _other_readings(law, counted)
    note = law.note(counted.starts_on)
    lines += ["", f"{law.name}: {note}."] if note else []
    lines += ["", "Base legal", *(f"  {citation}" for citation in counted.legal_basis)]
    lines += ["", f"Calendário {counted.calendar.id}, versão {counted.calendar_version[:12]}"]
    unverified = _unverified(counted)
    if unverified:
        lines.append(f"A confirmar com o município: {'; '.join(unverified)}.")
    return "\n".join(lines)


def _other_readings(law: LawCounting, counted: Count) -> list[str]:
    if not counted.alternatives:
        return ["Nenhuma outra leitura muda a data."]
    lines = ["", "Outras leituras (ato entre as datas é de tempestividade controvertida)"]
    for other in counted.alternatives:
        lines.append(f"  {day_text(other.due)}  {other.reading}")
        lines += [f"              {source}" for source in other.sources]
    if law.espera is Espera.LEITURA_MAIS_FAVORAVEL:
        expires = day_text(law.expires_on(counted))
        own = next((c for c in law.citations if c.norm == law.name), None)
        why = f"A regra da lei ({own}) admite mais de uma leitura" if own else "A lei não tem regra de contagem"
        lines.append(f"{why}: o município espera até {expires}, a leitura mais favorável.")
    else:
        lines.append(f"O município espera até {day_text(counted.due)}: a regra está escrita na lei.")
    return lines


def _unverified(counted: Count) -> list[str]:
    """The days met by the count that the municipality has not confirmed."""
    calendar = counted.calendar
    first = min(_date(counted.start), counted.starts_on).toordinal()
    facts = (calendar.fact_at(o) for o in range(first, counted.due.toordinal() + 1))
    return [f"{day_text(f.day)} ({f.description})" for f in facts if f is not None and not f.verified]


def _step(step: Step) -> str:
    when = day_text(step.first) if step.first == step.last else f"{step.first:%d/%m} a {step.last:%d/%m/%Y}"
    weekday = WEEKDAYS[step.first.weekday()].removesuffix("-feira") if step.first == step.last else ""
    cite = f"  [{step.citation}]" if step.citation else ""
    return f"  {when:<18} {weekday:<8} {_LEADS.get(step.kind, '')}{step.reason}{cite}".rstrip()


def _date(moment: date | datetime) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _clock(moment: date | datetime) -> str:
    return f", às {moment:%H:%M}" if isinstance(moment, datetime) else ""


def day_text(day: date) -> str:
    """``11/03/2013``."""
    return f"{day:%d/%m/%Y}"


def long_day(day: date) -> str:
    """``segunda-feira, 11/03/2013``."""
    return f"{WEEKDAYS[day.weekday()]}, {day:%d/%m/%Y}"


def _offset(moment: datetime) -> str:
    return f"UTC{moment:%z}"[:6] + ":" + f"{moment:%z}"[3:5]
