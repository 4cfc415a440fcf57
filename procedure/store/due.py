"""The rows of a sweep's page, read raw and written set-wise: one statement per table and chunk.

Only the columns that an expiry can look at or change are read, and only open deadlines; nothing is parsed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from procedure.store import rows
from procedure.store.bulk import FORMS, Row, array, insert_rows, joined_or_arrays, update_rows
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
_POSTGRESQL_CASES = {
    form: f"SELECT {_columns('c', CASE)}, {_INSCRIBED} FROM posturas_cases c "
    f"WHERE c.auto = ANY({array(form, 'text')}) AND c.municipality = %s ORDER BY c.auto FOR UPDATE OF c SKIP LOCKED"
    for form in FORMS
}
_POSTGRESQL_DEADLINES = {
    form: f"SELECT d.auto, {_columns('d', DEADLINE)} FROM posturas_deadlines d "
    f"WHERE d.auto = ANY({array(form, 'text')}) AND d.municipality = %s AND d.status = 'aberto'"
    for form in FORMS
}
_KEY = itemgetter(0, 1)


def read_page(
    connection: Connection, municipality: str, autos: Sequence[str], before_epoch: int
) -> tuple[list[Row], dict[str, tuple[Row, ...]]]:
    """The cases among ``autos`` that are free and still have a deadline that ended, locked; and all their open
    deadlines, by number and kind.
    """
    postgresql = connection.dialect.name == "postgresql"
    if postgresql:
        form, (these,) = joined_or_arrays([autos])
        ask_cases, ask_deadlines = _POSTGRESQL_CASES[form], _POSTGRESQL_DEADLINES[form]
    else:
        these, ask_cases, ask_deadlines = json.dumps(list(autos)), _SQLITE_CASES, _SQLITE_DEADLINES
    found = _fetch(connection, ask_cases, (these, municipality))
    running: dict[str, list[Row]] = {}
    ended: set[str] = set()
    for row in _fetch(connection, ask_deadlines, (these, municipality)):
        running.setdefault(row[0], []).append(row[1:])
        if row[6] < before_epoch:
            ended.add(row[0])
    due = {auto: tuple(sorted(items, key=_KEY) if len(items) > 1 else items) for auto, items in running.items()}
    return [row for row in found if row[0] in ended], due


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
