"""What is measured and logged of each request: method, route, status, time, key. Never a number, a name or a body."""

from __future__ import annotations

import ipaddress
import json
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from procedure.http.errors import HttpError, ParameterInvalid
from procedure.http.problems import LOG, respond, respond_fault

UNROUTED = "(nenhuma)"
CLIENT_LEFT = 499
"""What nginx, too, writes where the client hung up before its request was whole: no fault of the server's."""


class Measures:
    """The counters of one application, apart from those of others in the process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter("posturas_http_requests", "Requests answered.", labels, registry=self.registry)
        self.seconds = Histogram(
            "posturas_http_request_seconds", "From request to answer.", ("method", "route"), registry=self.registry
        )

    def count(self, method: str, route: str, status: int, nanoseconds: int) -> None:
        """Count a request in."""
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(method, route).observe(nanoseconds / 10**9)


class Observer:
    """The outermost layer: gives each request an id, answers what nobody caught, measures and logs."""

    def __init__(self, app: ASGIApp, measures: Measures) -> None:
        self.app = app
        self.measures = measures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, request_id, status = time.perf_counter_ns(), secrets.token_hex(8), 500
        started = False

        async def observed(message: Message) -> None:
            nonlocal started, status
            if message["type"] == "http.response.start":
                started, status = True, message["status"]
                headers = [(b"x-request-id", request_id.encode()), (b"x-content-type-options", b"nosniff")]
                limits: list[tuple[bytes, bytes]] = scope.get("posturas.limits", [])
                message = {**message, "headers": [*message["headers"], *limits, *headers]}
            await send(message)

        try:
            await self._answer(scope, receive, observed)
        except ClientDisconnect:
            status = CLIENT_LEFT
        except Exception as failure:
            if started:
                LOG.error("fault %s %s after the answer began", request_id, type(failure).__name__)
            else:
                await respond_fault(failure, request_id)(scope, receive, observed)
        finally:
            self._tell(scope, status, time.perf_counter_ns() - began, request_id)

    async def _answer(self, scope: Scope, receive: Receive, send: Callable[[Message], Awaitable[None]]) -> None:
        refused = _unreadable(scope)
        if refused is not None:
            await respond(refused)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _tell(self, scope: Scope, status: int, nanoseconds: int, request_id: str) -> None:
        route: Any = scope.get("route")
        path = getattr(route, "path_format", None) or UNROUTED
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        self.measures.count(method, path, status, nanoseconds)
        if LOG.isEnabledFor(logging.INFO):
            said = {
                "request": request_id,
                "method": method,
                "route": path,
                "status": status,
                "ms": nanoseconds // 1_000_000,
                "key": scope.get("posturas.key"),
            }
            LOG.info("%s", json.dumps(said))


_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


def _unreadable(scope: Scope) -> HttpError | None:
    """A NUL in the address, which no database looks for."""
    if "\x00" in scope["path"] or b"%00" in scope.get("query_string", b""):
        return ParameterInvalid("o endereço tem um caractere nulo.")
    return None


def is_local(scope: Scope) -> bool:
    """Whether the request comes from this machine itself, and not through a proxy on it."""
    forwarded = (b"forwarded", b"x-forwarded-for", b"x-real-ip")
    if any(name in forwarded for name, _ in scope["headers"]):
        return False
    client = scope.get("client")
    if client is None:
        return True  # a socket of this machine
    try:
        return ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False
