"""Acts cannot be changed or removed, whatever the statement."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.store.samples import new_case

COLUMNS = (
    "municipality, auto, seq, kind, at, at_epoch, recorded_at, actor, role, payload, rulebook_version, "
    "calendar_version, prev_hash, hash"
)
REPLACE = (
    f"INSERT OR REPLACE INTO posturas_acts ({COLUMNS}) "
    f"SELECT {COLUMNS.replace('actor', chr(39) + 'forged' + chr(39))} FROM posturas_acts"
)
UPSERT = (
    f"INSERT INTO posturas_acts ({COLUMNS}) SELECT {COLUMNS} FROM posturas_acts WHERE true "
    "ON CONFLICT (municipality, auto, seq) DO UPDATE SET actor = 'forged'"
)
STATEMENTS = {
    "sqlite": ["UPDATE posturas_acts SET actor = 'forged'", "DELETE FROM posturas_acts", REPLACE, UPSERT],
    "postgresql": [
        "UPDATE posturas_acts SET actor = 'forged'",
        "DELETE FROM posturas_acts",
        "TRUNCATE posturas_acts",
        "TRUNCATE posturas_cases CASCADE",
        UPSERT,
    ],
}


@pytest.mark.parametrize("number", range(5))
def test_acts_are_append_only(engine: Engine, number: int) -> None:
    statements = STATEMENTS[engine.dialect.name]
    if number >= len(statements):
        pytest.skip("SQLite has no TRUNCATE")
    with session_scope(engine) as session:
        SqlRepository(session).save([new_case()])
    with pytest.raises(DBAPIError, match="append-only"), engine.begin() as connection:
        connection.execute(text(statements[number]))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT actor LIKE 'Z%' FROM posturas_acts")).scalars().all() == [True]
