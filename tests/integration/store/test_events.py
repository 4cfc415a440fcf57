"""The outbox cursor: nothing is missed and each case's events come in order, whoever commits first."""

from __future__ import annotations

import json
from datetime import date

import pytest
from sqlalchemy import Engine, text

from procedure.cli.main import main
from procedure.store import events
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.store.samples import IBGE, add_act, new_case
from tests.waiting import settled


def seen(batch: events.Batch) -> list[tuple[str, int]]:
    return [(event.auto, event.seq) for event in batch.events]


def test_events_are_read_in_batches_and_pruned(engine: Engine) -> None:
    with session_scope(engine) as session:
        SqlRepository(session).save([new_case(f"{number}/2013") for number in range(1, 4)])
    with session_scope(settled(engine)) as session:
        assert seen(events.poll(session, "3100000")) == []
        first = events.poll(session, IBGE, limit=2)
        assert seen(first) == [("1/2013", 1), ("2/2013", 1)]
        assert first.events[0].content["act"] == "lavratura"
        rest = events.poll(session, IBGE, first.position)
        assert seen(rest) == [("3/2013", 1)]
        assert events.poll(session, IBGE, rest.position) == events.Batch((), rest.position)
        assert events.prune(session, IBGE, first.position) == 2
    with session_scope(settled(engine)) as session:
        assert seen(events.poll(session, IBGE)) == [("3/2013", 1)]
        events.prune(session, IBGE, rest.position)
        SqlRepository(session).save([new_case("4/2013")])
    with session_scope(settled(engine)) as session:
        assert seen(events.poll(session, IBGE, rest.position)) == [("4/2013", 1)], "a pruned id is not used again"


def test_nothing_is_missed_when_the_first_to_write_commits_last(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer: nobody commits in between")
    with session_scope(engine) as slow:
        SqlRepository(slow).save([new_case("1/2013")])
        with session_scope(engine) as quick:
            SqlRepository(quick).save([new_case("2/2013")])
        with session_scope(engine) as reader:
            waiting = events.poll(reader, IBGE)
            assert seen(waiting) == [], "an older transaction still runs"
    with session_scope(settled(engine)) as reader:
        assert seen(events.poll(reader, IBGE, waiting.position)) == [("1/2013", 1), ("2/2013", 1)]


def test_a_case_keeps_its_order_when_an_older_transaction_writes_later(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer: no transaction is older than the one that writes")
    case = new_case("1/2013")
    with session_scope(engine) as older:
        older.execute(text("SELECT pg_current_xact_id()"))
        with session_scope(engine) as younger:
            SqlRepository(younger).save([case])
        add_act(case, "ciencia", date(2013, 3, 9))
        SqlRepository(older).save([case])
    with session_scope(settled(engine)) as reader:
        first = events.poll(reader, IBGE, limit=1)
        assert seen(first) == [("1/2013", 1), ("1/2013", 2)]
        assert seen(events.poll(reader, IBGE, first.position)) == [("1/2013", 1)], "again, at its own position"


def test_the_newest_are_kept_and_readers_go_on(
    upgraded_url: str, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    with session_scope(engine) as session:
        SqlRepository(session).save([new_case(f"{number}/2013") for number in range(1, 6)])
    with session_scope(settled(engine)) as session:
        read = events.poll(session, IBGE, limit=4)
    assert main(["db", "prune-events", "--db", upgraded_url]) == 2, "how many must be said"
    for odd in ("-1", "9" * 20):
        capsys.readouterr()
        assert main(["db", "prune-events", "--keep", odd, "--json", "--db", upgraded_url]) == 2
        assert json.loads(capsys.readouterr().out)["error"]["code"] == "uso", odd
    assert main(["db", "prune-events", "--keep", "9", "--db", upgraded_url]) == 0
    assert "0 evento(s)" in capsys.readouterr().out
    assert main(["db", "prune-events", "--keep", "2", "--json", "--db", upgraded_url]) == 0
    assert json.loads(capsys.readouterr().out) == {"kept": 2, "pruned": [{"municipality": IBGE, "events": 3}]}
    with session_scope(settled(engine)) as session:
        assert seen(events.poll(session, IBGE)) == [("4/2013", 1), ("5/2013", 1)]
        assert seen(events.poll(session, IBGE, read.position)) == [("5/2013", 1)]
    assert main(["db", "prune-events", "--keep", "0", "--db", upgraded_url]) == 0
    with session_scope(settled(engine)) as session:
        assert seen(events.poll(session, IBGE)) == []
        assert len(SqlRepository(session).acts(IBGE, "1/2013")) == 1, "the record is whole"
