"""One act per line as a JSON object: exact decimals, no repeated names, no depth that breaks the reader."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from legalbasis import InputError
from procedure.services.importing.errors import NotJson, RepeatedName
from procedure.services.importing.lines import Line
from procedure.services.importing.records import Record

_NAMED = re.compile(r'"(municipality|auto|act|date)"\s*:\s*(?:"((?:[^"\\]|\\.){0,80})"|(\d{1,20}))')


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise RepeatedName(f"{repeated[:60]}: o objeto repete este campo.", field=repeated[:60])
    return found


def _constant(name: str) -> Any:
    raise NotJson(f"{name} não é número em JSON.")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=Decimal, parse_constant=_constant)


def parse_object(text: str) -> dict[str, Any]:
    """The object of a line. Raises NotJson or RepeatedName."""
    try:
        found = _DECODER.decode(text.strip())
    except json.JSONDecodeError as error:
        raise NotJson(f"a linha não é JSON: erro na coluna {error.colno}.") from None
    except (RecursionError, ValueError, ArithmeticError):  # the last: 1e99999999999999999999 is no Decimal
        raise NotJson("a linha não é JSON que se possa ler: aninhada demais, ou com número longo demais.") from None
    if not isinstance(found, dict):
        raise NotJson("a linha não é um objeto JSON.")
    return found


def json_records(lines: Iterable[Line]) -> Iterator[Record]:
    """A record per line that is not blank."""
    for line in lines:
        if line.error is not None:
            yield Record(line.number, None, line.error, hints(line.head))
        elif line.text is not None and line.text.strip():
            try:
                yield Record(line.number, parse_object(line.text), None, {})
            except InputError as error:
                yield Record(line.number, None, error, hints(line.head))


def hints(head: str) -> dict[str, Any]:
    """What the start of an unreadable line still says of whose act it is: enough to hold the acts behind it."""
    found: dict[str, Any] = {}
    for name, text, digits in _NAMED.findall(head):
        found.setdefault(name, _unescaped(text) or digits)
    return found


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text
