"""The HTTP interface over each of the two databases, its clock at the scenes' instant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from procedure.http.app import create_app
from procedure.http.settings import Settings
from procedure.store.engine import open_engine
from tests.integration.cli.scenes import Cli, inscribed_case, supply_unit
from tests.integration.http.clients import NOW, Client, make_key


@pytest.fixture
def cli(upgraded_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line over the same database."""
    return Cli(upgraded_url, capsys, monkeypatch)


@pytest.fixture
def http(cli: Cli) -> Iterator[Client]:
    """A client whose key may do all in São Gabriel da Palha; the unit's value is supplied."""
    supply_unit(cli.url)
    engine = open_engine(cli.url)
    try:
        yield Client(create_app(engine, lambda: NOW, Settings()), make_key(cli.url)[1])
    finally:
        engine.dispose()


@pytest.fixture
def inscribed(http: Client, cli: Cli) -> Client:
    """The same with the issue's case, 1/2013, swept into dívida ativa."""
    inscribed_case(cli.url)
    assert cli.json("sweep", "--as-of", "2013-05-10")["inscribed"] == 1
    return http
