"""The migrations make the schema that the code declares, beside whatever a host has, once."""

from __future__ import annotations

import re
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from procedure.store import triggers
from procedure.store.checking import check
from procedure.store.engine import open_engine
from procedure.store.errors import SchemaMissing, SchemaNewer, SchemaOutdated
from procedure.store.schema import HEAD, alembic_config, require_schema, upgrade
from procedure.store.tables import metadata


@pytest.fixture
def empty(database_url: str) -> Iterator[Engine]:
    engine = open_engine(database_url, create=True)
    yield engine
    engine.dispose()


POSTGRESQL_CATALOG = (
    "SELECT table_name, column_name, ordinal_position, data_type, udt_name, collation_name, is_nullable, "
    "column_default, is_identity, identity_generation "
    "FROM information_schema.columns WHERE table_schema = current_schema()",
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = current_schema()::regnamespace",
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()",
    "SELECT relname, reloptions::text FROM pg_class "
    "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace",
    "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace",
)


def catalog(connection: Connection) -> set[str]:
    """Everything of ours in the database's own words, the version table apart."""
    if connection.dialect.name == "postgresql":
        found = [str(tuple(row)) for query in POSTGRESQL_CATALOG for row in connection.execute(text(query))]
    else:
        query = "SELECT type, name, sql FROM sqlite_master WHERE name LIKE '%posturas%'"
        found = [re.sub(r"\s+", " ", str(tuple(row)).replace("\\n", " ")) for row in connection.execute(text(query))]
    return {line for line in found if "posturas_alembic_version" not in line}


def test_the_migrations_make_what_the_metadata_declares(empty: Engine) -> None:
    upgrade(empty)
    with empty.connect() as connection:
        migrated = catalog(connection)
    with empty.begin() as connection:
        metadata.drop_all(connection)
        if connection.dialect.name == "postgresql":
            connection.execute(text("DROP FUNCTION posturas_acts_append_only"))
            connection.execute(text("DROP FUNCTION posturas_reads_unchanged"))
        assert not {line for line in catalog(connection) if "posturas_" in line}
        metadata.create_all(connection)
        assert catalog(connection) == migrated
    assert len(migrated) > len(metadata.tables)
    assert sum("append" in line for line in migrated) >= len(triggers.SQLITE)


def test_every_key_begins_with_the_municipality() -> None:
    everywhere = {
        "posturas_calendars",
        "posturas_rulebooks",
    }  # the same for all municipalities: kept by their own digest
    for table in metadata.tables.values():
        assert table.name.startswith("posturas_")
        if table.name not in everywhere:
            assert next(iter(table.primary_key.columns)).name == "municipality"
        for key in table.foreign_key_constraints:
            assert key.column_keys[0] == "municipality"


def test_the_newest_revision_is_the_one_the_program_asks_for(empty: Engine) -> None:
    with empty.connect() as connection:
        assert ScriptDirectory.from_config(alembic_config(connection)).get_heads() == [HEAD]


def test_upgrading_again_changes_nothing(empty: Engine) -> None:
    with pytest.raises(SchemaMissing, match="posturas db upgrade"):
        require_schema(empty)
    assert upgrade(empty) == (None, HEAD)
    require_schema(empty)
    with empty.connect() as connection:
        before = catalog(connection)
        key = connection.execute(text("SELECT value FROM posturas_settings")).scalar_one()
    assert upgrade(empty) == (HEAD, HEAD)
    with empty.connect() as connection:
        assert catalog(connection) == before
        assert connection.execute(text("SELECT value FROM posturas_settings")).scalar_one() == key
    assert check(empty) == []


def test_two_upgrades_at_once_make_one_schema(empty: Engine) -> None:
    results: list[tuple[str | None, str]] = []
    threads = [threading.Thread(target=lambda: results.append(upgrade(empty))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(results, key=str) == [(HEAD, HEAD), (None, HEAD)]


def test_a_host_with_its_own_migrations_is_left_alone(empty: Engine) -> None:
    with empty.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('host-77')"))
        connection.execute(text("CREATE TABLE acts (id INTEGER PRIMARY KEY)"))
    upgrade(empty)
    with empty.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == ["host-77"]
        assert connection.execute(text("SELECT version_num FROM posturas_alembic_version")).scalars().all() == [HEAD]
        assert connection.execute(text("SELECT count(*) FROM acts")).scalar_one() == 0


def test_an_upgrade_that_fails_leaves_nothing(empty: Engine) -> None:
    with empty.begin() as connection:
        connection.execute(text("CREATE TABLE posturas_sweep_runs (somebody_elses INTEGER)"))
    with pytest.raises(Exception, match="recusou a operação"):
        upgrade(empty)
    with empty.connect() as connection:
        assert not connection.dialect.has_table(connection, "posturas_cases")
        assert not connection.dialect.has_table(connection, "posturas_alembic_version")


@pytest.mark.parametrize(("revision", "error"), [("0000", SchemaOutdated), ("9999", SchemaNewer)])
def test_another_revision_is_refused(empty: Engine, revision: str, error: type[Exception]) -> None:
    upgrade(empty)
    with empty.begin() as connection:
        connection.execute(text("UPDATE posturas_alembic_version SET version_num = :r"), {"r": revision})
    with pytest.raises(error):
        require_schema(empty)
    assert [finding.check for finding in check(empty)] == ["esquema"]


def test_a_new_sqlite_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "novo.db"
    with pytest.raises(SchemaMissing):
        open_engine(f"sqlite:///{path}")
    assert not path.exists()
    engine = open_engine(f"sqlite:///{path}", create=True)
    upgrade(engine)
    modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("novo.db*")}
    engine.dispose()
    assert modes == {0o600}
