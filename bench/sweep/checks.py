"""Whether a sweep did what it should: the same rows as another one, and what the law says of each prototype's end.

``expected`` shares nothing with the product: it counts days on the committed answers of the calendars, and knows by
hand what the end of each kind of deadline brings.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

import calendars
from bench.databases import path_of, plain
from bench.sweep.cases import Cases
from bench.sweep.floor import EVENT, columns
from bench.sweep.prototypes import AS_OF, MIDNIGHT, STAMP, Prototype
from bench.targets import require

DATA = Path(calendars.__file__).parent / "data"
ONE = timedelta(days=1)
TABLES = ("cases", "acts", "deadlines", "inscriptions", "outbox", "counters")
WITH_SURCHARGE = "3204708"  # the other two laws have none
FINAL_WITHOUT_DEFENCE = "3129509"  # there the fine is in the auto, and stands when nobody defends
LAST_TERM = {"3204708": "recurso", "3120805": "recurso", "3129509": "defesa"}  # its end makes the fine final

Digest = dict[str, tuple[int, int]]


def digest(url: str, below: str = "~") -> Digest:
    """Rows and a digest of their content, whatever their order, of each table, for the autos below ``below``."""
    if make_url(url).get_backend_name() == "sqlite":
        with closing(sqlite3.connect(path_of(url))) as connection:
            return {table: _hashed(connection.execute(_rows(table), (below,))) for table in TABLES}
    with psycopg.connect(plain(url)) as connection:
        query = "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text FROM ({}) t"
        found = {}
        for table in TABLES:
            row = connection.execute(query.format(_rows(table).replace("?", "%s")), (below,)).fetchone()
            assert row is not None
            found[table] = (row[0], int(row[1]))
        return found


def _rows(table: str) -> str:
    if table == "counters":
        return "SELECT municipality, year, value FROM posturas_counters WHERE name = 'inscricao' AND ? > ''"
    names = EVENT if table == "outbox" else ", ".join(columns(table))
    return f"SELECT {names} FROM posturas_{table} WHERE auto < ?"


def _hashed(rows: sqlite3.Cursor) -> tuple[int, int]:
    count = total = 0
    for row in rows:
        count += 1
        total += int.from_bytes(hashlib.blake2b(repr(row).encode(), digest_size=8).digest())
    return count, total


@dataclass(slots=True)
class Outcome:
    """What a sweep of all cases writes: its acts by kind, and of the municipality with a surcharge the inscriptions by
    day with their sums, in centavos.
    """

    acts: Counter[str] = field(default_factory=Counter)
    inscribed: Counter[str] = field(default_factory=Counter)
    original: int = 0
    charges: int = 0


def expected(cases: Cases) -> Outcome:
    """What must come out, by what was put in."""
    total = Outcome()
    for index, copies in cases.copies.items():
        prototype = cases.prototypes[index]
        for item in prototype.deadlines:
            if item["status"] == "aberto" and item["expires_epoch"] < MIDNIGHT:
                _end(total, prototype, item["kind"], date.fromisoformat(item["expires_on"]), copies)
        if prototype.surcharged:
            arbitrada = prototype.case["arbitrada"]
            total.original += copies * arbitrada
            total.charges += copies * surcharge(arbitrada)
    return total


def _end(total: Outcome, prototype: Prototype, kind: str, due: date, copies: int) -> None:
    """What the end of one deadline brings, and what follows from it before AS_OF."""
    place, case = prototype.municipality, prototype.case
    if kind == "multa_diaria":  # each day brings the next one
        total.acts["decurso_multa_diaria"] += copies * (AS_OF - due).days
        return
    if kind == "inscricao":
        total.acts["inscricao"] += copies
        return
    total.acts[f"decurso_{kind}"] += copies
    covered = 0 < case["arbitrada"] <= case["pago"]  # by a deposit
    if covered and kind == LAST_TERM[place]:
        total.acts["conversao_deposito"] += copies
    elif kind == "pagamento" or (kind == "defesa" and place == FINAL_WITHOUT_DEFENCE):
        day = next_office_day(place, due)
        total.acts["inscricao"] += copies * (day <= AS_OF)
        if place == WITH_SURCHARGE:
            total.acts["acrescimo"] += copies
        if prototype.surcharged:
            total.inscribed[day.isoformat()] += copies


def surcharge(arbitrada: int) -> int:
    """Ten per cent of the fine imposed, in centavos, half up."""
    return (arbitrada * 10 + 50) // 100


def next_office_day(place: str, day: date) -> date:
    """The first day after ``day`` on which the office works."""
    day += ONE
    while day.weekday() > 4 or day.isoformat() in _closed(place):
        day += ONE
    return day


@cache
def _closed(place: str) -> frozenset[str]:
    (file,) = DATA.glob(f"*-{place}.csv")
    lines = file.read_text(encoding="utf-8").splitlines()[1:]
    return frozenset(line[:10] for line in lines if line.split(";")[1] == "fechado")


def check(url: str, cases: Cases) -> None:
    """Raise WrongResult unless the swept database holds what was to come out."""
    want = expected(cases)
    acts = _select(url, "SELECT kind, count(*) FROM posturas_acts WHERE recorded_at = ? GROUP BY kind", STAMP)
    require(dict(acts) == {k: n for k, n in want.acts.items() if n}, f"acts {dict(acts)} instead of {want.acts}")
    query = (
        "SELECT CAST(day AS text), count(*), sum(original_amount), sum(charges) FROM posturas_inscriptions i "
        "JOIN posturas_deadlines d ON d.municipality = i.municipality AND d.auto = i.auto "
        "AND d.kind = 'pagamento' AND d.status = 'vencido' JOIN posturas_acts a ON a.municipality = d.municipality "
        "AND a.auto = d.auto AND a.seq = d.closed_by AND a.recorded_at = ? WHERE i.municipality = ? GROUP BY day"
    )
    days = _select(url, query, STAMP, WITH_SURCHARGE)
    original, charges = sum(row[2] for row in days), sum(row[3] for row in days)
    require({row[0]: row[1] for row in days} == dict(want.inscribed), f"inscriptions by day {days}")
    require((original, charges) == (want.original, want.charges), f"amounts inscribed {original}, {charges}")
    query = "SELECT municipality, year, count(*), min(number), max(number) FROM posturas_inscriptions GROUP BY 1, 2"
    for place, year, count, first, last in _select(url, query):
        require((first, last) == (1, count), f"{place}, {year}: {count} inscriptions, numbers {first} to {last}")


def _select(url: str, query: str, *values: str) -> list[tuple[Any, ...]]:
    if make_url(url).get_backend_name() == "sqlite":
        with closing(sqlite3.connect(path_of(url))) as connection:
            return connection.execute(query, values).fetchall()
    with psycopg.connect(plain(url)) as connection:
        return connection.execute(query.replace("?", "%s"), values).fetchall()


def count(url: str, table: str) -> int:
    """How many rows a table of the record has."""
    ((rows,),) = _select(url, f"SELECT count(*) FROM posturas_{table}")
    return int(rows)


def sizes(url: str) -> list[tuple[str, int, int]]:
    """The bytes of each table of the record that holds something, on PostgreSQL: table with its TOAST, indexes."""
    query = (
        "SELECT relname::text, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class "
        "WHERE relkind = 'r' AND relname LIKE 'posturas\\_%%' AND reltuples > 100 AND ? = '' ORDER BY 2 DESC"
    )
    return [(str(name), int(table), int(indexes)) for name, table, indexes in _select(url, query, "")]
