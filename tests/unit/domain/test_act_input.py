"""Fields of an act that comes in: errors name the field with its path, and odd numbers are refused."""

from __future__ import annotations

import pytest

from legalbasis import PosturasError
from procedure.domain.act_input import parse_act
from procedure.domain.moment import zone

COMMON = {"municipality": "3204708", "auto": "1/2013", "date": "2013-03-08", "actor": "a", "role": "fiscal"}


def failure(**fields: object) -> PosturasError:
    with pytest.raises(PosturasError) as caught:
        parse_act({**COMMON, **fields}, lambda _: zone("America/Sao_Paulo"))
    return caught.value


@pytest.mark.parametrize("amount", ["1e999999999", "1E+20", "10000000000000.01"])
def test_an_amount_beyond_the_largest_is_refused_whatever_its_size(amount: str) -> None:
    assert failure(act="pagamento", amount=amount).error_code == "campo_invalido"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"act": "lavratura", "infrator": {"name": "A", "doc": "123"}}, "infrator.doc"),
        ({"act": "defesa", "by": {"name": "A", "doc": "123"}}, "by.doc"),
        ({"act": "prorrogacao", "term": "dez dias"}, "term"),
        ({"act": "julgamento", "outcome": "nulo", "articles_penalty": ["64-I", "§§"]}, "articles_penalty[1]"),
    ],
)
def test_the_error_of_a_nested_field_names_its_path(fields: dict[str, object], field: str) -> None:
    assert failure(**fields).field == field
