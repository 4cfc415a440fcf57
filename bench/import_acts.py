"""``posturas import`` on SQLite: acts a second and memory, beside a floor that writes the very same rows.

Each auto has five acts, shuffled over the whole file. The floor is ``executemany`` of the rows that the import wrote,
table by table in transactions of the same size, on the same settings: it reads no file, checks and decides nothing.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from bench.chain import READ, is_chained
from bench.databases import SQLite, path_of, sqlite
from bench.measuring import Finished, interleaved, python, ratios, run_program, seconds, spread
from bench.targets import Targets, require
from procedure.services.ports import SuppliedUnitValue
from procedure.store import supplied
from procedure.store.engine import open_engine, session_scope
from procedure.store.importing import CHUNK
from procedure.store.sqlite import configure_sqlite

WRITTEN = ("posturas_persons", "posturas_cases", "posturas_acts", "posturas_deadlines", "posturas_outbox")
PLACE, LAW = "3204708", "es-3204708/lei-1522-2005"
NOW = datetime(2015, 1, 1, 12, tzinfo=UTC)
WEIGHTS = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)


def cnpj(number: int) -> str:
    """A CNPJ with its check digits, a firm for each number."""
    digits = f"{number + 10_000_000:08d}0001"
    for weights in (WEIGHTS[1:], WEIGHTS):
        rest = sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 11
        digits += "0" if rest < 2 else str(11 - rest)
    return digits


def acts_of(number: int) -> Iterator[dict[str, Any]]:
    """One auto from lavratura to the intimation to pay, over a spread of 400 days."""
    start = date(2012, 10, 1) + timedelta(days=number % 400)

    def act(kind: str, days: int, role: str, **fields: Any) -> dict[str, Any]:
        day = (start + timedelta(days=days)).isoformat()
        if "method" in fields:
            fields |= {"received": day, "juntada": day}
        common = {"municipality": PLACE, "auto": f"{number}/{start.year}", "act": kind, "date": day}
        return {**common, "actor": f"{role} 1", "role": role, **fields}

    person = {
        "name": f"Empresa São João {number} Ltda",
        "doc": cnpj(number),
        "kind": "pj",
        "address": {"street": "Rua A"},
    }
    fact = {"date": f"{start}T22:00", "place": "Praça", "article": "64-I", "description": "Som alto"}
    signature = {"by": "recusa", "witnesses": ["Ana Souza", "Caio Dias"]}
    cited = {"articles_infringed": ["64-I"], "articles_penalty": ["64-T"]}
    yield act("lavratura", 1, "fiscal", infrator=person, fact=fact, signature=signature, perigo_iminente="risco")
    yield act("ciencia", 5, "fiscal", method="postal")
    yield act("julgamento", 40, "secretario", outcome="subsistente", report="r", grounds="g", **cited)
    yield act("ciencia_decisao", 45, "fiscal", method="postal")
    yield act("intimacao_pagamento", 80, "secretario", method="postal")


def write(path: Path, autos: int) -> int:
    """The file; how many acts it has."""
    lines = [json.dumps(act, ensure_ascii=False) for number in range(autos) for act in acts_of(number)]
    random.Random(1).shuffle(lines)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def run(targets: Targets, scale: float) -> None:
    """Interleaved rounds of a fifth of the size, beside the floor; then the whole size, for the rate and the memory."""
    autos = max(int(40_000 * scale), 40)
    with sqlite() as databases:
        small = ActsFile(databases, autos // 5)
        filled = small.imported()
        times = interleaved({"import": small.timed, "floor": lambda: small.floor(filled.url)})
        whole = ActsFile(databases, autos)
        last = whole.imported()
        known = whole.again(last.url)
    print(f"  {small.acts:,} acts: {spread(small.acts / t for t in times['import']):,.0f} acts/s")
    print(f"  import over the floor: {ratios(times['import'], times['floor']):.2f}")
    held, most = filled.done.megabytes, last.done.megabytes
    print(f"  {small.acts:,} acts held {held:,.0f} MB, {whole.acts:,} held {most:,.0f} MB")
    print(f"  the same file again, all known: {whole.acts / known.seconds:,.0f} acts/s")
    targets.at_least(f"import of {whole.acts:,} acts", whole.acts / last.done.seconds, 5_000, "acts/s")
    targets.at_most("memory of five times the acts", most / held, 1.3)


@dataclass(frozen=True, slots=True)
class Imported:
    """An office that imported the file, and how the command ended."""

    url: str
    done: Finished


class ActsFile:
    """A file of acts, and an office without any to import it."""

    def __init__(self, databases: SQLite, autos: int) -> None:
        self.databases = databases
        self.autos = autos
        self.empty = databases.new()
        self.path = Path(path_of(self.empty)).with_suffix(".jsonl")
        self.acts = write(self.path, autos)
        engine = open_engine(self.empty)
        with session_scope(engine) as session:
            value = SuppliedUnitValue("VRSGP", date(2012, 9, 18), Decimal("30.00"), "valor inventado")
            supplied.set_unit_value(session, PLACE, LAW, value, recorded_at=NOW.isoformat())
        engine.dispose()

    def imported(self) -> Imported:
        """Import the file into a copy of the office, and check what is in it then."""
        url = self.databases.copy(self.empty)
        done = self._run(url, applied=self.acts, known=0)
        self._check(url)
        return Imported(url, done)

    def timed(self) -> float:
        """How long the whole command takes."""
        result = self.imported()
        self.databases.drop(result.url)
        return result.done.seconds

    def again(self, url: str) -> Finished:
        """Import the file where it is already."""
        return self._run(url, applied=0, known=self.acts)

    def _run(self, url: str, *, applied: int, known: int) -> Finished:
        done = run_program(python("-m", "procedure.cli.main", "import", str(self.path), "--db", url, "--json"))
        answer = json.loads(done.output)
        found = (answer["read"], answer["applied"], answer["already_known"], answer["rejected"], answer["cases"])
        require(found == (self.acts, applied, known, [], self.autos if applied else 0), f"import answered {found}")
        return done

    def _check(self, url: str) -> None:
        """Every case is where five acts and two terms take it, with the law's fine; every chain is as published."""
        with closing(sqlite3.connect(path_of(url))) as connection:
            query = "SELECT state, last_seq, arbitrada, count(*) FROM posturas_cases GROUP BY 1, 2, 3"
            right = [("aguardando_pagamento", 7, 330_00, self.autos)]
            require(connection.execute(query).fetchall() == right, "cases end elsewhere")
            rows = connection.execute(READ)
            rest: list[tuple[object, ...]] = []
            while page := rows.fetchmany(10_000):
                # A case may go on in the next page: its rows wait for it.
                part = rest + page
                rest = [row for row in part if row[1] == part[-1][1]]
                require(is_chained([row for row in part if row[1] != part[-1][1]]), "a chain is broken")
            require(is_chained(rest), "a chain is broken")

    def floor(self, filled: str) -> float:
        """How long writing the rows of ``filled`` takes."""
        url = self.databases.copy(self.empty)
        with closing(sqlite3.connect(path_of(filled))) as source:
            rows = {name: source.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall() for name in WRITTEN}
        with closing(sqlite3.connect(path_of(url), isolation_level=None)) as target:
            configure_sqlite(target)
            took = seconds(lambda: _write_rows(target, rows))
            for name, kept in rows.items():
                require(target.execute(f"SELECT count(*) FROM {name}").fetchone()[0] == len(kept), f"{name} differs")
        self.databases.drop(url)
        return took


def _write_rows(target: sqlite3.Connection, rows: dict[str, list[tuple[object, ...]]]) -> None:
    for name, kept in rows.items():
        for start in range(0, len(kept), CHUNK):
            part = kept[start : start + CHUNK]
            target.execute("BEGIN IMMEDIATE")
            target.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(part[0]))})", part)
            target.execute("COMMIT")
