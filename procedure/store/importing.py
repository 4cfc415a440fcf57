"""The import as a job: chunks of whole days in legal order, each a transaction; all in one when ``strict`` (spec 07).

A chunk that the database refuses is tried again when another transaction was in the way; else its acts go one by one,
so that the one at fault is found and the others are not lost.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from legalbasis import PosturasError
from procedure.services.importing.applying import Applier, Place, Result
from procedure.services.importing.ordering import Group, Placed, by_case, by_day, in_order
from procedure.services.importing.staging import Item, Rejection, Staging
from procedure.services.register import auto_of_inscription
from procedure.store.buffered import BufferedRepository
from procedure.store.engine import session_scope, typed_errors
from procedure.store.errors import DatabaseBusy, StaleCase
from procedure.store.repository import SqlRepository

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

CHUNK = 2_000
ATTEMPTS = 3
Progress = Callable[[int], None]


@dataclass(slots=True)
class Report:
    """What an import did, or would do (``dry_run``). ``cases`` counts those that received acts; ``undone`` is what acts
    that came late undid, line by line.
    """

    read: int = 0
    applied: int = 0
    already_known: int = 0
    rejected: list[Rejection] = field(default_factory=list)
    cases: int = 0
    undone: list[dict[str, Any]] = field(default_factory=list)
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "read": self.read,
            "applied": self.applied,
            "already_known": self.already_known,
            "rejected": [item.to_dict() for item in self.rejected],
            "cases": self.cases,
            "undone": self.undone,
            "dry_run": self.dry_run,
        }


def inscription_finder(engine: Engine) -> Callable[[str, str], str]:
    """The auto of an inscription that is in the register, by municipality and number; raises UnknownInscription."""
    known: dict[tuple[str, str], str] = {}

    def find(municipality: str, number: str) -> str:
        if (municipality, number) not in known:
            with session_scope(engine, read_only=True) as session:
                known[municipality, number] = auto_of_inscription(SqlRepository(session), municipality, number)
        return known[municipality, number]

    return find


class _Refused(Exception):
    """Carries a strict import, or one that is only tried, out of its transaction."""


def import_acts(
    engine: Engine,
    staging: Staging,
    *,
    recorded_at: datetime,
    strict: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Apply a staged file. ``recorded_at`` is the aware instant of recording; with ``strict`` one rejection undoes all.
    With ``dry_run`` it is all tried in one transaction, told, and nothing is written.

    Raises StoreError when the database cannot be written; chunks already committed stay, and running again goes on.
    """
    job = _Job(engine, staging, recorded_at, progress)
    if strict or dry_run:
        try:
            with session_scope(engine) as session:
                job.outer = session
                job.run()
                if dry_run or job.result.rejected or staging.rejected:
                    raise _Refused
        except _Refused:
            if not dry_run:
                job.result.applied = 0
                job.result.cases.clear()
                job.result.undone.clear()
    else:
        job.run()
    found = job.result
    return Report(
        read=staging.read,
        applied=found.applied,
        already_known=staging.already_known + found.already_known,
        rejected=sorted([*staging.rejected, *found.rejected], key=lambda item: item.line),
        cases=len(found.cases),
        undone=sorted(found.undone, key=lambda item: item["line"]),
        dry_run=dry_run,
    )


class _Job:
    def __init__(self, engine: Engine, staging: Staging, recorded_at: datetime, progress: Progress | None) -> None:
        self.engine = engine
        self.staging = staging
        self.recorded_at = recorded_at
        self.progress = progress
        self.outer: Session | None = None
        self.result = Result()

    @contextmanager
    def unit(self) -> Iterator[BufferedRepository]:
        """One unit of work: a transaction, or a savepoint of the strict import's one."""
        if self.outer is None:
            with session_scope(self.engine) as session:
                yield BufferedRepository(session)
        else:
            with typed_errors(), self.outer.begin_nested():
                yield BufferedRepository(self.outer)

    def run(self) -> None:
        """Every day, in order, in chunks of about CHUNK acts."""
        pending: list[list[Item]] = []
        for day in by_day(self.staging.items):
            if pending and sum(map(len, pending)) + len(day) > CHUNK:
                self._days(pending)
                pending = []
            if len(day) > CHUNK:
                self._long_day(day)
            else:
                pending.append(day)
        if pending:
            self._days(pending)

    def _days(self, days: list[list[Item]]) -> None:
        items = [item for day in days for item in day]

        def work(applier: Applier) -> None:
            for day in days:
                for item in in_order(applier.arranged(by_case(day))):
                    applier.apply(item)

        if not self._try(items, work):
            for day in days:
                self._one_by_one(in_order(self._arranged(by_case(day))))

    def _long_day(self, day: list[Item]) -> None:
        """A day of more acts than a chunk: first ordered, a part of its cases at a time, then applied in chunks."""
        placed: list[Placed] = []
        for groups in _parts(by_case(day)):
            placed.extend(self._arranged(groups))
        items = in_order(placed)
        for start in range(0, len(items), CHUNK):
            part = items[start : start + CHUNK]

            def work(applier: Applier, part: list[Item] = part) -> None:
                for item in part:
                    applier.apply(item)

            if not self._try(part, work):
                self._one_by_one(part)

    def _arranged(self, groups: Sequence[Group]) -> list[Placed]:
        with self.unit() as repo:
            applier = self._applier(repo)
            applier.prepare(item for group in groups for item in group)
            return applier.arranged(groups)

    def _applier(self, repo: BufferedRepository) -> Applier:
        return Applier(repo, self.staging, self.result.blocked, self.recorded_at)

    def _try(self, items: Sequence[Item], work: Callable[[Applier], None]) -> bool:
        """Do the work in one unit. False when the database refused some act of it, and nothing was written."""
        for attempt in range(ATTEMPTS):
            try:
                with _uncollected(), self.unit() as repo:
                    applier = self._applier(repo)
                    applier.prepare(items)
                    work(applier)
                    repo.flush()
            except (DatabaseBusy, StaleCase):
                if attempt == ATTEMPTS - 1:
                    raise
            except PosturasError:
                if len(items) == 1:
                    raise
                return False
            else:
                self._merge(applier.result)
                return True
        return False

    def _one_by_one(self, items: Sequence[Item]) -> None:
        for item in items:
            try:
                self._try([item], lambda applier, item=item: applier.apply(item))  # type: ignore[misc]  # bound now
            except (DatabaseBusy, StaleCase):
                raise
            except PosturasError as error:
                place: Place = (item.municipality, item.auto)
                refused = Rejection.of(item.line, item.auto, error)
                self._merge(Result(seen=1, rejected=[refused], blocked={place: item.line}))

    def _merge(self, part: Result) -> None:
        whole = self.result
        whole.applied += part.applied
        whole.already_known += part.already_known
        whole.rejected.extend(part.rejected)
        whole.cases |= part.cases
        whole.undone.extend(part.undone)
        for place, line in part.blocked.items():
            whole.blocked.setdefault(place, line)
        if self.progress is not None:
            self.progress(part.seen)


@contextmanager
def _uncollected() -> Iterator[None]:
    """A chunk makes many objects that live until its end, and no cycles worth looking for but once, at that end."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect(0)


def _parts(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Whole cases, about CHUNK acts at a time."""
    part: list[Group] = []
    size = 0
    for group in groups:
        part.append(group)
        size += len(group)
        if size >= CHUNK:
            yield part
            part, size = [], 0
    if part:
        yield part
