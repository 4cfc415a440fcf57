"""How a host uses `legalbasis`, as its type checker sees it.

`make check` runs mypy in strict mode here: a lost type fails `assert_type`, and a misuse that is no longer refused
makes its `type: ignore` unused, which is an error too.
"""

from __future__ import annotations

from datetime import date
from typing import assert_type

import pytest

from legalbasis import Citation, Dated, InputError, Period, PosturasError, Status


def test_a_dated_value_keeps_the_type_of_what_it_holds() -> None:
    terms = Dated([Period(date(2012, 9, 18), None, 15)])
    assert assert_type(terms.on(date(2013, 3, 11)), int | None) == 15
    assert terms.on(date(2012, 9, 17)) is None
    with pytest.raises(TypeError):
        terms.on("2013-03-11")  # type: ignore[arg-type]  # a day is a date, not its text


def test_a_dated_value_has_no_day_by_default() -> None:
    with pytest.raises(TypeError):
        Dated([Period(date(2012, 9, 18), None, 15)]).on()  # type: ignore[call-arg]  # never "today"


def test_a_citation_cannot_be_changed() -> None:
    citation = Citation(
        urn="urn:lex:br;espirito.santo;sao.gabriel.palha:municipal:lei:2005-07-11;1522",
        norm="Lei 1.522/2005",
        provision="35-B",
    )
    assert_type(citation.status, Status)
    with pytest.raises(AttributeError):
        citation.norm = "Lei 2.456/2014"  # type: ignore[misc]  # frozen


def test_an_error_is_caught_by_its_root_and_gives_strings_for_a_program() -> None:
    with pytest.raises(PosturasError) as caught:
        raise InputError("Falta o número do auto.", place="linha 3", remedy="Informe o número.")
    assert caught.value.to_dict() == {
        "code": "entrada_invalida",
        "class": "InputError",
        "message": "Falta o número do auto.",
        "place": "linha 3",
        "remedy": "Informe o número.",
    }
    assert_type(caught.value.error_code, str)
