"""Acts as CSV: the names of the JSON object as columns, nested ones dotted.

- ``infrator.name``, ``infrator.address.street``: the fields of nested objects.
- Lists of words (``signature.witnesses``, ``articles_infringed``) in one cell, separated by ``|``.
- Lists of objects with the item's number: ``infractions.1.article``, ``goods.2.description``.
- ``;`` or ``,`` between cells, whichever the header uses; an empty cell is an absent field.
- Amounts and quantities with a decimal comma (``1.234,56``) or point (``1234.56``). Dates are ISO 8601 only.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from legalbasis import InputError
from procedure.services.importing.errors import OpenQuote, RaggedRow, RepeatedColumn, UnknownHeader
from procedure.services.importing.fields import AMOUNTS, WORD_LISTS, is_known, known_names
from procedure.services.importing.lines import MAX_LINE, Line
from procedure.services.importing.records import Record

SEPARATORS = (";", ",")
MOST_LINES = 200  # of one act, its quoted line breaks counted
_COMMA = re.compile(r"-?(\d{1,3}(\.\d{3})+|\d+),\d+\Z")
_HINTS = ("municipality", "auto", "act", "date")


def looks_like_header(text: str) -> bool:
    """Whether a file's first line is the header of a CSV of acts, and not an act in JSON."""
    names = {cell.strip().strip('"') for cell in text.replace(";", ",").split(",")}
    return not text.lstrip().startswith(("{", "[")) and bool(names & {"auto", "act", "date", "municipality"})


class Header:
    """The columns of a CSV. Raises RepeatedColumn or UnknownHeader."""

    def __init__(self, text: str, place: str) -> None:
        self.separator = next((s for s in SEPARATORS if s in text), ",")
        self.names = [cell.strip() for cell in next(csv.reader([text], delimiter=self.separator), [])]
        repeated = sorted({name for name in self.names if self.names.count(name) > 1})
        if repeated:
            raise RepeatedColumn(f"o cabeçalho repete: {_shown(repeated)}.", place=place, field=repeated[0])
        unknown = [name for name in self.names if not is_known(name)]
        if unknown:
            raise UnknownHeader(
                f"o cabeçalho tem colunas desconhecidas: {_shown(unknown)}.",
                place=place,
                field=unknown[0],
                remedy=f"Colunas conhecidas: {', '.join(known_names())}.",
            )


def _shown(names: Sequence[str]) -> str:
    quoted = [f"“{name[:40]}”" for name in names[:10]]
    return ", ".join(quoted) + (f" e mais {len(names) - 10}" if len(names) > 10 else "")


def table_records(first: Line, lines: Iterator[Line]) -> Iterator[Record]:
    """A record per row after the header ``first``. Raises the header's errors."""
    if first.error is not None:
        raise first.error.at(f"linha {first.number}")
    header = Header(first.text or "", f"linha {first.number}")
    pending: list[Line] = []
    source = iter(lines)
    while True:
        line = pending.pop(0) if pending else next(source, None)
        if line is None:
            return
        if line.error is not None or not (line.text or "").strip():
            if line.error is not None:
                yield Record(line.number, None, line.error, _row_hints(header, line.head))
            continue
        joined, used, looked = _joined(line, pending, source)
        record = _record(header, line, joined, used)
        if record.error is not None and len(used) > 1:
            # Quotes that close lines below may have been opened by mistake here: only this line is given up.
            record = Record(line.number, None, OpenQuote(), _row_hints(header, line.head))
            pending = [*used[1:], *looked]
        else:
            pending = looked
        yield record


def _joined(line: Line, pending: list[Line], source: Iterator[Line]) -> tuple[str | None, list[Line], list[Line]]:
    """The text of the row that starts at ``line``, its lines, and the lines looked at beyond it."""
    text = line.text or ""
    if text.count('"') % 2 == 0:
        return text, [line], pending
    used, parts, size, quotes = [line], [text], len(text), text.count('"')
    ahead = chain(list(pending), source)
    while len(used) < MOST_LINES and size < MAX_LINE:
        following = next(ahead, None)
        if following is None:
            break
        used.append(following)
        if following.text is None:
            break
        parts.append(following.text)
        size += len(following.text)
        quotes += following.text.count('"')
        if quotes % 2 == 0:
            return "\n".join(parts), used, pending[len(used) - 1 :]
    return None, used, pending[len(used) - 1 :]


def _record(header: Header, line: Line, text: str | None, used: list[Line]) -> Record:
    error: InputError
    if text is None:
        error = OpenQuote()
    else:
        cells = _cells(header, text)
        if cells is not None and len(cells) == len(header.names):
            try:
                return Record(line.number, _nested(header.names, cells), None, last_line=used[-1].number)
            except InputError as failure:
                return Record(line.number, None, failure, _row_hints(header, line.head), used[-1].number)
        error = OpenQuote() if cells is None else _ragged(header, len(cells))
    return Record(line.number, None, error, _row_hints(header, line.head), used[-1].number)


def _cells(header: Header, text: str) -> list[str] | None:
    try:
        return next(csv.reader(text.splitlines(keepends=True), delimiter=header.separator, strict=True), [])
    except csv.Error:
        return None


def _ragged(header: Header, count: int) -> RaggedRow:
    return RaggedRow(f"a linha tem {count} colunas, e o cabeçalho {len(header.names)}.")


def _row_hints(header: Header, head: str) -> dict[str, Any]:
    cells = _cells(header, head) or [cell.strip('"') for cell in head.split(header.separator)]
    named = dict(zip(header.names, (cell.strip() for cell in cells), strict=False))
    return {name: named[name] for name in _HINTS if named.get(name)}


def _nested(names: Sequence[str], cells: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cell in zip(names, cells, strict=True):
        if cell.strip():
            *path, last = name.split(".")
            place = found
            for part in path:
                place = place.setdefault(part, {})
            place[last] = _value(name, cell.strip())
    return {name: _listed(value, name) for name, value in found.items()}


def _value(name: str, cell: str) -> Any:
    plain = re.sub(r"\.\d+\.", ".", name)
    if plain in WORD_LISTS:
        return [part.strip() for part in cell.split("|") if part.strip()]
    if plain in AMOUNTS and _COMMA.match(cell):
        return cell.replace(".", "").replace(",", ".")
    return cell


def _listed(value: Any, name: str) -> Any:
    """Objects numbered 1, 2, … as a list. Raises RaggedRow when a number is left out."""
    if not isinstance(value, dict):
        return value
    if not all(key.isdecimal() for key in value):
        return {key: _listed(item, f"{name}.{key}") for key, item in value.items()}
    numbers = sorted(map(int, value))
    if numbers != list(range(1, len(numbers) + 1)):
        raise RaggedRow(f"{name}: os itens devem ser numerados de 1 em diante, sem faltar nenhum.", field=name)
    return [_listed(value[str(number)], name) for number in numbers]
