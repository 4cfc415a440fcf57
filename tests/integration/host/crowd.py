"""A crowd in a fresh interpreter, so that nothing is loaded yet: each worker has its own session, all begin at once.

python -m tests.integration.host.crowd threads|fork|spawn URL
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from typing import Any

import procedure

IBGE = "3204708"
NOW = datetime(2016, 1, 4, 12, tzinfo=UTC)
WORKERS, EACH = 5, 3


def drawn(auto: str, doc: str) -> list[dict[str, Any]]:
    """An auto and its ciência of Friday 08/03/2013: 15 days to defend end on Monday 25/03."""
    common = {"municipality": IBGE, "auto": auto, "actor": "F-1", "role": "fiscal"}
    fact = {"date": "2013-03-01T10:00", "place": "Praça", "article": "64-I", "description": "Som alto"}
    infrator = {"name": "Firma", "doc": doc, "address": {"street": f"Rua de {auto}"}}
    signature = {"by": "recusa", "witnesses": ["Ana Sá", "Rui Dó"]}
    drawn = {"act": "lavratura", "date": "2013-03-01", "infrator": infrator, "fact": fact, "signature": signature}
    told = {"act": "ciencia", "date": "2013-03-08", "method": "postal", "received": "2013-03-08"}
    return [{**common, **drawn, "perigo_iminente": "risco"}, {**common, **told, "juntada": "2013-03-08"}]


def work(url: str, worker: int, begin: Callable[[], object]) -> int:
    """Record autos of one firm that all share, then sweep while the others do; the terms this one concluded."""
    import sqlalchemy as sa
    from sqlalchemy.orm import Session

    from procedure.store.engine import open_engine

    engine: sa.Engine = open_engine(url)
    begin()
    for number in range(EACH):
        with Session(engine) as session, session.begin():
            procedure.record_acts(session, drawn(f"{worker}-{number}/2013", "11.222.333/0001-81"), recorded_at=NOW)
    with Session(engine) as session, session.begin():
        swept = procedure.sweep_cases(session, IBGE, as_of=date(2013, 3, 26), recorded_at=NOW)
    engine.dispose()
    return swept.expired


def in_threads(url: str) -> int:
    begin = threading.Barrier(WORKERS)
    with ThreadPoolExecutor(WORKERS) as pool:
        return sum(pool.map(lambda worker: work(url, worker, begin.wait), range(WORKERS)))


def in_processes(url: str, how: str) -> int:
    context: Any = multiprocessing.get_context(how)
    if how == "fork":
        work(url, WORKERS, lambda: None)  # the children begin with the parent's caches
    begin, answers = context.Barrier(WORKERS), context.Queue()
    crowd = [context.Process(target=answer, args=(url, worker, begin, answers)) for worker in range(WORKERS)]
    for process in crowd:
        process.start()
    total = sum(answers.get(timeout=120) for _ in crowd)
    for process in crowd:
        process.join(60)
    return int(total)


def answer(url: str, worker: int, begin: Any, answers: Any) -> None:
    answers.put(work(url, worker, begin.wait))


if __name__ == "__main__":
    how, url = sys.argv[1:]
    print(in_threads(url) if how == "threads" else in_processes(url, how))
