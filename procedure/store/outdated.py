"""Deadlines counted by a former calendar: which cases have them, and the acts that opened them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from procedure.domain.case import RecordedAct
from procedure.domain.vocabulary import DeadlineStatus
from procedure.store import rows
from procedure.store.archive import Archive
from procedure.store.repository import SqlRepository
from procedure.store.selecting import among
from procedure.store.tables import acts, cases, deadlines

if TYPE_CHECKING:
    from procedure.services.recount import Window

_ENDED = (DeadlineStatus.VENCIDO.value, DeadlineStatus.CUMPRIDO.value)


class TermsRepository(SqlRepository):
    """A repository that also finds the terms to be counted again (``procedure.services.recount.Terms``)."""

    def calendar_versions(self, municipality: str) -> list[str]:
        """The versions by which the municipality's deadlines were counted, in order."""
        query = select(deadlines.c.calendar_version).where(deadlines.c.municipality == municipality).distinct()
        return list(self.connection.scalars(query.order_by(deadlines.c.calendar_version)))

    def outdated_autos(
        self, municipality: str, windows: Sequence[Window], *, after: str, limit: int, running: bool, lock: bool
    ) -> list[str]:
        """Autos in key order with a deadline in a window, running or also ended.

        With ``lock`` their rows are locked, and those that another transaction holds passed over.
        """
        while found := self._outdated(municipality, windows, after, limit, running):
            if not (lock and self._postgresql):
                return found
            query = select(cases.c.auto).where(among(self.connection, cases, municipality, found))
            if claimed := list(self.connection.scalars(query.order_by(cases.c.auto).with_for_update(skip_locked=True))):
                return claimed
            after = found[-1]  # all of these are another's
        return []

    def _outdated(
        self, municipality: str, windows: Sequence[Window], after: str, limit: int, running: bool
    ) -> list[str]:
        query = _query(municipality, windows, running).where(deadlines.c.auto > after)
        return list(self.connection.scalars(query.order_by(deadlines.c.auto).limit(limit)))

    def count_outdated(self, municipality: str, windows: Sequence[Window], *, running: bool) -> int:
        """How many autos ``outdated_autos`` would give in all."""
        if not windows:
            return 0
        found = _query(municipality, windows, running).subquery()
        return self.connection.scalar(select(func.count()).select_from(found)) or 0

    def openers(self, municipality: str, autos: Sequence[str]) -> dict[tuple[str, int], RecordedAct]:
        """The acts that opened the deadlines of those autos, by (auto, seq): one statement."""
        connection = self.connection
        same = (
            (acts.c.municipality == deadlines.c.municipality)
            & (acts.c.auto == deadlines.c.auto)
            & (acts.c.seq == deadlines.c.number)
        )
        opened = select(deadlines.c.number).where(same).exists()
        query = select(acts, cases.c.timezone).join(
            cases, and_(cases.c.municipality == acts.c.municipality, cases.c.auto == acts.c.auto)
        )
        found = connection.execute(query.where(among(connection, acts, municipality, autos), opened))
        return {(row.auto, row.seq): rows.act_of(row, row.timezone) for row in found}


class TermsArchive(TermsRepository, Archive):
    """The same, reading only."""


def _query(municipality: str, windows: Sequence[Window], running: bool) -> Select[Any]:
    statuses = [DeadlineStatus.ABERTO.value, *(() if running else _ENDED)]
    return (
        select(deadlines.c.auto)
        .where(
            deadlines.c.municipality == municipality,
            deadlines.c.status.in_(statuses),
            deadlines.c.undone.is_(False),
            or_(*map(_near, windows)),
        )
        .distinct()
    )


def _near(window: Window) -> ColumnElement[bool]:
    return and_(
        deadlines.c.calendar_version == window.version,
        deadlines.c.starts_on <= window.last,
        or_(deadlines.c.due >= window.first, deadlines.c.expires_on >= window.first),
    )
