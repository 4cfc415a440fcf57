"""What a record says, without what two sweeps of the same cases may number differently."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, text

from procedure.store.engine import READ_ONLY
from tests.integration.store.samples import opened

Record = dict[str, list[tuple[Any, ...]]]

NUMBERED = ("number", "livro", "folha")
QUERIES = {
    "cases": "SELECT municipality, auto, state, version, last_seq, last_at, arbitrada, acrescimo, diaria, custos, pago "
    "FROM posturas_cases ORDER BY municipality, auto",
    "acts": "SELECT municipality, auto, seq, kind, at, actor, role, deadline, payload FROM posturas_acts "
    "ORDER BY municipality, auto, seq",
    "deadlines": "SELECT municipality, auto, number, kind, status, due, expires_at, supersedes, closed_by, undone "
    "FROM posturas_deadlines ORDER BY municipality, auto, number, kind",
    "inscriptions": "SELECT municipality, auto, seq, year, day, original_amount, charges, status, exigivel_em "
    "FROM posturas_inscriptions ORDER BY municipality, auto, seq",
    "events": "SELECT municipality, auto, seq, count(*) FROM posturas_outbox GROUP BY municipality, auto, seq "
    "ORDER BY municipality, auto, seq",
}


def record(url: str) -> Record:
    """Cases, acts, deadlines, inscriptions and events, in key order. An event that came twice is counted twice."""
    with opened(url) as engine, engine.connect().execution_options(**{READ_ONLY: True}) as connection:
        found = {name: [tuple(row) for row in connection.execute(text(query))] for name, query in QUERIES.items()}
        found["acts"] = [(*row[:-1], _unnumbered(row[-1])) for row in found["acts"]]
        found["gaps"] = list(_gaps(connection))
    return found


def _unnumbered(payload: str) -> str:
    fields = json.loads(payload)
    for holder in (fields, fields.get("termo") or {}):
        for name in NUMBERED:
            holder.pop(name, None)
    return json.dumps(fields, sort_keys=True)


def _gaps(connection: Connection) -> Iterator[tuple[Any, ...]]:
    """Registers whose numbers are not 1, 2, 3 … up to what their counter says: none may be."""
    numbers: dict[tuple[str, int], list[int]] = {}
    for place, year, number in connection.execute(text("SELECT municipality, year, number FROM posturas_inscriptions")):
        numbers.setdefault((place, year), []).append(number)
    query = "SELECT municipality, year, value FROM posturas_counters WHERE name = 'inscricao' AND year > 0"
    counters = {(place, year): value for place, year, value in connection.execute(text(query))}
    for key in numbers.keys() | counters.keys():
        if sorted(numbers.get(key, ())) != list(range(1, counters.get(key, 0) + 1)):
            yield (*key, Counter(numbers.get(key, ())).most_common(1), counters.get(key))


def everything(url: str, without: tuple[str, ...] = ()) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table but those named, as they stand."""
    from procedure.store.tables import metadata

    with opened(url) as engine, engine.connect().execution_options(**{READ_ONLY: True}) as connection:
        names = [name for name in metadata.tables if name not in without]
        return {name: sorted(map(tuple, connection.execute(text(f"SELECT * FROM {name}"))), key=repr) for name in names}
