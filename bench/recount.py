"""How many running terms a second a recount moves on SQLite, what a second look costs, and its memory.

    python -m bench.recount [autos]

Every auto is in its term of defence, all of them within some weeks; a decree suspends the terms of a week inside. Each
must move by the days that it lost, and a second recount must move none.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path

from sqlalchemy import text

from bench.import_acts import NOW, PLACE, acts_of, peak
from calendars import SuspensionFact, fact_to_document
from procedure.services.importing.lines import LineReader, open_acts
from procedure.services.importing.staging import Staging, stage
from procedure.services.recount import Wish
from procedure.store import supplied
from procedure.store.engine import open_engine, session_scope
from procedure.store.importing import import_acts
from procedure.store.recounting import recount_terms
from procedure.store.schema import upgrade

DAYS = 21  # the autos begin on so many days, one after the other
DECREED = datetime(2012, 10, 12, 12, tzinfo=UTC)
SUSPENDED = SuspensionFact(date(2012, 10, 15), date(2012, 10, 19), "enchente", "Decreto inventado", date(2012, 10, 12))


def write(path: Path, autos: int) -> None:
    """The file: lavratura and ciência of each auto."""
    numbers = (index // DAYS * 400 + index % DAYS for index in range(autos))
    acts = (act for number in numbers for act in islice(acts_of(number), 2))
    path.write_text("".join(f"{json.dumps(act, ensure_ascii=False)}\n" for act in acts), encoding="utf-8")


def main(autos: int) -> None:
    """Import, decree, recount twice, check, print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "atos.jsonl"
        write(path, autos)
        engine = open_engine(f"sqlite:///{folder}/bench.db", create=True)
        upgrade(engine)
        with open_acts(str(path)) as file, closing(Staging()) as staging:
            for _ in stage(LineReader(file, "utf-8"), staging):
                pass
            report = import_acts(engine, staging, recorded_at=NOW)
        assert (report.applied, report.rejected) == (2 * autos, []), report.rejected[:3]
        with session_scope(engine) as session:
            supplied.import_facts(session, PLACE, [fact_to_document(SUSPENDED)], "bench", recorded_at=NOW.isoformat())
        loaded = peak()
        for label, write_it in (("told", False), ("moved", True), ("again", True)):
            started = time.monotonic()
            done = recount_terms(engine, PLACE, Wish(write_it, DECREED))
            seconds = time.monotonic() - started
            assert not done.failures, done.failures
            print(
                f"{label}: {done.applied} of {autos} terms in {seconds:.1f} s, {done.applied / seconds:,.0f}/s; "
                f"peak {peak()} MB (loaded {loaded})"
            )
            assert done.applied == (0 if label == "again" else expected(autos)), (done.applied, expected(autos))
        with session_scope(engine, read_only=True) as session:
            query = "SELECT count(*) FROM posturas_deadlines WHERE status = 'aberto'"
            assert session.scalar(text(query)) == autos
        engine.dispose()


def expected(autos: int) -> int:
    """Those with a day of the suspension in them: notices of Saturday 06/10 to Friday 19/10, itself suspended.

    A notice of the week-end that follows is deemed made on Monday 22/10 with the suspension or without it.
    """
    return sum(index % DAYS <= 13 for index in range(autos))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000)
