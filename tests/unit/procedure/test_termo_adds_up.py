"""The Termo adds up: the fine and its surcharge; what is due beside the fine is of another auto."""

from __future__ import annotations

from procedure.domain.case import Case
from procedure.domain.gate import additions
from procedure.domain.rulebook_reader import shipped_rulebook
from procedure.domain.vocabulary import State
from procedure.services.context import build_context
from procedure.services.ports import MunicipalData

LAW = "mg-3129509/lei-1355-1990"


def test_the_surcharge_alone_is_added_and_what_is_due_beside_the_fine_is_not_charged_here() -> None:
    book = shipped_rulebook(LAW)
    ctx = build_context(book, MunicipalData(book.municipality))
    case = Case(book.municipality, "1/2024", law=LAW, state=State.VENCIDO, arbitrada=25_00, diaria=7_50, custos=1200_00)
    case.facts["daily"] = {"article": "132,I"}
    assert (additions(case, ctx), case.saldo) == ([], 25_00)
    case.acrescimo = 2_50
    found = additions(case, ctx)
    assert [(item["kind"], item["amount"]) for item in found] == [("acrescimo", "2.50")]
    assert "Lei 1.355/1990" in found[0]["basis"]
    assert case.saldo == 27_50
