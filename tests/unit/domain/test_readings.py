"""Every other reading that a shipped rule can give has its words."""

from __future__ import annotations

from calendars.rules import PARAMETERS, RULES
from procedure.domain.readings import WORDS, reading_br


def test_every_alternative_of_every_rule_has_words() -> None:
    readings = {f"{a.parameter}={a.value}" for rule in RULES.values() for a in rule.alternatives}
    assert readings, "no rule has another reading"
    assert readings <= set(WORDS)


def test_every_value_of_every_parameter_has_words() -> None:
    assert {f"{name}={value}" for name, values in PARAMETERS.items() for value in values} == set(WORDS)


def test_readings_that_agree_are_joined_and_places_are_named() -> None:
    assert reading_br("first_day=next_day; days=uteis") == (
        "o 1º dia é o seguinte à ciência, haja ou não expediente; contando só os dias úteis"
    )
    assert reading_br("places=reparticao+bancario") == "o vencimento exige dia normal: a repartição e o banco"
