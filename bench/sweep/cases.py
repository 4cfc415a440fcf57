"""Prototypes multiplied: each copy with its own auto, person, place and hashes, written as the database's bulk load."""

from __future__ import annotations

import hashlib
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from bench.databases import path_of, plain
from bench.sweep.prototypes import Prototype, columns, document, name_of
from procedure.domain.chain import FORM, canonical
from procedure.store import persons

CHUNK = 5_000
PROCESSES, WORTH_SHARING = 2, 50_000
ONE_IN = 5  # due cases among all, and surcharged ones among the due
SHARED = ("settings", "calendars", "rulebooks", "unit_values", "options", "persons")  # as the prototypes' database has
LOADED = ("cases", "acts", "deadlines", "persons")
NAMES = {name: columns(name) for name in (*SHARED, *LOADED)}
LAST_HASH = NAMES["cases"].index("last_hash")
PREV, HASH = NAMES["acts"].index("prev_hash"), NAMES["acts"].index("hash")
HASHED = (  # the canonical form of an act before its payload
    "municipality", "auto", "seq", "kind", "at", "recorded_at", "actor", "role", "office", "key", "rulebook_version",
    "calendar_version", "deadline",
)  # fmt: skip

Row = list[Any]
Parts = list[str | int]
Holed = tuple[list[Any], list[tuple[int, Parts]]]


class Holes:
    """Finds in stored texts the places where a copy's own values go."""

    def __init__(self, *texts: str | None) -> None:
        self._index = {text: index for index, text in enumerate(texts) if text}
        self._pattern = re.compile(f"({'|'.join(map(re.escape, self._index))})")

    def split(self, text: str) -> Parts:
        """The text in parts: as it stands, or the number of the value that goes there."""
        return [self._index.get(part, part) for part in self._pattern.split(text) if part]

    def row(self, row: dict[str, Any]) -> Holed:
        """The row's values, and the parts of those that have a hole."""
        parts = [(i, self.split(value)) for i, value in enumerate(row.values()) if isinstance(value, str)]
        return list(row.values()), [(i, found) for i, found in parts if any(isinstance(p, int) for p in found)]


def filled(parts: Parts, values: Sequence[str]) -> str:
    """The text of the copy that has these values."""
    return "".join([part if part.__class__ is str else values[part] for part in parts])  # type: ignore[index]  # a part is one or the other


def filled_row(holed: Holed, values: Sequence[str]) -> list[Any]:
    """The row of the copy that has these values."""
    row = holed[0].copy()
    for index, parts in holed[1]:
        row[index] = filled(parts, values)
    return row


class Copier:
    """Copies of one prototype. Holes: auto, person's id, digest and key, place."""

    def __init__(self, prototype: Prototype, secret: bytes) -> None:
        self.prototype, self._secret = prototype, secret
        case, person = prototype.case, prototype.person
        self._fields: dict[str, Any] = json.loads(person["fields"])
        own = (case["auto"], person["id"], person["digest"], person["person_key"], prototype.place)
        holes, chained = Holes(*own), Holes(*own, "@prev")
        self._case = holes.row(case)
        self._acts = [(holes.row(act), chained.split(_hashed(act))) for act in prototype.acts]
        self._deadlines = [holes.row(row) for row in prototype.deadlines]
        self._first = prototype.acts[0]["prev_hash"]

    def copy(self, number: int) -> tuple[Row, list[Row], list[Row], Row]:
        """The case, acts, deadlines and person of the copy with that number."""
        place = self.prototype.municipality
        fields = {**self._fields, "name": name_of(number)}
        if fields.get("doc"):
            fields["doc"] = document(fields["kind"], number)
        doc = persons.normalised_doc(fields)
        identity, digest = persons.person_id(self._secret, place, fields), persons.keyed(self._secret, fields)
        searched = persons.person_key(self._secret, place, doc)
        values = (auto_of(number), identity, digest, searched or "", f"Rua {number % 977}, {number}")
        acts, head = [], self._first
        for holed, hashed in self._acts:
            act = filled_row(holed, values)
            act[PREV] = head
            head = act[HASH] = hashlib.sha256(filled(hashed, (*values, head)).encode()).hexdigest()
            acts.append(act)
        case = filled_row(self._case, values)
        case[LAST_HASH] = head
        deadlines = [filled_row(holed, values) for holed in self._deadlines]
        kind, name = fields.get("kind"), fields["name"]
        return case, acts, deadlines, [place, identity, 1, digest, searched, kind, name, doc, canonical(fields), None]


def _hashed(act: dict[str, Any]) -> str:
    head = canonical([FORM, *(act[name] for name in HASHED), "@prev"])
    return f"{head[:-1]},{act['payload']}]"


def auto_of(number: int) -> str:
    """The auto of a number; they sort as the numbers do."""
    return f"{number:07d}/2014"


@dataclass(frozen=True, slots=True)
class Cases:
    """What was loaded: how many cases, and how often each prototype."""

    count: int
    copies: Counter[int]
    prototypes: Sequence[Prototype]

    @property
    def due(self) -> int:
        """How many have a deadline that has passed."""
        return sum(n for index, n in self.copies.items() if self.prototypes[index].due)


def load(url: str, nursery: str, prototypes: Sequence[Prototype], count: int, *, due: bool = True) -> Cases:
    """Fill a database with ``count`` cases: one in five is due, one in five of these surcharged; none due if not
    ``due``. Many go into PostgreSQL by several processes.
    """
    if make_url(url).get_backend_name() == "sqlite":
        return Cases(count, _to_sqlite(url, nursery, prototypes, range(count), due), prototypes)
    with psycopg.connect(plain(url)) as connection:
        for name in SHARED:
            connection.execute(f"DELETE FROM posturas_{name}")
        _copy(connection, _shared(nursery))
    processes = 1 if count < WORTH_SHARING else PROCESSES
    share = -(-count // (processes * CHUNK)) * CHUNK  # whole chunks: what a case is does not depend on the processes
    parts = [range(start, min(start + share, count)) for start in range(0, count, share)]
    if len(parts) == 1:
        return Cases(count, _to_postgresql(url, nursery, prototypes, parts[0], due), prototypes)
    copies: Counter[int] = Counter()
    with ProcessPoolExecutor(len(parts), mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_to_postgresql, url, nursery, prototypes, part, due) for part in parts]
        for job in jobs:
            copies += job.result()
    return Cases(count, copies, prototypes)


def _shared(nursery: str) -> list[tuple[str, list[Row]]]:
    with closing(sqlite3.connect(path_of(nursery))) as connection:
        queries = {name: f"SELECT {', '.join(NAMES[name])} FROM posturas_{name}" for name in SHARED}
        return [(name, connection.execute(query).fetchall()) for name, query in queries.items()]


def _chunks(
    nursery: str, prototypes: Sequence[Prototype], numbers: range, due: bool, copies: Counter[int]
) -> Iterator[list[tuple[str, list[Row]]]]:
    """The rows by table, for some thousand cases at a time."""
    with closing(sqlite3.connect(path_of(nursery))) as connection:
        query = "SELECT value FROM posturas_settings WHERE municipality = '' AND name = ?"
        secret = bytes.fromhex(connection.execute(query, (persons.PERSON_KEY,)).fetchone()[0])
    copiers = [Copier(prototype, secret) for prototype in prototypes]
    choose = Choice(prototypes, due)
    for start in range(numbers.start, numbers.stop, CHUNK):
        tables: dict[str, list[Row]] = {name: [] for name in LOADED}
        draw = random.Random(start)
        for number in range(start, min(start + CHUNK, numbers.stop)):
            index = choose.of(number, draw)
            copies[index] += 1
            case, acts, deadlines, person = copiers[index].copy(number)
            tables["cases"].append(case)
            tables["acts"] += acts
            tables["deadlines"] += deadlines
            tables["persons"].append(person)
        yield list(tables.items())


class Choice:
    """Which prototype a case is a copy of."""

    def __init__(self, prototypes: Sequence[Prototype], due: bool) -> None:
        numbered = list(enumerate(prototypes))
        self._due = due
        self._later = [i for i, p in numbered if not p.due]
        self._other = [i for i, p in numbered if p.due and not p.surcharged]
        self._surcharged = [i for i, p in numbered if p.surcharged]

    def of(self, number: int, draw: random.Random) -> int:
        """The index of the prototype of the case with that number."""
        if not self._due or number % ONE_IN:
            return draw.choice(self._later)
        return draw.choice(self._other if number // ONE_IN % ONE_IN else self._surcharged)


def _to_sqlite(
    url: str, nursery: str, prototypes: Sequence[Prototype], numbers: range, due: bool
) -> Counter[int]:
    copies: Counter[int] = Counter()
    with closing(sqlite3.connect(path_of(url))) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for name in SHARED:
            connection.execute(f"DELETE FROM posturas_{name}")
        _insert(connection, _shared(nursery))
        for tables in _chunks(nursery, prototypes, numbers, due, copies):
            _insert(connection, tables)
        connection.commit()
    return copies


def _insert(connection: sqlite3.Connection, tables: list[tuple[str, list[Row]]]) -> None:
    for name, rows in tables:
        if rows:
            holes = ", ".join("?" * len(NAMES[name]))
            connection.executemany(f"INSERT INTO posturas_{name} ({', '.join(NAMES[name])}) VALUES ({holes})", rows)


def _to_postgresql(
    url: str, nursery: str, prototypes: Sequence[Prototype], numbers: range, due: bool
) -> Counter[int]:
    copies: Counter[int] = Counter()
    with psycopg.connect(plain(url)) as connection:
        connection.execute("SET LOCAL synchronous_commit = off")
        if connection.info.parameter_status("is_superuser") == "on":
            connection.execute("SET LOCAL session_replication_role = replica")  # foreign keys of what is known to fit
        for tables in _chunks(nursery, prototypes, numbers, due, copies):
            _copy(connection, tables)
    return copies


def _copy(connection: psycopg.Connection[Any], tables: list[tuple[str, list[Row]]]) -> None:
    for name, rows in tables:
        names = ", ".join(NAMES[name])
        with connection.cursor().copy(f"COPY posturas_{name} ({names}) FROM STDIN") as copy:
            copy.write("".join(["\t".join(map(_escaped, row)) + "\n" for row in rows]))


_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def _escaped(value: Any) -> str:
    if value is None:
        return r"\N"
    text = value if isinstance(value, str) else str(value)
    return text.translate(_ESCAPES) if "\\" in text or "\n" in text else text
