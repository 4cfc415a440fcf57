"""The figures that the law gives, through import and sweep (VRSGP at 30,00 is a test value)."""

from __future__ import annotations

from datetime import date

import pytest

from tests.integration.importing.samples import FIRM, Office, drawn, inscribed_case, judged, served

OTHER_FIRM = "12345678000195"


def test_64_i_is_11_units_and_a_tenth_more_after_48_hours_when_it_is_inscribed(office: Office) -> None:
    code, answer = office.import_acts(inscribed_case("1/2013"))
    told = {"read": 5, "applied": 5, "already_known": 0, "rejected": [], "cases": 1, "undone": [], "dry_run": False}
    assert (code, answer) == (0, told)
    office.sweep("2013-04-26")
    assert office.case("1/2013").state == "aguardando_pagamento"
    office.sweep("2013-04-27T03:00")
    assert office.case("1/2013").state == "vencido"
    office.sweep("2013-04-29T00:00:01")
    case = office.case("1/2013")
    assert (case.state, case.arbitrada, case.acrescimo, case.saldo) == ("inscrito", 330_00, 33_00, 363_00)
    assert case.inscription is not None
    assert case.inscription.day == date(2013, 4, 29)
    defence = case.deadline("defesa")
    assert defence is not None
    assert (defence.first_counted, defence.due) == (date(2013, 3, 11), date(2013, 3, 25))


@pytest.mark.parametrize(("grau", "amount"), [("minimo", 90_00), ("medio", 180_00), ("maximo", 330_00)])
def test_a_silent_article_is_fined_by_grade(office: Office, grau: str, amount: int) -> None:
    acts = [
        drawn("2/2013", "2013-02-20T22:00", "2013-03-01", article="46"),
        served("2/2013", "ciencia", "2013-03-08"),
        judged("2/2013", "2013-04-01", "46", "7", grau=grau),
    ]
    assert office.import_acts(acts)[0] == 0
    assert office.case("2/2013").arbitrada == amount


def second_case(fact: str, day: str, ciencia: str, judgment: str, doc: str = FIRM) -> list[dict[str, object]]:
    return [
        drawn("2/2013", f"{fact}T22:00", day, doc=doc),
        served("2/2013", "ciencia", ciencia),
        judged("2/2013", judgment),
    ]


def test_the_second_of_a_firm_whose_first_is_final_doubles_with_the_first_as_evidence(office: Office) -> None:
    # The first's 15 days to appeal ended on 17/04/2013: the second fact comes after it.
    second = second_case("2013-05-20", "2013-05-21", "2013-05-22", "2013-07-01")
    assert office.import_acts([*inscribed_case("1/2013"), *second])[0] == 0
    case = office.case("2/2013")
    assert case.arbitrada == 660_00
    (found,) = case.facts["recidivism"]
    assert [e["auto"] for e in found["evidence"] if e["counted"]] == ["1/2013"]


@pytest.mark.parametrize(("antecedente", "amount"), [("decisao_definitiva", 330_00), ("autuacao", 660_00)])
def test_a_fact_before_the_first_is_final_doubles_only_by_the_letter(
    office: Office, antecedente: str, amount: int
) -> None:
    office.set_option("antecedente", antecedente)
    second = second_case("2013-04-10", "2013-04-11", "2013-04-12", "2013-06-03")
    assert office.import_acts([*inscribed_case("1/2013"), *second])[0] == 0
    assert office.case("2/2013").arbitrada == amount


def test_another_firm_has_no_antecedent(office: Office) -> None:
    second = second_case("2013-05-20", "2013-05-21", "2013-05-22", "2013-07-01", OTHER_FIRM)
    assert office.import_acts([*inscribed_case("1/2013"), *second])[0] == 0
    assert office.case("2/2013").arbitrada == 330_00
