"""Bodies and addresses that are not what they should be: always a problem, never a fault of the server."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import httpx
import pytest

from procedure.http.app import create_app
from procedure.http.settings import Settings
from tests.integration.cli.scenes import LAW, lavratura
from tests.integration.http.clients import NOW, OFFICE, Client, problem

ACT = lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")
JSON = {"Content-Type": "application/json"}
TERM = {"law": LAW, "start": "2013-03-08", "term": "15d"}

BODIES = {
    "empty": b"",
    "word": b"ola",
    "list": b"[]",
    "null": b"null",
    "latin-1": '{"act": "ação"}'.encode("latin-1"),
    "utf-16": '{"act": "x"}'.encode("utf-16"),
    "cut": b'{"act": "lavr',
    "nan": b'{"act": NaN}',
    "infinity": b'{"act": -Infinity}',
    "repeated": b'{"act": "lavratura", "act": "ciencia"}',
    "deep": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "digits": b'{"act": ' + b"9" * 10_000 + b"}",
    "exponent": b'{"act": 1e999999999999999999999}',
    "nul": b'{"act": "a\\u0000b"}',
    "surrogate": b'{"act": "\\ud800"}',
    "raw nul": b'{"act": "\x00"}',
    "two": b"{} {}",
}


@pytest.mark.parametrize("path", [f"{OFFICE}/autos/1/2013/acts", "/v1/prazos", "/v1/multas", f"{OFFICE}/sweeps"])
def test_a_body_that_is_no_plain_object_is_refused(http: Client, path: str) -> None:
    for name, body in BODIES.items():
        refused = http.post(path, content=body, headers=JSON)
        assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json"), name


def test_lines_that_are_no_acts_are_rejected_one_by_one(http: Client) -> None:
    for name, body in BODIES.items():
        told = http.post(f"{OFFICE}/import", content=body)
        assert told.status_code in (200, 400), name
        assert told.status_code == 400 or told.json()["applied"] == 0, name
        batch = http.post("/v1/prazos:batch", content=body)
        assert batch.status_code == 200, name
        assert all("error" in json.loads(line) for line in batch.text.splitlines()), name


def test_a_byte_order_mark_is_taken(http: Client) -> None:
    marked = b"\xef\xbb\xbf" + json.dumps(TERM).encode()
    assert http.post("/v1/prazos", content=marked, headers=JSON).status_code == 200


def test_fields_of_odd_kinds_are_refused(http: Client) -> None:
    for field in (
        {"perigo_iminente": "\ud800"},
        {"actor": "x" * 200_000},
        {"date": 10**30},
        {"date": "9999-99-99"},
        {"infrator": {"name": {"a": 1}}},
        {"fact": [[[[]]]]},
        {"signature": None},
        {"act": "constructor"},
        {"role": ["fiscal"]},
    ):
        body = json.dumps({**ACT, **field}).encode()
        refused = http.post(f"{OFFICE}/autos/1/2013/acts", content=body, headers=JSON)
        assert refused.status_code in (400, 422), (field, refused.text)
        assert refused.json()["code"]


def test_a_body_is_bounded(http: Client) -> None:
    small = create_app(http.app.state.service.engine, lambda: NOW, Settings(max_body=100, max_import=200))
    asker = Client(small, http.token)
    for path in ("/v1/prazos", "/v1/multas", f"{OFFICE}/autos/1/2013/acts", f"{OFFICE}/sweeps"):
        problem(asker.post(path, {"a": "x" * 200}), 413, "corpo_grande_demais")
    problem(asker.post(f"{OFFICE}/import", content=b"x" * 300), 413, "corpo_grande_demais")


def test_a_body_of_another_kind_is_refused(http: Client) -> None:
    for kind in ("text/xml", "application/json; charset=latin-1", "multipart/form-data; boundary=x"):
        refused = http.post("/v1/prazos", content=b"{}", headers={"Content-Type": kind})
        problem(refused, 415, "tipo_do_corpo_nao_aceito")


def test_what_does_not_exist_and_what_cannot_be_done(http: Client) -> None:
    problem(http.get("/nada"), 404, "nao_encontrado")
    problem(http.get(f"{OFFICE}/nada"), 404, "nao_encontrado")
    refused = http("DELETE", f"{OFFICE}/autos")
    problem(refused, 405, "metodo_nao_permitido")
    assert refused.headers["allow"] == "GET"


def test_parameters_are_checked(http: Client) -> None:
    for query, code, field in (
        ("limit=0", "parametro_invalido", "limit"),
        ("limit=501", "parametro_invalido", "limit"),
        ("limit=9999999999999999999999", "parametro_invalido", "limit"),
        ("state=feliz", "parametro_invalido", "state.0"),
        ("unmask=talvez", "parametro_invalido", "unmask"),
        ("surpresa=1", "parametro_desconhecido", "surpresa"),
        ("limit=1&limit=2", "parametro_invalido", "limit"),
        ("cursor=xx", "cursor_invalido", "cursor"),
        ("cursor=W10", "cursor_invalido", "cursor"),
        ("due_until=x", "data_invalida", "due_until"),
        ("due_until=2013-01-01&due_within=5", "parametro_invalido", "due_until"),
        ("as_of=2013-13-01", "data_invalida", "as_of"),
        ("pending=%00", "parametro_invalido", None),
    ):
        found = problem(http.get(f"{OFFICE}/autos?{query}"), 400, code)
        assert found["field"] == field, query


def test_a_cursor_of_another_list_is_none_of_this_one(inscribed: Client) -> None:
    of_events = inscribed.get(f"{OFFICE}/events").json()["next"]
    problem(inscribed.get(f"{OFFICE}/autos?cursor={of_events}"), 400, "cursor_invalido")
    problem(inscribed.get(f"{OFFICE}/divida-ativa?cursor={of_events}"), 400, "cursor_invalido")


def test_a_nul_in_the_address_is_refused(http: Client) -> None:
    problem(http.get(f"{OFFICE}/autos/1%00/2013"), 400, "parametro_invalido")


def test_a_database_that_is_gone_is_a_503(http: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from procedure.store.errors import DatabaseBusy, DatabaseUnreachable

    for error, code in ((DatabaseUnreachable(), "banco_inacessivel"), (DatabaseBusy(), "banco_ocupado")):

        def fail(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr("procedure.http.service.authenticate", fail)
        refused = http.get(f"{OFFICE}/autos")
        problem(refused, 503, code)
        assert refused.headers["retry-after"]


def test_a_server_that_ends_the_connection_does_not_answer(http: Client) -> None:
    """What the driver raises where the server stopped (57P01) or refuses to connect (no state at all)."""
    psycopg = pytest.importorskip("psycopg")
    from sqlalchemy.exc import OperationalError

    from procedure.store.engine import translate

    refused = psycopg.OperationalError('connection to server at "10.0.0.9" failed: Connection refused')
    for original in (psycopg.errors.AdminShutdown("x"), refused):
        found = translate(OperationalError("SELECT 1", {}, original))
        assert found.error_code == "banco_inacessivel"
        assert "10.0.0.9" not in str(found.to_dict())
    full = translate(OperationalError("SELECT 1", {}, psycopg.errors.DiskFull("x")))
    assert full.error_code == "erro_do_banco"


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        (["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"], 200),  # java.net.HttpURLConnection, up to Java 18
        (["text/html", "application/json"], 200),  # two lines are one list (RFC 9110, 5.3)
        (["text/html", "image/png"], 406),
        (["*/*;q=.0"], 406),
        (["application/json;q="], 406),
    ],
)
def test_what_clients_write_in_accept_is_read(http: Client, accept: list[str], status: int) -> None:
    lines = [("Authorization", f"Bearer {http.token}"), *(("Accept", line) for line in accept)]

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(http.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver", headers={}) as client:
            request = httpx.Request("GET", f"http://testserver{OFFICE}/autos", headers=lines)  # not joined to one line
            return await client.send(request)

    assert asyncio.run(ask()).status_code == status


def test_a_client_that_hangs_up_is_no_fault_of_the_server(http: Client, caplog: pytest.LogCaptureFixture) -> None:
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    headers = [(b"authorization", f"Bearer {http.token}".encode()), (b"content-type", b"application/json")]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": "/v1/prazos",
        "raw_path": b"/v1/prazos", "query_string": b"", "root_path": "", "scheme": "http", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    with caplog.at_level(logging.INFO, "posturas.http"):
        asyncio.run(http.app(scope, receive, send))
    assert sent == []
    assert [record.levelno for record in caplog.records] == [logging.INFO]
    assert '"status": 499' in caplog.text
    assert 'route="/v1/prazos",status="499"} 1.0' in http.at(None).get("/metrics").text
