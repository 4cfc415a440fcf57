"""The part ``http``: ``POST /v1/prazos`` under an open loop of 300 requests a second, the load generator included.

A request is due at its instant whether or not the others were answered, and its time counts from that instant: a server
that stalls is not spared the requests that it kept waiting. Every answer is checked against ``bench.prazo_check``.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

from bench.databases import sqlite
from bench.prazo import DRAW, LAW, LAW_FIRST, TERMS, committed_days
from bench.prazo_check import Answers, Office
from bench.targets import Targets, require

RATE = 300
SECONDS = 30
CONNECTIONS = 32
MUNICIPALITY = "3204708"
Asked = list[tuple[bytes, Any]]


def run(targets: Targets, scale: float) -> None:
    """Measure, check and judge."""
    amount = max(100, int(RATE * SECONDS * scale))
    asked = list(questions(amount))
    with sqlite() as databases, serving(databases.new()) as (port, token):
        asyncio.run(load(port, token, asked[: RATE // 2]))  # the laws and tables are read once
        measured = asyncio.run(load(port, token, asked))
    measured.sort()
    print(f"POST /v1/prazos, {amount:,} requests at {RATE} a second, open loop, ms from the instant each was due")
    for share in (50, 95, 99, 100):
        print(f"  {f'p{share}' if share < 100 else 'most':<8} {_at(measured, share):.2f}")
    targets.at_most("POST /v1/prazos, p99", _at(measured, 99), 25, "ms")


def _at(measured: list[float], share: int) -> float:
    return measured[min(len(measured) - 1, len(measured) * share // 100)] * 1_000


def questions(amount: int) -> Iterator[tuple[bytes, Any]]:
    """Bodies, and what each must give: no two need be alike, so that nothing is answered from memory alone."""
    draw, answers = random.Random(DRAW + 7), Answers(Office(committed_days()))
    for _ in range(amount):
        start, term = LAW_FIRST + timedelta(days=draw.randrange(6_000)), draw.choice(TERMS)
        body = json.dumps({"law": LAW, "start": start.isoformat(), "term": term}).encode()
        yield body, answers.of("art-35-b", term, start)


@contextmanager
def serving(url: str) -> Iterator[tuple[int, str]]:
    """``posturas serve`` over the database: its port, and a key."""
    from procedure.store.access import create_key
    from procedure.store.engine import open_engine, session_scope

    engine = open_engine(url)
    with session_scope(engine) as session:
        _, token = create_key(
            session.connection(),
            name="bench",
            municipalities=[MUNICIPALITY],
            roles=["leitura"],
            created_at=datetime.now(UTC),
        )
    engine.dispose()
    command = [sys.executable, "-m", "procedure.cli.main", "serve", "--port", "0", "--db", url, "--log", "warning"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            found = re.search(r":([0-9]+)$", process.stderr.readline().strip())
            require(found is not None, "the server did not start")
            assert found is not None
            yield int(found.group(1)), token
        finally:
            process.terminate()


async def load(port: int, token: str, asked: Asked) -> list[float]:
    """Send each at its instant; the seconds from that instant to its answer, checked."""
    due: asyncio.Queue[tuple[float, bytes, Any]] = asyncio.Queue()
    measured: list[float] = []
    workers = [asyncio.create_task(_worker(port, token, due, measured)) for _ in range(CONNECTIONS)]
    began = time.perf_counter() + 0.1
    for number, (body, right) in enumerate(asked):
        instant = began + number / RATE
        if (left := instant - time.perf_counter()) > 0:
            await asyncio.sleep(left)
        due.put_nowait((instant, body, right))
    finished = asyncio.create_task(due.join())
    await asyncio.wait([finished, *workers], return_when=asyncio.FIRST_COMPLETED)
    for worker in workers:
        if worker.done():
            worker.result()  # raises what it raised
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    require(len(measured) == len(asked), "a request was lost")
    return measured


async def _worker(port: int, token: str, due: asyncio.Queue[tuple[float, bytes, Any]], measured: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST /v1/prazos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
    try:
        while True:
            instant, body, right = await due.get()
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = await _answer(reader)
            measured.append(time.perf_counter() - instant)
            _check(answer, right)
            due.task_done()
    finally:
        writer.close()


async def _answer(reader: asyncio.StreamReader) -> bytes:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    require(head.startswith(b"http/1.1 200"), f"not answered: {head[:40]!r}")
    return await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))


def _check(answer: bytes, right: Any) -> None:
    got = json.loads(answer)
    dates = tuple(date.fromisoformat(got[name]) for name in ("starts_on", "first_counted", "last_counted", "due"))
    readings = tuple((date.fromisoformat(item["due"]), item["reading"]) for item in got["readings"])
    require((dates, readings) == right, f"wrong: {got['start']} {got['term']}")
