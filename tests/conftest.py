"""Databases for the tests: every test that takes `database_url` or `upgraded_url` runs on SQLite and on PostgreSQL.

POSTURAS_TEST_DB names a PostgreSQL server to use (postgresql+psycopg://…, with the right to create databases); without
it the run starts one of its own.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import make_url

from procedure.cli.main import main
from tests import postgres

DIALECTS = ("sqlite", "postgresql")
_numbers = itertools.count(1)


def pytest_unconfigure(config: pytest.Config) -> None:
    """The run's last act: the server that its workers shared ends with it."""
    factory = getattr(config, "_tmp_path_factory", None)
    if factory is not None and not hasattr(config, "workerinput"):
        postgres.stop_shared(factory.getbasetemp())


@pytest.fixture(scope="session")
def pg_url(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> str:
    """URL of a PostgreSQL server's maintenance database: for `CREATE DATABASE`, not for tables."""
    given = os.environ.get("POSTURAS_TEST_DB")
    if given:
        return given
    base = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        return postgres.shared_url(base.parent, owner=os.getppid())
    return postgres.shared_url(base, owner=os.getpid())


@pytest.fixture(scope="session")
def pg_create(pg_url: str) -> Callable[..., str]:
    """A function that makes a PostgreSQL database, empty or from the template named, and returns its URL."""

    def create(template: str = "template0") -> str:
        # PostgreSQL copies no database that someone is connected to, and a pool may still hold what made it.
        _execute(pg_url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{template}'")
        name = f"posturas_{os.getpid()}_{next(_numbers)}"
        _execute(pg_url, "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, template)
        return make_url(pg_url).set(database=name).render_as_string(hide_password=False)

    return create


@pytest.fixture(scope="session")
def upgraded_templates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Databases that `posturas db upgrade` has made, by dialect; the first test that needs one makes it."""
    return {}


@pytest.fixture(params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> str:
    """Each of the two databases in turn."""
    value: str = request.param
    return value


@pytest.fixture
def database_url(dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of a fresh empty database, gone after the test."""
    if dialect == "sqlite":
        yield f"sqlite:///{tmp_path}/posturas.db"
        return
    url = request.getfixturevalue("pg_create")()
    yield url
    _drop(request.getfixturevalue("pg_url"), url)


@pytest.fixture
def upgraded_url(
    dialect: str, request: pytest.FixtureRequest, tmp_path: Path, upgraded_templates: dict[str, str]
) -> Iterator[str]:
    """URL of a fresh database with the newest schema and no row, gone after the test: a copy of one upgraded once."""
    if dialect == "sqlite":
        template = upgraded_templates.get(dialect)
        if template is None:
            factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
            template = str(factory.mktemp("upgraded") / "template.db")
            _upgrade(f"sqlite:///{template}")
            upgraded_templates[dialect] = template
        shutil.copyfile(template, tmp_path / "posturas.db")
        yield f"sqlite:///{tmp_path}/posturas.db"
        return
    create = request.getfixturevalue("pg_create")
    if dialect not in upgraded_templates:
        made = create()
        _upgrade(made)
        upgraded_templates[dialect] = str(make_url(made).database)
    url = create(upgraded_templates[dialect])
    yield url
    _drop(request.getfixturevalue("pg_url"), url)


def _upgrade(url: str) -> None:
    assert main(["db", "upgrade", "--db", url]) == 0


def _drop(server: str, url: str) -> None:
    # FORCE: a test that leaves a connection open must not make the next ones fail.
    _execute(server, "DROP DATABASE {} WITH (FORCE)", str(make_url(url).database))


def _execute(server: str, statement: str, *names: str) -> None:
    plain = make_url(server).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@pytest.fixture(autouse=True, scope="module")
def no_laws_stay_added() -> Iterator[None]:
    """Forget the laws, calendars and folders that a file of tests added: other files expect those that ship."""
    yield
    from calendars import laws, shipped
    from procedure.domain import rulebooks

    added = (rulebooks._added, rulebooks._folders, laws._ADDED, shipped._ADDED)
    if any(added):
        for kept in added:
            kept.clear()
        shipped.load_calendar.cache_clear()
