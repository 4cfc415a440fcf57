"""The differences between two texts of a law, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from procedure.services.rulebook_diff import ADDED, CHANGED, REMOVED, SECTIONS, Change

_MARK = {ADDED: "+", REMOVED: "-", CHANGED: "~"}
_NOTHING = "—"


def describe_changes(changes: Iterable[Change]) -> str:
    """By section: + what entered, - what left, ~ what changed, each value before and after."""
    lines: list[str] = []
    section = ""
    for change in changes:
        if change.section != section:
            section = change.section
            lines.append(SECTIONS[section])
        lines.append(f"  {_MARK[change.kind]} {change.key}{_whole(change)}")
        if change.kind == CHANGED:
            lines += [f"      {text}" for text in _fields(change)]
    return "\n".join(lines) if lines else "Nada mudou."


def _whole(change: Change) -> str:
    """What entered or left, in one line: the values that it has."""
    values = change.after or change.before
    if change.kind == CHANGED:
        return ""
    said = [f"{name} {_text(value)}" if name else _text(value) for name, value in values.items() if _has(value)]
    return f": {'; '.join(said)}" if said else ""


def _fields(change: Change) -> Iterator[str]:
    for name in change.after:
        told = f"{name}: " if name else ""
        yield f"{told}{_text(change.before.get(name))} → {_text(change.after.get(name))}"


def _has(value: Any) -> bool:
    return value not in (None, "", [], {}, False)


def _text(value: Any) -> str:
    if not _has(value) and value is not False:
        return _NOTHING
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, list):
        return ", ".join(_text(v) for v in value)
    if isinstance(value, dict):
        return ", ".join(f"{k} = {_text(v)}" for k, v in value.items() if _has(v))
    return str(value)
