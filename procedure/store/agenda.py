"""The terms of law that run, of a case or of a whole municipality, without anything about persons."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import and_, select

from procedure.domain.vocabulary import DeadlineStatus
from procedure.services.agenda import OpenTerm
from procedure.store.archive import Archive
from procedure.store.tables import acts, cases, deadlines

ROWS = 1_000


def open_terms(
    archive: Archive, municipality: str, *, auto: str | None = None, office: str | None = None
) -> Iterator[OpenTerm]:
    """By last day, auto and kind, in bounded memory. ``office``: those opened by an act of that office."""
    d = deadlines.c
    same_case = and_(cases.c.municipality == d.municipality, cases.c.auto == d.auto)
    opened_by = and_(acts.c.municipality == d.municipality, acts.c.auto == d.auto, acts.c.seq == d.number)
    columns = (d.auto, d.number, d.kind, d.term, d.article, d.first_counted, d.due, d.due_at, d.expires_on)
    query = (
        select(*columns, cases.c.law, cases.c.rulebook_version, acts.c.recorded_at)
        .join(cases, same_case)
        .join(acts, opened_by)
        .where(
            d.municipality == municipality,
            d.status == DeadlineStatus.ABERTO.value,
            d.internal.is_(False),
        )
        .order_by(d.due, d.auto, d.kind)
    )
    if auto is not None:
        query = query.where(d.auto == auto)
    if office is not None:
        query = query.where(acts.c.office == office)
    for row in archive.connection.execute(query.execution_options(yield_per=ROWS)):
        yield OpenTerm(*tuple(row))
