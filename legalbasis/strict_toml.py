"""Strict TOML reading: every defect of every file at once, each with file, key path and line where it can be found.

Floats are refused (numbers with a fraction are written as strings and read as Decimal); keys nobody read are defects.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from legalbasis.errors import InputError

E = TypeVar("E", bound=StrEnum)
R = TypeVar("R")
_MISSING: Any = object()
Text = str  # inside TomlTable the name str is a getter
Flag = bool


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect of a TOML file. ``key`` is the dotted path; ``line`` 1-based, None when not known."""

    file: str
    key: str
    reason: str
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.key}: {self.reason}" if self.key else f"{place}: {self.reason}"


class TomlDefects(InputError):
    """O arquivo TOML tem defeitos."""

    code = "arquivo_com_defeitos"

    def __init__(self, defects: list[Defect]) -> None:
        self.defects = tuple(defects)
        super().__init__("\n".join(str(d) for d in defects), remedy="Corrija cada linha indicada e tente de novo.")


class TomlTable:
    """A table being read. Each getter notes a defect instead of raising; ``close()`` notes keys nobody read."""

    __slots__ = ("_data", "_read", "defects", "file", "path", "text")

    def __init__(
        self,
        data: Mapping[Text, Any],
        *,
        file: Text,
        path: Text = "",
        text: Text = "",
        defects: list[Defect] | None = None,
    ) -> None:
        self._data = data
        self._read: set[Text] = set()
        self.file = file
        self.path = path
        self.text = text
        self.defects: list[Defect] = [] if defects is None else defects

    def __contains__(self, key: Text) -> bool:
        return key in self._data

    def keys(self) -> list[Text]:
        """The keys present, in file order."""
        return list(self._data)

    def defect(self, key: Text, reason: Text) -> None:
        """Note a defect of ``key`` in this table."""
        where = f"{self.path}.{key}" if self.path and key else self.path or key
        self.defects.append(Defect(self.file, where, reason, _line_of(self.text, where)))

    def raw(self, key: Text, default: Any = _MISSING) -> Any:
        """The value as tomllib gave it."""
        self._read.add(key)
        if key in self._data:
            return self._data[key]
        if default is _MISSING:
            self.defect(key, "falta esta chave")
            return None
        return default

    def _typed(self, key: Text, default: Any, kinds: type | tuple[type, ...], name: Text, empty: Any) -> Any:
        value = self.raw(key, default)
        if value is None or (default is not _MISSING and value is default):
            return empty if value is None and default is _MISSING else value
        if not isinstance(value, kinds) or (isinstance(value, Flag) and kinds is not Flag):
            self.defect(key, f"deve ser {name}")
            return empty if default is _MISSING else default
        return value

    def str(self, key: Text, default: Any = _MISSING) -> Any:
        """A non-empty string."""
        value = self._typed(key, default, Text, "texto", "")
        if value == "" and key in self._data and isinstance(self._data[key], Text):
            self.defect(key, "não pode ser vazio")
        return value

    def int(self, key: Text, default: Any = _MISSING) -> Any:
        """A whole number."""
        return self._typed(key, default, int, "número inteiro", 0)

    def bool(self, key: Text, default: Any = _MISSING) -> Any:
        """true or false."""
        return self._typed(key, default, Flag, "true ou false", False)

    def date(self, key: Text, default: Any = _MISSING) -> Any:
        """A day."""
        value = self._typed(key, default, date, "data (AAAA-MM-DD)", date.min)
        if isinstance(value, datetime):
            self.defect(key, "deve ser data sem hora")
            return value.date()
        return value

    def decimal(self, key: Text, default: Any = _MISSING) -> Any:
        """An exact number: an integer, or a string such as "0.10"."""
        value = self.raw(key, default)
        if value is None or value is default:
            return Decimal(0) if value is None and default is _MISSING else value
        return self._decimal(key, value)

    def _decimal(self, key: Text, value: Any) -> Decimal:
        if isinstance(value, int) and not isinstance(value, Flag):
            return Decimal(value)
        if isinstance(value, Text):
            try:
                number = Decimal(value)
            except InvalidOperation:
                number = Decimal("NaN")
            if number.is_finite():
                return number
        self.defect(key, 'deve ser número exato: inteiro, ou texto como "0.10"')
        return Decimal(0)

    def enum(self, key: Text, kind: type[E], default: Any = _MISSING) -> Any:
        """A word of ``kind``."""
        value = self.raw(key, default)
        if value is None or value is default:
            return next(iter(kind)) if value is None and default is _MISSING else value
        try:
            return kind(value)
        except ValueError:
            self.defect(key, f"“{value}” não é um destes: {', '.join(m.value for m in kind)}")
            return next(iter(kind))

    def strings(self, key: Text, default: Any = _MISSING) -> tuple[Text, ...]:
        """A list of strings."""
        value = self.raw(key, default)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not all(isinstance(v, Text) for v in value):
            self.defect(key, "deve ser lista de textos")
            return ()
        return tuple(value)

    def table(self, key: Text, *, optional: Flag = False) -> TomlTable:
        """A sub-table (empty when absent and ``optional``)."""
        value = self.raw(key, {} if optional else _MISSING)
        if not isinstance(value, dict):
            if value is not None:
                self.defect(key, "deve ser tabela")
            value = {}
        return self._child(value, f"{self.path}.{key}" if self.path else key)

    def tables(self, key: Text) -> Iterator[TomlTable]:
        """An array of tables (none when absent)."""
        value = self.raw(key, [])
        if not isinstance(value, list):
            self.defect(key, "deve ser lista de tabelas")
            return
        for index, item in enumerate(value):
            where = f"{self.path}.{key}[{index}]" if self.path else f"{key}[{index}]"
            if isinstance(item, dict):
                yield self._child(item, where)
            else:
                self.defect(f"{key}[{index}]", "deve ser tabela")

    def _child(self, data: Mapping[Text, Any], path: Text) -> TomlTable:
        return TomlTable(data, file=self.file, path=path, text=self.text, defects=self.defects)

    def close(self) -> None:
        """Note every key of this table that no getter asked for."""
        for key in self._data:
            if key not in self._read:
                self.defect(key, "chave desconhecida")


def _unquoted(value: Text, line: Text) -> Flag:
    """Whether a number stands in a line outside quotes and comments."""
    bare = re.sub(r'"[^"]*"|#.*', "", line)
    return re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", bare) is not None


def _line_of(text: str, path: str) -> int | None:
    """The line of a key path such as ``row[3].act``: the n-th ``[[row]]`` header, then the key below it."""
    if not text or not path:
        return None
    lines = text.splitlines()
    start: int | None = None
    scope = ""
    for part in path.split("."):
        name, _, index = part.partition("[")
        scope = f"{scope}.{name}" if scope else name
        header = f"[[{scope}]]" if index else f"[{scope}]"
        wanted = int(index.rstrip("]")) if index else 0
        first = start or 0
        places = [n for n in range(first, len(lines)) if lines[n].split("#", maxsplit=1)[0].strip() == header]
        if wanted < len(places):
            start = places[wanted]
            continue
        found = _line_of_key(lines, 0 if start is None else start + 1, part)
        if found is not None:
            return found
    return None if start is None else start + 1


def _line_of_key(lines: list[str], first: int, name: str) -> int | None:
    """The line of ``name = …`` in the table whose first line that is."""
    for number in range(first, len(lines)):
        if lines[number].lstrip().startswith("["):
            return None
        if lines[number].split("=", maxsplit=1)[0].strip().strip('"') == name:
            return number + 1
    return None


def load_toml(text: str, *, file: str) -> TomlTable:
    """Parse ``text``, noting each float as a defect. Raises TomlDefects when it is not TOML at all."""
    floats: list[str] = []

    def no_float(value: str) -> str:
        floats.append(value)
        return value

    try:
        data = tomllib.loads(text, parse_float=no_float)
    except tomllib.TOMLDecodeError as error:
        raise TomlDefects([Defect(file, "", f"não é TOML válido: {error}")]) from error
    table = TomlTable(data, file=file, text=text)
    for number, line in enumerate(text.splitlines(), start=1):
        for value in dict.fromkeys(v for v in floats if _unquoted(v, line)):
            reason = f'número com fração sem aspas: {value} (escreva “"{value}"”)'
            table.defects.append(Defect(file, line.split("=")[0].strip(), reason, number))
    return table


def read_toml(path: Path, build: Callable[[TomlTable], R]) -> R:
    """Read one file with ``build`` and raise TomlDefects with all its defects. Raises InputError when unreadable."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"não foi possível ler o arquivo: {error.strerror}", place=str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError("o arquivo não está em UTF-8.", place=str(path), remedy="Grave-o em UTF-8.") from error
    table = load_toml(text, file=str(path))
    result = build(table)
    table.close()
    if table.defects:
        raise TomlDefects(table.defects)
    return result
