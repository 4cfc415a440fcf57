"""One act recorded in a transaction of its own, and what it did as JSON (``posturas auto act``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from procedure.domain.act_input import ActInput
from procedure.domain.case import Case, Deadline
from procedure.services.record import Recorded, Recorder
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository

if TYPE_CHECKING:
    from sqlalchemy import Engine

Before = Callable[[SqlRepository], None]


class _Rehearsed(Exception):
    """The act was tried, and nothing of it is to be kept."""


def record_one(
    engine: Engine,
    data: Mapping[str, Any] | ActInput,
    recorded_at: datetime,
    *,
    rehearse: bool = False,
    before: Before | None = None,
    retell: bool = False,
) -> dict[str, Any]:
    """Record the act and say what it did; to ``rehearse`` is to say it and write nothing.

    With ``retell`` an act already known is told again: the act of its key, and what it opened that still runs.
    ``before`` is called within the transaction, before anything is written: what it raises ends it. Raises one typed
    error, or an ErrorGroup with all.
    """
    found: dict[str, Any] = {}
    try:
        with session_scope(engine) as session:
            repo = SqlRepository(session)
            if before is not None:
                before(repo)
            done = Recorder(repo).record(data, recorded_at=recorded_at)
            if retell and done.known and isinstance(data, ActInput):
                recorded = repo.acts(done.municipality, done.auto)
                done = replace(done, seqs=tuple(act.seq for act in recorded if act.key == data.key))
            found = told(repo, done)
            if rehearse:
                raise _Rehearsed
    except _Rehearsed:
        pass
    return {**found, "dry_run": rehearse}


def told(repo: SqlRepository, done: Recorded) -> dict[str, Any]:
    """What recording did: the acts written, the terms of law that they opened, what they undid."""
    case = repo.load(done.municipality, [done.auto], lock=False)[done.auto]
    acts = [a for a in repo.acts(done.municipality, done.auto) if a.seq in done.seqs]
    return {
        "auto": done.auto,
        "municipality": done.municipality,
        "known": done.known,
        "reach": done.reach,
        "state": done.state,
        "acts": [{"seq": a.seq, "act": a.kind, "date": str(a.at), "hash": a.hash} for a in acts],
        "deadlines": [_opened(d) for d in opened_by(case, done.seqs)],
    }


def opened_by(case: Case, seqs: tuple[int, ...]) -> list[Deadline]:
    """The terms of law that run and that these acts opened."""
    return [d for d in case.deadlines if d.number in seqs and d.status == "aberto" and not d.internal]


def _opened(item: Deadline) -> dict[str, Any]:
    return {
        "kind": item.kind,
        "starts_on": item.starts_on.isoformat(),
        "first_counted": item.first_counted.isoformat() if item.first_counted else None,
        "due": item.due.isoformat(),
        "due_at": str(item.due_at),
        "expires_on": item.expires_on.isoformat(),
        "article": item.article,
    }
