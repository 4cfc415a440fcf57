"""``posturas serve`` as it is run: starts, answers, stops when asked; says what it lacks."""

from __future__ import annotations

import socket
import sys
from contextlib import closing

import httpx
import pytest

from tests.integration.cli.scenes import LAW, Cli
from tests.integration.http.clients import make_key
from tests.integration.http.served import SECONDS, serving

TERM = {"law": LAW, "start": "2013-03-08", "term": "15d"}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_starts_answers_and_stops_on_sigterm(cli: Cli, workers: str) -> None:
    _, token = make_key(cli.url)
    with serving(cli.url, "--workers", workers) as served:
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=served.base, headers=headers, timeout=SECONDS) as client:
            assert client.get("/health").json()["status"] == "ok"
            assert client.post("/v1/prazos", json=TERM).json()["due"] == "2013-03-25"
            assert client.get("/openapi.json").json()["openapi"] == "3.1.0"
        assert served.stop() == 0
    said = "".join(served.said)
    assert token not in said
    assert "Traceback" not in said
    assert '"route": "/v1/prazos"' in said


def test_it_listens_on_this_machine_alone_unless_told_and_stops_as_soon_as_it_is_asked(cli: Cli) -> None:
    with serving(cli.url) as served:
        assert served.base.startswith("http://127.0.0.1:")
        assert served.stop() == 0


def test_a_port_in_use_is_said_in_plain_words(cli: Cli) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, out, err = cli("serve", "--port", str(taken.getsockname()[1]))
    assert (code, out) == (2, "")
    assert "não foi possível ouvir em 127.0.0.1" in err


def test_without_the_extra_it_says_which_to_install(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "uvicorn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    found = cli.json("serve", code=2)["error"]
    assert (found["code"], found["remedy"]) == ("http_ausente", "Instale com: pip install 'posturas[http]'")


@pytest.mark.parametrize("option", [("--port", "70000"), ("--port", "-1"), ("--workers", "0"), ("--rate", "0")])
def test_an_option_out_of_range_is_a_usage_error(cli: Cli, option: tuple[str, str]) -> None:
    assert cli.json("serve", *option, code=2)["error"]["code"] == "uso"


def test_a_database_without_tables_is_said_before_it_listens(cli: Cli, tmp_path: object) -> None:
    code, _, err = cli("serve", url=f"sqlite:///{tmp_path}/none.db")
    assert code == 2
    assert "posturas db upgrade" in err
