"""The application: routers, refusals, measures. The command ``posturas serve`` gives it the engine and the clock.

app = create_app(engine, clock)  # any ASGI server runs it; a host mounts it under a path of its own
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.routing import APIRoute

from procedure.http import acts, cases, desk, health, laws, problems, register, sweeps
from procedure.http.describing import document_of
from procedure.http.limiting import Limiting
from procedure.http.observing import Measures, Observer
from procedure.http.service import Clock, Service
from procedure.http.settings import Settings

ROUTERS = (laws.router, acts.router, cases.router, register.router, desk.router, sweeps.router, health.router)


def create_app(engine: Any, clock: Clock, settings: Settings | None = None) -> FastAPI:
    """The ASGI application over an open engine at this program's schema. ``clock`` gives the aware instant.

    The engine is the caller's to dispose of.
    """
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # A thread that waits for a connection helps nobody: as many threads as the pool has connections.
        current_default_thread_limiter().total_tokens = chosen.threads
        yield

    app = _routed(lifespan)
    app.state.service = Service(engine, clock, chosen)
    app.state.limits = Limiting(chosen)
    app.state.measures = Measures()
    problems.install(app)
    app.add_middleware(Observer, measures=app.state.measures)
    return app


def _routed(lifespan: Any = None) -> FastAPI:
    app = FastAPI(
        title="Posturas",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
        generate_unique_id_function=_name,
    )
    for router in ROUTERS:
        app.include_router(router)
    return app


def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 document, which no database is needed to write."""
    return document_of(_routed(), version("posturas"))


def _name(route: APIRoute) -> str:
    """The operation's id: generated clients name their methods by it."""
    first, *rest = route.name.split("_")
    return first + "".join(part.title() for part in rest)
