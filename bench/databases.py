"""The databases that benchmarks run on, with the settings of a real server, and how they are put back for each round.

PostgreSQL is a server of our own from the test wheel, on disk; POSTURAS_BENCH_DB names another one (with the right to
create databases), whose settings are then those it has. A template is filled once and copied for each round.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy.engine import make_url

from procedure.store.engine import open_engine
from procedure.store.schema import upgrade
from tests import postgres

DURABLE = (
    "listen_addresses=",
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "autovacuum=off",  # a restored copy would be vacuumed during one contender and not during the other
    "max_connections=40",
    "shared_buffers=512MB",
    "max_wal_size=4GB",
    "checkpoint_timeout=30min",
    "jit=off",
)

_numbers = itertools.count(1)


class PostgreSQL:
    """A server on which databases are made, copied and dropped."""

    dialect = "postgresql"

    def __init__(self, server_url: str) -> None:
        self._server = server_url

    def new(self) -> str:
        """The URL of a new database with the schema and no rows."""
        url = self._named(self._create("template0"))
        _upgrade(url)
        return url

    def freeze(self, url: str) -> None:
        """Make a filled database ready to be copied: rows and statistics as after autovacuum's visit."""
        with psycopg.connect(plain(url), autocommit=True) as connection:
            connection.execute("VACUUM (FREEZE, ANALYZE)")

    def copy(self, url: str) -> str:
        """A copy of a database, with nothing of the copying left to be written."""
        name = str(make_url(url).database)
        self._run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {}", sql.Literal(name))
        made = self._create(name)
        self._run("CHECKPOINT")
        return self._named(made)

    def drop(self, url: str) -> None:
        """Drop a database, whoever is connected to it."""
        self._run("DROP DATABASE {} WITH (FORCE)", sql.Identifier(str(make_url(url).database)))

    def _create(self, template: str) -> str:
        name = f"posturas_bench_{os.getpid()}_{next(_numbers)}"
        create = "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy"
        self._run(create, sql.Identifier(name), sql.Identifier(template))
        return name

    def _named(self, name: str) -> str:
        return make_url(self._server).set(database=name).render_as_string(hide_password=False)

    def _run(self, statement: str, *values: sql.Composable) -> None:
        with psycopg.connect(plain(self._server), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*values))


class SQLite:
    """Database files in one folder."""

    dialect = "sqlite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def new(self) -> str:
        """The URL of a new database with the schema and no rows."""
        url = self._named()
        _upgrade(url)
        return url

    def freeze(self, url: str) -> None:
        """Make a filled database ready to be copied: one file, with statistics."""
        with closing(sqlite3.connect(path_of(url))) as connection:
            connection.execute("ANALYZE")
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def copy(self, url: str) -> str:
        """A copy of a database, on disk."""
        copied = self._named()
        shutil.copyfile(path_of(url), path_of(copied))
        with open(path_of(copied), "rb") as file:
            os.fsync(file.fileno())
        return copied

    def drop(self, url: str) -> None:
        """Delete the file and what SQLite keeps beside it."""
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path_of(url)}{suffix}").unlink(missing_ok=True)

    def _named(self) -> str:
        return f"sqlite:///{self._folder}/{next(_numbers)}.db"


Databases = PostgreSQL | SQLite


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """POSTURAS_BENCH_DB's server, or one of our own with durable settings that ends with the block."""
    given = os.environ.get("POSTURAS_BENCH_DB")
    if given:
        yield PostgreSQL(given)
        return
    with postgres.server(DURABLE) as home:
        yield PostgreSQL(postgres.url_of(home))


@contextmanager
def sqlite() -> Iterator[SQLite]:
    """A folder for SQLite files that goes with the block."""
    with tempfile.TemporaryDirectory(prefix="posturas-bench-") as folder:
        yield SQLite(Path(folder))


def plain(url: str) -> str:
    """A PostgreSQL URL as psycopg itself takes it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def path_of(url: str) -> str:
    """The file of a SQLite URL."""
    return str(make_url(url).database)


def _upgrade(url: str) -> None:
    engine = open_engine(url, create=True)
    try:
        upgrade(engine)
    finally:
        engine.dispose()
