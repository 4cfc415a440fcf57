"""The example that sweeps a fleet of databases on a local Dask cluster, run as a person would."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from procedure import record_act
from procedure.cli.main import main
from procedure.testing import acts_of
from tests.integration.store.samples import opened
from tests.structure.sources import ROOT

pytest.importorskip("distributed", reason="the extra `fleet` is not installed")

DATABASES = 4


def filled(url: str, number: int) -> None:
    """A database with so many autos whose term to defend ended on 25/03/2013 (15 days from the 11th)."""
    assert main(["db", "upgrade", "--db", url]) == 0
    with opened(url) as engine, Session(engine) as session, session.begin():
        for auto in range(number):
            acts = acts_of("3204708", f"{auto + 1}/2013")
            for act in acts.lavratura("2013-03-01", article="64-I").ciencia("2013-03-08").acts:
                record_act(session, act, recorded_at=datetime(2013, 3, 9, tzinfo=UTC))


def test_every_database_is_swept_and_one_that_is_missing_is_told(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path}/{number}.db" for number in range(1, DATABASES + 1)]
    for number, url in enumerate(urls, 1):
        filled(url, number)
    listed = tmp_path / "databases.txt"
    listed.write_text("\n".join([*urls, f"sqlite:///{tmp_path}/missing.db", ""]), encoding="utf-8")
    command = [sys.executable, "examples/fleet_dask.py", "--as-of", "2013-03-26", str(listed)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONUTF8": "1", "HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False, timeout=300)
    assert done.returncode == 1, done.stderr
    lines = {int(line.split(":")[0]): line.split(": ")[1] for line in done.stdout.splitlines()}
    assert {number: lines[number] for number in range(1, DATABASES + 1)} == {
        number: f"prazos concluídos {number}, inscrições 0" for number in range(1, DATABASES + 1)
    }
    assert lines[DATABASES + 1] == "banco_sem_tabelas"
    for number, url in enumerate(urls, 1):
        with opened(url) as engine, engine.connect() as connection:
            states = connection.execute(text("SELECT state, count(*) FROM posturas_cases GROUP BY state")).all()
        assert [tuple(row) for row in states] == [("em_julgamento", number)]
