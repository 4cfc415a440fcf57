"""Recounting as a job: one transaction per chunk, each case isolated, safe beside sweeps and other recounts (spec 05).

The command line (or a host's own job) gives the engine and the clock; nothing here reads one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from procedure.services.recount import Recounted, Recounting, Wish
from procedure.store.engine import session_scope
from procedure.store.outdated import TermsArchive, TermsRepository

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

CHUNK = 2_000
LISTED = 10_000
BUSY = ("caso_ocupado", "o caso está em uso por outra transação")
Progress = Callable[[int], None]
Stop = Callable[[], bool]


@dataclass(slots=True)
class RecountReport:
    """What a recount did, or would do. Of each list at most ``LISTED`` are kept; the counts are of all."""

    municipality: str
    examined: int = 0
    applied: int = 0
    kept: int = 0
    concluded_count: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    moves: list[dict[str, Any]] = field(default_factory=list)
    concluded: list[dict[str, Any]] = field(default_factory=list)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def left_out(self) -> int:
        """How many moves and ended terms are counted but not listed."""
        return self.applied + self.kept + self.concluded_count - len(self.moves) - len(self.concluded)

    def add_moves(self, part: Recounted) -> None:
        """Count in what moves."""
        self.examined += part.examined
        self.applied += part.applied
        self.kept += part.kept
        self.by_kind.update(part.by_kind)
        self.moves += part.moves[: max(0, LISTED - len(self.moves))]
        self.failures.update(part.failures)

    def add_concluded(self, part: Recounted) -> None:
        """Count in what had ended."""
        self.concluded_count += len(part.concluded)
        self.concluded += part.concluded[: max(0, LISTED - len(self.concluded))]
        self.failures.update(part.failures)


def recount_terms(
    engine: Engine, municipality: str, wish: Wish, *, progress: Progress | None = None, stop: Stop = lambda: False
) -> RecountReport:
    """Move the running terms that the office's days now end on another day; list those that had ended.

    Run again, it writes nothing. Without ``wish.write`` nothing is written and one consistent picture is told.
    """
    report = RecountReport(municipality)
    if wish.write:
        _write(engine, municipality, wish, report, progress, stop)
    if not report.interrupted:
        with _reading(engine) as archive:
            told = tell(archive, municipality, replace(wish, write=False), progress=None if wish.write else progress)
        _settle(report, told, wrote=wish.write)
    return report


def count_cases(engine: Engine, municipality: str, wish: Wish) -> int:
    """How many cases a recount will look at, for a progress bar."""
    if wish.autos:
        return len(wish.autos)
    with _reading(engine) as archive:
        windows = Recounting(archive, municipality).windows()
        return archive.count_outdated(municipality, windows, running=wish.write)


def _write(
    engine: Engine, municipality: str, wish: Wish, report: RecountReport, progress: Progress | None, stop: Stop
) -> None:
    with session_scope(engine) as session:
        windows = Recounting(TermsRepository(session), municipality).windows()
    after = ""
    while not stop():
        with session_scope(engine) as session:
            part = Recounting(TermsRepository(session), municipality).chunk(windows, wish, after=after, limit=CHUNK)
        if not part.last:
            return
        after = part.last
        report.add_moves(part)
        if progress:
            progress(part.examined)
    report.interrupted = True


def tell(
    archive: TermsArchive, municipality: str, wish: Wish, *, progress: Progress | None = None
) -> RecountReport:
    """What would move and what had ended, by one reading of the record."""
    report = RecountReport(municipality)
    recounting = Recounting(archive, municipality)
    windows, after = recounting.windows(), ""
    while (part := recounting.chunk(windows, wish, after=after, limit=CHUNK)).last:
        after = part.last
        report.add_moves(part)
        report.add_concluded(part)
        if progress:
            progress(part.examined)
    return report


def _settle(report: RecountReport, told: RecountReport, *, wrote: bool) -> None:
    """Put together the writing and the reading that followed: what still moves was held by another transaction."""
    report.concluded, report.concluded_count = told.concluded, told.concluded_count
    if wrote:
        busy = {m["auto"]: BUSY for m in told.moves if m["reason"] is None}
        report.failures = {**busy, **told.failures, **report.failures}
        return
    for name in ("examined", "applied", "kept", "by_kind", "moves", "failures"):
        setattr(report, name, getattr(told, name))


@contextmanager
def _reading(engine: Engine) -> Iterator[TermsArchive]:
    snapshot = engine
    if engine.dialect.name == "postgresql":
        snapshot = engine.execution_options(isolation_level="REPEATABLE READ")
    with session_scope(snapshot, read_only=True) as session:
        yield TermsArchive(session)


