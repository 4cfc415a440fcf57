"""The schema: which revision this program needs, whether a database has it, and how to bring it there."""

from __future__ import annotations

from importlib import resources
from typing import Any

from sqlalchemy import Connection, Engine, column, select, table, text

from procedure.store.errors import SchemaMissing, SchemaNewer, SchemaOutdated

HEAD = "0002"
"""The newest revision. Alembic knows it too, but importing Alembic takes longer than most commands; a test compares."""

VERSION_TABLE = "posturas_alembic_version"
UPGRADE_LOCK = 0x706F7374757261  # "postura": one upgrade at a time on a PostgreSQL database


def current_revision(connection: Connection) -> str | None:
    """The revision the database is at, None before the first upgrade."""
    if not connection.dialect.has_table(connection, VERSION_TABLE):
        return None
    revision: str | None = connection.scalar(select(column("version_num")).select_from(table(VERSION_TABLE)))
    return revision


def require_schema(engine: Engine) -> None:
    """Raise SchemaMissing, SchemaOutdated or SchemaNewer unless the database is at this program's revision."""
    from procedure.store.engine import READ_ONLY, typed_errors

    with typed_errors(), engine.connect().execution_options(**{READ_ONLY: True}) as connection:
        revision = current_revision(connection)
    if revision is None:
        raise SchemaMissing()
    if revision > HEAD:
        raise SchemaNewer()
    if revision < HEAD:
        raise SchemaOutdated()


def alembic_config(connection: Connection) -> Any:
    """Alembic's configuration, made in memory: the scripts are those of the package ``procedure.migrations``."""
    from alembic.config import Config

    config = Config()
    location = str(resources.files("procedure.migrations"))
    config.set_main_option("script_location", location.replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine) -> tuple[str | None, str]:
    """Bring the database to this program's revision, in one transaction. Returns (revision before, revision after).

    Running it again does nothing. Raises SchemaNewer when the database is ahead of the program.
    """
    from alembic import command

    from procedure.store.engine import typed_errors

    with typed_errors(), engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK})
        before = current_revision(connection)
        if before is not None and before > HEAD:
            raise SchemaNewer()
        command.upgrade(alembic_config(connection), HEAD)
    return before, HEAD
