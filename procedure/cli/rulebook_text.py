"""A law as encoded, as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from legalbasis import Citation, Provision, Status
from penalties.money import money_br
from penalties.units import SHIPPED
from procedure.domain.labels import ACTS, ROLES, TRACKS, deadline_label
from procedure.domain.rulebook import DeadlineRule, Row, Rulebook
from procedure.domain.vocabulary import Act, Role, Track
from procedure.services.law_document import supplied_law_days

if TYPE_CHECKING:
    from procedure.services.ports import MunicipalData

GROUPS = {
    "valor_proprio": "com multa própria",
    "multa_sem_valor": "“multa”, sem valor",
    "silente": "sem cominação (segue a chave de leitura)",
    "por_capitulo": "com a multa do capítulo",
    "sem_multa": "sem multa: outra consequência",
}
_TERMS = {
    "fixado": "o que o ato fixa",
    "proximo_expediente": "o próximo dia de expediente",
    "diaria": "cada dia da multa diária",
}
_NOT_CITED = {
    "nao_citavel": "não descreve infração",
    "nao_codificado": "texto que falta na fonte",
    "outra_consequencia": "outra consequência, sem multa",
    "outra_lei": "punido por outra lei",
    "nao_aplicar": "não se aplica",
    "sem_pena": "sem pena na lei",
}


def day_text(day: date | None) -> str | None:
    """11/07/2005."""
    return f"{day:%d/%m/%Y}" if day else None


def law_line(book: Rulebook) -> str:
    """One law in the list, for people."""
    return (
        f"{book.id}: {book.norm} de {book.municipality_name}/{book.uf} ({book.title})\n"
        f"  vigência: {_life(book)}; processo codificado desde {day_text(book.life.procedure_from)}\n"
        f"  contagem {book.counting}; {len(book.infractions)} infrações; versão {book.version}"
    )


def _life(book: Rulebook) -> str:
    life = book.life
    text = f"desde {day_text(life.in_force_from)}"
    if life.certain_from and life.certain_from > life.in_force_from:
        text += f", certa desde {day_text(life.certain_from)} (o primeiro dia está por informar)"
    if life.end:
        return f"{text}, até a véspera de {day_text(life.end)} ({life.repealed_by})"
    if life.certain_until:
        text += f", certa até {day_text(life.certain_until)} (revogada pela {life.repealed_by}, em dia a informar)"
    return text


def _supplied_lines(book: Rulebook, data: MunicipalData | None) -> Iterator[str]:
    said = {"start": "vigora desde", "end": "não vigora desde"}
    for name, kept in supplied_law_days(book, data).items():
        if kept:
            day = day_text(date.fromisoformat(kept["date"]))
            yield f"  {said[name]} {day}, como o Município informou ({kept['act']})"


def describe_law(book: Rulebook, data: MunicipalData | None = None) -> str:
    """The law for a reader: life, readings, moves, terms, who may do what, infractions by group."""
    lines = [f"{book.norm}, {book.title} ({book.municipality_name}/{book.uf})", f"  {book.id}, versão {book.version}"]
    lines += [f"  vigência: {_life(book)}", f"  processo codificado desde {day_text(book.life.procedure_from)}"]
    lines += _supplied_lines(book, data)
    lines += [f"  alterada pela {norm}, desde {day_text(day)}" for norm, day in book.amendments]
    lines += [f"  contagem dos prazos: {book.counting}; espera: {book.espera}"]
    lines += ["", "Leituras (a primeira é a que vale se o município não escolher outra)"]
    for switch in book.switches.values():
        others = ", ".join(v for v in switch.values if v != switch.default)
        lines += [f"  {switch.name} = {switch.default} | {others}  [{_art(switch.citation)}]", f"      {switch.note}"]
    lines += ["", "Linhas da máquina", *_rows(book.rows)]
    for track, rows in book.track_rows.items():
        lines += ["", f"Trilha {TRACKS[Track(track)]}", *_rows(rows)]
    lines += ["", "Prazos", *(_deadline(rule) for rule in book.deadlines.values())]
    lines += ["", "Quem pode", *_competences(book), "", "Infrações", *_groups(book)]
    return "\n".join(lines)


GENERAL_LAW = ":federal:"


def _art(citation: Citation) -> str:
    label = Provision.parse(citation.provision).label()
    if GENERAL_LAW in citation.urn:
        label = f"{citation.norm}, {label}"
    return label if citation.status is Status.TEXTO else f"{label}, {citation.status.value}"


def _rows(rows: Iterable[Row]) -> Iterator[str]:
    """The rows: the outcomes that go the same way together, then the states from which they do."""
    outcomes_of: dict[tuple[Any, ...], list[str]] = {}
    for row in rows:
        target = "=" if row.origin == row.target else row.target
        needs = f"só com {row.switch[0]} = {row.switch[1]}" if row.switch else row.when and f"se o ato traz {row.when}"
        key = (row.origin or "início", row.act, target, row.opens, needs, row.citation)
        outcomes_of.setdefault(key, []).extend([row.outcome] if row.outcome else [])
    together: dict[tuple[Any, ...], list[str]] = {}
    for (origin, *move), outcomes in outcomes_of.items():
        together.setdefault((*move, tuple(outcomes)), []).append(origin)
    for (act, target, opens, needs, citation, outcomes), origins in together.items():
        result = f" ({', '.join(outcomes)})" if outcomes else ""
        effects = "".join(f"; abre {kind}" for kind in opens)
        only = f"; {needs}" if needs else ""
        goes = "fica no estado" if target == "=" else f"vai a {target}"
        yield f"  {', '.join(origins)}"
        yield f"      {act}{result}: {goes}{effects}{only}  [{_art(citation)}]"


def _deadline(rule: DeadlineRule) -> str:
    kind = deadline_label(rule.kind)
    term = _TERMS.get(rule.term, rule.term)
    return f"  {kind}: {term}, de {ACTS[Act(rule.starts)]}; vencido: {ACTS[Act(rule.expiry)]}  [{_art(rule.citation)}]"


def _competences(book: Rulebook) -> Iterator[str]:
    together: dict[tuple[tuple[str, ...], Citation], list[str]] = {}
    for act, competence in book.competences.items():
        together.setdefault((competence.roles, competence.citation), []).append(ACTS[Act(act)])
    for (roles, citation), acts in together.items():
        yield f"  {', '.join(acts)}: {', '.join(ROLES[Role(r)] for r in roles)}  [{_art(citation)}]"


def _groups(book: Rulebook) -> Iterator[str]:
    for group, title in GROUPS.items():
        found = [i for i in book.infractions.values() if i.group == group]
        if found:
            yield f"  {title}: {len(found)}"
            yield from (f"      {i.provision:<10} {i.description}" for i in found)
    for kind, count in Counter(e.kind for e in book.exclusions.values()).items():
        listed = ", ".join(e.provision for e in book.exclusions.values() if e.kind == kind)
        yield f"  {_NOT_CITED[kind]}: {count}"
        yield f"      {listed}"


def describe_provision(book: Rulebook, found: dict[str, Any]) -> str:
    """One provision for a reader."""
    label = f"{Provision.parse(found['article']).label()} da {book.norm}"
    if not found["citable"]:
        inside = f"\n  são citáveis: {', '.join(found['within'])}" if found["within"] else ""
        return f"{label}: {_NOT_CITED[found['kind']]}.\n  {found['reason']}{inside}"
    lines = [f"{label}: {found['description']}"]
    facts = {
        "capítulo": found["chapter"],
        "desde": _day_br(found["in_force_from"]),
        "até a véspera de": _day_br(found["in_force_until"]),
        "só se pune": found["subject"],
        "supõe": found["condition"],
        "prazo máximo da notificação": found["notice_max"],
        "prevalece sobre": ", ".join(found["special_over"]) or None,
    }
    lines += [f"  {name}: {value}" for name, value in facts.items() if value]
    for penalty in found["penalties"]:
        when = f", desde {_day_br(penalty['in_force_from'])}" if penalty["in_force_from"] else ""
        when += f" até a véspera de {_day_br(penalty['in_force_until'])}" if penalty["in_force_until"] else ""
        only = f", contra {penalty['subject']}" if penalty["subject"] else ""
        reading = f" ({penalty['reading']})" if penalty["reading"] else ""
        double = "; dobra na reincidência" if penalty["reincidencia"] else ""
        status = "" if penalty["status"] == Status.TEXTO else f"; {penalty['status']}"
        imposed = Provision.parse(penalty["article"]).label()
        lines.append(f"  multa do {imposed}: {penalty['amount']}{when}{only}{reading}{double}{status}")
    return "\n".join([*lines, *(f"  aviso: {warning}" for warning in found["warnings"])])


def _day_br(text: str | None) -> str | None:
    return day_text(date.fromisoformat(text)) if text else None


def units_document(book: Rulebook, data: MunicipalData | None) -> list[dict[str, Any]]:
    """Each unit of the law, with the values the municipality supplied."""
    values = data.unit_values.get(book.id, []) if data else []
    return [
        {
            "unit": code,
            "name": name,
            "values": [
                {"from": v.start.isoformat(), "value": format(v.value, "f"), "act": v.act}
                for v in values
                if v.unit == code
            ],
        }
        for code, name in book.units.items()
    ]


def describe_units(book: Rulebook, rows: list[dict[str, Any]]) -> str:
    """The units for people."""
    lines = []
    for row in rows:
        lines.append(f"{row['unit']}: {row['name']}")
        for kept in row["values"]:
            start = day_text(date.fromisoformat(kept["from"]))
            lines.append(f"  desde {start}: {money_br(Decimal(kept['value']))} ({kept['act']})")
        if not row["values"] and row["unit"] in SHIPPED:
            lines.append("  valor federal, que o programa já traz; o que o Município informar o substitui.")
        elif not row["values"]:
            said = f"--law {book.id} --unit {row['unit']} --from AAAA-MM-DD --value VALOR"
            lines.append(f'  sem valor. Informe: posturas rulebook unit set {said} --act "Decreto …"')
    return "\n".join(lines)
