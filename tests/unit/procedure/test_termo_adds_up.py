"""The Termo adds up: the fine, and each part beside it, with its basis."""

from __future__ import annotations

from procedure.domain.case import Case
from procedure.domain.gate import additions
from procedure.domain.rulebook_reader import shipped_rulebook
from procedure.domain.vocabulary import State
from procedure.services.context import build_context
from procedure.services.ports import MunicipalData

LAW = "mg-3129509/lei-1355-1990"


def test_costs_and_daily_fine_stand_beside_the_fine_each_with_its_article() -> None:
    book = shipped_rulebook(LAW)
    ctx = build_context(book, MunicipalData(book.municipality))
    case = Case(book.municipality, "1/2024", law=LAW, state=State.VENCIDO, arbitrada=25_00, diaria=7_50, custos=1200_00)
    case.facts["daily"] = {"article": "132,I"}
    found = additions(case, ctx)
    assert [(item["kind"], item["amount"]) for item in found] == [("multa_diaria", "7.50"), ("custos", "1200.00")]
    assert ["art. 132, I" in found[0]["basis"], "art. 132" in found[1]["basis"]] == [True, True]
    assert case.saldo == 25_00 + 7_50 + 1200_00
    case.diaria = case.custos = 0
    assert additions(case, ctx) == []
