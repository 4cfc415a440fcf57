"""Reading the record without ever writing to it: what is shown, listed and verified."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from sqlalchemy import Engine, exists, select, tuple_

from procedure.domain.case import Case
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository, due_between
from procedure.store.tables import cases, persons

PEOPLE = 500
PersonVersion = tuple[str, int]


class Archive(SqlRepository):
    """A repository that keeps nothing: versions not yet kept are used and forgotten."""

    def keep_calendar(self, version: str, document: dict[str, Any]) -> None:
        """Nothing: reading writes nothing."""

    def keep_rulebook(self, version: str, law: str, text: str) -> None:
        """Nothing: reading writes nothing."""

    def page_of_autos(
        self, municipality: str, *, after: str, limit: int, states: Iterable[str], due: tuple[date | None, date | None]
    ) -> list[Case]:
        """Cases by auto, those after ``after``; ``due`` is the range in which an open term of law must fall due."""
        query = select(cases.c.auto).where(cases.c.municipality == municipality, cases.c.auto > after)
        wanted = list(states)
        if wanted:
            query = query.where(cases.c.state.in_(wanted))
        if due != (None, None):
            query = query.where(exists().where(*due_between(*due)))
        autos = list(self.connection.scalars(query.order_by(cases.c.auto).limit(limit)))
        return list(self.load(municipality, autos, lock=False).values())

    def people(self, municipality: str, wanted: Iterable[PersonVersion]) -> dict[PersonVersion, dict[str, Any] | None]:
        """The fields of many versions at once, None for the erased; those not on record are left out."""
        keys = sorted(set(wanted))
        found: dict[PersonVersion, dict[str, Any] | None] = {}
        for start in range(0, len(keys), PEOPLE):
            query = select(persons.c.id, persons.c.version, persons.c.fields).where(
                persons.c.municipality == municipality,
                tuple_(persons.c.id, persons.c.version).in_(keys[start : start + PEOPLE]),
            )
            for row in self.connection.execute(query):
                found[row.id, row.version] = json.loads(row.fields) if row.fields is not None else None
        return found


@contextmanager
def reading(engine: Engine) -> Iterator[Archive]:
    """An archive over one consistent picture of the record, which waits for no writer and stops none."""
    snapshot = engine
    if engine.dialect.name == "postgresql":
        snapshot = engine.execution_options(isolation_level="REPEATABLE READ")
    with session_scope(snapshot, read_only=True) as session:
        yield Archive(session)
