"""The example of an async host: many requests at once on its event loop, each in one transaction of its own."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import httpx
import pytest
from sqlalchemy.engine import make_url

from tests.integration.host.crowd import IBGE, drawn
from tests.structure.sources import ROOT

AT_ONCE = 8
DOC = "11.222.333/0001-81"


@pytest.fixture
def example(pg_create: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    url = make_url(pg_create()).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    monkeypatch.setenv("POSTURAS_DB", url)
    spec = importlib.util.spec_from_file_location("fastapi_async", ROOT / "examples" / "fastapi_async.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    module.engine.dispose()


def test_requests_at_once_each_commit_their_own(example: ModuleType) -> None:
    async def ask() -> tuple[list[int], httpx.Response, httpx.Response]:
        transport = httpx.ASGITransport(app=example.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://host") as client:
            async def file(number: int) -> list[int]:
                acts = drawn(f"{number}/2013", DOC)
                return [(await client.post("/atos", json=act)).status_code for act in acts]

            codes = await asyncio.gather(*map(file, range(AT_ONCE)))
            ciencia = drawn("99/2013", DOC)[1]
            refused = await client.post("/atos", json=ciencia)
            shown = await client.get(f"/municipios/{IBGE}/autos/{AT_ONCE - 1}/2013")
            return [code for each in codes for code in each], refused, shown

    codes, refused, shown = asyncio.run(ask())
    assert codes == [201] * (2 * AT_ONCE)
    assert (refused.status_code, refused.json()["code"]) == (422, "auto_desconhecido")
    assert (shown.json()["state"], shown.json()["deadlines"][0]["due"]) == ("aguardando_defesa", "2013-03-25")
