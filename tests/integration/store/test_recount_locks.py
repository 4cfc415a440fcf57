"""A recount beside another transaction: it waits for nobody, moves what is free, and says what it left (spec 05)."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from sqlalchemy import select

from calendars import DayFact, DayKind, fact_to_document
from procedure.services.recount import Wish
from procedure.store import supplied
from procedure.store.engine import session_scope
from procedure.store.recounting import count_cases, recount_terms
from procedure.store.tables import cases
from tests.integration.cli.scenes import IBGE, lavratura, opened, record, served

DURING = datetime(2013, 3, 21, 12, tzinfo=UTC)
WISH = Wish(True, DURING)


def closed_on_the_last_day(url: str) -> None:
    """Three autos whose defence ends on Monday 25/03/2013, and the decree that closes that day."""
    for number in (1, 2, 3):
        auto = f"{number}/2013"
        record(url, [lavratura(auto, "2013-03-01", fact="2013-02-20T22:00"), served(auto, "ciencia", "2013-03-08")])
    closed = DayFact(date(2013, 3, 25), DayKind.FECHADO, "Ponto", "Decreto de teste 7/2013", date(2013, 3, 20))
    with opened(url) as engine, session_scope(engine) as session:
        supplied.import_facts(session, IBGE, [fact_to_document(closed)], "dias", recorded_at=DURING.isoformat())


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)  # SQLite has one writer: nothing is passed over
def test_a_case_that_another_transaction_holds_is_told_and_moved_later(upgraded_url: str) -> None:
    closed_on_the_last_day(upgraded_url)
    with opened(upgraded_url) as engine:
        with session_scope(engine) as session:
            session.connection().execute(select(cases.c.auto).where(cases.c.auto == "2/2013").with_for_update())
            report = recount_terms(engine, IBGE, WISH)
        assert (report.applied, [(a, code) for a, (code, _) in report.failures.items()]) == (
            2, [("2/2013", "caso_ocupado")],
        )  # fmt: skip
        again = recount_terms(engine, IBGE, WISH)
        assert (again.applied, [m["auto"] for m in again.moves], again.failures) == (1, ["2/2013"], {})


def test_a_recount_stopped_between_chunks_goes_on_from_there(
    upgraded_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed_on_the_last_day(upgraded_url)
    monkeypatch.setattr("procedure.store.recounting.CHUNK", 2)
    asked = iter([False, True])
    with opened(upgraded_url) as engine:
        assert count_cases(engine, IBGE, WISH) == 3
        report = recount_terms(engine, IBGE, WISH, stop=lambda: next(asked))
        assert (report.applied, report.interrupted) == (2, True)
        assert recount_terms(engine, IBGE, WISH).applied == 1
