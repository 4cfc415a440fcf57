"""``posturas verify`` on SQLite: acts a second and memory, beside reading and hashing the same rows in one process.

One case that the product recorded is copied under other numbers, each chain hashed anew by the published form alone; so
that what is verified was not all written by what verifies it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from bench.chain import COLUMNS, GENESIS, READ, hash_of
from bench.databases import SQLite, path_of, sqlite
from bench.import_acts import ActsFile
from bench.measuring import Finished, interleaved, python, ratios, run_program, seconds, spread
from bench.targets import Targets, require

ACTS = 7  # of each case
MODELS = 40  # cases that the product recorded: over as many days
PAGE = 1_000


def run(targets: Targets, scale: float) -> None:
    """Rounds of a fifth of the size, beside the floor; then the whole size, for the rate and the memory."""
    cases = max(int(1_000_000 * scale) // ACTS, 10 * MODELS)
    with sqlite() as databases:
        small = record(databases, cases // 5)
        times = interleaved({"verify": lambda: verified(small, cases // 5).seconds, "floor": lambda: hashed(small)})
        part = verified(small, cases // 5)
        found_again(small, cases // 5)
        whole = verified(record(databases, cases), cases)
    count = cases // 5 * ACTS
    print(f"  {count:,} acts: {spread(count / t for t in times['verify']):,.0f} acts/s")
    print(f"  verify over reading and hashing alone: {ratios(times['verify'], times['floor']):.2f}")
    print(f"  {count:,} acts held {part.megabytes:,.0f} MB, {cases * ACTS:,} held {whole.megabytes:,.0f} MB")
    targets.at_least(f"verify of {cases * ACTS:,} acts", cases * ACTS / whole.seconds, 30_000, "acts/s")
    targets.at_most("memory of five times the acts", whole.megabytes / part.megabytes, 1.3)


def record(databases: SQLite, cases: int) -> str:
    """A record of so many cases."""
    url = ActsFile(databases, MODELS).imported().url
    with closing(sqlite3.connect(path_of(url))) as connection:
        autos = [row[0] for row in connection.execute("SELECT auto FROM posturas_cases ORDER BY auto")]
        models = [_Model(connection, auto) for auto in autos]
        for start in range(len(models), cases, PAGE):
            numbers = range(start, min(start + PAGE, cases))
            _insert(connection, (models[number % len(models)].copied(f"C{number:07d}/2013") for number in numbers))
        connection.commit()
        connection.execute("ANALYZE")
        connection.commit()
    return url


class _Model:
    """A case that the product recorded, to be copied."""

    def __init__(self, connection: sqlite3.Connection, auto: str) -> None:
        self.acts = self._rows(connection, "posturas_acts", auto, "seq")
        self.deadlines = self._rows(connection, "posturas_deadlines", auto, "number")
        (self.case,) = self._rows(connection, "posturas_cases", auto, "auto")

    @staticmethod
    def _rows(connection: sqlite3.Connection, table: str, auto: str, order: str) -> list[dict[str, Any]]:
        found = connection.execute(f"SELECT * FROM {table} WHERE auto = ? ORDER BY {order}", (auto,))
        names = [item[0] for item in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def copied(self, auto: str) -> dict[str, list[dict[str, Any]]]:
        """The case's rows under another number, with other keys and hashes."""
        head, acts = GENESIS, []
        for act in self.acts:
            key = act["key"] and f"{auto}-{act['seq']}"
            made = {**act, "auto": auto, "key": key, "prev_hash": head}
            made["hash"] = head = hash_of([made[name] for name in COLUMNS])
            acts.append(made)
        facts = self.case["facts"].replace(self.acts[0]["key"], acts[0]["key"])  # the auto is also known by its key
        return {
            "posturas_cases": [{**self.case, "auto": auto, "last_hash": head, "facts": facts}],
            "posturas_acts": acts,
            "posturas_deadlines": [{**item, "auto": auto} for item in self.deadlines],
        }


def _insert(connection: sqlite3.Connection, copies: Iterable[dict[str, list[dict[str, Any]]]]) -> None:
    whole: dict[str, list[dict[str, Any]]] = {}
    for copied in copies:
        for table, rows in copied.items():
            whole.setdefault(table, []).extend(rows)
    for table, rows in whole.items():
        names = list(rows[0])
        places = ", ".join(f":{name}" for name in names)
        connection.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows)


def verified(url: str, cases: int) -> Finished:
    """Verify a right record by the command, whole."""
    done = run_program(python("-m", "procedure.cli.main", "verify", "--db", url, "--json"))
    answer = json.loads(done.output)
    found = (answer["ok"], answer["cases"], answer["acts"], answer["defects"])
    require(found == (True, cases, cases * ACTS, []), f"verify answered {found}")
    return done


def found_again(url: str, cases: int) -> None:
    """One field of one act of one case, changed behind the record's back, is found, and nothing else."""
    auto = f"C{cases - 1:07d}/2013"
    with closing(sqlite3.connect(path_of(url))) as connection:
        (guard,) = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'posturas_acts' "
            "AND sql LIKE '%UPDATE%'"
        ).fetchone()
        connection.execute(f"DROP TRIGGER {guard}")
        connection.execute("UPDATE posturas_acts SET office = 'x' WHERE auto = ? AND seq = 4", (auto,))
        connection.commit()
    command = python("-m", "procedure.cli.main", "verify", "--db", url, "--json")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    defects = [(d["auto"], d["seq"], d["code"]) for d in json.loads(done.stdout)["defects"]]
    require(done.returncode == 1 and defects == [(auto, 4, "ato_alterado")], f"verify found {defects}")


def hashed(url: str) -> float:
    """How long one process takes to read every act and hash its text, without looking at what it says."""
    with closing(sqlite3.connect(path_of(url))) as connection:
        return seconds(lambda: _hash_all(connection))


def _hash_all(connection: sqlite3.Connection) -> None:
    for row in connection.execute(READ):
        hashlib.sha256(f"{row[:10]}{row[11:16]}{row[10]}".encode()).digest()
