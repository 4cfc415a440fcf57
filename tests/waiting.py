"""Waiting for other tests: PostgreSQL hands events out only past every older transaction of the whole server."""

from __future__ import annotations

import time

from sqlalchemy import Engine, text

HELD = text("SELECT count(*) FROM posturas_outbox WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())")
LONGEST = 60


def settled(engine: Engine) -> Engine:
    """The engine, once no transaction older than its outbox rows runs anywhere on the server."""
    if engine.dialect.name != "postgresql":
        return engine
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        with engine.connect() as connection:
            if connection.scalar(HELD) == 0:
                return engine
        time.sleep(0.05)
    raise AssertionError(f"an older transaction ran for more than {LONGEST} s")
