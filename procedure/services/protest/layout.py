"""The CRA's field table, read from data: how each field is written in its columns and read back, strictly.

Text is ASCII, upper case, accents folded to their letters; what has no ASCII letter is refused, never dropped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from legalbasis import InputError, TomlDefects, TomlTable, load_toml

Value = str | int | date | None
SIGHT = "99999999"
"""The due date of a title payable at sight."""
_FOLDS = {
    **dict.fromkeys("º°", "o"), "ª": "a", **dict.fromkeys("–—", "-"), **dict.fromkeys("’‘", "'"),
    **dict.fromkeys("“”", '"'), "ß": "ss", "§": "par.", "Ł": "L", "ł": "l", "Đ": "D", "đ": "d", "Ø": "O", "ø": "o",
    "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe",
}  # fmt: skip
_PLAIN = re.compile(r"[ -~]*\Z")


class FieldDoesNotFit(InputError):
    """O valor não cabe no campo da remessa."""

    code = "campo_da_remessa_nao_cabe"


class CharacterNotInLayout(InputError):
    """O layout da remessa não tem como escrever este caractere."""

    code = "caractere_fora_do_layout"


class ReturnMalformed(InputError):
    """O arquivo não está no layout da CRA."""

    code = "retorno_malformado"


class ReturnOfAnother(InputError):
    """O arquivo de retorno é de outro município ou de outro portador."""

    code = "retorno_de_outro"


class Kind(StrEnum):
    """How a field is written: digits, free text, letters, a day as DDMMAAAA, centavos."""

    DIGITS = "N"
    FREE = "X"
    LETTERS = "A"
    DAY = "D"
    MONEY = "M"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: its number, columns (1-based, inclusive) and, where it never varies, its value."""

    number: int
    name: str
    first: int
    last: int
    kind: Kind
    fixed: str | None

    @property
    def width(self) -> int:
        """Columns it takes."""
        return self.last - self.first + 1

    def write(self, value: Value, *, cut: bool = False) -> str:
        """The field's columns. ``cut``: a text too long is cut; otherwise, and for figures always, it is an error.

        Raises FieldDoesNotFit, CharacterNotInLayout.
        """
        if self.kind in (Kind.FREE, Kind.LETTERS):
            text = fold(str(value or ""), self.name)
            if len(text) > self.width and not cut:
                raise FieldDoesNotFit(f"“{text[:60]}” passa de {self.width} caracteres.", field=self.name)
            return text[: self.width].ljust(self.width)
        digits = self._digits(value)
        if len(digits) > self.width:
            raise FieldDoesNotFit(f"{digits} passa de {self.width} algarismos.", field=self.name)
        return digits.rjust(self.width, "0")

    def _digits(self, value: Value) -> str:
        if isinstance(value, date):
            return f"{value:%d%m%Y}"
        text = str(value or 0)
        if not (text.isascii() and text.isdecimal()):
            raise FieldDoesNotFit(f"“{text[:24]}” não é número.", field=self.name)
        return text

    def read(self, record: str, place: str) -> str:
        """The field's text without its padding ("" when empty). Raises ReturnMalformed."""
        return self.trimmed(record[self.first - 1 : self.last], place)

    def trimmed(self, raw: str, place: str) -> str:
        """As ``read``, of the field's own columns."""
        if self.kind in (Kind.FREE, Kind.LETTERS):
            return raw.rstrip()
        if raw and not (raw.isascii() and raw.isdecimal()):
            raise ReturnMalformed(f"o campo {self.number} ({self.name}) deve ter só algarismos.", place=place)
        return raw if raw.strip("0") else ""


@dataclass(frozen=True, slots=True)
class Layout:
    """The three records of a version, and the words for what the cartório answers and objects to."""

    version: str
    width: int
    header: tuple[Field, ...]
    transaction: tuple[Field, ...]
    trailer: tuple[Field, ...]
    occurrences: Mapping[str, str]
    irregularities: Mapping[str, str]

    def fields(self, record: str) -> tuple[Field, ...]:
        """The fields of ``header``, ``transaction`` or ``trailer``."""
        return {"header": self.header, "transaction": self.transaction, "trailer": self.trailer}[record]


@lru_cache(maxsize=1)
def cra_layout() -> Layout:
    """The layout that ships (v4.3)."""
    name = "cra-4.3.toml"
    text = (files("procedure.services.protest") / "data" / name).read_text(encoding="utf-8")
    root = load_toml(text, file=name)
    header, transaction, trailer = (
        tuple(_field(row) for row in root.tables(kind)) for kind in ("header", "transaction", "trailer")
    )
    occurrences, irregularities = (_words(root.table(kind)) for kind in ("occurrences", "irregularities"))
    layout = Layout(
        root.str("version"), root.int("width"), header, transaction, trailer, occurrences, irregularities
    )
    root.close()
    if root.defects:
        raise TomlDefects(root.defects)
    return layout


def _field(row: TomlTable) -> Field:
    found = Field(
        row.int("number"),
        row.str("name"),
        row.int("first"),
        row.int("last"),
        row.enum("type", Kind),
        row.str("fixed", None),
    )
    row.close()
    return found


def _words(table: TomlTable) -> dict[str, str]:
    words = {key: str(table.str(key)) for key in list(table.keys())}
    table.close()
    return words


def fold(text: str, field: str) -> str:
    """Text as the layout takes it: one line, ASCII, upper case. Raises CharacterNotInLayout naming the character."""
    one_line = " ".join(text.split())
    spelt = "".join(_FOLDS.get(c, c) for c in one_line)
    letters = "".join(c for c in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(c))
    if not _PLAIN.match(letters):
        odd = next(c for c in letters if not " " <= c <= "~")
        raise CharacterNotInLayout(
            f"o campo {field} tem “{odd}” (U+{ord(odd):04X}), que o layout não escreve.",
            field=field,
            remedy="Corrija o nome ou o endereço no cadastro da pessoa.",
        )
    return letters.upper()
