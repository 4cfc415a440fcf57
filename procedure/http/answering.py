"""Answers: JSON as the command line writes it, and files. Nothing is kept by caches on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from procedure.http.negotiation import CALENDAR, HTML, JSON, PDF
from procedure.http.problems import encode

NO_STORE = {"Cache-Control": "no-store"}


def answer(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON document."""
    return Response(encode(content), status, headers={**NO_STORE, **(headers or {})}, media_type=JSON)


def page(content: str) -> Response:
    """A page, which loads nothing from anywhere."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
    return Response(content, headers={**NO_STORE, "Content-Security-Policy": policy}, media_type=HTML)


def pdf(content: bytes, name: str) -> Response:
    """A paper."""
    return _file(content, PDF, f"{name}.pdf")


def agenda(content: bytes) -> Response:
    """An iCalendar file."""
    return _file(content, f"{CALENDAR}; charset=utf-8", "prazos.ics")


def _file(content: bytes, media: str, name: str) -> Response:
    told = f"inline; filename*=UTF-8''{quote(name, safe='')}"
    return Response(content, headers={**NO_STORE, "Content-Disposition": told}, media_type=media)


def path_of(number: str) -> str:
    """A number as it stands in an address, its slash as it is."""
    return quote(number, safe="/")
