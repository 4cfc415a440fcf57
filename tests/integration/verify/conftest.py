"""A record to tamper with, on each of the two databases."""

from __future__ import annotations

from datetime import date

import pytest

from tests.integration.cli.scenes import (
    PERSON,
    Cli,
    inscribed_case,
    lavratura,
    record,
    served,
    supply_unit,
    to_payment,
)


@pytest.fixture
def office(upgraded_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """1/2013 and 2/2013 inscribed; 3/2013 in its term of defence; every row of it right."""
    cli = Cli(upgraded_url, capsys, monkeypatch)
    supply_unit(cli.url)
    inscribed_case(cli.url)
    record(cli.url, to_payment("2/2013", date(2013, 3, 4), person=PERSON))
    cli("sweep", "--as-of", "2014-01-01")
    record(
        cli.url,
        [lavratura("3/2013", "2014-02-03", fact="2014-02-01T22:00"), served("3/2013", "ciencia", "2014-02-05")],
    )
    return cli
