"""What a decision leaves standing: the appeal, the reincidência and the deposit follow it (spec 01, 03)."""

from __future__ import annotations

from typing import Any

import pytest

from procedure.domain.errors import ActOutOfOrder, JudgeImpeded, MissingContent, WorseOnAppeal
from procedure.domain.vocabulary import State
from procedure.services.recomputing import Recomputer
from procedure.services.verifying import verify
from procedure.store.archive import reading
from tests.integration.procedure.conftest import MUNICIPALITY, Office

SOUND = {"date": "2013-02-20T22:00", "place": "Praça", "article": "64-I", "description": "Som alto sem alvará"}
PAVEMENT = {"date": "2013-02-20T22:00", "place": "Praça", "article": "42", "description": "Passeio obstruído"}
PARTLY: dict[str, Any] = {"articles_infringed": ["42"], "articles_penalty": ["7"]}


def draw_two(office: Office, auto: str, **changes: Any) -> None:
    """An auto for 64-I (11 VRSGP by 64-T, 330,00) and 42 (by grade, art. 7: 90,00, 180,00 or 330,00)."""
    office.draw(auto, infractions=[SOUND, PAVEMENT], **changes)


def appeal_two(office: Office, auto: str, **judged: Any) -> None:
    """Of the two facts the Secretário upholds article 42 at grau medio, 180,00; the appeal goes to the prefeito."""
    office.serve(auto)
    office.judge(auto, "2013-04-01", "parcialmente_subsistente", **{**PARTLY, "grau": "medio", **judged})
    office.serve(auto, "ciencia_decisao", "2013-04-02")
    office.record(auto, "recurso", "2013-04-05")
    office.record(auto, "remessa", "2013-04-08")


def on_appeal(office: Office, auto: str, outcome: str, **fields: Any) -> str | None:
    return office.record(auto, "julgamento_recurso", "2013-05-02", outcome=outcome, grounds="fundamentos", **fields)


def fine(office: Office, auto: str) -> int:
    return office.case(auto).arbitrada


def replays(office: Office) -> bool:
    with reading(office.engine) as archive:
        return verify(archive, MUNICIPALITY, deeper=Recomputer(archive, MUNICIPALITY)).defects == []


def test_the_appeal_fixes_again_only_what_the_judgment_upheld(office: Office) -> None:
    draw_two(office, "1/2013")
    appeal_two(office, "1/2013")
    assert on_appeal(office, "1/2013", "parcialmente_subsistente", grau="minimo", **PARTLY) == State.DEFINITIVO
    assert fine(office, "1/2013") == 3 * 30_00
    assert replays(office)


def test_an_appeal_that_upholds_at_a_lower_grade_does_not_bring_back_what_was_dropped(office: Office) -> None:
    draw_two(office, "1/2013")
    appeal_two(office, "1/2013")
    on_appeal(office, "1/2013", "subsistente", grau="minimo", **PARTLY)
    assert fine(office, "1/2013") == 3 * 30_00


def test_the_appeal_cannot_uphold_what_the_judgment_dropped(office: Office) -> None:
    draw_two(office, "1/2013")
    appeal_two(office, "1/2013")
    with pytest.raises(MissingContent, match="não manteve"):
        on_appeal(
            office, "1/2013", "subsistente", articles_infringed=["42", "64-I"], articles_penalty=["7", "64-T"]
        )


def test_the_grade_that_the_judge_fixed_holds_on_appeal_not_the_one_the_fiscal_proposed(office: Office) -> None:
    draw_two(office, "1/2013", grau="maximo")
    both = {"articles_infringed": ["64-I", "42"], "articles_penalty": ["64-T", "7"]}
    appeal_two(office, "1/2013", **both)
    assert fine(office, "1/2013") == (11 + 6) * 30_00
    on_appeal(office, "1/2013", "parcialmente_subsistente", **PARTLY)
    assert fine(office, "1/2013") == 6 * 30_00
    assert replays(office)


def test_the_reconsideration_may_not_worsen_the_fine_of_who_appealed(office: Office) -> None:
    draw_two(office, "1/2013")
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01", "parcialmente_subsistente", **PARTLY, grau="medio")
    office.serve("1/2013", "ciencia_decisao", "2013-04-02")
    office.record("1/2013", "recurso", "2013-04-05")
    with pytest.raises(WorseOnAppeal):
        office.record(
            "1/2013", "reconsideracao", "2013-04-08", outcome="subsistente", grounds="fundamentos", grau="maximo",
            report="relatório", **PARTLY,
        )  # fmt: skip


def test_an_infraction_that_the_decision_dropped_is_no_antecedent(office: Office) -> None:
    draw_two(office, "1/2013")
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01", "parcialmente_subsistente", **PARTLY, grau="medio")
    office.serve("1/2013", "ciencia_decisao", "2013-04-02")
    office.draw("2/2013", "2013-06-01T22:00", "2013-06-03")
    office.serve("2/2013", joined="2013-06-04")
    office.judge("2/2013", "2013-07-01")
    assert fine(office, "2/2013") == 11 * 30_00  # 64-I was not upheld in 1/2013: no doubling
    office.draw("3/2013", {**PAVEMENT, "date": "2013-06-01T22:00"}, "2013-06-03")
    office.serve("3/2013", joined="2013-06-04")
    office.judge("3/2013", "2013-07-01", **PARTLY, grau="medio")
    assert fine(office, "3/2013") == 2 * 6 * 30_00  # article 42 was



def test_a_deposit_typed_after_the_judgment_leaves_the_person_the_right_to_appeal(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01")
    assert office.record("1/2013", "pagamento", "2013-03-12", amount="330.00") == State.JULGADO
    office.serve("1/2013", "ciencia_decisao", "2013-04-02")
    assert office.record("1/2013", "pagamento", "2013-03-13", amount="10.00") == State.AGUARDANDO_RECURSO
    office.sweep("2013-04-18")  # not appealed: the deposit pays the fine
    case = office.case("1/2013")
    assert (case.state, case.saldo, case.credit) == (State.PAGO, 0, 10_00)


@pytest.mark.parametrize("judge", ["FISCAL-1", " fiscal-1 ", "ｆiscal-1"])
def test_who_drew_up_the_auto_does_not_judge_it_under_another_spelling(office: Office, judge: str) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    with pytest.raises(JudgeImpeded):
        office.judge("1/2013", "2013-04-01", actor=judge)


def test_a_judgment_that_knows_a_filing_nobody_made_leaves_the_person_revel(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01", timeliness_decision={"outcome": "conhecida"})
    assert office.case("1/2013").facts["revel"] is True


@pytest.mark.parametrize(("filed", "answered"), [("2013-03-12", "2013-03-11"), (None, "2013-04-01")])
def test_an_impugnacao_answers_a_defence_that_is_in(office: Office, filed: str | None, answered: str) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    if filed:
        office.record("1/2013", "defesa", filed)
    with pytest.raises(ActOutOfOrder):
        office.record("1/2013", "impugnacao", answered)
