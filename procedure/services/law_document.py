"""A law as encoded, as the JSON of ``posturas rulebook``: in the list, whole, and one provision of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

from legalbasis import Citation, Provision
from penalties.money import decimal_br
from procedure.domain.admission import find_infraction, resolve_penalty
from procedure.domain.fines import WARNINGS
from procedure.domain.rulebook import DeadlineRule, Infraction, Row, Rulebook

if TYPE_CHECKING:
    from procedure.services.ports import MunicipalData


def law_row(book: Rulebook) -> dict[str, Any]:
    """One law in the list."""
    life = book.life
    return {
        "law": book.id,
        "norm": book.norm,
        "title": book.title,
        "municipality": book.municipality,
        "municipality_name": f"{book.municipality_name}/{book.uf}",
        "urn": book.urn,
        "version": book.version,
        "in_force_from": life.in_force_from.isoformat(),
        "certain_until": life.certain_until.isoformat() if life.certain_until else None,
        "end": life.end.isoformat() if life.end else None,
        "repealed_by": life.repealed_by,
        "procedure_from": life.procedure_from.isoformat(),
        "counting": book.counting,
        "espera": book.espera,
        "infractions": len(book.infractions),
        "units": dict(book.units),
    }


def supplied_law_days(book: Rulebook, data: MunicipalData | None) -> dict[str, dict[str, str] | None]:
    """The first day of the law, and the first without it, as the municipality supplied them."""
    kept = {"start": data.starts.get(book.id), "end": data.ends.get(book.id)} if data else {"start": None, "end": None}
    return {name: {"date": day.day.isoformat(), "act": day.act} if day else None for name, day in kept.items()}


def law_document(book: Rulebook, data: MunicipalData | None = None) -> dict[str, Any]:
    """The whole of a law, but the text of each infraction's penalties: ``--article`` gives it."""
    return {
        **law_row(book),
        "supplied": supplied_law_days(book, data),
        "amendments": [{"norm": norm, "in_force_from": day.isoformat()} for norm, day in book.amendments],
        "switches": [
            {"name": s.name, "default": s.default, "values": list(s.values), "note": s.note, **_cited(s.citation)}
            for s in book.switches.values()
        ],
        "rows": [_row_document(row) for row in book.rows],
        "track_rows": [
            {"track": track, **_row_document(row), "when": row.when}
            for track, rows in book.track_rows.items()
            for row in rows
        ],
        "deadlines": [_deadline_document(d) for d in book.deadlines.values()],
        "competences": [
            {"act": act, "roles": list(c.roles), **_cited(c.citation)} for act, c in book.competences.items()
        ],
        "contents": [
            {"act": act, "element": c.element, "label": c.label, **_cited(c.citation)}
            for act, contents in book.contents.items()
            for c in contents
        ],
        "infractions_list": [
            {"article": i.provision, "description": i.description, "group": i.group, "penalties": list(i.penalties)}
            for i in book.infractions.values()
        ],
        "not_cited": [
            {"article": e.provision, "kind": e.kind, "reason": e.reason, "partial": e.partial}
            for e in book.exclusions.values()
        ],
    }


def _cited(citation: Citation) -> dict[str, str]:
    return {"article": citation.provision, "status": citation.status.value, "norm": citation.norm}


def _row_document(row: Row) -> dict[str, Any]:
    return {
        "from": row.origin,
        "act": row.act,
        "outcome": row.outcome,
        "to": row.target,
        "opens": list(row.opens),
        "then": list(row.then),
        "switch": {row.switch[0]: row.switch[1]} if row.switch else None,
        **_cited(row.citation),
    }


def _deadline_document(rule: DeadlineRule) -> dict[str, Any]:
    return {
        "kind": rule.kind,
        "term": rule.term,
        "starts": rule.starts,
        "expiry": rule.expiry,
        "answers": list(rule.answers),
        "internal": rule.internal,
        **_cited(rule.citation),
    }


def provision_document(book: Rulebook, cited: str) -> dict[str, Any]:
    """What the law says of one provision: what it punishes, or why it is not cited. Raises ArticleNotAnInfraction."""
    asked = str(Provision.parse(cited))
    excluded = book.exclusions.get(asked)
    if excluded is not None and asked not in book.infractions:
        return {
            "law": book.id,
            "article": asked,
            "citable": False,
            "kind": excluded.kind,
            "reason": excluded.reason,
            "within": [p for p in book.infractions if Provision.parse(p).within(Provision.parse(asked))],
        }
    infraction = book.infractions.get(asked) or find_infraction(book, asked, _last_day(book))
    return {
        "law": book.id,
        "article": infraction.provision,
        "citable": True,
        "description": infraction.description,
        "group": infraction.group,
        "chapter": infraction.chapter or None,
        "in_force_from": infraction.in_force_from.isoformat() if infraction.in_force_from else None,
        "in_force_until": infraction.in_force_until.isoformat() if infraction.in_force_until else None,
        "notice_max": infraction.notice_max,
        "subject": infraction.subject,
        "condition": infraction.condition,
        "special_over": list(infraction.special_over),
        "warnings": [WARNINGS.get(w, w) for w in infraction.warnings],
        "penalties": [p for name in infraction.penalties for p in _penalties(book, infraction, name)],
        "status": infraction.citation.status.value,
    }


def _last_day(book: Rulebook) -> date:
    return book.life.certain_until or date.max


def _penalties(book: Rulebook, infraction: Infraction, name: str) -> Iterator[dict[str, Any]]:
    """Each wording of a penalty; under a choice of readings, those of each reading."""
    readings: Iterable[tuple[str | None, str]] = ((None, name),)
    if name in book.penalty_choices:
        switch, options = book.penalty_choices[name]
        readings = tuple((f"{switch} = {value}", resolve_penalty(book, name, {switch: value})) for value in options)
    for reading, penalty_id in readings:
        for penalty in book.penalties[penalty_id]:
            yield {
                "article": penalty.article,
                "reading": reading,
                "amount": amount_text(penalty),
                "reincidencia": penalty.recidivism is not None,
                "in_force_from": penalty.in_force_from.isoformat() if penalty.in_force_from else None,
                "in_force_until": penalty.in_force_until.isoformat() if penalty.in_force_until else None,
                "subject": infraction.penalty_subject.get(name),
                "status": penalty.status.value,
            }


def amount_text(penalty: Any) -> str:
    """A penalty's base for people: ``3, 6 ou 11 VRSGP, por grau``; ``1 UPFM por dia``."""
    from penalties.penalty import ByClass, ByGrade, Fixed, PercentOfUnit, Range

    base, per = penalty.base, f" por {penalty.per}" if penalty.per else ""
    if isinstance(base, Fixed):
        return f"{decimal_br(base.quantity)} {base.unit}{per}"
    if isinstance(base, ByGrade):
        least, middle, most = (decimal_br(q) for q in base.quantities.values())
        return f"{least}, {middle} ou {most} {base.unit}, por grau{per}"
    if isinstance(base, Range):
        return f"de {decimal_br(base.lower)} a {decimal_br(base.upper)} {base.unit}{per}"
    if isinstance(base, PercentOfUnit):
        return f"{decimal_br(base.percent)}% de {base.unit}{per}"
    if isinstance(base, ByClass):
        listed = ", ".join(f"{name} {decimal_br(quantity)}" for name, quantity in base.quantities.items())
        measured = f", a classe pela medida em {base.measure}" if base.measure else ""
        return f"por classe ({listed}) {base.unit}{per}{measured}"
    return f"{decimal_br(base.percent)}% de {base.of}{per}"
