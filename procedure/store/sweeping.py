"""The sweep as a job: one transaction per chunk, any number of workers, each run on record (spec 05).

The command line (or a host's own job) gives the engine's URL, the as-of moment and the clock; nothing here reads one.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from legalbasis import PosturasError
from procedure.domain.rulebooks import add_rulebooks, added_folders
from procedure.services.sweep import Chunk
from procedure.store.engine import open_engine, session_scope
from procedure.store.errors import DatabaseBusy
from procedure.store.repository import SqlRepository
from procedure.store.sweep_desk import Desk, Progress, Stop
from procedure.store.sweep_heads import HeadsBehind
from procedure.store.sweep_page import Groups, sweep_page
from procedure.store.sweep_run import Order, Report
from procedure.store.sweeps import INTERRUPTED, finish_run, prune_runs, record_failures, start_run

if TYPE_CHECKING:
    from sqlalchemy import Engine

CHUNK = 2_000
LANES = 2
LOOK_AHEAD = 40_000  # autos that are looked up at once: the index of open deadlines is not in the order of autos
TICK_SECONDS = 1
TURN = timedelta(microseconds=500)
DONE = "concluida"
PAUSE = timedelta(milliseconds=250)
Share = tuple[int, int]  # a worker's part of the cases, and how many parts there are
WHOLE: Share = (0, 1)
BUSY = ("caso_ocupado", "o caso está em uso por outra transação")


def sweep(url: str, order: Order, *, progress: Progress | None = None, stop: Stop = lambda: False) -> Report:
    """Sweep one municipality to a fixpoint and record the run. ``stop`` is asked between chunks (SIGTERM)."""
    engine = open_engine(url)
    try:
        return sweep_with(engine, order, progress=progress, stop=stop, url=url)
    finally:
        engine.dispose()


@contextmanager
def short_turns() -> Iterator[None]:
    """For a process that does nothing but sweep: its lanes, of which the one often waits for the server while the other
    decides, take shorter turns than Python gives threads of itself.
    """
    former = sys.getswitchinterval()
    sys.setswitchinterval(TURN.total_seconds())
    try:
        yield
    finally:
        sys.setswitchinterval(former)


def sweep_with(
    engine: Engine,
    order: Order,
    *,
    progress: Progress | None = None,
    stop: Stop = lambda: False,
    url: str | None = None,
) -> Report:
    """As ``sweep``, on an open engine, for many sweeps in a row. Without ``url`` there is one worker, this one."""
    started = time.monotonic_ns()
    report = Report(order.municipality, str(order.as_of))
    report.run_id = _start(engine, order)
    if url is not None and workers_used(engine, order) > 1:
        _in_processes(engine, url, order, report, progress, stop)
    else:
        _work(engine, order, report, progress, stop)
    if report.passed_over and not report.interrupted and not order.dry_run:
        _leftovers(engine, order, report)
    report.milliseconds = (time.monotonic_ns() - started) // 1_000_000
    _finish(engine, order, report)
    return report


def workers_used(engine: Engine, order: Order) -> int:
    """How many processes will sweep: one on SQLite (one writer), in a dry run, and where a limit must hold exactly."""
    single = engine.dialect.name != "postgresql" or order.dry_run or order.limit is not None
    return 1 if single else max(1, order.workers)


def _start(engine: Engine, order: Order) -> int | None:
    if order.dry_run:
        return None
    with session_scope(engine) as session:
        return start_run(
            session,
            order.municipality,
            as_of=order.as_of,
            started_at=order.stamp,
            actor=order.actor,
            workers=workers_used(engine, order),
        )


def _work(
    engine: Engine, order: Order, report: Report, progress: Progress | None, stop: Stop, share: Share = WHOLE
) -> None:
    """Page after page, in key order, until nothing is due after the last auto seen.

    On PostgreSQL there are two lanes: while the server writes one page, the next is read and decided; and the digest of
    the heads is taken behind them.
    """
    desk = Desk(_pages(engine, order, report, share), progress, stop)
    if engine.dialect.name != "postgresql" or order.dry_run or order.limit is not None:
        _lane(engine, order, report, desk)
        return
    parts = [Report(order.municipality, report.as_of, report.run_id) for _ in range(LANES)]
    heads = HeadsBehind(engine, order.municipality) if share == WHOLE else None
    with ThreadPoolExecutor(LANES + 1) as pool:
        jobs = [pool.submit(_lane, engine, order, part, desk) for part in parts]
        if heads:  # what it cannot read is read at the end
            pool.submit(heads.follow, desk.settled)
            report.heads = heads
    for part in parts:
        report.merge(part)
    for job in jobs:
        job.result()  # raises what the lane raised


def _lane(engine: Engine, order: Order, report: Report, desk: Desk) -> None:
    groups = _groups(order)
    try:
        while page := desk.following():
            try:
                chunk = _isolated(engine, order, report, groups, page.autos, partial(desk.wait_turn, page))
            finally:
                desk.over(page)
            report.add(chunk)
            desk.tell(chunk.examined)
    except BaseException:
        desk.close()
        raise
    report.interrupted = desk.stopped


def _groups(order: Order) -> Groups:
    return Groups(order.municipality, order.as_of.epoch, order.stamp)


def _pages(engine: Engine, order: Order, report: Report, share: Share = WHOLE) -> Iterator[list[str]]:
    """The autos of the share that are due, a chunk at a time, looked up for many chunks at once; no more than the
    limit.
    """
    part, parts = share
    after = ""
    while True:
        with session_scope(engine, read_only=True) as session:
            due = SqlRepository(session).due_autos(order.municipality, order.as_of.epoch, after, LOOK_AHEAD)
        if not due:
            return
        after = due[-1]
        if parts > 1:
            due = [auto for auto in due if crc32(auto.encode()) % parts == part]
        start = 0
        while start < len(due):
            left = CHUNK if order.limit is None else min(CHUNK, order.limit - report.totals.examined)
            if left <= 0:
                return
            yield due[start : start + left]
            start += left


def _isolated(
    engine: Engine, order: Order, report: Report, groups: Groups, autos: Sequence[str], turn: Callable[[], object]
) -> Chunk:
    """One page; when its writing is refused, its cases one by one, so that only the refused ones are set aside."""
    try:
        return _one_chunk(engine, order, report, groups, autos, turn)
    except DatabaseBusy:
        raise
    except PosturasError:
        whole = Chunk(last=autos[-1])
    turn()
    for auto in autos:
        whole.add(_alone(engine, order, report, groups, auto))
    return whole


def _alone(engine: Engine, order: Order, report: Report, groups: Groups, auto: str) -> Chunk:
    """One case in a transaction of its own; its failure, if the record refuses it."""
    try:
        return _one_chunk(engine, order, report, groups, [auto], bool)
    except DatabaseBusy:
        raise
    except PosturasError as error:
        chunk = Chunk(last=auto, examined=1, failures={auto: (error.error_code, error.message)})
    if report.run_id is not None:
        with session_scope(engine) as session:
            record_failures(session, order.municipality, report.run_id, chunk.failures)
    return chunk


def _one_chunk(
    engine: Engine, order: Order, report: Report, groups: Groups, autos: Sequence[str], turn: Callable[[], object]
) -> Chunk:
    with session_scope(engine) as session:
        chunk = sweep_page(SqlRepository(session), groups, autos, order.as_of.epoch, order.stamp, turn=turn)
        if order.dry_run:
            session.rollback()
        elif chunk.failures and report.run_id is not None:
            record_failures(session, order.municipality, report.run_id, chunk.failures)
        return chunk


def _leftovers(engine: Engine, order: Order, report: Report) -> None:
    """What other transactions held during the pass: each is tried once more by itself, else reported as busy."""
    with session_scope(engine) as session:
        due = SqlRepository(session).due_autos(order.municipality, order.as_of.epoch, "", CHUNK)
    if order.limit is not None and report.totals.examined >= order.limit:
        return
    held = [auto for auto in due if auto not in report.failures]
    if not held:
        return
    until = time.monotonic() + order.wait
    while True:
        _pass_again(engine, order, report)
        with session_scope(engine) as session:
            still = SqlRepository(session).due_autos(order.municipality, order.as_of.epoch, "", CHUNK)
            busy = {auto: BUSY for auto in still if auto not in report.failures}
            if busy and time.monotonic() > until and report.run_id is not None:
                record_failures(session, order.municipality, report.run_id, busy)
        if not busy or time.monotonic() > until:
            break
        time.sleep(PAUSE.total_seconds())
    report.failures.update(busy)


def _pass_again(engine: Engine, order: Order, report: Report) -> None:
    """One more pass over what is still due and free."""
    groups = _groups(order)
    for autos in _pages(engine, order, report):
        chunk = _isolated(engine, order, report, groups, autos, bool)
        fresh = {a: f for a, f in chunk.failures.items() if a not in report.failures}
        chunk.examined -= len(chunk.failures) - len(fresh)
        chunk.failures = fresh
        report.add(chunk)


def _finish(engine: Engine, order: Order, report: Report) -> None:
    if report.run_id is None:
        return
    report.totals.failed = len(report.failures)
    report.totals.by_kind = dict(sorted(report.by_kind.items()))
    # What was passed over was swept after its head had been read.
    heads = report.heads if not report.passed_over else None
    with session_scope(engine) as session:
        finish_run(
            session,
            order.municipality,
            report.run_id,
            report.totals,
            finished_at=order.stamp,
            milliseconds=report.milliseconds,
            status=INTERRUPTED if report.interrupted else DONE,
            known=heads.digest(session, report.acts) if heads else None,
        )
        prune_runs(session, order.municipality, keep=order.keep_runs)


def _in_processes(
    engine: Engine, url: str, order: Order, report: Report, progress: Progress | None, stop: Stop
) -> None:
    """This process and others, each with its own connections and its share of the cases.

    A worker that was killed takes the pool with it: what was committed stands, and the run is an interrupted one.
    """
    context = get_context("spawn")
    halt, examined = context.Event(), context.Value("q", 0)
    seen = 0
    with (
        ThreadPoolExecutor(1) as here,
        ProcessPoolExecutor(
            order.workers - 1, mp_context=context, initializer=_prepare, initargs=(halt, examined, added_folders())
        ) as pool,
    ):
        shares = [(part, order.workers) for part in range(order.workers)]
        own = here.submit(_part, engine, order, report.run_id, partial(_add, examined), halt.is_set, shares[0])
        pending = {own, *(pool.submit(_worker, url, order, report.run_id, share) for share in shares[1:])}
        while pending:
            finished, pending = wait(pending, timeout=TICK_SECONDS)
            if stop():
                halt.set()
            seen = _tell(progress, seen, examined.value)
            for job in finished:
                try:
                    report.merge(job.result())
                except BrokenProcessPool:
                    report.interrupted = True


def _tell(progress: Progress | None, seen: int, examined: int) -> int:
    if progress and examined > seen:
        progress(examined - seen)
    return examined


_shared: dict[str, Any] = {}  # a worker process's own: its parent's stop flag and count


def _prepare(halt: Any, examined: Any, folders: Sequence[Path] = ()) -> None:
    """A worker leaves SIGTERM and Ctrl-C to its parent, which sets the flag: each finishes its chunk.

    It is a new process: the laws that the host added are added again.
    """
    for folder in folders:
        add_rulebooks(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _shared.update(halt=halt, examined=examined)


def _add(total: Any, examined: int) -> None:
    with total.get_lock():
        total.value += examined


def _worker(url: str, order: Order, run_id: int | None, share: Share) -> Report:
    engine = open_engine(url)
    try:
        with short_turns():
            return _part(engine, order, run_id, partial(_add, _shared["examined"]), _shared["halt"].is_set, share)
    finally:
        engine.dispose()


def _part(
    engine: Engine, order: Order, run_id: int | None, progress: Progress, stop: Stop, share: Share
) -> Report:
    part = Report(order.municipality, str(order.as_of), run_id)
    _work(engine, order, part, progress, stop, share)
    return part
