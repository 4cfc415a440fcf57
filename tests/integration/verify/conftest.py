"""A record to tamper with, on each of the two databases: made once, copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from tests.integration.cli.conftest import drop
from tests.integration.cli.scenes import PERSON, Cli, inscribed_case, lavratura, record, served, supply_unit, to_payment

AUTO = "3/2013"


@pytest.fixture(scope="session")
def office_templates() -> dict[str, str]:
    """The databases that tests copy, by dialect; the first test that needs one makes it."""
    return {}


@pytest.fixture
def office(
    dialect: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    office_templates: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Cli]:
    """1/2013 and 2/2013 inscribed; 3/2013 in its term of defence; every row of it right."""
    if dialect not in office_templates:
        office_templates[dialect] = _make(dialect, request, Cli("", capsys, monkeypatch))
    template = make_url(office_templates[dialect]).database
    if dialect == "sqlite":
        shutil.copyfile(str(template), tmp_path / "posturas.db")
        yield Cli(f"sqlite:///{tmp_path}/posturas.db", capsys, monkeypatch)
        return
    url = request.getfixturevalue("pg_create")(template)
    yield Cli(url, capsys, monkeypatch)
    drop(request.getfixturevalue("pg_url"), url)


def _make(dialect: str, request: pytest.FixtureRequest, cli: Cli) -> str:
    if dialect == "sqlite":
        factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
        cli.url = f"sqlite:///{factory.mktemp('office')}/template.db"
    else:
        cli.url = request.getfixturevalue("pg_create")()
    assert cli("db", "upgrade")[0] == 0
    supply_unit(cli.url)
    inscribed_case(cli.url)
    record(cli.url, to_payment("2/2013", date(2013, 3, 4), person=PERSON))
    assert cli("sweep", "--as-of", "2014-01-01")[0] == 0
    record(cli.url, [lavratura(AUTO, "2014-02-03", fact="2014-02-01T22:00"), served(AUTO, "ciencia", "2014-02-05")])
    return cli.url
