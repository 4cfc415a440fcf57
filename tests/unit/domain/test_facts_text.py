"""The stored text of facts: what is found, replaced and added line by line is what JSON says."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from procedure.domain.facts_text import facts_text, lines_of, put, value_at

FACTS: dict[str, Any] = {"revel": True, "a": 'x"\n,\n"b":1', "final_at": None, "aa": [1, {"b": "é🏛"}], "a_b": {}}


def test_each_member_has_a_line_of_its_own() -> None:
    text = facts_text(FACTS)
    assert json.loads(text) == FACTS
    assert lines_of(text) == [
        r'"a":"x\"\n,\n\"b\":1"', '"a_b":{}', '"aa":[1,{"b":"é🏛"}]', '"final_at":null', '"revel":true',
    ]  # fmt: skip
    assert (facts_text({}), lines_of("{}")) == ("{}", [])


def test_members_are_read_set_and_taken_out_as_in_a_dictionary() -> None:
    draw = random.Random(4)
    names = ["a", "aa", "a_b", "b", "final_at", "revel", "z"]
    for _ in range(300):
        facts: dict[str, Any] = {name: draw.randint(0, 9) for name in draw.sample(names, draw.randint(0, 7))}
        lines = lines_of(facts_text(facts))
        for name in draw.sample(names, 3):
            head = f'"{name}":'
            assert value_at(lines, head) == (str(facts[name]) if name in facts else None)
            value = draw.choice([None, 7])
            put(lines, head, None if value is None else str(value))
            facts.pop(name, None)
            facts |= {} if value is None else {name: value}
        assert lines == lines_of(facts_text(facts))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a":1,"b":2}', '{"a":1,\n2}', '{"a":{"b":1}', '{1,\n"b":2}'])
def test_another_form_is_not_taken(text: str) -> None:
    with pytest.raises(ValueError, match="facts"):
        lines_of(text)
