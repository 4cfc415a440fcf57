"""Which form of a resource the client takes: the Accept header, as RFC 9110 reads it."""

from __future__ import annotations

import re
from decimal import Decimal

from fastapi import Request

from procedure.http.errors import NotAcceptable

JSON, HTML, PDF, CALENDAR, LINES = (
    "application/json", "text/html", "application/pdf", "text/calendar", "application/x-ndjson",
)  # fmt: skip

# Java's own client, unless told otherwise, writes “*; q=.2, */*; q=.2”, which RFC 9110 does not.
_QUALITY = re.compile(r"0?\.[0-9]{1,3}|0\.?|1(\.0{0,3})?")


def chosen(request: Request, *offered: str) -> str:
    """The form offered that the client likes best; the first offered where it likes several alike.

    Raises NotAcceptable.
    """
    header = ",".join(request.headers.getlist("accept")).strip()
    if not header:
        return offered[0]
    ranges = [_range(part) for part in header.split(",") if part.strip()]
    best, liked = None, 0
    for form in offered:
        quality = _quality(form, ranges)
        if quality > liked:
            best, liked = form, quality
    if best is None:
        raise NotAcceptable(f"o recurso só existe como {' ou '.join(offered)}.", remedy="Mude o cabeçalho Accept.")
    return best


def _range(part: str) -> tuple[str, int]:
    name, *parameters = (piece.strip().lower() for piece in part.split(";"))
    written = next((parameter[2:] for parameter in parameters if parameter.startswith("q=")), "1")
    return name, int(1_000 * Decimal(written)) if _QUALITY.fullmatch(written) else 0


def _quality(form: str, ranges: list[tuple[str, int]]) -> int:
    """In thousandths, by the most exact range that covers the form."""
    kind = form.split("/", maxsplit=1)[0]
    for name in (form, f"{kind}/*", "*/*"):
        for given, quality in ranges:
            if given == name:
                return quality
    return 0
