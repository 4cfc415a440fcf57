"""A running term whose days changed: where it would now end, and the act that moves it (spec 02, trap 9; 05).

What lengthens a term is applied. What shortens it is not, unless a person decided so: who had been told a day may have
relied on it (good faith, Lei 9.784/1999 art. 2º; spec 02: the reading that does not cost the autuado a right). And no
term is ever moved to a moment that has passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from calendars.changes import Change
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.context import Context
from procedure.domain.deadlines import held_over, recounted
from procedure.domain.decide import SYSTEM
from procedure.domain.fold import deadline_document, fold
from procedure.domain.moment import Moment
from procedure.domain.vocabulary import Act, Role

_DATES = ("starts_on", "first_counted", "last_counted", "due", "due_at", "expires_on", "expires_at", "alternatives")


class MoveEffect(StrEnum):
    """What a recount does to a term."""

    PRORROGA = "prorroga"
    ENCURTA = "encurta"
    MESMO_DIA = "mesmo_dia"


@dataclass(frozen=True, slots=True)
class Move:
    """A term as it is and as the calendar now makes it; ``start`` is the event from which both are counted.

    ``kept``: counted again it would be shorter, and the end that somebody was told, kept, goes on to a day of
    expediente.
    """

    was: Deadline
    now: Deadline
    start: str
    changes: tuple[Change, ...]
    kept: bool = False

    @property
    def effect(self) -> MoveEffect:
        """Whether the term ends later, earlier, or at the same moment with other days or readings on the way."""
        before, after = _last(self.was), _last(self.now)
        if before == after:
            return MoveEffect.MESMO_DIA
        return MoveEffect.PRORROGA if after > before else MoveEffect.ENCURTA


def _last(item: Deadline) -> tuple[datetime, datetime]:
    return item.expires_at.instant, item.due_at.instant


def moved(ctx: Context, item: Deadline, start: str, changes: Sequence[Change]) -> Move | None:
    """How ``item``, counted again from ``start`` under ``ctx``'s days, ends; None when nothing in it is otherwise.

    ``changes`` are those between the calendar it was counted by and this one: the move keeps the ones it met.
    """
    again = recounted(ctx, item, start)
    if all(getattr(item, name) == getattr(again, name) for name in _DATES):
        return None
    first = min(date.fromisoformat(start[:10]), item.starts_on)
    last = max(*_ends(item), *_ends(again))
    return Move(item, again, start, tuple(c for c in changes if c.meets(first, last)))


def held(ctx: Context, move: Move) -> Move | None:
    """The move of a term that is kept as it was, where its end is no longer a day of expediente; None where it is."""
    now = held_over(ctx, move.was)
    return None if now is None else replace(move, now=now, kept=True)


def _ends(item: Deadline) -> list[date]:
    return [item.due, item.expires_on, *(day for day, _ in item.alternatives)]


def write_recount(  # what moves, why, who decided it and when it is recorded
    case: Case, move: Move, at: Moment, decrees: Sequence[dict[str, Any]], ctx: Context, recorded_at: str,
    *, decided_by: str | None = None,
) -> RecordedAct:  # fmt: skip
    """Write the recontagem: the term is closed and the same one opened with the new dates, citing the decrees."""
    item, cited = move.was, ctx.book.deadlines[move.was.kind].citation
    payload: dict[str, Any] = {
        "from": case.state,
        "to": case.state,
        "outcome": None,
        "article": cited.provision,
        "status": cited.status.value,
        "opens": [],
        "closes": [],
        "recount": {
            "kind": item.kind,
            "number": item.number,
            "start": move.start,
            "from": item.expires_on.isoformat(),
            "to": move.now.expires_on.isoformat(),
            "opens": deadline_document(move.now),
            **({"kept": True} if move.kept else {}),
        },
        "cause": {
            "decrees": list(decrees),
            "calendar": {"from": item.calendar_version, "to": move.now.calendar_version},
            "decided_by": decided_by,
        },
    }
    act = RecordedAct(
        kind=Act.RECONTAGEM,
        at=at,
        recorded_at=recorded_at,
        actor=SYSTEM,
        role=Role.SISTEMA,
        payload=payload,
        rulebook_version=ctx.book.version,
        calendar_version=move.now.calendar_version,
    )
    fold(case, act)
    return act


def decrees_of(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """The acts that changed the days, each once, with its days."""
    found: dict[tuple[str | None, date | None, str], list[Change]] = {}
    for change in changes:
        found.setdefault((change.act, change.published_on, change.description), []).append(change)
    return [
        {
            "act": act,
            "published_on": published.isoformat() if published else None,
            "description": description,
            "days": [[c.first.isoformat(), c.last.isoformat()] for c in spans],
        }
        for (act, published, description), spans in found.items()
    ]
