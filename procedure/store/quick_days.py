"""The days a municipality supplied, for commands that start light: SQLite is read by the standard library alone."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

_SQLITE = "sqlite:///"
_QUERY = "SELECT document FROM posturas_calendar_facts WHERE municipality = ? ORDER BY number"


def supplied_days(url: str, municipality: str) -> list[dict[str, Any]]:
    """The documents of the calendar facts of a municipality; none when the database or its tables are not there yet.

    Raises the StoreErrors of a PostgreSQL that cannot be reached (SQLAlchemy is loaded only for it).
    """
    if not url.startswith(_SQLITE):
        return _from_server(url, municipality)
    path = Path(url.removeprefix(_SQLITE))
    if not path.is_file():
        return []
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return [json.loads(document) for (document,) in connection.execute(_QUERY, (municipality,))]
    except sqlite3.Error:  # not ours, or not upgraded: it holds no days of ours
        return []


def _from_server(url: str, municipality: str) -> list[dict[str, Any]]:
    from procedure.store.engine import open_engine, session_scope
    from procedure.store.schema import require_schema
    from procedure.store.supplied import municipal_data

    engine = open_engine(url)
    try:
        require_schema(engine)
        with session_scope(engine, read_only=True) as session:
            return municipal_data(session.connection(), municipality).calendar_facts
    finally:
        engine.dispose()
