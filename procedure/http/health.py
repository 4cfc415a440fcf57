"""``/health``, ``/metrics`` and ``/openapi.json``. From this machine the first two ask for no key."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

from procedure.http import negotiation
from procedure.http.answering import NO_STORE, answer
from procedure.http.asking import Credentials, caller, require_parameters, service_of
from procedure.http.describing import document_of, operation
from procedure.http.observing import is_local
from procedure.store.schema import require_schema

router = APIRouter(tags=["servidor"])
PLAIN = "text/plain"


async def _require_local_or_key(request: Request, credentials: Credentials) -> None:
    if not is_local(request.scope) or credentials is not None:
        await caller(request, credentials)
    else:
        require_parameters(request)


@router.get(
    "/health",
    **operation(
        "Diz se o servidor e o banco respondem",
        "Da própria máquina, sem chave. 503 onde o banco não responde, ou não está na versão deste programa.",
        {negotiation.JSON: "Saude"},
    ),
)
async def health(request: Request, credentials: Credentials) -> Response:
    """Whether the server and its database answer."""
    await _require_local_or_key(request, credentials)
    negotiation.chosen(request, negotiation.JSON)
    await run_in_threadpool(require_schema, service_of(request).engine)
    return answer({"status": "ok", "database": "ok", "version": version("posturas")})


@router.get(
    "/metrics",
    **operation(
        "Dá as medidas do servidor",
        "No formato do Prometheus. Da própria máquina, sem chave; com vários processos, as do que respondeu.",
        {PLAIN: {"type": "string"}},
    ),
)
async def metrics(request: Request, credentials: Credentials) -> Response:
    """What was measured."""
    await _require_local_or_key(request, credentials)
    negotiation.chosen(request, PLAIN)
    measured = generate_latest(request.app.state.measures.registry)
    return Response(measured, headers={**NO_STORE, "Content-Type": CONTENT_TYPE_LATEST})


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> Response:
    """The OpenAPI document; it tells nothing of any municipality, and asks for no key."""
    return answer(document_of(request.app, version("posturas")))
