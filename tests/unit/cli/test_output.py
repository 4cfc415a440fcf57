"""What is printed where the terminal or the pipe is not UTF-8: a command never stops halfway for a character."""

from __future__ import annotations

import io
import json

import pytest

from legalbasis import PosturasError
from procedure.cli import multa, output
from procedure.cli.main import main

NAME = "Zé 😀 𠮷野 – São João"


def stream(monkeypatch: pytest.MonkeyPatch, encoding: str) -> io.BytesIO:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding, write_through=True))
    return raw


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_the_json_document_keeps_every_character_in_any_encoding(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    raw = stream(monkeypatch, encoding)
    output.prepare()
    output.document({"name": NAME})
    assert json.loads(raw.getvalue().decode(encoding)) == {"name": NAME}


def test_text_shows_what_the_terminal_can(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = stream(monkeypatch, "latin-1")
    output.prepare()
    output.text("São João 😀")
    assert raw.getvalue().decode("latin-1") == "São João ?\n"


def test_the_help_prints_in_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = stream(monkeypatch, "ascii")
    assert main(["--help"]) == 0
    assert b"uso: posturas COMANDO" in raw.getvalue()


@pytest.mark.parametrize("text", ["1_0", "1e3", "١٢", "+5", "1.000,00"])
def test_a_unit_value_is_written_one_way(text: str) -> None:
    with pytest.raises(PosturasError, match="não é um valor"):
        multa.rate(text)


@pytest.mark.parametrize(("text", "value"), [("30,00", "30.00"), (" 1.0641 ", "1.0641"), ("-1", "-1")])
def test_a_unit_value_takes_a_comma_or_a_point(text: str, value: str) -> None:
    assert str(multa.rate(text)) == value
