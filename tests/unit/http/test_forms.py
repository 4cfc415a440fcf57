"""The Accept header and the cursors, apart from any request."""

from __future__ import annotations

import pytest
from fastapi import Request

from procedure.http.cursors import decode_cursor, encode_cursor
from procedure.http.errors import CursorInvalid, NotAcceptable
from procedure.http.negotiation import HTML, JSON, PDF, chosen


def asking(accept: str | None) -> Request:
    headers = [] if accept is None else [(b"accept", accept.encode("latin-1"))]
    return Request({"type": "http", "headers": headers})


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("text/html", HTML),
        ("TEXT/HTML;charset=utf-8", HTML),
        ("text/*", HTML),
        ("text/html;q=0.2, application/json;q=0.8", JSON),
        ("text/html;q=0.8, */*;q=0.1", HTML),
        ("application/json;q=0, */*", HTML),  # RFC 9110, 12.5.1: the most exact range decides
        ("image/png, */*;q=0.001", JSON),
    ],
)
def test_the_form_that_the_client_likes_best(accept: str | None, form: str) -> None:
    assert chosen(asking(accept), JSON, HTML) == form


@pytest.mark.parametrize("accept", ["application/pdf", "text/html;q=0", "text/html;q=2", "nada", "*/*;q=0", ";;,,"])
def test_what_is_not_offered_is_not_acceptable(accept: str) -> None:
    with pytest.raises(NotAcceptable):
        chosen(asking(accept), JSON, HTML)
    assert chosen(asking("application/pdf"), PDF, JSON) == PDF


@pytest.mark.parametrize("place", [("1/2013",), ("Série ç 7/2013",), ("", "x", "y"), (0, 7), (2013, 1 << 61)])
def test_a_cursor_comes_back_as_it_went(place: tuple[str | int, ...]) -> None:
    types = tuple(type(part) for part in place)
    text = encode_cursor("lista", *place)
    assert text.isascii()
    assert "=" not in text
    assert decode_cursor(text, "lista", *types) == place
    with pytest.raises(CursorInvalid):
        decode_cursor(text, "outra", *types)
    with pytest.raises(CursorInvalid):
        decode_cursor(text[:-2], "lista", *types)


@pytest.mark.parametrize("text", ["", "é", "!!", "W10", "bnVsbA", "e30", "WyJsaXN0YSIsdHJ1ZV0"])
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(CursorInvalid):
        decode_cursor(text, "lista", int)


@pytest.mark.parametrize("place", [(-1,), (1 << 62,)])
def test_a_number_no_database_holds_is_no_place(place: tuple[int]) -> None:
    with pytest.raises(CursorInvalid):
        decode_cursor(encode_cursor("lista", *place), "lista", int)
