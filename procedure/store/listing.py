"""Questions of the command line that need no case loaded: counts and deadlines at hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import and_, func, select

from procedure.domain.vocabulary import ENDED_INSCRIPTION, DeadlineStatus
from procedure.store.tables import cases, deadlines, inscriptions

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class OpenDeadline:
    """A term of law that runs; ``due_at`` is ISO 8601 text."""

    auto: str
    state: str | None
    kind: str
    due: date
    due_at: str
    article: str


def counts_by_state(session: Session, municipality: str) -> dict[str, int]:
    """How many cases are in each state, by state."""
    query = select(cases.c.state, func.count()).where(cases.c.municipality == municipality)
    rows = session.connection().execute(query.group_by(cases.c.state).order_by(cases.c.state))
    return {state or "": count for state, count in rows}


def open_deadlines(session: Session, municipality: str, first: date, last: date) -> list[OpenDeadline]:
    """The deadlines of law still running that fall due between the two days, both included, by day and auto."""
    same_case = and_(cases.c.municipality == deadlines.c.municipality, cases.c.auto == deadlines.c.auto)
    columns = (deadlines.c.kind, deadlines.c.due, deadlines.c.due_at, deadlines.c.article)
    query = (
        select(deadlines.c.auto, cases.c.state, *columns)
        .join(cases, same_case)
        .where(
            deadlines.c.municipality == municipality,
            deadlines.c.status == DeadlineStatus.ABERTO.value,
            deadlines.c.internal.is_(False),
            deadlines.c.due.between(first, last),
        )
        .order_by(deadlines.c.due, deadlines.c.auto, deadlines.c.kind)
    )
    return [OpenDeadline(*row) for row in session.connection().execute(query)]


def next_expiry(session: Session, municipality: str) -> int | None:
    """The epoch of the first expiry to come, of a term or of an appointment of the engine; None when nothing runs."""
    running = (deadlines.c.municipality == municipality) & (deadlines.c.status == DeadlineStatus.ABERTO.value)
    first = session.connection().scalar(select(func.min(deadlines.c.expires_epoch)).where(running))
    return None if first is None else int(first)


def inscribed_total(session: Session, municipality: str) -> tuple[int, int]:
    """How many inscriptions stand in the register, however collected, and their sum in centavos."""
    amount = func.coalesce(func.sum(inscriptions.c.original_amount + inscriptions.c.charges), 0)
    standing = (inscriptions.c.municipality == municipality) & inscriptions.c.status.not_in(ENDED_INSCRIPTION)
    count, total = session.connection().execute(select(func.count(), amount).where(standing)).one()
    return count, int(total)
