"""A client that offers HTTP/2 in the clear, as Java's own does with every request, is answered in HTTP/1.1."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from procedure.cli.main import main
from tests.integration.http.clients import make_key
from tests.integration.http.served import serving

BODY = json.dumps({"law": "es-3204708/lei-1522-2005", "start": "2013-03-08", "term": "15d"}).encode()
OFFER = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n"


def request(token: str, *, offer: bool, close: bool) -> tuple[bytes, bytes]:
    """The head and the body of a request to count a term."""
    head = (
        "POST /v1/prazos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {len(BODY)}\r\n"
        f"{OFFER if offer else ''}{'Connection: close' + chr(13) + chr(10) if close else ''}\r\n"
    )
    return head.encode(), BODY


@pytest.mark.parametrize("pieces", ["together", "apart"])
def test_the_offer_is_passed_over_and_the_body_read(tmp_path: Path, pieces: str) -> None:
    url = f"sqlite:///{tmp_path}/posturas.db"
    assert main(["db", "upgrade", "--db", url]) == 0
    _, token = make_key(url)
    with serving(url) as served:
        address = urlsplit(served.base)
        with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
            answers = connection.makefile("rb")
            for last in (False, True):  # the connection goes on after the offer
                head, body = request(token, offer=not last, close=last)
                if pieces == "together":
                    connection.sendall(head + body)
                else:
                    connection.sendall(head)
                    connection.sendall(body)
                assert answers.readline() == b"HTTP/1.1 200 OK\r\n"
                headers = dict(line.lower().split(b": ", 1) for line in iter(answers.readline, b"\r\n"))
                told = json.loads(answers.read(int(headers[b"content-length"])))
                # Friday 08/03, from Monday 11/03: 15 days end on Monday 25/03.
                assert told["due"] == "2013-03-25"
