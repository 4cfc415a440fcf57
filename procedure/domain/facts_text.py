"""The facts of a case as stored: canonical JSON with each member on a line of its own.

A line break stands in canonical JSON nowhere else (strings write it as an escape), so that a member can be found,
replaced or added without reading the others: ``{"a":1,\\n"b":{"c":2}}`` has the lines ``"a":1`` and ``"b":{"c":2}``.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

from procedure.domain.chain import canonical
from procedure.domain.compact_json import quoted

BETWEEN = ",\n"


def facts_text(facts: Mapping[str, Any]) -> str:
    """The stored text of the facts."""
    lines = [f"{quoted(name)}:{_value(facts[name])}" for name in sorted(facts)]
    return f"{{{BETWEEN.join(lines)}}}"


def _value(value: Any) -> str:
    return quoted(value) if type(value) is str else canonical(value)


def lines_of(text: str) -> list[str]:
    """The lines of a stored text, sorted by the name that each begins with. Raises ValueError when it is not in the
    form.
    """
    if text[:1] != "{" or text[-1:] != "}":
        raise ValueError("facts are not an object")
    if text.count("{") != text.count("}"):  # cut short, or a text with a brace in it: read whole, it will tell
        raise ValueError("the braces of the facts do not match")
    lines = text[1:-1].split(BETWEEN) if len(text) > 2 else []
    if len(lines) == 1 and len(json.loads(text)) > 1:  # canonical JSON of another hand: all on one line
        raise ValueError("facts have no lines")
    if lines and text.count('\n"') + (text[1] == '"') != len(lines):
        raise ValueError("a line of the facts has no name")
    return lines


def value_at(lines: list[str], head: str) -> str | None:
    """The text of a member's value, ``head`` being ``"name":``; None when there is no such member."""
    place = bisect_left(lines, head)
    if place < len(lines):
        line = lines[place]
        if line.startswith(head):
            return line[len(head) :]
    return None


def put(lines: list[str], head: str, value: str | None) -> None:
    """Set the member's value in place; None takes the member out."""
    place = bisect_left(lines, head)
    there = place < len(lines) and lines[place].startswith(head)
    if value is None:
        if there:
            del lines[place]
    elif there:
        lines[place] = head + value
    else:
        lines.insert(place, head + value)
