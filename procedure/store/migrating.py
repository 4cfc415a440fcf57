"""Passing a municipality's cases to a new text of their law: one transaction per chunk, or one reading that only says.

The clock and the text come from the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from procedure.services.migrating import Migration, Passed
from procedure.store.archive import Archive
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from procedure.store.tables import cases

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Engine

    from procedure.domain.rulebook import Rulebook

CHUNK = 1_000
LISTED = 10_000
Progress = Callable[[int], None]
Stop = Callable[[], bool]


class TextsRepository(SqlRepository):
    """A repository that also finds the cases to pass (``procedure.services.migrating.Cases``)."""

    def autos_under_other_text(self, municipality: str, law: str, text: str, *, after: str, limit: int) -> list[str]:
        """Autos of the law whose procedure is of another text, in key order after ``after``."""
        query = select(cases.c.auto).where(*_under_other(municipality, law, text), cases.c.auto > after)
        return list(self.connection.scalars(query.order_by(cases.c.auto).limit(limit)))


class TextsArchive(TextsRepository, Archive):
    """The same, reading only."""


def _under_other(municipality: str, law: str, text: str) -> list[ColumnElement[bool]]:
    version = cases.c.rulebook_version
    joined = f"{text}|"
    return [
        cases.c.municipality == municipality,
        cases.c.law == law,
        version != text,
        ~version.startswith(joined, autoescape=True),
    ]


@dataclass(slots=True)
class MigrationReport:
    """What passed, or would; of the cases at most ``LISTED`` are kept, the counts are of all."""

    municipality: str
    examined: int = 0
    migrated: int = 0
    stay: int = 0
    cases: list[dict[str, Any]] = field(default_factory=list)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)
    interrupted: bool = False

    def add(self, part: Passed) -> None:
        """Count a chunk in."""
        self.examined += part.examined
        self.migrated += part.migrated
        self.stay += part.stay
        self.cases += part.cases[: max(0, LISTED - len(self.cases))]
        self.failures.update(part.failures)


def migrate(
    engine: Engine,
    municipality: str,
    book: Rulebook,
    *,
    now: datetime,
    write: bool,
    progress: Progress | None = None,
    stop: Stop = lambda: False,
) -> MigrationReport:
    """Pass the municipality's cases to ``book``, or only tell. Run again, it writes nothing. Raises NotYetInForce."""
    report, after = MigrationReport(municipality), ""
    while not stop():
        part = _chunk(engine, municipality, book, now, write, after)
        if not part.last:
            return report
        after = part.last
        report.add(part)
        if progress:
            progress(part.examined)
    report.interrupted = True
    return report


def _chunk(
    engine: Engine, municipality: str, book: Rulebook, now: datetime, write: bool, after: str
) -> Passed:
    with session_scope(engine, read_only=not write) as session:
        repo = TextsRepository(session) if write else TextsArchive(session)
        return Migration(repo, municipality, book, now=now).chunk(write=write, after=after, limit=CHUNK)
