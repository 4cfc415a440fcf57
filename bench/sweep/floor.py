"""The floor: the rows that the product writes, written by hand-made SQL that decides nothing.

The rows come from a plan beside the record, made from one run of the product; what is left to do is what any sweep
must do: find what is due by the index, claim the cases (SKIP LOCKED), look at their version and at the status of the
deadlines again, write every table set-wise, commit each 5,000 cases.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from bench.databases import path_of, plain
from procedure.store.columns import LONG_TEXTS
from procedure.store.sqlite import configure_sqlite
from procedure.store.tables import metadata

CHUNK = 5_000
KEPT = ", ".join(f"{name} = {value}" for name, value in LONG_TEXTS.items())
KEYS = {
    "cases": "municipality, auto",
    "acts": "municipality, auto, seq",
    "outbox": "municipality, auto, seq",
    "deadlines": "municipality, auto, number, kind",
    "changed": "municipality, auto, number, kind",
    "inscriptions": "municipality, auto, seq",
}
EVENT = "municipality, auto, seq, event"
NEW = "SELECT municipality, auto, min(seq) AS first FROM posturas_acts WHERE recorded_at = '{stamp}' GROUP BY 1, 2"
PLAN = {  # what the sweep wrote, of each table
    "cases": "JOIN floor_new n USING (municipality, auto)",
    "acts": "WHERE recorded_at = '{stamp}'",
    "outbox": "",
    "deadlines": "JOIN floor_new n USING (municipality, auto) WHERE t.number >= n.first",
    "changed": "JOIN floor_new n USING (municipality, auto) WHERE t.number < n.first AND t.closed_by >= n.first",
    "inscriptions": "",
}
DUE = (
    "SELECT DISTINCT municipality, auto FROM posturas_deadlines WHERE status = 'aberto' AND expires_epoch < {before} "
    "ORDER BY municipality, auto"
)


def columns(table: str) -> list[str]:
    """The columns of a table of the record (``changed`` are deadlines)."""
    if table == "outbox":
        return EVENT.split(", ")
    return list(metadata.tables[record_of(table)].columns.keys())


def record_of(table: str) -> str:
    """The table of the record that a table of the plan goes to."""
    return f"posturas_{'deadlines' if table == 'changed' else table}"


def _planned(table: str, stamp: str) -> str:
    names = ", ".join(f"t.{name}" for name in columns(table))
    return f"SELECT {names} FROM {record_of(table)} t {PLAN[table].format(stamp=stamp)} ORDER BY {KEYS[table]}"


def make_plan(base: str, swept: str, stamp: str) -> None:
    """Put into ``base`` the rows that the sweep stamped ``stamp`` wrote into ``swept``, as tables beside the record."""
    if make_url(base).get_backend_name() == "sqlite":
        _plan_sqlite(base, swept, stamp)
    else:
        _plan_postgresql(base, swept, stamp)


def run_floor(url: str, before: int) -> None:
    """Write the plan where a deadline ends before the epoch ``before``."""
    if make_url(url).get_backend_name() == "sqlite":
        _floor_sqlite(url, before)
    else:
        _floor_postgresql(url, before)


def _plan_sqlite(base: str, swept: str, stamp: str) -> None:
    with closing(sqlite3.connect(path_of(swept))) as connection:
        connection.execute(f"CREATE TABLE floor_new AS {NEW.format(stamp=stamp)}")
        connection.execute("CREATE UNIQUE INDEX floor_new_key ON floor_new (municipality, auto)")
        connection.commit()
        connection.execute("ATTACH ? AS base", (path_of(base),))
        for table in PLAN:
            connection.execute(f"CREATE TABLE base.floor_{table} AS {_planned(table, stamp)}")
            connection.execute(f"CREATE UNIQUE INDEX base.floor_{table}_key ON floor_{table} ({KEYS[table]})")
        connection.commit()


def _plan_postgresql(base: str, swept: str, stamp: str) -> None:
    with psycopg.connect(plain(swept)) as source, psycopg.connect(plain(base)) as target:
        source.execute(f"CREATE TEMP TABLE floor_new AS {NEW.format(stamp=stamp)}")
        source.execute("ANALYZE floor_new")
        for table in PLAN:
            like = f"SELECT {', '.join(columns(table))} FROM {record_of(table)}"
            # Kept as the record keeps them, or the floor would write short what the record holds at length.
            target.execute(f"CREATE TABLE floor_{table} WITH ({KEPT}) AS {like} WITH NO DATA")
            ordered = f"COPY ({_planned(table, stamp)}) TO STDOUT"
            with source.cursor().copy(ordered) as read, target.cursor().copy(f"COPY floor_{table} FROM STDIN") as write:
                for data in read:
                    write.write(data)
            target.execute(f"ALTER TABLE floor_{table} ADD PRIMARY KEY ({KEYS[table]})")


def _set(table: str) -> str:
    """The assignments of an update from the plan ``p``: all but the key."""
    key = KEYS[table].split(", ")
    return ", ".join(f"{name} = p.{name}" for name in columns(table) if name not in key)


def _inserts(order: str = "") -> Iterator[str]:
    for table in ("acts", "outbox", "deadlines", "inscriptions"):
        names = ", ".join(columns(table))
        yield (
            f"INSERT INTO posturas_{table} ({names}) SELECT {', '.join(f'p.{n}' for n in columns(table))} "
            f"FROM floor_batch b JOIN floor_{table} p ON p.municipality = {order}b.municipality "
            f"AND p.auto = {order}b.auto ORDER BY {', '.join(f'p.{n}' for n in KEYS[table].split(', '))}"
        )


COUNTERS = (  # of the numbers of the year, and of the whole register (year 0)
    "INSERT INTO posturas_counters (municipality, name, year, value) "
    "SELECT i.municipality, 'inscricao', y.year, count(*) FROM floor_batch b "
    "JOIN floor_inscriptions i ON i.municipality = b.municipality AND i.auto = b.auto "
    "JOIN (SELECT DISTINCT year FROM floor_inscriptions UNION SELECT 0) y ON y.year IN (0, i.year) "
    "WHERE i.municipality = b.municipality GROUP BY 1, 3 "
    "ON CONFLICT (municipality, name, year) DO UPDATE SET value = posturas_counters.value + excluded.value"
)


def _floor_postgresql(url: str, before: int) -> None:
    match = "c.municipality = b.municipality AND c.auto = b.auto "
    match += "AND p.municipality = b.municipality AND p.auto = b.auto"
    claim = (
        "INSERT INTO floor_batch SELECT c.municipality, c.auto FROM floor_due d JOIN posturas_cases c "
        "USING (municipality, auto) WHERE d.n > %s AND d.n <= %s ORDER BY d.n FOR UPDATE OF c SKIP LOCKED"
    )
    writes = [
        f"UPDATE posturas_cases c SET {_set('cases')} FROM floor_batch b, floor_cases p "
        f"WHERE {match} AND c.version = p.version - 1",
        f"UPDATE posturas_deadlines c SET {_set('changed')} FROM floor_batch b, floor_changed p "
        f"WHERE {match} AND c.number = p.number AND c.kind = p.kind AND c.status = 'aberto'",
        *_inserts(),
        COUNTERS,
    ]
    with psycopg.connect(plain(url), autocommit=True) as connection:
        connection.execute(f"CREATE TEMP TABLE floor_due AS SELECT row_number() OVER () AS n, d.* FROM "
                           f"({DUE.format(before=before)}) d")  # fmt: skip
        connection.execute("CREATE UNIQUE INDEX ON floor_due (n)")
        connection.execute("ANALYZE floor_due")
        connection.execute("CREATE TEMP TABLE floor_batch (municipality text, auto text) ON COMMIT DELETE ROWS")
        (due,) = _one(connection.execute("SELECT count(*) FROM floor_due").fetchone())
        for start in range(0, due, CHUNK):
            with connection.transaction():
                connection.execute(claim, (start, start + CHUNK))
                for statement in writes:
                    connection.execute(statement)


def _floor_sqlite(url: str, before: int) -> None:
    """As on PostgreSQL; the ``+`` keeps the batch as the outer loop of the updates."""
    match = "p.municipality = +b.municipality AND p.auto = +b.auto AND {t}.municipality = +b.municipality "
    match += "AND {t}.auto = +b.auto"
    writes = [
        f"UPDATE posturas_cases SET {_set('cases')} FROM floor_batch b, floor_cases p "
        f"WHERE {match.format(t='posturas_cases')} AND posturas_cases.version = p.version - 1",
        f"UPDATE posturas_deadlines SET {_set('changed')} FROM floor_batch b, floor_changed p "
        f"WHERE {match.format(t='posturas_deadlines')} AND posturas_deadlines.number = p.number "
        "AND posturas_deadlines.kind = p.kind AND posturas_deadlines.status = 'aberto'",
        *_events_numbered(_inserts("+")),
        COUNTERS,
        "DELETE FROM floor_batch",
    ]
    with closing(sqlite3.connect(path_of(url), isolation_level=None)) as connection:
        configure_sqlite(connection)
        connection.execute("CREATE TEMP TABLE floor_batch (municipality, auto)")
        due = connection.execute(DUE.format(before=before)).fetchall()
        for start in range(0, len(due), CHUNK):
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO floor_batch VALUES (?, ?)", due[start : start + CHUNK])
            for statement in writes:
                connection.execute(statement)
            connection.execute("COMMIT")


def _events_numbered(statements: Iterator[str]) -> Iterator[str]:
    """Events have no identity column on SQLite: the floor counts them by what is there."""
    for statement in statements:
        if "INTO posturas_outbox" in statement:
            head, rest = statement.replace("(municipality", "(id, municipality", 1).split(" SELECT ", 1)
            last = "(SELECT coalesce(max(id), 0) FROM posturas_outbox)"
            yield f"{head} SELECT {last} + row_number() OVER (), {rest}"
        else:
            yield statement


def _one(row: Any) -> Any:
    assert row is not None
    return row
