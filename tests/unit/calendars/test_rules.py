from __future__ import annotations

import pytest

from calendars import RULES, law_counting, load_calendar, rule_from_mapping
from calendars.errors import InvalidCountingOption, UnknownCountingRule, UnknownLaw
from calendars.laws import law_ids

# The table of the specification, typed from it: parameter, art-35-b, lei-9784 (None: no value there), cpc-2015.
TABLE = [
    ("days", "corridos", "corridos", "uteis"),
    ("start_on", "expediente", "any", "expediente"),
    ("start_on_closed", "deemed_next", None, "deemed_next"),
    ("first_day", "next_expediente", "next_day", "next_expediente"),
    ("end_on", "expediente", "expediente", "expediente"),
    ("reduced", "closed", "early_closing_at_end", "closed"),
    ("resume", "next_expediente", "next_day", "next_expediente"),
    ("months", "next_day", "last_day", "next_day"),
    ("hours", "minute_to_minute", "minute_to_minute", "minute_to_minute"),
    ("hours_end", "end_of_expediente", "end_of_expediente", "end_of_expediente"),
]


@pytest.mark.parametrize(("parameter", "art_35_b", "lei_9784", "cpc"), TABLE)
def test_the_shipped_rules_have_the_values_of_the_law(
    parameter: str, art_35_b: str, lei_9784: str | None, cpc: str
) -> None:
    assert RULES["art-35-b"].parameters()[parameter] == art_35_b
    assert RULES["cpc-2015"].parameters()[parameter] == cpc
    if lei_9784 is not None:
        assert RULES["lei-9784"].parameters()[parameter] == lei_9784


def test_there_are_three_rules_and_each_cites_its_law() -> None:
    assert set(RULES) == {"art-35-b", "lei-9784", "cpc-2015"}
    for rule in RULES.values():
        for unit in "dhma":
            citations = rule.citations(unit)
            assert citations
            assert all(c.urn.startswith("urn:lex:br") for c in citations)
    assert RULES["lei-9784"].cite("months") == "Lei 9.784/1999, art. 66, § 3º"


def test_the_readings_listed_are_those_of_the_specification() -> None:
    read = {name: [a.parameter for a in rule.alternatives] for name, rule in RULES.items()}
    assert set(read["art-35-b"]) == {"start_on_closed", "first_day", "reduced", "resume", "hours_end", "hours"}
    assert read["lei-9784"] == ["start_on", "first_day", "reduced"]
    assert read["cpc-2015"] == ["reduced", "resume"]
    assert all(a.source for rule in RULES.values() for a in rule.alternatives)


def test_a_rule_changes_by_options_and_is_itself_unchanged() -> None:
    rule = RULES["art-35-b"]
    changed = rule_from_mapping("art-35-b", {"hours_end": "same_clock"})
    assert changed.hours_end == "same_clock"
    assert changed.key != rule.key
    assert rule.hours_end == "end_of_expediente"
    assert changed.with_(hours_end="end_of_expediente") == rule


@pytest.mark.parametrize(
    "options", [{"dias": "uteis"}, {"days": "X"}, {"days": None}, {"self": "x"}, {"days": ["uteis"]}]
)
def test_an_unknown_option_or_value_is_refused_with_what_is_accepted(options: dict[str, str]) -> None:
    with pytest.raises(InvalidCountingOption) as caught:
        rule_from_mapping("art-35-b", options)
    assert caught.value.remedy


def test_an_unknown_rule_names_those_known() -> None:
    with pytest.raises(UnknownCountingRule, match="art-35-b"):
        rule_from_mapping("art-35", {})


def test_the_three_laws_count_as_they_say() -> None:
    assert law_ids() == ("es-3204708/lei-1522-2005", "mg-3129509/lei-1355-1990", "mg-3120805/lei-1220-1996")
    sao_gabriel = law_counting("es-3204708/lei-1522-2005")
    assert (sao_gabriel.counting, sao_gabriel.espera) == ("art-35-b", "leitura_padrao")
    assert dict(sao_gabriel.notice) == {
        "pessoal": "juntada",
        "postal": "juntada",
        "edital": "publication_next_expediente",
    }
    for law_id in law_ids()[1:]:
        law = law_counting(law_id)
        assert (law.counting, law.espera) == ("lei-9784", "leitura_mais_favoravel")
        assert law.notice["pessoal"] == law.notice["postal"] == "receipt"
    for law_id in law_ids():
        law = law_counting(law_id)
        assert load_calendar(law.calendar).id == law.calendar
        assert law.places == ("reparticao",)
        assert law.payment_places == ("reparticao", "bancario")
        assert law.citations


def test_an_unknown_law_names_those_known() -> None:
    with pytest.raises(UnknownLaw, match="es-3204708/lei-1522-2005"):
        law_counting("es-3204708/lei-1")
