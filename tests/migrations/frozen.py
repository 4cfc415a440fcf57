"""Databases of former releases, as rows: what a release left behind is what the next one must carry on.

`released/REVISION.json.gz` is written once, by the program of that revision, and never again:

    python -m tests.migrations.frozen

To change how a table is laid out, add a revision, and freeze it in turn when it is released.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import warnings
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from sqlalchemy import Connection, Engine
from sqlalchemy.orm import Session

from procedure import record_acts, supply_unit_value, sweep_cases, upgrade_schema
from procedure.store.schema import HEAD, VERSION_TABLE, alembic_config
from procedure.testing import acts_of

FOLDER = Path(__file__).parent / "released"
IBGE, LAW = "3204708", "es-3204708/lei-1522-2005"
TYPED = datetime(2013, 4, 25, 15, tzinfo=UTC)
SWEPT = date(2013, 4, 25)
CITED: dict[str, Any] = {"articles_infringed": ["64-I"], "articles_penalty": ["64-T"]}


def open_cases() -> Iterator[dict[str, Any]]:
    """Cases of São Gabriel da Palha that wait, each for something else, on Thursday 25/04/2013."""
    yield from acts_of(IBGE, "N-1").notificacao("2013-04-22", article="46", term="10d").acts
    yield from acts_of(IBGE, "1/2013").lavratura("2013-04-18", article="64-I").ciencia("2013-04-19").acts
    two = acts_of(IBGE, "2/2013").lavratura("2013-03-01", article="64-I").ciencia("2013-03-08")
    yield from two.julgamento("2013-04-01", **CITED).ciencia_decisao("2013-04-16").acts
    three = acts_of(IBGE, "3/2013").lavratura("2013-03-01", article="64-I").ciencia("2013-03-08")
    three.julgamento("2013-04-01", **CITED).ciencia_decisao("2013-04-02")
    yield from three.intimacao_pagamento("2013-04-24").acts
    four = acts_of(IBGE, "4/2013").lavratura("2013-02-01", article="64-I", fact="2013-01-20T22:00")
    four.ciencia("2013-02-08").julgamento("2013-03-04", **CITED).ciencia_decisao("2013-03-05")
    yield from four.intimacao_pagamento("2013-04-02").acts  # not paid: inscribed before the freeze


def fill(engine: Engine) -> None:
    """Record and sweep as the release did."""
    with Session(engine) as session, session.begin():
        supply_unit_value(
            session, LAW, "VRSGP", start=date(2012, 9, 18), value=Decimal("30.00"), act="Decreto", recorded_at=TYPED
        )
        record_acts(session, open_cases(), recorded_at=TYPED)
        sweep_cases(session, IBGE, as_of=SWEPT, recorded_at=TYPED)


def freeze(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Every row of our tables, by table; what the database numbers by itself is left out."""
    held = {}
    for table in _tables(connection):
        columns = [column for column in table.columns if (table.name, column.name) not in NUMBERED]
        rows = connection.execute(sa.select(*columns).order_by(*table.primary_key.columns)).mappings()
        held[table.name] = [{name: _plain(value) for name, value in row.items()} for row in rows]
    return held


NUMBERED = {("posturas_outbox", "xid")}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def thaw(connection: Connection, revision: str) -> None:
    """Make the tables of a former revision and put its rows in."""
    command.upgrade(alembic_config(connection), revision)
    held = json.loads(gzip.decompress((FOLDER / f"{revision}.json.gz").read_bytes()))
    for table in _tables(connection):
        rows = [{name: _typed(table.c[name], value) for name, value in row.items()} for row in held.get(table.name, [])]
        connection.execute(sa.delete(table))  # the revision made a key for persons: the release had its own
        if rows:
            connection.execute(sa.insert(table), rows)
    if connection.dialect.name == "postgresql":
        connection.execute(
            sa.text("SELECT setval(pg_get_serial_sequence('posturas_outbox', 'id'), max(id)) FROM posturas_outbox")
        )


def _typed(column: sa.Column[Any], value: Any) -> Any:
    return date.fromisoformat(value) if isinstance(column.type, sa.Date) and value else value


def _tables(connection: Connection) -> list[sa.Table]:
    """Our tables as they are in the database, those first on which others depend."""
    found = sa.MetaData()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Did not recognize type 'xid8'", sa.exc.SAWarning)  # no row brings its own
        found.reflect(connection, only=lambda name, _: name.startswith("posturas_") and name != VERSION_TABLE)
    return found.sorted_tables


def main() -> None:
    """Freeze this program's revision, unless it is frozen already."""
    target = FOLDER / f"{HEAD}.json.gz"
    if target.exists():
        raise SystemExit(f"{target.name} is frozen already")
    with tempfile.TemporaryDirectory() as folder:
        engine = sa.create_engine(f"sqlite:///{folder}/frozen.db")
        upgrade_schema(engine)
        fill(engine)
        with engine.connect() as connection:
            text = json.dumps(freeze(connection), ensure_ascii=False, sort_keys=True)
        engine.dispose()
    FOLDER.mkdir(exist_ok=True)
    target.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
