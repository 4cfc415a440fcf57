"""What the source itself must not hold: names beyond ASCII, float near money."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

import pytest

from tests.structure.sources import PACKAGES, ROOT, modules


def foreign_names(source: str) -> set[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.string for token in tokens if token.type == tokenize.NAME and not token.string.isascii()}


def floats(source: str) -> list[int]:
    """Lines with a float literal, the name `float` or a call of the built-in `round`."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id in ("float", "round"))
    ]


@pytest.mark.parametrize("path", modules(*PACKAGES, "tests", "scripts"), ids=str)
def test_identifiers_are_ascii(path: Path) -> None:
    assert foreign_names((ROOT / path).read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("path", modules("penalties", "procedure"), ids=str)
def test_no_float_near_money(path: Path) -> None:
    assert floats((ROOT / path).read_text(encoding="utf-8")) == []


def test_the_checks_see_what_they_look_for() -> None:
    assert foreign_names("infração = 'infração'  # infração") == {"infração"}
    assert floats("a = 1\nb = 0.1\nc = round(a)\ndef f(x: float) -> None: ...\n'0.1'") == [2, 3, 4]
