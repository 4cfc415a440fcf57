"""Cursors: where a page ended, in a text that only the server reads. They stand whatever is added meanwhile."""

from __future__ import annotations

import base64
import json
from typing import Any

from procedure.http.errors import CursorInvalid


def encode_cursor(kind: str, *place: str | int) -> str:
    """The cursor of a list of ``kind`` after ``place``."""
    text = json.dumps([kind, *place], separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_cursor(text: str, kind: str, *types: type) -> tuple[Any, ...]:
    """The place of a cursor of that list. Raises CursorInvalid."""
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        found = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, RecursionError):
        raise CursorInvalid(field="cursor") from None
    if not isinstance(found, list) or len(found) != len(types) + 1 or found[0] != kind:
        raise CursorInvalid(field="cursor")
    place = tuple(found[1:])
    if not all(type(part) is wanted for part, wanted in zip(place, types, strict=True)):
        raise CursorInvalid(field="cursor")
    if any(isinstance(part, int) and not 0 <= part < 1 << 62 for part in place):
        raise CursorInvalid(field="cursor")
    if any(isinstance(part, str) and ("\x00" in part or not part.isprintable()) for part in place):
        raise CursorInvalid(field="cursor")
    return place
