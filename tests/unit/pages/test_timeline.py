"""The timeline of the issue's case. Every date and amount is worked out by hand from arts. 24, 34, 35-A and 35-B."""

from __future__ import annotations

from typing import Any

from procedure.cli.timeline_text import describe
from procedure.pages.timeline_page import timeline_page
from tests.unit.pages.conftest import Told
from tests.unit.pages.reading import Page, faults

# Ciência joined Friday 08/03: day 1 is Monday 11/03, day 15 is 25/03. Decision joined Tuesday 02/04: 03/04 to 17/04.
# Intimation joined 24/04: 48 hours, the hour unknown, are two days, to 26/04.
TERMS = [
    ("defesa", "2013-03-08", "2013-03-11", "2013-03-25"),
    ("recurso", "2013-04-02", "2013-04-03", "2013-04-17"),
    ("pagamento", "2013-04-24", "2013-04-25", "2013-04-26"),
]
# 11 × 30,00; a tenth of it; the sum.
MONEY = [
    ("2013-04-01", "arbitrada", "330.00", "330.00"),
    ("2013-04-27", "acrescimo", "33.00", "363.00"),
    ("2013-04-29", "inscrito", "363.00", "363.00"),
]


def test_the_terms_are_those_of_the_law(told: Told) -> None:
    doc = told()
    found = [(d["kind"], d["starts_on"], d["first_counted"], d["due"]) for d in doc["deadlines"]]
    assert found == TERMS
    assert {d["status"] for d in doc["deadlines"]} == {"vencido"}


def test_the_money_stands_beside_the_act_that_moved_it(told: Told) -> None:
    doc = told()
    moved = [
        (event["date"][:10], money["what"], money["amount"], event["balance"])
        for event in doc["events"]
        for money in event["money"]
    ]
    assert moved == MONEY


def test_the_days_tell_each_event_and_each_end_once(told: Told) -> None:
    doc = told()
    days = doc["days"]
    assert [day["date"] for day in days] == sorted({day["date"] for day in days})
    assert sorted(at for day in days for at in day["events"]) == list(range(len(doc["events"])))
    assert [(days[n]["date"], days[n]["ends"]) for n in range(len(days)) if days[n]["ends"]] == [
        ("2013-03-25", [0]),
        ("2013-04-17", [1]),
        ("2013-04-26", [2]),
    ]


def test_a_term_met_ends_on_the_day_it_was_met(told: Told) -> None:
    doc = told(until="2013-04-02")  # the appeal term runs
    (running,) = [d for d in doc["deadlines"] if d["status"] == "aberto"]
    assert (running["kind"], running["ended_on"], running["expires_on"]) == ("recurso", "2013-04-17", "2013-04-17")
    assert doc["next_engine_act"] == {"act": "decurso_recurso", "date": "2013-04-18"}


def test_the_page_says_it_to_everybody(told: Told) -> None:
    page = Page(timeline_page(told()))
    assert faults(page) == []
    words = page.words()
    assert page.headings[0] == (1, "Auto de infração nº\u00a01/2013")
    assert "Conceição Müller d’Ávila" in words
    assert "***.982.247-**" in words
    assert "52998224725" not in page.source
    assert "529.982" not in page.source
    assert "sexta-feira, 08/03/2013" in words
    assert page.table("O que cada ato fixou, acresceu ou pagou") == [
        ["01/04/2013", "julgamento: auto subsistente", "multa R$ 330,00", "R$ 330,00"],
        ["27/04/2013", "acréscimo por falta de pagamento", "acréscimo R$ 33,00", "R$ 363,00"],
        ["29/04/2013", "inscrição em dívida ativa: inscrito, nº 1/2013", "inscrito R$ 363,00", "R$ 363,00"],
    ]


def test_the_page_says_until_when_the_debt_can_be_filed(told: Told) -> None:
    # Due from 27/04/2013, final since 18/04/2013: five years and the 180 days of LEF art. 2º § 3º from each.
    assert told()["inscription"] == {
        "number": "1/2013", "status": "inscrito", "prescribes_on": "2018-10-24", "warns_on": "2018-10-15",
    }  # fmt: skip
    words = Page(timeline_page(told())).words()
    assert "Inscrição nº 1/2013 Inscrito prescreve em 24/10/2018; por cautela, ajuizar até 15/10/2018" in words
    assert told(until="2013-04-28")["inscription"] is None


def test_the_months_show_what_was_counted_and_what_was_not(told: Told) -> None:
    page = Page(timeline_page(told()))
    march = page.table("março de 2013")
    told_days = {cell for week in march for cell in week}
    # The 8th starts; Saturday and Sunday cannot be day 1; Monday is the 1st; the 25th, the 15th day, is the last.
    assert {"8início", "9pula", "10pula", "111º", "2414º", "25vence"} <= told_days
    assert "2615º" not in told_days


def test_the_picture_has_the_dates_the_acts_and_the_days_between(told: Told) -> None:
    source = timeline_page(told())
    picture = source[source.index("<figure>") : source.index("</figure>")]
    for words in ("01/03/2013", "08/03/2013", "25/03/2013", "7 dias", "17 dias", "Prazo de defesa, 15 dias", "330,00"):
        assert words in picture.replace("\u00a0", " ")
    assert "Conceição" not in picture


def test_the_same_record_gives_the_same_page(told: Told) -> None:
    assert timeline_page(told()) == timeline_page(told())


def test_no_name_becomes_markup(told: Told) -> None:
    for name in ("<script>alert(1)</script>", "Zé \U0001f600 </title>", "Ant\u00f3nio \u05d0\u05d1"):
        page = Page(timeline_page(told(name=name)))
        assert faults(page) == []
        assert name in page.text


def test_the_screen_shows_the_line_with_its_terms(told: Told) -> None:
    lines = describe(told()).splitlines()
    assert max(map(len, lines)) <= 80
    at = [n for n, line in enumerate(lines) if line.startswith("08/03/2013 sex   ● ┌   2. ciência do auto")]
    assert at
    assert lines[at[0] - 1].split() == ["│", "7", "dias"]
    assert "25/03/2013 seg   ■ └      acaba: prazo de defesa, 15 dias (vencido)" in lines
    assert any("multa R$ 330,00; a pagar R$ 330,00" in line for line in lines)


def test_an_auto_that_does_nothing_has_no_money_and_no_terms(told: Told) -> None:
    doc: dict[str, Any] = told(until="2013-03-01")
    assert (doc["deadlines"], [event["money"] for event in doc["events"]]) == ([], [[]])
    page = Page(timeline_page(doc))
    assert faults(page) == []
    assert "Dinheiro" not in {said for _, said in page.headings}


def test_an_act_under_another_law_names_it(told: Told) -> None:
    """The authentication rests on the Lei 6.830/1980 art. 2º § 6º, not on an article of the municipality's law."""
    doc = told()
    sealed = {"act": "autenticacao", "role": "divida_ativa", "article": "2,§6", "norm": "Lei 6.830/1980", "money": []}
    doc["events"][-1] = {**doc["events"][-1], "outcome": None, "tracks": {}, **sealed}
    cited = "Lei 6.830/1980, art. 2º, § 6º"
    said = timeline_page(doc).replace("\u00a0", " ")
    assert f"{cited}, pela dívida ativa" in said
    assert "art. 26, pelo secretário" in said
    assert f"({cited})" in " ".join(describe(doc).replace("│", " ").split())
