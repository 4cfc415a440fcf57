"""Write the JSON Schema of the rulebook format and its reference page: ``python -m scripts.rulebook_format``.

The keys, their types and whether they are needed are seen by watching the reader read the examples; what they mean is
in ``rulebook_format.toml``. A key that the reader asks for and nobody explained, or the reverse, is an error.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from calendars import RULES, Espera
from calendars.notice import NoticeEvent
from calendars.rules import PARAMETERS
from legalbasis import Status, TomlTable, load_toml
from penalties import ProgressionKind, WindowAnchor
from procedure.domain import labels
from procedure.domain import vocabulary as words
from procedure.domain.deadlines import HALF, half
from procedure.domain.decide import FOLLOWER_NAMES
from procedure.domain.outcomes import OUTCOME_FUNCTIONS
from procedure.domain.requirements import REQUIREMENT_NAMES, WHEN
from procedure.domain.rulebook_check import BEFORE, READINGS
from procedure.domain.rulebook_reader import SAME_STATE, read_table
from procedure.domain.rulebook_words import GROUPS, PLACES, SAME
from scripts.rulebook_tables import choices, counting_rules

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(__file__).with_suffix(".toml")
SCHEMA = ROOT / "procedure" / "rulebooks" / "schema.json"
PAGE = ROOT / "docs" / "reference" / "rulebook-format.md"
_FREE = (
    "units", "row.switch", "penalty.classes", "penalty.ate", "penalty_choice.options", "infraction.penalty_subject",
)  # fmt: skip
_NAMED = ("switches", "outcomes")
_EVERYWHERE = ("status", "basis")
_EXCLUSIONS = ("not_citable", "not_encoded", "other_consequence", "other_law", "not_applied", "no_penalty")
_SHARED = (  # the reader takes them in each list of what is not cited
    "kind", "consequence", "law", "reason", "partial", "needs_confirmation", "in_force_from", "before", "unknown_years",
    "note", "notice",
)  # fmt: skip
_UNTOLD = {"", *_NAMED, "counting.options", *(f"{name}.notice" for name in _EXCLUSIONS if name != "other_consequence")}
_LEAST = ("law", "life", "fine", "gate", "ciencia")
_GETTERS = ("raw", "str", "int", "bool", "date", "decimal", "enum", "strings", "table", "tables")


def _of(*kinds: Iterable[str]) -> tuple[str, ...]:
    return tuple(str(value) for kind in kinds for value in kind)


WORDS: dict[str, tuple[str, ...]] = {
    "Act": _of(words.Act),
    "State": _of(words.State),
    "State=": (SAME_STATE, *_of(words.State)),
    "TrackState": _of(words.TrackState),
    "TrackState=": (SAME_STATE, *_of(words.TrackState)),
    "Role": _of(words.Role),
    "rule": _of(RULES),
    "espera": _of(Espera),
    "notice": _of(NoticeEvent),
    "place": PLACES,
    "same": SAME,
    "again": (HALF,),
    "window_from": _of(WindowAnchor),
    "progressao": _of(ProgressionKind),
    "group": GROUPS,
    "before": BEFORE,
    "outcome_function": tuple(sorted(OUTCOME_FUNCTIONS)),
    "requirement": tuple(sorted(REQUIREMENT_NAMES)),
    "when": tuple(WHEN),
    "follower": tuple(sorted(FOLLOWER_NAMES)),
    "reading": tuple(READINGS),
    "status": _of(Status),
    "parameter": tuple(PARAMETERS),
}


@dataclass(slots=True)
class Key:
    """A key as the reader asks for it. ``values``: the words of an enum; ``asked``: in how many tables."""

    kind: str
    needed: bool
    values: tuple[str, ...] = ()
    asked: int = 0


@dataclass(slots=True)
class Table:
    """A table as the reader reads it: how often, and its keys."""

    read: int = 0
    keys: dict[str, Key] = field(default_factory=dict)


class _Watched:
    """A table that notes what is asked of it, and passes it on."""

    def __init__(self, table: TomlTable, seen: dict[str, Table]) -> None:
        self._table, self._seen = table, seen
        self._own: set[str] = set()
        self._name = _normal(table.path)
        seen.setdefault(self._name, Table())

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def __getattr__(self, name: str) -> Any:
        target = getattr(self._table, name)
        if name not in _GETTERS:
            return target

        def asked(key: str, *rest: Any, **options: Any) -> Any:
            self._note(name, key, rest, options)
            found = target(key, *rest, **options)
            if name == "table":
                return _Watched(found, self._seen)
            return (_Watched(child, self._seen) for child in found) if name == "tables" else found

        return asked

    def _note(self, getter: str, key: str, rest: tuple[Any, ...], options: Mapping[str, Any]) -> None:
        said = "*" if self._name in _FREE or self._name in _NAMED else key
        if said in self._own:
            return
        if not self._own:
            self._seen[self._name].read += 1  # an optional table that is not there is asked nothing
        self._own.add(said)
        kind = next((r for r in rest if isinstance(r, type) and issubclass(r, StrEnum)), None)
        values = tuple(member.value for member in kind) if kind is not None else ()
        defaults = len(rest) - (kind is not None)
        needed = getter != "tables" and not defaults and not options.get("optional")
        found = self._seen[self._name].keys.setdefault(said, Key(getter, needed, values))
        found.asked += 1


def _normal(path: str) -> str:
    parts = [part.split("[", maxsplit=1)[0] for part in path.split(".") if part]
    if len(parts) > 1 and parts[0] in _NAMED:
        parts[1:] = ["*"]
    return ".".join(parts)


def observe(*examples: str) -> dict[str, Table]:
    """What the reader asks for, by table. Raises ValueError when an example has a defect."""
    seen: dict[str, Table] = {}
    for example in examples:
        root = load_toml(example, file="exemplos")
        read_table(_Watched(root, seen), example)  # type: ignore[arg-type]  # it answers as a table does
        root.close()
        if root.defects:
            raise ValueError("\n".join(map(str, root.defects)))
    return seen


def source() -> dict[str, Any]:
    """What is written of the format."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))


def examples_of(said: Mapping[str, Any]) -> tuple[str, str]:
    """All the examples as one file; and the least that a file may have, which shows what need not be there."""
    least = [table.get("least", table["example"]) for table in said["table"] if table["name"] in _LEAST]
    return "\n".join(table["example"] for table in said["table"]), "\n".join(least)


def check(said: Mapping[str, Any], seen: Mapping[str, Table]) -> list[str]:
    """What is explained and not read, or read and not explained."""
    found: list[str] = []
    tables = {table["name"]: table for table in said["table"]}
    found += [f"no table {name}" for name in seen if name not in tables and name not in _UNTOLD]
    found += [f"nobody reads {name}" for name in tables if name not in seen]
    for name, table in tables.items():
        read = set(seen[name].keys) - set(_EVERYWHERE) if name in seen else set()
        told = set(table["keys"]) - set(_EVERYWHERE)
        shared = set(_SHARED) if name in _EXCLUSIONS else set()
        found += [f"{name}.{key}: not explained" for key in sorted(read - told - shared)]
        found += [f"{name}.{key}: nobody reads it" for key in sorted(told - read)]
    for kind, table in said["words"].items():
        told = set(table) - {"title", "idea"}
        found += [f"words.{kind}.{word}: not explained" for word in sorted(set(WORDS[kind]) - told)]
        found += [f"words.{kind}.{word}: there is no such word" for word in sorted(told - set(WORDS[kind]))]
    return found


# ---------------------------------------------------------------- schema

_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_TYPES: dict[str, dict[str, Any]] = {
    "str": _TEXT,
    "int": {"type": "integer"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
    "decimal": {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^\d+(\.\d+)?$"}]},
    "strings": {"type": "array", "items": {"type": "string"}},
}
_RAW: dict[str, dict[str, Any]] = {
    "unknown_years": {"type": "array", "items": {"type": "integer"}},
    "from": {"type": "string"},
    "to": {"type": "string"},
}
_KINDS = {
    "str": "texto", "int": "número inteiro", "bool": "`true` ou `false`", "date": "data", "decimal": "número exato",
    "strings": "lista de textos", "enum": "palavra", "table": "tabela", "tables": "lista de tabelas",
}  # fmt: skip
_RAW_KINDS = {"unknown_years": "lista de anos", "reincidencia": "tabela, ou `false`", "from": "hora", "to": "hora"}


def schema(said: Mapping[str, Any], seen: Mapping[str, Table]) -> dict[str, Any]:
    """The JSON Schema of a rulebook."""
    told = {table["name"]: table for table in said["table"]}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Lei codificada do Posturas",
        **_object("", told, seen),
    }


def _object(name: str, told: Mapping[str, Any], seen: Mapping[str, Table]) -> dict[str, Any]:
    read, about = seen[name], told.get(name, {})
    if name in _NAMED:
        return {"type": "object", "additionalProperties": _object(f"{name}.*", told, seen)}
    if name == "counting.options":
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": {key: {"enum": _of(kind)} for key, kind in PARAMETERS.items()},
        }
    if "*" in read.keys:
        return {"type": "object", "additionalProperties": _value(name, "*", read.keys["*"], told, seen)}
    properties = {
        key: {**_value(name, key, found, told, seen), **_described(about, key)} for key, found in read.keys.items()
    }
    required = [key for key, found in read.keys.items() if found.needed and found.asked == read.read]
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


def _described(about: Mapping[str, Any], key: str) -> dict[str, str]:
    text = about.get("keys", {}).get(key)
    return {"description": text.replace("`", "")} if text else {}


def _value(
    name: str, key: str, found: Key, told: Mapping[str, Any], seen: Mapping[str, Table]
) -> dict[str, Any]:
    inside = f"{name}.{key}" if name else key
    if found.kind == "table":
        return _object(inside, told, seen)
    if found.kind == "tables":
        return {"type": "array", "items": _object(inside, told, seen)}
    if key == "reincidencia":  # false: the penalty is not raised
        return {"anyOf": [{"const": False}, _object(inside, told, seen)]}
    if found.kind == "raw":
        return dict(_RAW.get(key, {}))
    if found.kind == "enum":
        return {"enum": list(found.values)}
    named = told.get(name, {}).get("values", {}).get(key)
    if named is not None:
        one = {"enum": list(WORDS[named])}
        return {"type": "array", "items": one} if found.kind == "strings" else one
    return dict(_TYPES[found.kind])


# ---------------------------------------------------------------- page

def page(said: Mapping[str, Any], seen: Mapping[str, Table]) -> str:
    """The reference page."""
    parts = [said["head"]]
    for table in said["table"]:
        if table["name"] == _EXCLUSIONS[0]:
            parts.append("\n" + said["not_cited"])
        parts.append(_section(table, seen[table["name"]]))
    parts.append("\n## As palavras\n")
    parts += [_words(kind, table) for kind, table in said["words"].items()]
    parts += [counting_rules(said["counting_rules"]), choices(said["choices"], examples_of(said)[0])]
    parts += [_labelled("Estados", labels.STATES), _labelled("Atos", labels.ACTS), _labelled("Papéis", labels.ROLES)]
    parts.append(_labelled("Estados das trilhas", labels.TRACK_STATES))
    return "\n".join(parts).rstrip("\n") + "\n"


def _section(table: Mapping[str, Any], read: Table) -> str:
    lines = ["", f"### {table['title']}", "", table["idea"].strip(), ""]
    lines += ["| chave | tipo | obrigatória | significado |", "|---|---|---|---|"]
    for key, found in read.keys.items():
        if key in table["keys"]:
            needed = "sim" if found.needed and found.asked == read.read else "não"
            lines.append(f"| `{key}` | {_kind(key, found)} | {needed} | {_meaning(table, key, found)} |")
    if table["example"].strip():
        lines += ["", "```toml", table["example"].strip(), "```"]
    return "\n".join(lines)


def _kind(key: str, found: Key) -> str:
    return _RAW_KINDS.get(key, "valor") if found.kind == "raw" else _KINDS[found.kind]


_LINKED = {
    "Act": "atos", "State": "estados", "State=": "estados", "Role": "papéis", "TrackState": "estados-das-trilhas",
    "TrackState=": "estados-das-trilhas", "outcome_function": "funções-de-resultado", "requirement": "exigências",
    "when": "condições-de-trilha", "follower": "atos-que-se-seguem",
}  # fmt: skip


def _meaning(table: Mapping[str, Any], key: str, found: Key) -> str:
    text = str(table["keys"][key]).replace("|", "\\|")
    named = table.get("values", {}).get(key)
    if named in _LINKED:
        place = _LINKED[named]
        return f"{text} ([{place.replace('-', ' ')}](#{place}))"
    values = WORDS[named] if named else found.values
    return f"{text}: {', '.join(f'`{v}`' for v in values)}" if values else text


def _words(kind: str, table: Mapping[str, Any]) -> str:
    rows = [f"| `{word}` | {_told(kind, word, table[word])} |" for word in WORDS[kind]]
    head = ["", f"### {table['title']}", "", table["idea"].strip(), "", "| palavra | significado |", "|---|---|"]
    return "\n".join([*head, *rows])


def _told(kind: str, word: str, text: str) -> str:
    values = sorted(READINGS[word]) if kind == "reading" else _of(PARAMETERS[word]) if kind == "parameter" else ()
    if kind == "again":
        values = tuple(f"{term}, depois {half(term)}" for term in ("10d", "5d", "15d"))
    return f"{text}: {', '.join(f'`{v}`' for v in values)}" if values else text


def _labelled(title: str, names: Mapping[Any, str]) -> str:
    rows = [f"| `{word.value}` | {label} |" for word, label in names.items()]
    return "\n".join(["", f"### {title}", "", "| palavra | para pessoas |", "|---|---|", *rows])


def answers() -> dict[Path, str]:
    """Each file that is generated, with its text. Raises ValueError where the words and the reader differ."""
    said = source()
    seen = observe(*examples_of(said))
    differences = check(said, seen)
    if differences:
        raise ValueError("\n".join(differences))
    return {
        SCHEMA: json.dumps(schema(said, seen), ensure_ascii=False, indent=1) + "\n",
        PAGE: page(said, seen),
    }


def main() -> int:
    """Write the files that differ and say which."""
    for path, text in answers().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
