"""What belongs to the host: the clock, the environment, logging, standard output, the engine. The library has none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.structure.sources import ROOT, modules

PROGRAMS = ("procedure/cli", "procedure/http", "calendars/regenerate.py")  # what runs by itself has its own
OF_THE_HOST = {
    "os.environ", "os.getenv", "datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time",
    "time.localtime", "logging", "print", "create_engine", "sys.stdout", "sys.stderr",
}  # fmt: skip


def taken(tree: ast.AST) -> Iterator[str]:
    """What a module takes that is the host's, by its dotted name."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Attribute):
            names = [".".join(ast.unparse(node).split(".")[-2:])]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            names = [node.func.id]
        yield from OF_THE_HOST.intersection(names)


def library() -> list[Path]:
    found = modules("legalbasis", "calendars", "penalties", "procedure")
    return [path for path in found if not path.as_posix().startswith(PROGRAMS)]


def test_the_library_takes_nothing_that_is_the_host_s() -> None:
    found = {path.as_posix(): set(taken(ast.parse((ROOT / path).read_text(encoding="utf-8")))) for path in library()}
    assert found.pop("procedure/store/engine.py") == {"create_engine"}
    assert {path: names for path, names in found.items() if names} == {}
    assert len(found) > 100


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("datetime.now(UTC)", "datetime.now"),
        ("x = os.environ['A']", "os.environ"),
        ("from os import environ", "os.environ"),
        ("import logging", "logging"),
        ("print(1)", "print"),
        ("dt.date.today()", "date.today"),
    ],
)
def test_what_is_taken_is_seen(line: str, name: str) -> None:
    assert name in set(taken(ast.parse(line)))
