"""One sweep of every municipality of a database, in a process of its own: ``python -m bench.sweep.product URL DAY N``.

Prints one JSON object: seconds of the sweep (not of starting Python), of which seconds in statements of the database,
peak memory of this process and of the largest worker, in MB, and what was done.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import event

from bench.measuring import peak_megabytes, python, run_program
from bench.sweep.prototypes import AS_OF, SWEPT
from procedure.domain.moment import Moment
from procedure.services.context import zone_of
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository
from procedure.store.sweep_run import Order
from procedure.store.sweeping import short_turns, sweep_with


@dataclass(frozen=True, slots=True)
class Run:
    """What a sweep took and did; amounts of memory in MB."""

    seconds: float
    in_database: float
    megabytes: float
    worker_megabytes: float
    examined: int
    expired: int
    inscribed: int
    surcharged: int
    failed: int


def run_product(url: str, *, day: date = AS_OF, workers: int = 1) -> Run:
    """Sweep as of the day in a process of its own."""
    done = run_program(python("-m", "bench.sweep.product", url, day.isoformat(), str(workers)))
    return Run(**json.loads(done.output))


def _sweep(url: str, day: date, workers: int) -> dict[str, Any]:
    began = time.perf_counter()
    engine = open_engine(url)
    spent = [0.0, 0.0]

    @event.listens_for(engine, "before_cursor_execute")
    def _before(*_: Any) -> None:
        spent[1] = time.perf_counter()

    @event.listens_for(engine, "after_cursor_execute")
    def _after(*_: Any) -> None:
        spent[0] += time.perf_counter() - spent[1]

    with session_scope(engine, read_only=True) as session:
        places = SqlRepository(session).municipalities()
    totals = dict.fromkeys(("examined", "expired", "inscribed", "surcharged", "failed"), 0)
    for place in places:
        order = Order(place, Moment.of_day(day, zone_of(place)), SWEPT, workers=workers)
        report = sweep_with(engine, order, url=url)
        for name in totals:
            totals[name] += getattr(report.totals, name)
    engine.dispose()
    return {
        "seconds": time.perf_counter() - began,
        "in_database": spent[0],
        "megabytes": peak_megabytes(),
        "worker_megabytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
        **totals,
    }


if __name__ == "__main__":
    with short_turns():  # as the command does
        print(json.dumps(_sweep(sys.argv[1], date.fromisoformat(sys.argv[2]), int(sys.argv[3]))))
