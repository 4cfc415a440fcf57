"""Where a rulebook says something that the law's text does not: its silences, and what fills each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from legalbasis import Status, TomlTable
from procedure.domain.machine_check import tables_of, words

Table = Mapping[str, Any]
_SINGLE = (
    "life", "counting", "reincidencia", "fine", "gate", "costs", "ex_officio", "surcharge", "ciencia", "impediment",
    "second_instance",
)  # fmt: skip
_LISTED = (
    "row", "track_row", "deadline", "discount", "competence", "content", "document", "penalty", "penalty_choice",
    "infraction",
)  # fmt: skip
_FILLED = (Status.SUBSIDIARIO, Status.RECONSTRUCAO)


@dataclass(frozen=True, slots=True)
class Silence:
    """Where the text is silent or damaged: what was put there, on what basis. ``key`` and ``line`` say where it is."""

    what: str
    article: str
    status: str
    basis: str | None
    key: str
    line: int | None


def law_id(data: Table) -> str:
    """The id that the file says; empty when it does not."""
    return str(sub(data, "law").get("id", ""))


def sub(data: Table, key: str) -> Table:
    """A sub-table; empty when it is not one."""
    value = data.get(key)
    return value if isinstance(value, Mapping) else {}


def named(data: Table, key: str) -> dict[str, Table]:
    """The sub-tables of a table, by name."""
    return {name: table for name, table in sub(data, key).items() if isinstance(table, Mapping)}


def cited(data: Table) -> Iterator[tuple[str, Table]]:
    """Every table that carries a status, with its key."""
    for name, table in named(data, "switches").items():
        yield f"switches.{name}", table
    for name in _SINGLE:
        if sub(data, name):
            yield name, sub(data, name)
    for name in _LISTED:
        for index, table in tables_of(data, name):
            yield f"{name}[{index}]", table


def silences(data: Table, text: str, file: str) -> Iterator[Silence]:
    """Every value that does not stand in the text: what it is, its article, the rule that fills it."""
    places = TomlTable({}, file=file, text=text)
    for key, table in cited(data):
        status = table.get("status")
        if status not in _FILLED:
            continue
        places.defect(key, "")
        basis = table.get("basis") or table.get("note")
        article = str(table.get("article") or _article_of_choice(data, table) or table.get("id") or "")
        yield Silence(_what(key, table), article, str(status), basis, key, places.defects[-1].line)


def _article_of_choice(data: Table, table: Table) -> object:
    """A choice of penalties stands on its switch's article."""
    return sub(sub(data, "switches"), str(table.get("switch"))).get("article")


def _what(key: str, table: Table) -> str:
    name = key.split("[", maxsplit=1)[0]
    if name in ("row", "track_row"):
        origins = ", ".join(words(table, "from")) or "início"
        outcome = f" ({', '.join(words(table, 'outcome'))})" if words(table, "outcome") else ""
        return f"{table.get('act')}{outcome}: de {origins} a {table.get('to')}"
    if name == "competence":
        return f"competência para {', '.join(words(table, 'acts'))}: {', '.join(words(table, 'roles'))}"
    labels = {"deadline": ("prazo", "kind"), "penalty": ("penalidade", "id"), "infraction": ("infração", "id")}
    if name in labels:
        word, field = labels[name]
        return f"{word} {table.get(field)}"
    piece = {"content": "act", "document": "document"}.get(name)
    return f"elemento {table.get('element')} de {table.get(piece)}" if piece else key
