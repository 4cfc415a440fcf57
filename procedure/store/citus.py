"""The tables on a PostgreSQL cluster (Citus), as SQL to be run once by their owner: by municipality, with no trigger.

Every key begins with the municipality and every foreign key and join carries it (``tests/structure`` holds this), so a
municipality's rows lie together on one node and no statement about it leaves that node.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ForeignKeyConstraint, Table

from procedure.store import grants
from procedure.store.schema import VERSION_TABLE
from procedure.store.tables import metadata
from procedure.store.triggers import POSTGRESQL, READS_POSTGRESQL

KEY = "municipality"
FIRST = "posturas_cases"  # the others lie where its rows lie
REFERENCE = ("posturas_calendars", "posturas_rulebooks", "posturas_settings", "posturas_api_keys", VERSION_TABLE)
"""The same for all municipalities, small, read by all: a copy on every node."""


def distributed() -> list[str]:
    """The tables that are distributed by municipality, the one first on which the others depend."""
    return sorted((name for name in metadata.tables if name not in REFERENCE), key=lambda name: (name != FIRST, name))


def statements(role: str | None = None) -> Iterator[str]:
    """The statements in order; with ``role`` also its privileges, which alone then keep the acts append-only.

    Raises InputError ``papel_invalido``.
    """
    granted = list(grants.statements(role)) if role is not None else []
    yield "BEGIN;"
    yield "SET LOCAL citus.multi_shard_modify_mode TO 'sequential';"  # keys and reference tables in one transaction
    for name in POSTGRESQL:
        yield f"DROP TRIGGER IF EXISTS {name} ON posturas_acts;"
    yield "DROP FUNCTION IF EXISTS posturas_acts_append_only();"
    for name in READS_POSTGRESQL:
        yield f"DROP TRIGGER IF EXISTS {name} ON posturas_reads;"
    yield "DROP FUNCTION IF EXISTS posturas_reads_unchanged();"
    keys = [(name, key) for name in distributed() for key in _foreign_keys(metadata.tables[name])]
    for name, key in keys:
        yield f"ALTER TABLE {name} DROP CONSTRAINT {key.name};"
    for name in REFERENCE:
        yield f"SELECT create_reference_table('{name}');"
    for name in distributed():
        beside = "" if name == FIRST else f", colocate_with => '{FIRST}'"
        yield f"SELECT create_distributed_table('{name}', '{KEY}'{beside});"
    for name, key in keys:
        yield f"ALTER TABLE {name} ADD CONSTRAINT {key.name} {_definition(key)};"
    yield from granted
    yield "COMMIT;"


def _foreign_keys(table: Table) -> list[ForeignKeyConstraint]:
    found = [each for each in table.constraints if isinstance(each, ForeignKeyConstraint)]
    return sorted(found, key=lambda each: str(each.name))


def _definition(key: ForeignKeyConstraint) -> str:
    columns = ", ".join(key.column_keys)
    there = ", ".join(element.column.name for element in key.elements)
    after = f" ON DELETE {key.ondelete}" if key.ondelete else ""
    return f"FOREIGN KEY ({columns}) REFERENCES {key.referred_table.name} ({there}){after}"
