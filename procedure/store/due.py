"""The rows of a sweep's page, read raw and written set-wise: one statement per table and chunk.

Only the columns that an expiry can look at or change are read, and only open deadlines; nothing is parsed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from procedure.store import rows
from procedure.store.bulk import Row, insert_rows, update_rows
from procedure.store.compact import ROOM, write_acts
from procedure.store.errors import InscriptionConflict, StaleCase
from procedure.store.plan import Plan
from procedure.store.saving import save_events
from procedure.store.tables import acts, cases, deadlines, inscriptions

CASE = (
    "auto", "version", "law", "rulebook_version", "state", "timezone", "last_seq", "last_hash", "last_at",
    "fact_date", "arbitrada", "acrescimo", "diaria", "custos", "pago", "facts",
)  # fmt: skip
DEADLINE = (
    "number", "kind", "due", "expires_on", "expires_at", "expires_epoch", "expiry_act", "track", "internal",
)  # fmt: skip
CASE_CHANGED = ("state", "last_seq", "last_hash", "last_at", "acrescimo", "facts")
DEADLINE_CHANGED = ("status", "closed_by")

_INSCRIBED = (
    "EXISTS (SELECT 1 FROM posturas_inscriptions i WHERE i.municipality = c.municipality AND i.auto = c.auto)"
)


def _columns(alias: str, names: Sequence[str]) -> str:
    return ", ".join(f"{alias}.{name}" for name in names)


_SQLITE_CASES = (
    f"SELECT {_columns('c', CASE)}, {_INSCRIBED} FROM json_each(?) j "
    "CROSS JOIN posturas_cases c ON c.municipality = ? AND c.auto = j.value"
)
_SQLITE_DEADLINES = (
    f"SELECT d.auto, {_columns('d', DEADLINE)} FROM json_each(?) j CROSS JOIN posturas_deadlines d "
    "ON d.municipality = ? AND d.auto = j.value WHERE d.status = 'aberto'"
)
_POSTGRESQL_CASES = (
    f"SELECT {_columns('c', CASE)}, {_INSCRIBED} FROM posturas_cases c "
    "WHERE c.auto = ANY(%s::text[]) AND c.municipality = %s ORDER BY c.auto FOR UPDATE OF c SKIP LOCKED"
)
_POSTGRESQL_DEADLINES = (
    f"SELECT d.auto, {_columns('d', DEADLINE)} FROM posturas_deadlines d "
    "WHERE d.auto = ANY(%s::text[]) AND d.municipality = %s AND d.status = 'aberto'"
)


def read_page(
    connection: Connection, municipality: str, autos: Sequence[str], before_epoch: int
) -> tuple[list[Row], dict[str, tuple[Row, ...]]]:
    """The cases among ``autos`` that are free and still have a deadline that ended, locked; and all their open
    deadlines, by number and kind.
    """
    postgresql = connection.dialect.name == "postgresql"
    these: Any = list(autos) if postgresql else json.dumps(list(autos))
    found = _fetch(connection, _POSTGRESQL_CASES if postgresql else _SQLITE_CASES, (these, municipality))
    running: dict[str, list[Row]] = {}
    query = _POSTGRESQL_DEADLINES if postgresql else _SQLITE_DEADLINES
    for auto, *values in _fetch(connection, query, (these, municipality)):
        running.setdefault(auto, []).append(tuple(values))
    due = {
        auto: tuple(sorted(items, key=_key) if len(items) > 1 else items)
        for auto, items in running.items()
        if any(item[5] < before_epoch for item in items)
    }
    return [row for row in found if row[0] in due], due


def _key(item: Row) -> tuple[Any, ...]:
    return item[:2]


def _fetch(connection: Connection, query: str, parameters: tuple[Any, ...]) -> list[Row]:
    """Plain tuples: the library's own rows take several times longer."""
    result = connection.exec_driver_sql(query, parameters)
    try:
        cursor: Any = result.cursor
        fetched: list[Row] = cursor.fetchall()
        return fetched
    finally:
        result.close()


def write_page(connection: Connection, plan: Plan) -> None:
    """Write the plan's rows. Raises StaleCase, ExpiryAlreadyRecorded, InscriptionConflict."""
    if not plan.cases:
        return
    if plan.compact:
        connection.exec_driver_sql(f"SET LOCAL work_mem = '{ROOM}'")
    match = (*rows.CASE_KEY, "version")
    written = update_rows(connection, cases, CASE_CHANGED, match, plan.cases, extra="version = version + 1")
    if written != len(plan.cases):
        raise StaleCase(plan.municipality, sorted(row[-2] for row in plan.cases))
    if plan.compact:
        write_acts(connection, plan)
    else:
        insert_rows(connection, acts, rows.ACT_COLUMNS, plan.acts)
        save_events(connection, plan.events)
    update_rows(connection, deadlines, DEADLINE_CHANGED, rows.DEADLINE_KEY, plan.closed)
    insert_rows(connection, deadlines, rows.DEADLINE_KEY + rows.DEADLINE_VALUES, plan.opened)
    if insert_rows(connection, inscriptions, rows.INSCRIPTION_COLUMNS, plan.inscriptions) != len(plan.inscriptions):
        raise InscriptionConflict(place=f"município {plan.municipality}")
