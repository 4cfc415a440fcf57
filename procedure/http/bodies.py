"""The bodies of requests: bounded, in UTF-8, strict JSON. What they hold is checked by the services."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from decimal import Decimal
from typing import Any

from fastapi import Request

from procedure.http.errors import BodyNotJson, BodyTooLarge, BodyTypeNotTaken

JSON_TYPES = ("application/json",)
LINE_TYPES = ("application/x-ndjson", "application/jsonl", "application/json-lines", "text/csv", "text/plain")
_ESCAPED = re.compile(rb"\\u(0000|[dD][89a-fA-F])")
_CHARSETS = ("utf-8", "utf8")


async def read_body(request: Request, most: int, types: tuple[str, ...]) -> bytes:
    """The whole body. Raises BodyTypeNotTaken, BodyTooLarge (before it is held in memory)."""
    _require_type(request, types)
    length = request.headers.get("content-length", "0")
    if length.isascii() and length.isdecimal() and int(length[:20]) > most:
        raise BodyTooLarge(f"o corpo passa de {most} bytes.")
    parts, size = list[bytes](), 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise BodyTooLarge(f"o corpo passa de {most} bytes.")
        parts.append(part)
    return b"".join(parts)


def _require_type(request: Request, types: tuple[str, ...]) -> None:
    named, _, rest = request.headers.get("content-type", "").partition(";")
    charset = rest.partition("charset=")[2].strip(' "').lower()
    if (named and named.strip().lower() not in types) or (charset and charset not in _CHARSETS and types == JSON_TYPES):
        raise BodyTypeNotTaken(remedy=f"Mande o corpo como {types[0]}, em UTF-8.")


Reader = Callable[[Request], Coroutine[Any, Any, dict[str, Any]]]


async def json_body(request: Request) -> dict[str, Any]:
    """The dependency of operations whose body is one JSON object."""
    return parse_object(await read_body(request, request.app.state.service.settings.max_body, JSON_TYPES))


async def line_body(request: Request) -> bytes:
    """The dependency of operations whose body is lines."""
    return await read_body(request, request.app.state.service.settings.max_import, LINE_TYPES)


def parse_object(raw: bytes) -> dict[str, Any]:
    """The object; fractions as Decimal. Raises BodyNotJson."""
    try:
        data = _DECODE(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError, ArithmeticError):  # not UTF-8, not JSON, NaN, a repeated name, endless digits
        raise BodyNotJson() from None
    if not isinstance(data, dict):
        raise BodyNotJson("o corpo do pedido deve ser um objeto JSON, e só um.")
    if _ESCAPED.search(raw):
        _require_text(data)
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("repeated")
    return found


def _refuse(name: str) -> Any:
    raise ValueError(name)


_DECODE = json.JSONDecoder(parse_float=Decimal, parse_constant=_refuse, object_pairs_hook=_object).decode


def _require_text(value: Any) -> None:
    """Every text is one that can be written and looked for: no NUL, no half of a surrogate pair."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BodyNotJson("o corpo tem metade de um par UTF-16.") from None
        if "\x00" in value:
            raise BodyNotJson("o corpo tem um caractere nulo.")
    elif isinstance(value, dict):
        for name, inner in value.items():
            _require_text(name)
            _require_text(inner)
    elif isinstance(value, list):
        for inner in value:
            _require_text(inner)
