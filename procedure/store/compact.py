"""A page's rows on PostgreSQL: what the cases of a group share goes once, and the server puts the rows together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from sqlalchemy import Connection

from procedure.store.bulk import Form, Row, array, execute_with
from procedure.store.plan import ACTS_MOST, Plan
from procedure.store.rows import ACT_COLUMNS

_INTEGERS = {"seq": "integer", "at_epoch": "bigint"}
_SHARED = tuple((name, _INTEGERS.get(name, "text")) for name in ACT_COLUMNS[2:-2])
_ACTS = (("code", "integer"), *_SHARED, ("e1", "text"), ("e2", "text"), ("e3", "text"))
_ACT = (("auto", "text"), ("code", "integer"), ("own", "text"), ("prev_hash", "text"), ("hash", "text"))
_PLACE = (("place", "text"),)

ROOM = "64MB"  # for a chunk's rows as the server puts them together

Columns = tuple[tuple[str, str], ...]


def write_acts(connection: Connection, plan: Plan) -> int:
    """Insert the acts and their events, these in the order of the plan."""
    return execute_with(connection, _acts_sql, [(plan.municipality,)], list(_shared(plan)), plan.acts)


def _shared(plan: Plan) -> Iterator[Row]:
    for number, template in plan.templates.items():
        for place, act in enumerate(template.acts):
            payload = act.payload if isinstance(act.payload, str) else None
            yield (number * ACTS_MOST + place, *act.before, payload, *act.between, *act.event_parts)


def _unnest(form: Form, name: str, columns: Columns, *, ordered: bool = False) -> str:
    arrays = ", ".join(array(form, kind) for _, kind in columns)
    names = ", ".join(column for column, _ in columns)
    return f"unnest({arrays}) {'WITH ORDINALITY ' if ordered else ''}AS {name}({names}{', n' if ordered else ''})"


@lru_cache
def _acts_sql(form: Form) -> str:
    columns = ", ".join(ACT_COLUMNS)
    shared = ", ".join("coalesce(b.own, t.payload)" if name == "payload" else f"t.{name}" for name, _ in _SHARED)
    return (
        f"WITH p AS (SELECT * FROM {_unnest(form, 'p', _PLACE)}), "
        f"t AS MATERIALIZED (SELECT * FROM {_unnest(form, 't', _ACTS)}), "
        f"b AS MATERIALIZED (SELECT * FROM {_unnest(form, 'b', _ACT, ordered=True)}), "
        f"a AS (INSERT INTO posturas_acts ({columns}) SELECT p.place, b.auto, {shared}, b.prev_hash, b.hash "
        "FROM p, b JOIN t ON t.code = b.code) "
        "INSERT INTO posturas_outbox (municipality, auto, seq, event) SELECT p.place, b.auto, t.seq, "
        "left(coalesce(b.own, t.payload), -1) || ',' || t.e1 || b.auto || t.e2 || b.hash || t.e3 "
        "FROM p, b JOIN t ON t.code = b.code ORDER BY b.n"
    )
