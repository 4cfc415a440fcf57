"""Fields of an act that comes in: errors name the field with its path, and odd numbers are refused."""

from __future__ import annotations

from typing import Any

import pytest

from legalbasis import ErrorGroup, PosturasError
from procedure.domain import act_input
from procedure.domain.act_input import parse_act
from procedure.domain.moment import zone
from procedure.domain.vocabulary import Act

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


@pytest.mark.parametrize("amount", ["1_000", "1E2", "١٢", "３３０", "+5", ".5", "5."])
def test_an_amount_in_text_is_written_one_way(amount: str) -> None:
    assert failure(act="pagamento", amount=amount).error_code == "campo_invalido"


def test_instants_with_an_offset_become_local_and_the_others_stay_as_they_came() -> None:
    """18/02/2018 is the night the clocks went back at midnight: 02:30 UTC is 23:30 of the 17th, the second one."""
    sent = {"method": "postal", "received": "2018-02-18T02:30Z", "juntada": "2018-02-19T09:35"}
    act = parse_act({**COMMON, "date": "2018-02-19", "act": "ciencia", **sent}, lambda _: zone("America/Sao_Paulo"))
    assert act.fields["received"] == "2018-02-17T23:30:00"
    assert act.fields["juntada"] == "2018-02-19T09:35"


def test_every_defect_of_an_act_is_told_at_once_in_the_order_of_its_fields() -> None:
    person = {"name": " ", "doc": "123", "kind": "xx", "address": {"street": "A", "road": "B"}}
    fact = {"date": "2013-13-01", "place": "P", "article": "§§", "description": "d\x00"}
    signature = {"by": "recusa", "witnesses": ["Ana", "", 3.5]}
    group = failure(
        act="lavratura", infrator=person, fact=fact, signature=signature, actor=None, auto="\x07", other=1, key=True
    )
    assert isinstance(group, ErrorGroup)
    assert [(error.error_code, error.field) for error in group.errors] == [
        ("campo_ausente", "actor"),
        ("campo_invalido", "auto"),
        ("campo_invalido", "key"),
        ("campo_desconhecido", "other"),
        ("campo_invalido", "infrator.name"),
        ("documento_invalido", "infrator.doc"),
        ("campo_invalido", "infrator.kind"),
        ("campo_desconhecido", "infrator.address.road"),
        ("data_invalida", "fact.date"),
        ("dispositivo_invalido", "fact.article"),
        ("campo_invalido", "fact.description"),
        ("campo_invalido", "signature.witnesses[1]"),
        ("campo_invalido", "signature.witnesses[2]"),
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"act": "defesa", "office": " Protocolo ", "key": 7, "law": "es-3204708/lei-1522-2005"},
        {"act": "pagamento", "amount": "1", "recorded_at": "2013-03-09T10:00-03:00", "date": "2013-03-08T02:00Z"},
        {"act": "ciencia", "method": "postal", "received": "2013-03-08T02:30Z", "juntada": "2013-03-08", "key": None},
        {"act": "autenticacao", "inscription": "1/2013", "auto": None, "municipality": 3204708},
    ],
)
def test_a_sound_act_is_read_as_one_that_is_searched_for_defects(fields: dict[str, Any]) -> None:
    data = {name: value for name, value in {**COMMON, **fields}.items() if name != "auto" or value}
    tz = zone("America/Sao_Paulo")
    act = parse_act(data, lambda _: tz)
    searched = act_input._judged(Act(fields["act"]), data, tz)
    assert act == searched
    assert list(act.fields) == list(searched.fields)
