"""A sweep that is broken off at any moment and run again leaves what an undisturbed one leaves."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from bench.sweep.cases import ONE_IN, auto_of, load
from bench.sweep.prototypes import AS_OF, SWEPT, Prototype
from procedure.cli.main import main
from procedure.domain.moment import Moment
from procedure.services.context import zone_of
from procedure.store.sweep_run import Order
from procedure.store.sweeping import sweep_with
from tests import postgres
from tests.integration.breaking.conftest import Filled
from tests.integration.breaking.record import everything, record
from tests.integration.breaking.running import ended, kill, sweep, workers_of
from tests.integration.breaking.sizes import CASES, CUTS, HELD_SECONDS, IDLE_SWEEPS, KEPT_RUNS, KILLS, SOAK
from tests.integration.store.samples import opened

MUNICIPALITIES = ("3120805", "3129509", "3204708")


def finish(url: str, *options: str, as_of: str = AS_OF.isoformat()) -> str:
    """Sweep to the end, in peace; what it said."""
    process = sweep(url, *options, as_of=as_of)
    said = ended(process)
    assert process.returncode == 0, said
    return said


def assert_as_calm(filled: Filled) -> None:
    found = record(filled.url)
    assert found["gaps"] == []
    for name, rows in filled.calm.items():
        assert found[name] == rows, name
    assert main(["verify", "--db", filled.url]) == 0


def test_a_calm_sweep_is_right(filled: Filled) -> None:
    """Counted by hand: one in five cases is due, one in five of these is inscribed with its surcharge."""
    due = -(-CASES // ONE_IN)
    stamped = [row for row in filled.calm["acts"] if row[6] == "sistema" and row[1] < "~"]
    surcharged = {row[1] for row in stamped if row[3] == "acrescimo"}
    inscribed = {row[1] for row in filled.calm["inscriptions"]}
    expected = {auto_of(number) for number in range(0, CASES, ONE_IN * ONE_IN)}
    assert expected <= surcharged & inscribed
    assert inscribed <= {auto_of(number) for number in range(0, CASES, ONE_IN)}
    assert len({row[1] for row in filled.calm["events"]}) == due


def test_kill_minus_nine_at_random_moments(filled: Filled) -> None:
    """All processes at once, or one worker alone; again and again until nothing is left, then finished."""
    chance = random.Random(9)
    began = time.monotonic()
    ended(sweep(filled.url, "--workers", "3", "--dry-run"))
    longest = 2 * (time.monotonic() - began)
    killed = 0
    while killed < KILLS:
        process = sweep(filled.url, "--workers", "3")
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=chance.uniform(0.3 * longest, longest))
        workers = workers_of(process)
        if workers and chance.random() < 0.5:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)
            ended(process)
        else:
            kill(process)
        killed += process.returncode != 0
        if process.returncode == 0:  # it came to its end before
            assert_as_calm(filled)
            filled.refill()
    finish(filled.url, "--workers", "3")
    assert_as_calm(filled)


def test_the_connection_is_cut(filled: Filled, pg_url: str) -> None:
    if filled.dialect == "sqlite":
        pytest.skip("a file has no connection that a server could cut")
    chance = random.Random(3)
    name = make_url(filled.url).database
    for _ in range(CUTS):
        process = sweep(filled.url, "--workers", "2")
        with opened(pg_url) as engine:
            while process.poll() is None:
                with engine.begin() as connection:
                    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"
                    if connection.execute(text(cut), {"name": name}).all():
                        break
                time.sleep(chance.uniform(0.01, 0.2))
        said = ended(process)
        assert "Traceback" not in said
    finish(filled.url)
    assert_as_calm(filled)


def test_the_server_is_restarted_in_the_middle(prototypes: tuple[str, list[Prototype]], tmp_path: Path) -> None:
    """A server of this test alone, stopped as by a power cut while it is written to."""
    with postgres.server(("fsync=off", "listen_addresses=", "jit=off"), in_memory=True) as home:
        url = postgres.url_of(home)
        assert main(["db", "upgrade", "--db", url]) == 0
        load(url, *prototypes, CASES)
        acts = written(url)
        process = sweep(url)
        while process.poll() is None and written(url) == acts:
            time.sleep(0.01)
        postgres.restart(home, "immediate")
        said = ended(process)
        assert "Traceback" not in said
        finish(url)
        found = record(url)
        assert found["gaps"] == []
        assert {row[1] for row in found["inscriptions"]} >= {auto_of(n) for n in range(0, CASES, ONE_IN * ONE_IN)}
        assert all(row[3] == 1 for row in found["events"])
        assert main(["verify", "--db", url]) == 0


def written(url: str) -> int:
    with opened(url) as engine, engine.connect() as connection:
        return connection.scalar(text("SELECT count(*) FROM posturas_acts")) or 0


def test_the_disk_is_full(filled: Filled) -> None:
    """What SQLite adds to its log soon meets the limit: refused with a message, and no harm done."""
    if filled.dialect != "sqlite":
        pytest.skip("the server's disk is not the sweep's")
    process = sweep(filled.url, limit=150_000)
    said = ended(process)
    assert process.returncode != 0, "the limit was not met"
    assert "Traceback" not in said
    finish(filled.url)
    assert_as_calm(filled)


def test_two_sweeps_as_of_different_days_at_once(filled: Filled, tmp_path: Path) -> None:
    later = (AS_OF + timedelta(days=30)).isoformat()
    together = [sweep(filled.url, "--workers", "2", as_of=day) for day in (later, AS_OF.isoformat())]
    for process in together:
        said = ended(process)
        assert "Traceback" not in said
    finish(filled.url, as_of=later)
    found = record(filled.url)
    assert found["gaps"] == []
    assert all(row[3] == 1 for row in found["events"]), "each act has one event"
    keys = [(*row[:2], row[7]) for row in found["acts"] if row[7]]
    assert len(keys) == len(set(keys)), "no deadline expires twice"
    due = {row[:3] for row in filled.calm["acts"]}
    assert due <= {row[:3] for row in found["acts"]}, "what was due on the first day is done"
    assert main(["verify", "--db", filled.url]) == 0


def test_a_case_that_a_user_holds_for_a_while_is_waited_for(filled: Filled) -> None:
    """Held for seconds: done by the same sweep. Held for longer than it waits: reported, and done by the next one."""
    held = auto_of(0)
    reached = threading.Event()

    def hold() -> None:
        with opened(filled.url) as engine, engine.begin() as connection:
            lock = "" if filled.dialect == "sqlite" else " FOR UPDATE"  # on SQLite a writer holds all
            connection.execute(text(f"SELECT auto FROM posturas_cases WHERE auto = '{held}'{lock}"))
            reached.set()
            time.sleep(HELD_SECONDS)

    thread = threading.Thread(target=hold)
    thread.start()
    assert reached.wait(60)
    process = sweep(filled.url)
    said = ended(process)
    thread.join()
    assert "Traceback" not in said
    if not SOAK:
        assert process.returncode == 0, said
    finish(filled.url)
    assert_as_calm(filled)


def test_a_poisoned_case_in_every_chunk(filled: Filled) -> None:
    """Their facts cannot be read: they are set aside, and all the others end as if they had not been there."""
    poisoned = [auto_of(number) for number in range(0, CASES, CASES // 8) if number % ONE_IN == 0]
    with opened(filled.url) as engine, engine.begin() as connection:
        for auto in poisoned:
            connection.execute(text("UPDATE posturas_cases SET facts = '[' WHERE auto = :auto"), {"auto": auto})
    process = sweep(filled.url)
    said = ended(process)
    assert process.returncode == 1, said
    assert [auto for auto in poisoned if auto not in said] == []
    found = record(filled.url)
    assert found["gaps"] == []
    for name in ("cases", "acts", "deadlines", "inscriptions", "events"):
        theirs = [row for row in filled.calm[name] if row[1] not in poisoned]
        assert [row for row in found[name] if row[1] not in poisoned] == theirs, name
    assert {row[1] for row in found["inscriptions"]} & set(poisoned) == set()


def test_the_clock_is_stepped_back(filled: Filled) -> None:
    """The second half is recorded a day before the first half was: what the law says does not move."""
    with opened(filled.url) as engine:
        for recorded, limit in ((SWEPT, CASES // 20), (SWEPT - timedelta(days=1), None)):
            for place in MUNICIPALITIES:
                order = Order(place, Moment.of_day(AS_OF, zone_of(place)), recorded, limit=limit)
                report = sweep_with(engine, order)
                assert report.failures == {}
    assert_as_calm(filled)


def test_sqlite_is_busy(filled: Filled) -> None:
    """Another program writes, again and again, all the while."""
    if filled.dialect != "sqlite":
        pytest.skip("PostgreSQL has many writers")
    over = threading.Event()

    def write() -> None:
        with opened(filled.url) as engine:
            while not over.is_set():
                with engine.begin() as connection:
                    connection.execute(text("UPDATE posturas_settings SET value = value"))
                    time.sleep(0.02)
                time.sleep(0.01)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        finish(filled.url)
    finally:
        over.set()
        thread.join()
    assert_as_calm(filled)


def test_many_sweeps_with_nothing_to_do_leave_only_their_rows(filled: Filled) -> None:
    runs = ("posturas_sweep_runs", "posturas_counters")
    before = everything(filled.url, runs)
    idle = AS_OF - timedelta(days=200)
    place = MUNICIPALITIES[0]
    with opened(filled.url) as engine:
        for night in range(IDLE_SWEEPS):
            recorded = SWEPT + timedelta(days=night)
            order = Order(place, Moment.of_day(idle, zone_of(place)), recorded, keep_runs=KEPT_RUNS)
            assert sweep_with(engine, order).totals.examined == 0
        with engine.connect() as connection:
            query = "SELECT count(*), min(run_id), max(run_id) FROM posturas_sweep_runs"
            assert tuple(connection.execute(text(query)).one()) == (
                KEPT_RUNS,
                IDLE_SWEEPS - KEPT_RUNS + 1,
                IDLE_SWEEPS,
            )
            query = "SELECT name, value FROM posturas_counters WHERE municipality = :place"
            assert [tuple(row) for row in connection.execute(text(query), {"place": place})] == [
                ("varredura", IDLE_SWEEPS)
            ]
    assert everything(filled.url, runs) == before
