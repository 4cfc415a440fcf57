"""How a host uses `procedure`, as its type checker sees it (see `test_legalbasis_usage`)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, assert_type

import pytest
from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session, sessionmaker

import procedure
from procedure import (
    Fine,
    FineQuestion,
    PosturasError,
    Recorded,
    Repository,
    Swept,
    assess_fine,
    count_deadline,
    record_act,
    record_acts,
    show_case,
    supply_unit_value,
    sweep_cases,
    upgrade_schema,
)
from procedure.hooks import START, Batch, Event, Position, Subscriber, prune_events, subscribe, unsubscribe
from procedure.testing import ActsOf, FixedClock, MemoryOffice, MemoryRepository, acts_of

NOW = datetime(2016, 1, 4, 12, tzinfo=UTC)
LAW = "es-3204708/lei-1522-2005"


def test_acts_sweeps_and_cases_have_their_types(tmp_path: Any) -> None:
    engine: Engine = create_engine(f"sqlite:///{tmp_path}/host.db")
    assert_type(upgrade_schema(engine), tuple[str | None, str])
    acts = acts_of("3204708", "1/2013").lavratura("2013-03-01", article="64-I").ciencia("2013-03-08").acts
    with Session(engine) as session, session.begin():
        first = assert_type(record_act(session, acts[0], recorded_at=NOW), Recorded)
        assert_type(first.state, str | None)
        assert_type(record_acts(session, acts[1:], recorded_at=NOW), list[Recorded])
        kept = supply_unit_value(
            session, LAW, "VRSGP", start=date(2012, 9, 18), value=Decimal("30.00"), act="Decreto", recorded_at=NOW
        )
        assert_type(kept, bool)
        swept = assert_type(sweep_cases(session, "3204708", as_of=date(2013, 3, 26), recorded_at=NOW), Swept)
        assert_type(swept.failures, dict[str, tuple[str, str]])
        shown = assert_type(show_case(session, "3204708", "1/2013"), dict[str, Any])
    assert shown["state"] == "em_julgamento"
    engine.dispose()


def test_nothing_has_a_day_or_an_instant_by_default() -> None:
    session: Any = None
    with pytest.raises(TypeError):
        record_act(session, {})  # type: ignore[call-arg]  # the instant of recording is the host's to say
    with pytest.raises(TypeError):
        sweep_cases(session, "3204708", recorded_at=NOW)  # type: ignore[call-arg]  # never "today"
    with pytest.raises(TypeError):
        count_deadline(LAW, term="15d")  # type: ignore[call-arg]  # a term starts somewhere


def test_a_fine_explains_itself() -> None:
    question = FineQuestion(LAW, "46", date(2013, 6, 10), grau="medio", unit_value=Decimal("30.00"))
    fine = assert_type(assess_fine(question), Fine)
    assert assert_type(fine.amount, Decimal) == Decimal("180.00")
    with pytest.raises(AttributeError):
        question.grau = "maximo"  # type: ignore[misc]  # frozen


def test_a_deadline_explains_itself() -> None:
    counted = count_deadline(LAW, date(2013, 3, 8), "15d")
    assert assert_type(counted.due, date) == date(2013, 3, 25)
    saturday = count_deadline(LAW, date(2013, 3, 9), "15d")
    assert saturday.due == date(2013, 3, 26)
    assert [a.due for a in saturday.alternatives] == [date(2013, 3, 25)]


def test_subscribers_and_positions_have_their_types(tmp_path: Any) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/host.db")
    upgrade_schema(engine)
    told: list[str] = []

    def hear(session: Session, event: Event) -> None:
        told.append(assert_type(event.act, str))

    subscriber: Subscriber = hear
    sessions = sessionmaker(engine)
    subscribe(sessions, subscriber)
    with sessions.begin() as session:
        subscribe(session, hear)
        unsubscribe(session, hear)
        record_acts(session, acts_of("3204708", "1/2013").lavratura("2013-03-01", article="64-I").acts, recorded_at=NOW)
        batch = assert_type(procedure.poll_events(session, "3204708", START), Batch)
        reached: Position = batch.position
        assert_type(prune_events(session, "3204708", reached), int)
    assert set(told) == {"lavratura"}
    engine.dispose()


def test_the_store_in_memory_is_a_repository() -> None:
    repository: Repository = MemoryRepository()
    assert repository.municipalities() == []
    office = MemoryOffice("3204708", FixedClock(NOW))
    assert_type(office.record(acts_of("3204708", "1/2013").lavratura("2013-03-01", article="64-I").acts[0]), Recorded)
    assert_type(acts_of("3204708", "1/2013"), ActsOf)


def test_the_public_names_are_few_documented_and_there() -> None:
    assert len(procedure.__all__) <= 20
    assert set(procedure.__all__) <= set(dir(procedure))
    for name in procedure.__all__:
        value: Callable[..., Any] = getattr(procedure, name)
        assert (value.__doc__ or "").strip(), name
    with pytest.raises(AttributeError):
        procedure.record_everything  # noqa: B018  # no such name is the point
    with pytest.raises(PosturasError):
        assess_fine(FineQuestion("xx-0/lei-1", "1", date(2013, 6, 10)))


def test_importing_the_library_or_asking_a_fine_loads_no_database() -> None:
    program = (
        "import sys, procedure\nfrom datetime import date\nfrom decimal import Decimal\n"
        f"procedure.assess_fine(procedure.FineQuestion({LAW!r}, '64-I', date(2013, 6, 10), unit_value=Decimal(30)))\n"
        f"procedure.count_deadline({LAW!r}, date(2013, 3, 8), '15d')\n"
        "heavy = {'sqlalchemy', 'alembic', 'holidays', 'transitions', 'rich'}\n"
        "print(sorted(heavy & {m.split('.')[0] for m in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
