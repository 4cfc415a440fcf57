"""The rows that prove a sweep, the digest of the heads, and the listings."""

from __future__ import annotations

import hashlib
from datetime import date

import pytest
from sqlalchemy import Engine

from procedure.domain.chain import canonical
from procedure.domain.vocabulary import State
from procedure.store import events, listing, sweeps
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.store.samples import IBGE, at, deadline, inscription, new_case
from tests.waiting import settled


def start(engine: Engine, started_at: str, municipality: str = IBGE) -> int:
    with session_scope(engine) as session:
        as_of = at("2013-04-27T03:00:00")
        return sweeps.start_run(session, municipality, as_of=as_of, started_at=started_at, actor="cron", workers=2)


def test_a_run_is_recorded_from_start_to_end(engine: Engine) -> None:
    assert start(engine, "2013-04-20T03:00:00-03:00") == 1
    assert start(engine, "2013-04-27T03:00:00-03:00") == 2
    assert start(engine, "2013-04-27T03:00:00-03:00", "3100000") == 1
    totals = sweeps.Totals(examined=5, expired=4, inscribed=1, surcharged=2, failed=1, by_kind={"defesa": 4})
    with session_scope(engine) as session:
        sweeps.record_failures(session, IBGE, 2, {"9/2013": ("erro_de_lei", "x"), "10/2013": ("uso", "y")})
        sweeps.record_failures(session, IBGE, 2, {"9/2013": ("auto_alterado", "z")})
        sweeps.finish_run(
            session, IBGE, 2, totals, finished_at="2013-04-27T03:00:02-03:00", milliseconds=2_000
        )
    with session_scope(engine, read_only=True) as session:
        last, first = sweeps.runs(session, IBGE)
        assert (first.status, first.days_since_last, first.finished_at) == ("em_andamento", None, None)
        assert (last.status, last.days_since_last, last.as_of) == ("concluida", 7, "2013-04-27T03:00:00-03:00")
        assert (last.examined, last.expired, last.inscribed, last.surcharged, last.failed) == (5, 4, 1, 2, 1)
        assert (last.by_kind, last.milliseconds, last.workers) == ('{"defesa":4}', 2_000, 2)
        assert last.head == hashlib.sha256(b"").hexdigest()  # there is no case yet
        assert sweeps.failures(session, IBGE, 2) == [("10/2013", "uso", "y"), ("9/2013", "auto_alterado", "z")]


def test_old_runs_are_pruned_with_their_failures(engine: Engine) -> None:
    for day in range(1, 6):
        start(engine, f"2013-04-0{day}T03:00:00-03:00")
    with session_scope(engine) as session:
        sweeps.record_failures(session, IBGE, 3, {"9/2013": ("uso", "x")})
        sweeps.record_failures(session, IBGE, 4, {"9/2013": ("uso", "x")})
        assert sweeps.prune_runs(session, IBGE, keep=5) == 0
        assert sweeps.prune_runs(session, IBGE, keep=2) == 3
        assert [run.run_id for run in sweeps.runs(session, IBGE)] == [5, 4]
        assert sweeps.failures(session, IBGE, 3) == []
        assert len(sweeps.failures(session, IBGE, 4)) == 1
    assert start(engine, "2013-04-06T03:00:00-03:00") == 6


def test_the_digest_of_the_heads(engine: Engine) -> None:
    cases = [new_case("b/2013"), new_case("a/2013")]
    lines = [f'["{case.auto}",1,"{case.last_hash}"]\n' for case in reversed(cases)]
    with session_scope(engine) as session:
        assert sweeps.heads(session, IBGE) == hashlib.sha256(b"").hexdigest()
        SqlRepository(session).save(cases)
        assert sweeps.heads(session, IBGE) == hashlib.sha256("".join(lines).encode()).hexdigest()


def finish(engine: Engine, status: str = sweeps.DONE) -> str | None:
    settled(engine)
    start(engine, "2013-04-27T03:00:00-03:00")
    with session_scope(engine) as session:
        run_id = sweeps.runs(session, IBGE)[0].run_id
        at_end = {"finished_at": "2013-04-27T03:00:02-03:00", "milliseconds": 1}
        sweeps.finish_run(session, IBGE, run_id, sweeps.Totals(), status=status, **at_end)
    with session_scope(engine, read_only=True) as session:
        head: str | None = sweeps.runs(session, IBGE)[0].head
        return head


def test_each_run_keeps_the_head_and_reads_the_cases_only_when_something_was_recorded(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    real = sweeps.heads
    monkeypatch.setattr(sweeps, "heads", lambda session, place: (taken.append(place), real(session, place))[1])
    kept = [finish(engine)]
    for auto in ("a/2013", "b/2013"):
        with session_scope(engine) as session:
            SqlRepository(session).save([new_case(auto)])
        kept += [finish(engine), finish(engine)]
    assert kept[1] == kept[2] != kept[0]
    assert kept[3] == kept[4] != kept[1]
    assert len(taken) == 3
    with session_scope(engine) as session:
        events.prune(session, IBGE, events.poll(session, IBGE).position)
    assert finish(engine) == kept[4]
    assert len(taken) == 4, "what was deleted could have been anything"
    assert finish(engine, sweeps.INTERRUPTED) is None
    assert finish(engine) == kept[4]
    assert len(taken) == 4


def test_the_digest_writes_any_auto_as_canonical_json_does(engine: Engine) -> None:
    autos = sorted(['1/2013', 'a"b', "c\\d", "é/2013 🏛️", "\t\n\r\x08\x0c\x01\x1f\x7f", "~/2013"])
    cases = {auto: new_case(auto) for auto in autos}
    lines = [f"{canonical([auto, 1, cases[auto].last_hash])}\n" for auto in autos]
    with session_scope(engine) as session:
        SqlRepository(session).save(list(cases.values()))
        assert sweeps.heads(session, IBGE) == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_counts_deadlines_at_hand_and_the_total_inscribed(engine: Engine) -> None:
    inscribed = new_case("2/2013", state=State.INSCRITO, deadlines=[deadline(1, date(2013, 4, 1), internal=True)])
    inscribed.inscription = inscription(inscribed, 1)
    late = new_case("3/2013", deadlines=[deadline(1, date(2013, 4, 9))])
    with session_scope(engine) as session:
        assert listing.inscribed_total(session, IBGE) == (0, 0)
        SqlRepository(session).save([late, inscribed, new_case("1/2013")])
        assert listing.counts_by_state(session, IBGE) == {"aguardando_defesa": 2, "inscrito": 1}
        found = listing.open_deadlines(session, IBGE, date(2013, 3, 25), date(2013, 4, 9))
        assert [(item.auto, item.kind, item.due.isoformat(), item.state) for item in found] == [
            ("1/2013", "defesa", "2013-03-25", "aguardando_defesa"),
            ("3/2013", "defesa", "2013-04-09", "aguardando_defesa"),
        ]
        assert listing.open_deadlines(session, IBGE, date(2013, 3, 26), date(2013, 4, 8)) == []
        assert listing.inscribed_total(session, IBGE) == (1, 36_300)
