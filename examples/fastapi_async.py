"""An async host: the whole transaction runs in a thread, so that the event loop never waits for the database.

POSTURAS_DB=postgresql+psycopg://… uvicorn examples.fastapi_async:app
"""

import asyncio
import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from sqlalchemy.orm import Session

from procedure import PosturasError, record_act, show_case, upgrade_schema

T = TypeVar("T")
engine = sa.create_engine(os.environ["POSTURAS_DB"])
upgrade_schema(engine)
app = FastAPI()


async def in_transaction(work: Callable[[Session], T]) -> T:
    """Run ``work(session)`` in a thread, in one transaction: committed when it returns, rolled back when it raises."""

    def run() -> T:
        with Session(engine) as session, session.begin():
            return work(session)

    return await asyncio.to_thread(run)


@app.post("/atos", status_code=201)
async def record(act: dict[str, Any]) -> dict[str, Any]:
    """Record one act, beside whatever rows of its own the host writes in the same function."""
    done = await in_transaction(lambda session: record_act(session, act, recorded_at=datetime.now(UTC)))
    return {"auto": done.auto, "state": done.state, "known": done.known}


@app.get("/municipios/{municipality}/autos/{auto:path}")
async def show(municipality: str, auto: str) -> dict[str, Any]:
    """The case as it stands."""
    return await in_transaction(lambda session: show_case(session, municipality, auto))


@app.exception_handler(PosturasError)
async def refused(_: Request, error: PosturasError) -> JSONResponse:
    """What the law refuses, with its stable code."""
    return JSONResponse(error.to_dict(), status_code=422)
