"""A probe gives away only what its group shares."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from procedure.domain.chain import canonical
from procedure.domain.probe import VIEWS, Narrow, NotShared, ProbeCase, ProbeFacts, Unseen, token

READS: list[Callable[[ProbeFacts], Any]] = [
    lambda facts: facts["daily"],
    lambda facts: facts.get("daily"),
    lambda facts: "daily" in facts,
    lambda facts: facts.pop("daily", None),
]
WHOLES: list[Callable[[Any], Any]] = [list, len, lambda facts: {**facts}, lambda facts: facts.items(), canonical]


@pytest.mark.parametrize("read", READS)
def test_a_fact_that_the_group_does_not_share_cannot_be_read(read: Callable[[ProbeFacts], Any]) -> None:
    with pytest.raises(Unseen) as refused:
        read(ProbeFacts({"revel": True}, frozenset({"revel"})))
    assert refused.value.name == "facts.daily"


def test_what_is_known_to_be_absent_and_what_was_written_can() -> None:
    facts = ProbeFacts({}, frozenset({"daily"}))
    assert facts.get("daily") is None
    facts["revel"] = True
    assert facts["revel"] is True
    assert facts.written == {"revel"}


@pytest.mark.parametrize("whole", WHOLES)
def test_the_facts_cannot_be_read_as_a_whole(whole: Callable[[Any], Any]) -> None:
    with pytest.raises((NotShared, TypeError)):
        whole(ProbeFacts({"revel": True}, frozenset({"revel"})))


def test_a_column_that_the_group_does_not_share_cannot_be_read() -> None:
    case = ProbeCase.__new__(ProbeCase)
    object.__setattr__(case, "visible", set())
    ProbeCase.__init__(case, municipality="3204708", auto="1", arbitrada=300)
    case.visible = set()
    with pytest.raises(Unseen) as refused:
        _ = case.total
    assert refused.value.name == "arbitrada"
    case.acrescimo = 30
    assert case.acrescimo == 30


def test_an_object_shows_its_named_members_and_is_written_by_its_token_or_not_at_all() -> None:
    seen = Narrow({"lines": []}, token(7))
    assert seen["lines"] == []
    assert json.loads(canonical(seen)) == {token(7): 0}
    for read in (lambda: seen["amount"], lambda: seen.get("amount"), lambda: "amount" in seen, seen.values):
        with pytest.raises(NotShared):
            read()
    with pytest.raises(TypeError):
        canonical(Narrow({"act": "ciencia"}))


VALUES = {
    "infractions": (
        canonical([{"article": "64-I", "description": "um fato", "law_note": None}]),
        canonical([{"article": "82", "description": "outro"}]),
        canonical([{"article": "64-I", "description": "um fato", "law_note": "vigora desde 1990"}]),
    ),
    "final_at": ('"2013-04-18T00:00:00-03:00"', '"2013-05-02T00:00:00-03:00"', '"2013-04-18"'),
    "processo": ('"12/2013"', '"13/2013"', '""'),
    "infrator": (
        '{"digest":"aa","has_doc":true,"key":"bb","kind":"pf","person":"cc"}',
        '{"digest":"dd","has_doc":true,"key":"ee","kind":"pf","person":"ff"}',
        '{"digest":"aa","has_doc":true,"key":null,"kind":"pf","person":"cc"}',
    ),
    "ciencias": ('[{"act":"ciencia","seq":2}]', '[{"act":"ciencia","seq":3}]', '[{"act":"ciencia_decisao","seq":2}]'),
    "decisions": ('[{"notified":"2013-04-02"}]', '[{"notified":"2013-04-03"}]', '[{"notified":null}]'),
    "filings": tuple(
        f'[{{"act":"defesa","date":"{day}","decided":{decided},"moved":true,"timeliness":"tempestiva"}}]'
        for day, decided in (("2013-03-11", "null"), ("2013-03-12", "null"), ("2013-03-11", '"conhecida"'))
    ),
    "assessment": tuple(
        f'{{"amount":"{amount}","lines":[{{"article":"{article}","penalty_article":"64-T","status":"texto"}}]}}'
        for amount, article in (("330.00", "64-I"), ("660.00", "64-I"), ("330.00", "64-J"))
    ),
}


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_cases_that_differ_only_in_what_is_carried_are_alike(name: str) -> None:
    one, like, unlike = (VIEWS[name][0](text)[0] for text in VALUES["infrator" if name == "responsavel" else name])
    assert one == like != unlike
