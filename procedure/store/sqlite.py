"""How a SQLite connection must be set for the record's promises to hold."""

from __future__ import annotations

from typing import Any

BUSY_TIMEOUT_MS = 30_000


def configure_sqlite(connection: Any) -> None:
    """Set one ``sqlite3`` connection: foreign keys, REPLACE stopped, WAL, durable commits, 30 s of patience.

    A host that uses SQLite calls this from its own engine's ``connect`` event.
    """
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA recursive_triggers = ON")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
    finally:
        cursor.close()
