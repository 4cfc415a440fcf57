"""The application asked in this process, by keys made as an administrator makes them."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import httpx
from fastapi import FastAPI

from procedure.store.access import create_key
from procedure.store.engine import session_scope
from tests.integration.cli.scenes import IBGE, opened

NOW = datetime(2015, 1, 2, 12, tzinfo=UTC)
OFFICE = f"/v1/municipalities/{IBGE}"
EVERY_ROLE = (
    "fiscal,servidor_designado,secretario,prefeito,autuado,representante,setor_cadastro,tesouraria,divida_ativa,"
    "procuradoria,sistema,leitura,dados_pessoais"
)


class Client:
    """Asks with one key; ``Client.at`` the same with another."""

    def __init__(self, app: FastAPI, token: str | None) -> None:
        self.app = app
        self.token = token

    def at(self, token: str | None) -> Client:
        """The same application, another key."""
        return Client(self.app, token)

    def __call__(self, method: str, path: str, **options: Any) -> httpx.Response:
        """One request; ``path`` begins with a slash."""
        headers = dict(options.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
                return await client.request(method, path, headers=headers, **options)

        return asyncio.run(ask())

    def get(self, path: str, **options: Any) -> httpx.Response:
        """GET."""
        return self("GET", path, **options)

    def post(self, path: str, data: Any = None, **options: Any) -> httpx.Response:
        """POST, ``data`` as JSON."""
        return self("POST", path, **({"json": data} if data is not None else {}), **options)

    def record(self, auto: str, act: dict[str, Any], **options: Any) -> httpx.Response:
        """POST an act of the scenes, which name their auto."""
        return self.post(f"{OFFICE}/autos/{auto}/acts", act, **options)


def problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The refusal, checked to be one."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    found: dict[str, Any] = response.json()
    assert (response.status_code, found["status"], found["code"]) == (status, status, code), response.text
    assert found["type"] == f"urn:posturas:erro:{code}"
    assert found["title"]
    assert found["detail"]
    return found


def make_key(
    url: str, *, municipality: str = IBGE, roles: str = EVERY_ROLE, expires: datetime | None = None
) -> tuple[str, str]:
    """The id of a new key, and its token."""
    with opened(url) as engine, session_scope(engine) as session:
        key, token = create_key(
            session.connection(),
            name="teste",
            municipalities=municipality.split(","),
            roles=roles.split(","),
            created_at=NOW,
            expires_at=expires,
        )
    return key.key_id, token


def lines_of(*acts: dict[str, Any]) -> bytes:
    """JSON Lines."""
    return "".join(json.dumps(act) + "\n" for act in acts).encode()
