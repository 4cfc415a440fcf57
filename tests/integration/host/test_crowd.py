"""Threads and processes of a host, each with its own session, over caches that they share or inherit."""

from __future__ import annotations

import subprocess
import sys
from datetime import date

import pytest
from sqlalchemy.orm import Session

from procedure import poll_events, show_case, sweep_cases
from procedure.cli.main import main
from tests.integration.host.crowd import EACH, IBGE, NOW, WORKERS
from tests.integration.store.samples import opened
from tests.structure.sources import ROOT
from tests.waiting import settled


@pytest.mark.parametrize("how", ["threads", "fork", "spawn"])
def test_nothing_is_lost_and_nothing_is_done_twice(upgraded_url: str, how: str) -> None:
    command = [sys.executable, "-m", "tests.integration.host.crowd", how, upgraded_url]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONUTF8": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    workers = WORKERS + (how == "fork")
    autos = {f"{worker}-{number}/2013" for worker in range(workers) for number in range(EACH)}
    with opened(upgraded_url) as engine:
        with Session(engine) as session, session.begin():
            # What a worker's sweep passed over, another transaction held: a last one finds it.
            left = sweep_cases(session, IBGE, as_of=date(2013, 3, 26), recorded_at=NOW).expired
        with Session(settled(engine)) as session:
            shown = {auto: show_case(session, IBGE, auto) for auto in autos}
            events = [(event.auto, event.seq) for event in poll_events(session, IBGE).events]
    assert {case["state"] for case in shown.values()} == {"em_julgamento"}
    assert {d["due"] for case in shown.values() for d in case["deadlines"] if d["kind"] == "defesa"} == {"2013-03-25"}
    assert sorted(events) == sorted((auto, seq) for auto in autos for seq in (1, 2, 3))
    # Each term is concluded by one worker, or by none and then at last; the parent of forks swept its own before.
    assert int(done.stdout) + left == WORKERS * EACH
    assert main(["verify", "--municipality", IBGE, "--db", upgraded_url]) == 0
