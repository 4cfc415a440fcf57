"""The command line over each of the two databases."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.cli.scenes import Cli, supply_unit


@pytest.fixture
def cli(upgraded_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line over a database with no row."""
    return Cli(upgraded_url, capsys, monkeypatch)


@pytest.fixture
def sao_gabriel(cli: Cli) -> Cli:
    """The same with the unit's value supplied."""
    supply_unit(cli.url)
    return cli


@pytest.fixture
def another_url(dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """A function that makes one more upgraded database of the same kind."""
    from procedure.cli.main import main

    numbers = itertools.count(1)
    made: list[str] = []

    def make() -> str:
        if dialect == "sqlite":
            url = f"sqlite:///{tmp_path}/other{next(numbers)}.db"
        else:
            url = request.getfixturevalue("pg_create")()
            made.append(url)
        assert main(["db", "upgrade", "--db", url]) == 0
        return url

    yield make
    for url in made:
        drop(request.getfixturevalue("pg_url"), url)


def drop(server: str, url: str) -> None:
    """Drop the database, whoever is connected to it."""
    import psycopg
    from psycopg import sql
    from sqlalchemy.engine import make_url

    plain = make_url(server).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        name = sql.Identifier(str(make_url(url).database))
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
