"""What the source itself must not hold: names beyond ASCII, float near money, silenced checks without a reason."""

from __future__ import annotations

import ast
import io
import re
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


def unexplained(source: str) -> list[str]:
    """Comments that silence a check but do not name its rule and give their reason after a second #."""
    comments = [t.string for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type == tokenize.COMMENT]
    explained = re.compile(r"# (noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\]) +# \S.+")
    return [c for c in comments if re.search(r"noqa|type: *ignore", c) and not explained.match(c)]


@pytest.mark.parametrize("path", modules(*PACKAGES, "tests", "scripts"), ids=str)
def test_a_silenced_check_has_its_reason(path: Path) -> None:
    assert unexplained((ROOT / path).read_text(encoding="utf-8")) == []


def test_an_ignored_rule_has_its_reason() -> None:
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lint = settings[settings.index("[tool.ruff.lint]") : settings.index("[tool.ruff.lint.pydocstyle]")]
    rules = [line for line in lint.splitlines() if re.match(r'\s*"[^"]+"(,| = )', line) and not line.endswith("= [")]
    assert rules
    assert [line for line in rules if not re.search(r"# \S.+", line)] == []


@pytest.mark.parametrize("path", modules(*PACKAGES, "tests", "scripts"), ids=str)
def test_identifiers_are_ascii(path: Path) -> None:
    assert foreign_names((ROOT / path).read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("path", modules("penalties", "procedure"), ids=str)
def test_no_float_near_money(path: Path) -> None:
    assert floats((ROOT / path).read_text(encoding="utf-8")) == []


def test_the_checks_see_what_they_look_for() -> None:
    assert foreign_names("infração = 'infração'  # infração") == {"infração"}
    assert floats("a = 1\nb = 0.1\nc = round(a)\ndef f(x: float) -> None: ...\n'0.1'") == [2, 3, 4]
    assert unexplained("a = 1  # noqa") == ["# noqa"]
    assert unexplained("a = 1  # noqa: E501") == ["# noqa: E501"]
    assert unexplained("a = 1  # noqa: E501  # a statute's number") == []
    assert unexplained("a = 1  # type: ignore[arg-type]") == ["# type: ignore[arg-type]"]
    assert unexplained("a = 1  # type: ignore[arg-type]  # the point of the test") == []
