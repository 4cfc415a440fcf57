"""Typesetting: one Typst compiler for many papers, always with the same bytes for the same paper.

Only the fonts inside the compiler are used (Libertinus Serif, New Computer Modern, DejaVu Sans Mono: all under free
licences), never the machine's. PDFs are PDF/A-2a and PDF/UA-1: tagged, with every font embedded, and a character that
no font draws is an error instead of an empty box.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import resources
from types import TracebackType
from typing import Any

import typst

from procedure.documents.errors import CharacterNotDrawn, TypesettingFailed
from procedure.documents.pictures import coat_of_arms, qr_code
from procedure.services.documenting.papers import Paper
from procedure.services.documenting.pieces import to_json

STANDARDS = ["a-2a", "ua-1"]
_NOT_DRAWN = "could not be displayed with font"
_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


class Typesetter:
    """A context manager that prints papers; open one for a whole batch."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        templates = resources.files("procedure.documents").joinpath("templates")
        self._root = self._stack.enter_context(resources.as_file(templates))
        fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)
        self._compiler = typst.Compiler(root=str(self._root), font_paths=fonts, ignore_system_fonts=True)

    def __enter__(self) -> Typesetter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def pdf(self, paper: Paper) -> bytes:
        """The paper as PDF. Raises CharacterNotDrawn, CoatOfArmsUnreadable, TypesettingFailed."""
        compiled = self._compile(paper, {"format": "pdf", "pdf_standards": STANDARDS})
        return compiled if isinstance(compiled, bytes) else compiled[0]

    def pages(self, paper: Paper, *, ppi: int = 100) -> list[bytes]:
        """The pages as PNG images, to be looked at. Raises what ``pdf`` raises."""
        compiled = self._compile(paper, {"format": "png", "ppi": ppi})
        return [compiled] if isinstance(compiled, bytes) else list(compiled)

    def _compile(self, paper: Paper, options: Mapping[str, Any]) -> bytes | list[bytes]:
        document = to_json(paper)
        _require_plain_direction(document, paper.title)
        try:
            compiled = self._compiler.compile(
                input=str(self._root / f"{paper.kind}.typ"),
                sys_inputs=_inputs(paper, document),
                timestamp=datetime.fromisoformat(paper.issued_on).replace(tzinfo=UTC),
                **options,
            )
        except typst.TypstError as error:
            raise _translated(error, document, paper) from error
        assert compiled is not None  # only with an output file is there nothing to return
        return compiled


def _inputs(paper: Paper, document: Any) -> dict[str, str]:
    found = {"documento": json.dumps(document, ensure_ascii=False)}
    if paper.head.coat_of_arms:
        found["brasao"] = coat_of_arms(paper.head.coat_of_arms)
    code, pix = getattr(paper, "code", None), getattr(paper, "pix", None)
    if code:
        found["qr"] = qr_code(f"{getattr(paper, 'verify_at', None) or ''}{code}")
    if pix:
        found["pix"] = qr_code(pix)
    return found


def _translated(error: typst.TypstError, document: Any, paper: Paper) -> CharacterNotDrawn | TypesettingFailed:
    message = error.message
    if _NOT_DRAWN in message:
        character = message.split("`")[1].strip('"')
        field, text = next(((f, t) for f, t in _texts(document) if character in t), (None, character))
        names = ", ".join(unicodedata.name(c, f"U+{ord(c):04X}") for c in character)
        return CharacterNotDrawn(
            f"{paper.title}: as fontes não têm o caractere “{character}” ({names}), em “{text[:60]}”.", field=field
        )
    return TypesettingFailed(f"{paper.title}: {message}")


def _require_plain_direction(document: Any, title: str) -> None:
    """No character that turns the direction of writing: what is read would not be what is written."""
    for field, text in _texts(document):
        for character in text:
            if character in _DIRECTION or (unicodedata.category(character) == "Cc" and character not in "\n\t"):
                name = unicodedata.name(character, f"U+{ord(character):04X}")
                raise CharacterNotDrawn(f"{title}: caractere de controle ({name}) em {field}.", field=field)


def _texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, path)
