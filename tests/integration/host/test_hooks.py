"""A host's subscribers: told of each act in the transaction that records it, whoever records it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session, scoped_session, sessionmaker

import procedure
from procedure import hooks
from procedure.store import host as host_calls
from procedure.testing import acts_of
from tests.integration.store.samples import opened
from tests.waiting import settled

IBGE, LAW = "3204708", "es-3204708/lei-1522-2005"
NOW = datetime(2016, 1, 4, 12, tzinfo=UTC)


class BooksClosed(Exception):
    """The host's own refusal."""


@pytest.fixture
def engine(upgraded_url: str) -> Iterator[Engine]:
    with opened(upgraded_url) as made:
        with Session(made) as session, session.begin():
            session.execute(text("CREATE TABLE erp (auto VARCHAR(20), act VARCHAR(40))"))
            procedure.supply_unit_value(
                session, LAW, "VRSGP", start=date(2012, 9, 18), value=Decimal("30.00"), act="Decreto", recorded_at=NOW
            )
        yield made


def note(session: Session, event: hooks.Event) -> None:
    session.execute(text("INSERT INTO erp VALUES (:auto, :act)"), {"auto": event.auto, "act": event.act})


def noted(engine: Engine) -> list[str]:
    with Session(engine) as session:
        return list(session.scalars(text("SELECT act FROM erp")))


def drawn(auto: str = "1/2013") -> list[dict[str, Any]]:
    return acts_of(IBGE, auto).lavratura("2013-03-01", article="64-I").ciencia("2013-03-08").acts


def test_what_a_subscriber_writes_commits_with_the_act_or_not_at_all(engine: Engine) -> None:
    sessions = sessionmaker(engine)
    hooks.subscribe(sessions, note)
    with sessions() as session:
        procedure.record_acts(session, drawn(), recorded_at=NOW)
        session.rollback()
    assert noted(engine) == []
    with sessions.begin() as session:
        procedure.record_acts(session, drawn(), recorded_at=NOW)
    assert noted(engine) == ["lavratura", "ciencia"]


def test_the_sweep_tells_what_it_concludes(engine: Engine) -> None:
    """15 days from Friday 08/03/2013, by post, are counted from the 11th and end on Monday 25/03."""
    with Session(engine) as session, session.begin():
        procedure.record_acts(session, drawn(), recorded_at=NOW)
    with Session(engine) as session, session.begin():
        hooks.subscribe(session, note)
        assert procedure.sweep_cases(session, IBGE, as_of=date(2013, 3, 26), recorded_at=NOW).expired == 1
    assert noted(engine) == ["decurso_defesa"]


def defend(session: Session) -> None:
    (defence,) = acts_of(IBGE, "1/2013").act("defesa", "2013-03-11").acts
    procedure.record_act(session, defence, recorded_at=NOW)


def sweep(session: Session) -> None:
    procedure.sweep_cases(session, IBGE, as_of=date(2013, 3, 26), recorded_at=NOW)


@pytest.mark.parametrize("write", [defend, sweep])
def test_what_a_subscriber_raises_undoes_the_act(engine: Engine, write: Callable[[Session], None]) -> None:
    def refuse(session: Session, event: hooks.Event) -> None:
        note(session, event)
        raise BooksClosed(event.act)

    with Session(engine) as session, session.begin():
        procedure.record_acts(session, drawn(), recorded_at=NOW)
    before = shown(engine)
    with Session(engine) as session, session.begin():
        hooks.subscribe(session, refuse)
        with pytest.raises(BooksClosed), session.begin_nested():
            write(session)
        session.execute(text("INSERT INTO erp VALUES ('-', 'the rest of the work')"))
    assert noted(engine) == ["the rest of the work"]
    assert shown(engine) == before


def shown(engine: Engine) -> dict[str, Any]:
    with Session(engine) as session:
        return procedure.show_case(session, IBGE, "1/2013", history=True)


def test_the_event_told_is_the_one_polled(engine: Engine) -> None:
    told: list[hooks.Event] = []
    with Session(engine) as session, session.begin():
        hooks.subscribe(session, lambda _, event: told.append(event))
        procedure.record_acts(session, [*drawn("1/2013"), *drawn("2/2013")], recorded_at=NOW)
        procedure.sweep_cases(session, IBGE, as_of=date(2013, 3, 26), recorded_at=NOW)
    with Session(settled(engine)) as session:
        polled = procedure.poll_events(session, IBGE).events
    assert told == list(polled)
    assert len(told) == 6
    assert [(told[0].municipality, told[0].act, told[0].seq)] == [(IBGE, "lavratura", 1)]
    assert "11.222.333" not in json.dumps([event.content for event in told])  # who it is stays in the register


def test_a_known_key_and_a_rehearsal_tell_nothing(engine: Engine) -> None:
    told: list[str] = []
    first = {**drawn()[0], "key": "erp-1"}
    with Session(engine) as session, session.begin():
        hooks.subscribe(session, lambda _, event: told.append(event.act))
        host_calls.rehearse_act(session, first, recorded_at=NOW)
        assert told == []
        procedure.record_act(session, first, recorded_at=NOW)
        assert procedure.record_act(session, first, recorded_at=NOW).known
    assert told == ["lavratura"]


def test_a_scoped_session_tells_those_of_every_thread(engine: Engine) -> None:
    """As Flask-SQLAlchemy has it: subscribed once, where the application begins."""
    sessions = scoped_session(sessionmaker(engine))
    hooks.subscribe(sessions, note)

    def work(auto: str) -> None:
        with sessions.begin():
            procedure.record_act(sessions(), drawn(auto)[0], recorded_at=NOW)
        sessions.remove()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, ["1/2013", "2/2013"]))
    assert noted(engine) == ["lavratura", "lavratura"]
    hooks.unsubscribe(sessions, note)
    work("3/2013")
    assert noted(engine) == ["lavratura", "lavratura"]


def test_a_session_s_subscriber_hears_no_other_session(engine: Engine) -> None:
    told: list[str] = []
    sessions = sessionmaker(engine, info={"of the host": 1})
    hooks.subscribe(sessions, lambda _, event: told.append(f"all {event.act}"))
    with sessions.begin() as one, Session(engine) as stranger:
        hooks.subscribe(one, lambda _, event: told.append(f"one {event.act}"))
        assert (one.info["of the host"], dict(stranger.info)) == (1, {})
    with sessions.begin() as two:
        procedure.record_act(two, drawn()[0], recorded_at=NOW)
    assert told == ["all lavratura"]


def test_one_that_left_is_not_told(engine: Engine) -> None:
    sessions = sessionmaker(engine)
    for maker_or_session in (sessions, sessions()):
        hooks.subscribe(maker_or_session, note)
        hooks.unsubscribe(maker_or_session, note)
        with pytest.raises(ValueError, match="not in list"):
            hooks.unsubscribe(maker_or_session, note)
    with sessions.begin() as session:
        procedure.record_act(session, drawn()[0], recorded_at=NOW)
    assert noted(engine) == []


def test_a_subscriber_may_not_record(engine: Engine) -> None:
    def eager(session: Session, event: hooks.Event) -> None:
        procedure.record_acts(session, drawn("9/2013"), recorded_at=NOW)

    with Session(engine) as session:
        hooks.subscribe(session, eager)
        with pytest.raises(RuntimeError, match="may not record"):
            procedure.record_act(session, drawn()[0], recorded_at=NOW)
        session.rollback()
        hooks.unsubscribe(session, eager)
        procedure.record_act(session, drawn()[0], recorded_at=NOW)  # the refusal left nothing behind in the session
