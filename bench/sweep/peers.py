"""What a user would write instead: SQLAlchemy's unit of work, over 1,000 cases at a time or one transaction per case.

The decisions are given to them (the plan's rows, read before the clock runs), so they are measured at writing alone:
load the cases with their deadlines, change the objects, add the new ones, flush, commit.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import create_engine, event, insert, select, text
from sqlalchemy.orm import Session, foreign, registry, relationship, selectinload

from bench.sweep.floor import PLAN, columns
from procedure.store import tables
from procedure.store.sqlite import configure_sqlite


class CaseRow:
    """A row of posturas_cases with its deadlines."""

    deadlines: list[Any]


class DeadlineRow:
    """A row of posturas_deadlines."""


class ActRow:
    """A row of posturas_acts."""


class InscriptionRow:
    """A row of posturas_inscriptions."""


_mapped = registry()
_ON_CASE = (tables.cases.c.municipality == foreign(tables.deadlines.c.municipality)) & (
    tables.cases.c.auto == foreign(tables.deadlines.c.auto)
)
_mapped.map_imperatively(
    CaseRow, tables.cases, properties={"deadlines": relationship(DeadlineRow, primaryjoin=_ON_CASE)}
)
_mapped.map_imperatively(DeadlineRow, tables.deadlines)
_mapped.map_imperatively(ActRow, tables.acts)
_mapped.map_imperatively(InscriptionRow, tables.inscriptions)


@dataclass(slots=True)
class Planned:
    """The rows to write of one case."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))


def run_peer(url: str, unit: int, count: int) -> float:
    """Write the plan of the first ``count`` due cases by auto, ``unit`` cases a transaction; how many seconds."""
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", lambda connection, _: configure_sqlite(connection))
    try:
        keys, plan = _read(engine, count)
        began = time.perf_counter()
        for start in range(0, len(keys), unit):
            with Session(engine) as session, session.begin():
                _write(session, keys[start : start + unit], plan)
        return time.perf_counter() - began
    finally:
        engine.dispose()


def _read(engine: Any, count: int) -> tuple[list[tuple[str, str]], dict[tuple[str, str], Planned]]:
    """The plan of the first cases by auto, whatever their municipality: as many of each as there are in the whole."""
    plan: dict[tuple[str, str], Planned] = defaultdict(Planned)
    with engine.connect() as connection:
        first = "SELECT municipality, auto FROM floor_cases ORDER BY auto LIMIT :count"
        keys = [(row.municipality, row.auto) for row in connection.execute(text(first), {"count": count})]
        for table in PLAN:
            query = text(f"SELECT {', '.join(columns(table))} FROM floor_{table} WHERE auto <= :last")
            for row in connection.execute(query.columns(*_typed(table)), {"last": keys[-1][1]}):
                plan[row.municipality, row.auto].rows[table].append(row._asdict())
    return keys, plan


def _typed(table: str) -> list[Any]:
    name = "deadlines" if table == "changed" else table
    return [tables.metadata.tables[f"posturas_{name}"].c[column] for column in columns(table)]


def _write(session: Session, keys: Sequence[tuple[str, str]], plan: dict[tuple[str, str], Planned]) -> None:
    by_place: dict[str, list[str]] = defaultdict(list)
    for place, auto in keys:
        by_place[place].append(auto)
    events = []
    for place, autos in by_place.items():
        query = select(CaseRow).where(tables.cases.c.municipality == place, tables.cases.c.auto.in_(autos))
        query = query.options(selectinload(CaseRow.deadlines)).with_for_update(skip_locked=True)  # type: ignore[arg-type]
        for case in session.scalars(query):
            rows = plan[case.municipality, case.auto].rows  # type: ignore[attr-defined]
            _apply(session, case, rows)
            events += rows["outbox"]
    session.flush()
    session.execute(insert(tables.outbox), _numbered(session, events))
    _count(session, [row for key in keys for row in plan[key].rows["inscriptions"]])


def _apply(session: Session, case: Any, rows: dict[str, list[dict[str, Any]]]) -> None:
    (values,) = rows["cases"]
    for name, value in values.items():
        setattr(case, name, value)
    known = {(item.number, item.kind): item for item in case.deadlines}
    for values in rows["changed"]:
        for name, value in values.items():
            setattr(known[values["number"], values["kind"]], name, value)
    for kind, table in ((ActRow, "acts"), (DeadlineRow, "deadlines"), (InscriptionRow, "inscriptions")):
        for values in rows[table]:
            item = kind()
            for name, value in values.items():
                setattr(item, name, value)
            session.add(item)


def _numbered(session: Session, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if session.get_bind().dialect.name == "postgresql":
        return events
    last = session.execute(text("SELECT coalesce(max(id), 0) FROM posturas_outbox")).scalar_one()
    return [{"id": last + n, **values} for n, values in enumerate(events, 1)]


def _count(session: Session, inscribed: Sequence[dict[str, Any]]) -> None:
    statement = text(
        "INSERT INTO posturas_counters (municipality, name, year, value) VALUES (:municipality, 'inscricao', :year, 1) "
        "ON CONFLICT (municipality, name, year) DO UPDATE SET value = posturas_counters.value + 1"
    )
    if inscribed:
        session.execute(statement, [{k: row[k] for k in ("municipality", "year")} for row in inscribed])


