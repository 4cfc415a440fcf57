"""Engines and sessions for the command line. The library never calls this: hosts bring their own session."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

from procedure.store.errors import (
    DatabaseBusy,
    DatabaseReadOnly,
    DatabaseTooOld,
    DatabaseUnreachable,
    DatabaseUrlInvalid,
    DriverMissing,
    SchemaMissing,
    StoreError,
)
from procedure.store.sqlite import configure_sqlite

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

OLDEST = {"sqlite": (3, 38), "postgresql": (14,)}
CONNECT_SECONDS = 10
READ_ONLY = "posturas_read_only"


def open_engine(url: str, *, create: bool = False) -> Engine:
    """Open ``sqlite:///file`` or ``postgresql://…``, and connect once to see that it answers.

    A SQLite file that does not exist is made, mode 0600, only with ``create``; else SchemaMissing.
    Raises DatabaseUrlInvalid, DriverMissing, DatabaseUnreachable, DatabaseTooOld.
    """
    parsed = _parse(url)
    engine = _sqlite(parsed, create) if parsed.get_backend_name() == "sqlite" else _postgresql(parsed)
    try:
        with engine.connect().execution_options(**{READ_ONLY: True}) as connection:
            _check_version(connection)
            engine.dialect.has_table(connection, "posturas_cases")
    except DBAPIError as error:
        engine.dispose()
        raise _unreachable(error, parsed) from error
    return engine


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1) if url.startswith("postgres://") else url)
        backend = parsed.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise DatabaseUrlInvalid() from error
    if backend not in OLDEST:
        raise DatabaseUrlInvalid(f"O banco “{backend}” não é suportado.", code="banco_nao_suportado")
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    return parsed


def _sqlite(url: URL, create: bool) -> Engine:
    path = url.database or ""
    if path and path != ":memory:" and not path.startswith("file:") and not Path(path).exists():
        if not create:
            raise SchemaMissing(f"O arquivo {path} não existe.")
        _create_private(path)
    engine = _create(url, {})

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver's own BEGIN comes too late: SQLAlchemy emits it, below
        configure_sqlite(connection)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        read_only = connection.get_execution_options().get(READ_ONLY, False)
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    return engine


def _create_private(path: str) -> None:
    """Make the file before SQLite does, so that nobody else can read it; its -wal and -shm take the same mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise DatabaseUnreachable(
            f"Não foi possível criar o arquivo {path}.",
            remedy="Confira se a pasta existe e se há permissão de escrita.",
        ) from error


def _postgresql(url: URL) -> Engine:
    return _create(url, {"connect_timeout": CONNECT_SECONDS})


def _create(url: URL, connect_args: dict[str, Any]) -> Engine:
    try:
        return create_engine(url, connect_args=connect_args, hide_parameters=True)
    except ModuleNotFoundError as error:
        raise DriverMissing() from error
    except (ArgumentError, NoSuchModuleError, TypeError, ValueError) as error:
        raise DatabaseUrlInvalid() from error


def _check_version(connection: Connection) -> None:
    dialect = connection.dialect
    found = sqlite3.sqlite_version_info if dialect.name == "sqlite" else dialect.server_version_info or ()
    if tuple(found) < OLDEST[dialect.name]:
        raise DatabaseTooOld(
            f"A versão {'.'.join(map(str, found))} do banco de dados ({dialect.name}) é antiga demais."
        )


def _unreachable(error: DBAPIError, url: URL) -> StoreError:
    typed = translate(error)
    if isinstance(typed, DatabaseBusy):
        return typed
    return DatabaseUnreachable(
        f"O banco {url.render_as_string(hide_password=True)} não respondeu: {_first_line(error)}"
    )


@contextmanager
def typed_errors() -> Iterator[None]:
    """What the driver raises inside comes out as StoreError."""
    try:
        yield
    except DBAPIError as error:
        raise translate(error) from error


def _first_line(error: DBAPIError) -> str:
    lines = str(error.orig).strip().splitlines() or [type(error.orig).__name__]
    return lines[0]


def translate(error: DBAPIError) -> StoreError:
    """The typed error for what the driver raised: busy, gone, without tables, or plain (its text may name persons)."""
    message = _first_line(error)
    if "database is locked" in message or getattr(error.orig, "sqlstate", None) in ("55P03", "40001", "40P01"):
        return DatabaseBusy()
    if "readonly database" in message or getattr(error.orig, "sqlstate", None) in ("25006", "42501"):
        return DatabaseReadOnly()
    if "no such table: posturas_" in message or getattr(error.orig, "sqlstate", None) == "42P01":
        return SchemaMissing()
    if _is_gone(error):
        return DatabaseUnreachable()
    return StoreError(f"O banco de dados recusou a operação ({type(error.orig).__name__}).")


def _is_gone(error: DBAPIError) -> bool:
    """Whether PostgreSQL could not be reached, or ended the connection: 08 and 57P say so, or nothing was answered."""
    if type(error.orig).__module__.partition(".")[0] != "psycopg":
        return False
    state = getattr(error.orig, "sqlstate", None)
    return state.startswith(("08", "57P")) if state else isinstance(error, OperationalError)


@contextmanager
def session_scope(engine: Engine, *, read_only: bool = False) -> Iterator[Session]:
    """One session and one transaction: committed at the end, rolled back on any error; driver errors come out typed.

    On SQLite a writing scope takes the write lock at once (BEGIN IMMEDIATE); a ``read_only`` one waits for nobody.
    """
    from sqlalchemy.orm import Session

    bind = engine.execution_options(**{READ_ONLY: True}) if read_only else engine
    with Session(bind, expire_on_commit=False) as session:
        try:
            yield session
            session.commit()
        except DBAPIError as error:
            session.rollback()
            raise translate(error) from error
        except BaseException:
            session.rollback()
            raise
