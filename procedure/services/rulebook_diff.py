"""What changed between two texts of a law: rows, terms, competences, contents, penalties, infractions, readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

from legalbasis import Citation
from procedure.domain.rulebook import Row, Rulebook

Values = dict[str, Any]
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
_HEAD = (
    "id", "norm", "title", "urn", "municipality", "municipality_name", "uf", "calendar", "counting", "espera",
    "timezone", "counting_options", "counting_citation", "life", "impediment", "second_instance", "notice_rule",
    "notice_citation", "recidivism", "surcharge", "fine_fixed_by", "proofs", "discounts", "ex_officio",
    "costs_percent", "amendments",
)  # fmt: skip
SECTIONS: dict[str, str] = {
    "law": "A lei",
    "switches": "Chaves de leitura",
    "outcomes": "Resultados",
    "rows": "Linhas da máquina",
    "track_rows": "Linhas das trilhas",
    "deadlines": "Prazos",
    "competences": "Competências",
    "contents": "Conteúdo das peças",
    "documents": "Conteúdo dos documentos",
    "units": "Unidades",
    "penalties": "Penalidades",
    "penalty_choices": "Escolhas de penalidade",
    "infractions": "Infrações",
    "exclusions": "O que não se cita",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. ``key`` names the thing inside its section; ``before`` and ``after`` hold only what differs."""

    section: str
    key: str
    kind: str
    before: Values
    after: Values


def compare(before: Rulebook, after: Rulebook) -> list[Change]:
    """Every difference, by section, in the order of the newer text, what was removed last."""
    old, new = _sections(before), _sections(after)
    return [change for section in SECTIONS for change in _changes(section, old[section], new[section])]


def _changes(section: str, old: Mapping[str, Values], new: Mapping[str, Values]) -> Iterable[Change]:
    for key, now in new.items():
        was = old.get(key)
        if was is None:
            yield Change(section, key, ADDED, {}, now)
        elif was != now:
            names = [n for n in dict.fromkeys((*was, *now)) if was.get(n) != now.get(n)]
            yield Change(section, key, CHANGED, {n: was.get(n) for n in names}, {n: now.get(n) for n in names})
    for key, was in old.items():
        if key not in new:
            yield Change(section, key, REMOVED, was, {})


def _sections(book: Rulebook) -> dict[str, dict[str, Values]]:
    return {
        "law": {name: {"": _plain(getattr(book, name))} for name in _HEAD},
        "switches": {name: _values(s) for name, s in book.switches.items()},
        "outcomes": {name: _values(o) for name, o in book.outcomes.items()},
        "rows": {_row_key(row): _row(row) for row in book.rows},
        "track_rows": {_row_key(row): _row(row) for rows in book.track_rows.values() for row in rows},
        "deadlines": {kind: _values(rule) for kind, rule in book.deadlines.items()},
        "competences": {act: _values(c) for act, c in book.competences.items()},
        "contents": {f"{act}: {c.element}": _values(c) for act, cs in book.contents.items() for c in cs},
        "documents": {f"{kind}: {c.element}": _values(c) for kind, cs in book.documents.items() for c in cs},
        "units": {code: {"": name} for code, name in book.units.items()},
        "penalties": {
            _wording(name, p, len(wordings)): _values(p) for name, wordings in book.penalties.items() for p in wordings
        },
        "penalty_choices": {name: {"": _plain(choice)} for name, choice in book.penalty_choices.items()},
        "infractions": {name: _values(i) for name, i in book.infractions.items()},
        "exclusions": {name: _values(e) for name, e in book.exclusions.items()},
    }


def _wording(name: str, penalty: Any, count: int) -> str:
    since = penalty.in_force_from
    return f"{name} (desde {since.isoformat()})" if count > 1 and since else name


def _row_key(row: Row) -> str:
    outcome = f" ({row.outcome})" if row.outcome else ""
    reading = f" [{row.switch[0]} = {row.switch[1]}]" if row.switch else f" [{row.when}]" if row.when else ""
    track = f"{row.track}: " if row.track != "principal" else ""
    return f"{track}{row.origin or 'início'}, {row.act}{outcome}{reading}"


def _row(row: Row) -> Values:
    found = _values(row)
    return {k: v for k, v in found.items() if k not in ("origin", "act", "outcome", "switch", "track", "when")}


def _values(item: Any) -> Values:
    """The fields of a dataclass, JSON-able; a citation as its article and status."""
    return {f.name: _plain(getattr(item, f.name)) for f in fields(item)}


def _plain(value: Any) -> Any:
    if isinstance(value, Citation):
        return f"{value.provision} [{value.status.value}]"
    if is_dataclass(value) and not isinstance(value, type):
        return {"kind": type(value).__name__, **_values(value)}
    if isinstance(value, Mapping):
        return {str(_plain(k)): _plain(v) for k, v in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(str(_plain(v)) for v in value)
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | bool) else str(value)
