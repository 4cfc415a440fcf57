"""The demonstration, run once for the tests that look at what it leaves."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from procedure.cli.main import main
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository


class Ran:
    """What a command left: exit code, stdout, stderr."""

    def __init__(self, *args: str) -> None:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            self.code = main(args)
        self.out, self.err = out.getvalue(), err.getvalue()

    def document(self) -> Any:
        return json.loads(self.out)


def url_of(folder: Path) -> str:
    """The database that the demonstration made in the folder."""
    return f"sqlite:///{folder}/posturas.db"


@contextmanager
def repository(url: str) -> Iterator[SqlRepository]:
    """To read a database."""
    engine = open_engine(url)
    try:
        with session_scope(engine, read_only=True) as session:
            yield SqlRepository(session)
    finally:
        engine.dispose()


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "pasta"


@pytest.fixture(scope="session")
def demo_run(demo_folder: Path) -> Ran:
    """`posturas demo --json`, once for the whole run."""
    return Ran("demo", "--json", "--out", str(demo_folder))


@pytest.fixture(scope="session")
def demo(demo_run: Ran) -> dict[str, Any]:
    assert demo_run.code == 0, demo_run.err
    found: dict[str, Any] = demo_run.document()
    return found
