"""Verifying in several processes: each reads ranges of autos over a connection of its own, in bounded memory."""

from __future__ import annotations

import atexit
import gc
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from sqlalchemy import func, select, text

from procedure.domain.rulebooks import add_rulebooks, added_folders
from procedure.services.verifying import Progress, Verified, check_register, verify, verify_range
from procedure.store.archive import Archive, reading
from procedure.store.engine import open_engine
from procedure.store.tables import cases

RANGE = 2_000  # cases
Range = tuple[str, str | None]


def workers_for(archive: Archive, municipality: str, *, least: int = 2 * RANGE) -> int:
    """How many processes are worth starting: one for each processor, or this one alone for a small record."""
    url = archive.connection.engine.url
    alone = url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")
    return 1 if alone or archive.count_autos(municipality) < least else os.cpu_count() or 1


def verify_record(
    archive: Archive, municipality: str, *, workers: int | None = None, progress: Progress | None = None
) -> Verified:
    """Verify every case of the municipality and the register, in as many processes as are worth it.

    On PostgreSQL all of them see the record as ``archive`` does; on SQLite each as it is when it starts.
    """
    count = workers or workers_for(archive, municipality)
    if count == 1:
        return verify(archive, municipality, progress=progress)
    result = Verified(municipality)
    connection = archive.connection
    snapshot = None
    if connection.dialect.name == "postgresql":
        snapshot = connection.scalar(select(func.pg_export_snapshot()))
    url = connection.engine.url.render_as_string(hide_password=False)
    with ProcessPoolExecutor(
        count, get_context("spawn"), initializer=_prepare, initargs=(url, snapshot, added_folders())
    ) as pool:
        jobs = [pool.submit(_verify, municipality, *part) for part in _ranges(archive, municipality)]
        try:
            for job in jobs:
                _merge(result, job, progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    result.end(check_register(archive, municipality))
    return result


def _merge(result: Verified, job: Future[Verified], progress: Progress | None) -> None:
    part = job.result()
    result.merge(part)
    if progress:
        progress(part.cases)


def _ranges(archive: Archive, municipality: str) -> Iterator[Range]:
    """Every auto in ranges of RANGE cases, in key order: after the first of the two, up to the second."""
    number = func.row_number().over(order_by=cases.c.auto).label("number")
    numbered = select(cases.c.auto, number).where(cases.c.municipality == municipality).subquery()
    query = select(numbered.c.auto).where(numbered.c.number % RANGE == 0).order_by(numbered.c.auto)
    after = ""
    for last in archive.connection.scalars(query).all():
        yield after, last
        after = last
    yield after, None


_reader: list[Archive] = []  # a worker process's own, open as long as it lives


def _prepare(url: str, snapshot: str | None, folders: Sequence[Path]) -> None:
    """Open the worker's archive. Ctrl-C is its parent's: the parent ends, and the pool with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for folder in folders:
        add_rulebooks(folder)
    stack = ExitStack()
    archive = stack.enter_context(reading(open_engine(url)))
    if snapshot is not None:
        _adopt(archive, snapshot)
    gc.freeze()  # laws and code stay; what a page makes has no cycles
    gc.set_threshold(100_000)
    atexit.register(stack.close)  # while there still are modules to close it with
    _reader.append(archive)


def _adopt(archive: Archive, snapshot: Any) -> None:
    name = "".join(c for c in str(snapshot) if c.isalnum() or c == "-")
    archive.connection.execute(text(f"SET TRANSACTION SNAPSHOT '{name}'"))


def _verify(municipality: str, after: str, last: str | None) -> Verified:
    return verify_range(_reader[0], municipality, after=after, last=last)
