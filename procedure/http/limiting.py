"""The rate limit as the server applies it: by key, and by address for those that try keys that do not stand."""

from __future__ import annotations

import time

from fastapi import Request

from procedure.http.errors import TooManyRequests
from procedure.http.limits import Buckets, Verdict
from procedure.http.settings import Settings


class Limiting:
    """The buckets of one process."""

    def __init__(self, settings: Settings) -> None:
        self._keys = Buckets(settings.rate, settings.burst)
        self._failures = Buckets(settings.failed_rate, settings.failed_burst)

    def take(self, request: Request, key_id: str) -> None:
        """Count a request of the key; the answer's headers tell what is left. Raises TooManyRequests."""
        verdict = self._keys.take(key_id, time.monotonic_ns())
        request.scope["posturas.limits"] = _headers(verdict)
        if not verdict.allowed:
            raise TooManyRequests()

    def require_patience(self, request: Request) -> None:
        """Raise TooManyRequests where the address tried too many keys: each costs a hash, slow on purpose."""
        verdict = self._failures.look(_address(request), time.monotonic_ns())
        if not verdict.allowed:
            request.scope["posturas.limits"] = _headers(verdict)
            raise TooManyRequests("este endereço tentou chaves demais que não valem.")

    def failed(self, request: Request) -> None:
        """Count a key that did not stand."""
        self._failures.take(_address(request), time.monotonic_ns())


def _address(request: Request) -> str:
    return request.client.host if request.client is not None else "local"


def _headers(verdict: Verdict) -> list[tuple[bytes, bytes]]:
    told = {
        b"ratelimit-limit": verdict.limit,
        b"ratelimit-remaining": verdict.remaining,
        b"ratelimit-reset": verdict.reset_seconds,
        **({} if verdict.allowed else {b"retry-after": verdict.retry_seconds}),
    }
    return [(name, str(value).encode()) for name, value in told.items()]
