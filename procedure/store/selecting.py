"""Conditions that both databases take in one statement, whatever the number of autos."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, any_, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY

from procedure.store.columns import WORD


def among(connection: Connection, table: Table, municipality: str, autos: Sequence[str]) -> ColumnElement[bool]:
    """The rows of those autos: an array parameter on PostgreSQL, ``json_each`` on SQLite (no limit of variables)."""
    matches: ColumnElement[Any]
    if connection.dialect.name == "postgresql":
        matches = table.c.auto == any_(bindparam("autos", list(autos), type_=ARRAY(WORD)))
    else:
        values = func.json_each(json.dumps(list(autos))).table_valued("value")
        matches = table.c.auto.in_(select(values.c.value))
    return and_(table.c.municipality == municipality, matches)
