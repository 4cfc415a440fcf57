"""The outbox: what a host reads to learn what happened, at least once, per case in order of ``seq``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Row, Text, cast, delete, exists, func, literal, select, tuple_

from procedure.store.counters import take
from procedure.store.tables import counters, outbox
from procedure.store.transaction_ids import Xid8

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

Position = tuple[int, int]
START: Position = (0, 0)
PRUNED = "eventos_podados"  # the counter of events deleted

_COLUMNS = (cast(outbox.c.xid, Text).label("xid"), outbox.c.id, outbox.c.auto, outbox.c.seq, outbox.c.event)


@dataclass(frozen=True, slots=True)
class Event:
    """One act, as spec 07 writes it, with ``seq`` and ``hash``. An event seen twice has the same auto and seq."""

    auto: str
    seq: int
    content: dict[str, Any]

    @property
    def municipality(self) -> str:
        """The municipality of the case, by its IBGE code."""
        return str(self.content["municipality"])

    @property
    def act(self) -> str:
        """The kind of act: ``lavratura``, ``inscricao``…"""
        return str(self.content["act"])


@dataclass(frozen=True, slots=True)
class Batch:
    """Some events, and the position to poll after next time."""

    events: tuple[Event, ...]
    position: Position


def poll(session: Session, municipality: str, after: Position = START, limit: int = 1_000) -> Batch:
    """The events after a position. Keep the batch's position with your own work and poll after it next time.

    Safe under concurrent commits. PostgreSQL gives ids before the commit, so positions go by transaction, and only the
    transactions older than any still running are handed out: nothing can appear before a position later.
    """
    connection = session.connection()
    ready = _ready(connection, municipality)
    query = select(*_COLUMNS).where(ready, _position() > _literal(connection, after))
    found = connection.execute(query.order_by(outbox.c.xid, outbox.c.id).limit(limit)).all()
    if not found:
        return Batch((), after)
    last = (int(found[-1].xid), found[-1].id)
    rows = sorted([*found, *_overtaken(connection, ready, found, last)], key=lambda row: row.id)
    return Batch(tuple(Event(row.auto, row.seq, json.loads(row.event)) for row in rows), last)


def prune(session: Session, municipality: str, until: Position) -> int:
    """Delete the events up to a position that every reader has passed; returns how many."""
    connection = session.connection()
    statement = delete(outbox).where(outbox.c.municipality == municipality)
    gone = connection.execute(statement.where(_position() <= _literal(connection, until))).rowcount
    if gone:
        take(connection, municipality, PRUNED, 0, gone)
    return gone


def keep_newest(session: Session, municipality: str, keep: int) -> int:
    """Delete all but the newest ``keep`` events; how many went. What recorded the acts stays: only readers need them.

    By number and not by age: an import may say that its acts were recorded years ago, and nobody has read them yet.
    """
    connection = session.connection()
    order = (outbox.c.xid.desc(), outbox.c.id.desc())
    query = select(cast(outbox.c.xid, Text), outbox.c.id).where(outbox.c.municipality == municipality)
    newest_gone = connection.execute(query.order_by(*order).offset(keep).limit(1)).one_or_none()
    return prune(session, municipality, (int(newest_gone[0]), newest_gone[1])) if newest_gone else 0


def mark(session: Session, municipality: str) -> str:
    """Where the events stand: while ``unchanged_since`` it, nothing has been recorded in the municipality."""
    connection = session.connection()
    last = select(func.max(outbox.c.id)).where(outbox.c.municipality == municipality)
    if connection.dialect.name == "postgresql":
        last = select(cast(func.pg_snapshot_xmin(func.pg_current_snapshot(), type_=Xid8()), Text))
    return f"{connection.scalar(last) or 0}/{_pruned(connection, municipality)}"


def unchanged_since(session: Session, municipality: str, former: str) -> bool:
    """Whether no event came since ``mark`` gave ``former``; False also where it can no longer be told.

    A transaction that was running then counts as one that came since.
    """
    connection = session.connection()
    position, _, pruned = former.partition("/")
    if int(pruned) != _pruned(connection, municipality):
        return False
    here = outbox.c.municipality == municipality
    if connection.dialect.name == "postgresql":
        later = here & (outbox.c.xid >= cast(cast(literal(position), Text), Xid8()))
    else:
        later = here & (_position() > _literal(connection, (0, int(position))))
    return not connection.scalar(select(exists().where(later)))


def recorded_since(session: Session, municipality: str, former: str, stands: str) -> int | None:
    """How many events came between two marks; None where it can no longer be told."""
    connection = session.connection()
    (first, _, before), (last, _, after) = former.partition("/"), stands.partition("/")
    if before != after:
        return None
    here = outbox.c.municipality == municipality
    if connection.dialect.name == "postgresql":
        ids = [cast(cast(literal(position), Text), Xid8()) for position in (first, last)]
        between = here & (outbox.c.xid >= ids[0]) & (outbox.c.xid < ids[1])
    else:
        between = here & (outbox.c.id > int(first)) & (outbox.c.id <= int(last))
    return connection.scalar(select(func.count()).select_from(outbox).where(between))


def _pruned(connection: Connection, municipality: str) -> int:
    here = (counters.c.municipality == municipality) & (counters.c.name == PRUNED) & (counters.c.year == 0)
    return connection.scalar(select(counters.c.value).where(here)) or 0


def _overtaken(
    connection: Connection, ready: ColumnElement[bool], found: Sequence[Row[Any]], last: Position
) -> list[Row[Any]]:
    """Earlier events of the same cases that stand after the batch: of a transaction that began later and wrote first.

    They are handed out now, to keep the order within each case, and once more at their own position.
    """
    if connection.dialect.name != "postgresql":
        return []
    newest: dict[str, int] = {}
    for row in found:
        newest[row.auto] = max(row.seq, newest.get(row.auto, 0))
    query = select(*_COLUMNS).where(
        ready,
        _position() > _literal(connection, last),
        outbox.c.id < max(row.id for row in found),
    )
    return [row for row in connection.execute(query) if row.seq < newest.get(row.auto, 0)]


def _ready(connection: Connection, municipality: str) -> ColumnElement[bool]:
    here: ColumnElement[bool] = outbox.c.municipality == municipality
    if connection.dialect.name != "postgresql":
        return here
    return here & (outbox.c.xid < func.pg_snapshot_xmin(func.pg_current_snapshot(), type_=Xid8()))


def _position() -> ColumnElement[Any]:
    return tuple_(outbox.c.xid, outbox.c.id)


def _literal(connection: Connection, position: Position) -> ColumnElement[Any]:
    transaction: ColumnElement[Any] = literal(position[0])
    if connection.dialect.name == "postgresql":
        transaction = cast(cast(literal(str(position[0])), Text), Xid8())
    return tuple_(transaction, literal(position[1]))
