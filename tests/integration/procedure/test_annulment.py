"""Annulment of one act: the case returns to where it was found, what leaned on it falls (spec 01, 07)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from procedure.cli.auto_text import describe
from procedure.domain.errors import (
    DuplicateAuto,
    GroundNotAllowed,
    NotAnnulled,
    NothingToLower,
    SecondPersonRequired,
    UndoNotAvailable,
    WouldUndo,
)
from procedure.domain.vocabulary import DeadlineStatus, State
from tests.integration.procedure.conftest import FIRM, Office

IN_2018 = datetime(2018, 1, 4, 12, tzinfo=UTC)
WHO = {"actor": "Secretária Rosa", "second_person": "Procurador Ivo"}


def annul(office: Office, on: str, what: str, ground: str = "vicio_de_ciencia", **fields: Any) -> str | None:
    """Annul an act, by two persons."""
    said = {"annuls": what, "ground": ground, "grounds": "o AR é de outro endereço", **WHO, **fields}
    return office.record("1/2013", "anulacao", on, **said)


def seq_of(office: Office, kind: str) -> str:
    """The number of the last act of that kind."""
    return str([a.seq for a in office.acts("1/2013") if a.kind == kind][-1])


def test_an_annulled_notice_takes_with_it_all_that_leaned_on_it(office: Office) -> None:
    office.until_final("1/2013")  # served 08/03, revel, judged 01/04, final from 18/04/2013
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.sweep("2013-05-10")
    assert annul(office, "2013-05-13", seq_of(office, "ciencia")) == State.LAVRADO
    case = office.case("1/2013")
    assert (case.arbitrada, case.acrescimo, case.saldo) == (0, 0, 0)
    assert not {"revel", "decisions", "final_at", "exigivel_em"} & set(case.facts)
    assert case.inscription is not None
    assert case.inscription.status == "cancelado"
    undoing = office.acts("1/2013")[-1].payload
    assert undoing["cancels"] == {"inscription": "1/2013", "ground": "vicio_de_ciencia"}
    assert [f["act"] for f in undoing["fell"]] == ["julgamento", "ciencia_decisao", "intimacao_pagamento"]
    office.serve("1/2013", joined="2013-05-20")  # a Monday: 15 days end on Tuesday 04/06/2013
    term = office.case("1/2013").deadline("defesa")
    assert term is not None
    assert (term.due, term.status) == (date(2013, 6, 4), DeadlineStatus.ABERTO)


def test_an_inscription_written_and_undone_by_the_same_recording_keeps_its_number(office: Office) -> None:
    """No sweep ran: recording the annulment first ends the term to pay (art. 131), charges and inscribes."""
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    assert annul(office, "2013-05-13", seq_of(office, "ciencia")) == State.LAVRADO
    assert office.kinds("1/2013")[-5:] == ["decurso_pagamento", "acrescimo", "inscricao", "anulacao", "desfazimento"]
    assert office.acts("1/2013")[-1].payload["cancels"]["inscription"] == "1/2013"
    assert office.acts("1/2013")[-3].payload["number"] == "1/2013"
    kept = office.inscription("1/2013")
    assert (kept["status"], kept["livro"], kept["folha"]) == ("cancelado", 1, 1)
    office.until_final("2/2013")
    office.serve("2/2013", "intimacao_pagamento", "2013-04-24")
    office.sweep("2013-05-13")
    assert office.inscription("2/2013")["auto"] == "2/2013"  # the numbers go on from the one that was undone


def test_money_that_came_in_stays_when_what_it_answered_falls(office: Office) -> None:
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.record("1/2013", "pagamento", "2013-04-25", amount="100.00")
    assert annul(office, "2013-05-13", "ciencia") == State.LAVRADO
    case = office.case("1/2013")
    assert case.pago == 100_00
    assert [p["nature"] for p in case.facts["payments"]] == ["deposito"]


def test_a_decision_that_did_not_see_a_defence_is_annulled_and_taken_again(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")  # defence due 25/03/2013
    office.judge("1/2013", "2013-04-01")
    with pytest.raises(WouldUndo, match="julgamento de 01/04/2013"):
        office.record("1/2013", "defesa", "2013-03-20")
    annul(office, "2013-04-03", seq_of(office, "julgamento"), "ato_tempestivo_registrado_depois")
    assert office.case("1/2013").facts["revel"] is True
    assert office.record("1/2013", "defesa", "2013-03-20") == State.EM_JULGAMENTO
    assert "revel" not in office.case("1/2013").facts
    office.judge("1/2013", "2013-04-04")
    assert office.kinds("1/2013")[2:] == [
        "decurso_defesa", "julgamento", "anulacao", "desfazimento", "desfazimento", "defesa", "julgamento",
    ]  # fmt: skip


def test_an_act_typed_wrong_is_annulled_and_what_does_not_lean_on_it_comes_again(office: Office) -> None:
    office.until_final("1/2013")
    office.record("1/2013", "pagamento", "2013-04-18", amount="330.00", key="erro")  # of another auto, in truth
    assert office.case("1/2013").state == State.PAGO
    assert annul(office, "2013-04-19", "erro", "erro_de_lancamento") == State.DEFINITIVO
    assert office.case("1/2013").pago == 0


def test_a_notice_with_another_date_replaces_the_one_annulled(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013", joined="2013-03-08")
    office.record("1/2013", "defesa", "2013-03-25")
    annul(office, "2013-03-27", "ciencia")
    assert office.case("1/2013").state == State.LAVRADO  # the defence answered a notice that was none: it fell
    assert office.serve("1/2013", joined="2013-03-12") == State.EM_JULGAMENTO
    # the notice is of another day, and the defence, in time all the same, is back at its own date
    assert office.kinds("1/2013")[-2:] == ["ciencia", "defesa"]
    assert office.acts("1/2013")[-1].payload["reapplies"] == 3


def test_two_persons_a_ground_of_the_list_and_an_act_that_stands(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    office.sweep("2013-03-26")
    for nobody in ("secretária  ROSA", "ROSA, Secretária", "Sistema", "posturas"):
        with pytest.raises(SecondPersonRequired):
            annul(office, "2013-03-27", "ciencia", second_person=nobody)
    with pytest.raises(GroundNotAllowed, match="fundamento da lista"):
        annul(office, "2013-03-27", "ciencia", "porque sim")
    with pytest.raises(UndoNotAvailable, match="cai com o ato"):
        annul(office, "2013-03-27", "decurso_defesa")
    annul(office, "2013-03-27", "ciencia")
    with pytest.raises(UndoNotAvailable, match="em pé"):
        annul(office, "2013-03-28", "2")


def test_without_saying_what_the_auto_is_annulled_whole(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    said = {"grounds": "lavrado por quem não podia", "ground": "incompetencia", **WHO}
    assert office.record("1/2013", "anulacao", "2013-03-11", **said) == State.ANULADO
    assert office.case("1/2013").open_deadlines() == []


def doubled(office: Office) -> None:
    """A second auto, of 20/05/2013, whose fine the first doubled: 660,00 instead of 330,00; then the first falls."""
    office.until_final("1/2013")
    office.draw("2/2013", fact="2013-05-20T22:00", on="2013-05-21")
    office.serve("2/2013", joined="2013-05-22")
    office.judge("2/2013", "2013-07-01")
    said = {"annuls": "lavratura", "ground": "incompetencia", "grounds": "fiscal sem designação", **WHO}
    office.record("1/2013", "anulacao", "2013-07-02", **said)


def test_a_fine_whose_antecedent_fell_is_lowered_by_two_persons(office: Office) -> None:
    doubled(office)
    assert office.show("2/2013")["pending"] == ["recalcular_multa"]
    why = {"ground": "antecedente_que_caiu", "grounds": "anulado o auto 1/2013", **WHO}
    with pytest.raises(SecondPersonRequired):
        office.record("2/2013", "recalculo_multa", "2013-07-03", **{**why, "second_person": WHO["actor"]})
    office.record("2/2013", "recalculo_multa", "2013-07-03", role="secretario", **why)
    case = office.case("2/2013")
    assert (case.arbitrada, case.state) == (330_00, State.JULGADO)
    assert office.show("2/2013")["pending"] == []
    with pytest.raises(NothingToLower, match="nenhum antecedente"):
        office.record("2/2013", "recalculo_multa", "2013-07-04", role="secretario", **why)


def test_a_fine_lowered_for_an_auto_that_stands_again_waits_to_be_what_it_was(office: Office) -> None:
    """The recalculation only lowers: the way back is to annul it."""
    doubled(office)
    why = {"ground": "antecedente_que_caiu", "grounds": "anulado o auto 1/2013", **WHO}
    office.record("2/2013", "recalculo_multa", "2013-07-03", role="secretario", **why)
    assert office.show("2/2013")["pending"] == []
    assert annul(office, "2013-07-04", "anulacao", "erro_de_lancamento") == State.DEFINITIVO
    shown = office.show("2/2013")
    assert (shown["pending"], shown["amounts"]["arbitrada"]) == (["recalcular_multa"], "330.00")
    assert "anule o recálculo" in " ".join(describe(shown).split())
    said = {"annuls": "recalculo_multa", "ground": "inexistencia_dos_motivos", "grounds": "o auto vale", **WHO}
    office.record("2/2013", "anulacao", "2013-07-05", **said)
    shown = office.show("2/2013")
    assert (shown["pending"], shown["amounts"]["arbitrada"]) == ([], "660.00")
    assert office.holds("2/2013") == []


def test_what_was_paid_by_a_decision_on_appeal_since_annulled_waits_for_the_new_one(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01")
    office.serve("1/2013", "ciencia_decisao", "2013-04-02")
    office.record("1/2013", "recurso", "2013-04-10")
    office.record("1/2013", "remessa", "2013-04-12")
    upheld = {"outcome": "subsistente", "grounds": "g", "articles_infringed": ["64-I"], "articles_penalty": ["64-T"]}
    office.record("1/2013", "julgamento_recurso", "2013-04-20", **upheld)
    office.serve("1/2013", "ciencia_decisao", "2013-04-22")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    assert office.record("1/2013", "pagamento", "2013-04-25", amount="330.00") == State.PAGO
    assert annul(office, "2013-05-02", "julgamento_recurso", "incompetencia") == State.EM_SEGUNDA_INSTANCIA
    assert office.case("1/2013").pago == 330_00
    assert office.holds("1/2013") == []
    assert office.record("1/2013", "julgamento_recurso", "2013-05-20", **upheld) == State.PAGO  # the deposit converts
    assert office.holds("1/2013") == []


def test_the_surcharge_follows_the_fine_that_was_lowered(office: Office) -> None:
    doubled(office)
    office.serve("2/2013", "ciencia_decisao", "2013-07-03")
    office.serve("2/2013", "intimacao_pagamento", "2013-07-24")
    office.sweep("2013-08-10")
    assert (office.case("2/2013").arbitrada, office.case("2/2013").acrescimo) == (660_00, 66_00)
    why = {"ground": "antecedente_que_caiu", "grounds": "anulado o auto 1/2013", **WHO}
    office.record("2/2013", "recalculo_multa", "2013-08-12", role="secretario", **why)
    case = office.case("2/2013")
    assert (case.arbitrada, case.acrescimo, case.saldo) == (330_00, 33_00, 363_00)
    assert "inscricao_a_substituir" in [w["code"] for w in office.show("2/2013")["warnings"]]


@pytest.mark.parametrize(
    ("on", "paid", "surcharge", "left"),
    [
        ("2013-07-25", "330.00", 0, 0),  # in time, and all that was owed
        ("2013-08-12", "330.00", 33_00, 33_00),  # art. 35-A: when the 48 hours ended the whole was open
        ("2013-07-25", "130.00", 33_00, 233_00),  # on the whole fine, by the letter
    ],
)
def test_what_was_paid_late_takes_no_surcharge_off_a_lowered_fine(
    office: Office, on: str, paid: str, surcharge: int, left: int
) -> None:
    doubled(office)
    office.serve("2/2013", "ciencia_decisao", "2013-07-03")
    office.serve("2/2013", "intimacao_pagamento", "2013-07-24")  # 48 hours: Friday 26/07/2013
    if on < "2013-07-27":
        office.record("2/2013", "pagamento", on, amount=paid)
        office.sweep("2013-08-10")
    else:
        office.sweep("2013-08-10")
        office.record("2/2013", "pagamento", on, amount=paid)
    why = {"ground": "antecedente_que_caiu", "grounds": "anulado o auto 1/2013", **WHO}
    office.record("2/2013", "recalculo_multa", "2013-08-13", role="secretario", **why)
    case = office.case("2/2013")
    assert (case.arbitrada, case.acrescimo, case.saldo) == (330_00, surcharge, left)
    assert office.holds("2/2013") == []


def test_an_auto_annulled_for_its_form_is_drawn_up_again_as_a_linked_pair(office: Office) -> None:
    office.draw("1/2013", fact="2012-10-01T22:00", on="2013-02-18")
    with pytest.raises(NotAnnulled, match="1/2013"):
        office.draw("2/2013", fact="2012-10-01T22:00", on="2013-02-25", reissues="1/2013")
    said = {"grounds": "faltou a hora do fato", "ground": "vicio_de_forma", **WHO}
    office.record("1/2013", "anulacao", "2013-02-19", **said)
    office.draw("2/2013", fact="2012-10-01T22:00", on="2017-10-02", at=IN_2018, reissues="1/2013")  # a day too late
    assert office.show("1/2013")["reissued_as"] == ["2/2013"]
    with pytest.raises(DuplicateAuto, match="já se refez no auto 2/2013"):
        office.draw("3/2013", fact="2012-10-01T22:00", on="2017-10-02", at=IN_2018, reissues="1/2013")
    with pytest.raises(NotAnnulled, match="só foi anulado em 19/02/2013"):
        office.draw("3/2013", fact="2012-10-01T22:00", on="2013-02-18", at=IN_2018, reissues="1/2013")
    shown = office.show("2/2013")
    assert shown["reissues"] == "1/2013"
    assert "alerta_prescricao_punitiva" in [w["code"] for w in shown["warnings"]]


def test_an_auto_against_the_wrong_person_is_drawn_up_again_against_the_right_one(office: Office) -> None:
    office.draw("1/2013")
    office.record("1/2013", "anulacao", "2013-03-04", grounds="era a vizinha", ground="erro_de_pessoa", **WHO)
    other = {**FIRM, "name": "Bar do Porto Ltda.", "doc": "11.444.777/0001-61"}
    office.draw("2/2013", on="2013-03-05", infrator=other, reissues="1/2013")
    assert office.show("1/2013")["reissued_as"] == ["2/2013"]
    with pytest.raises(DuplicateAuto, match="já se refez no auto 2/2013"):
        office.draw("3/2013", on="2013-03-06", reissues="1/2013")


def annulled_whole(office: Office) -> None:
    """Inscribed for 363,00, then the whole auto annulled."""
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.sweep("2013-05-02")
    office.record("1/2013", "anulacao", "2013-06-03", ground="vicio_de_forma", grounds="sem a hora do fato", **WHO)


def test_of_an_annulled_auto_no_act_is_annulled_but_money_typed_wrong(office: Office) -> None:
    annulled_whole(office)
    with pytest.raises(UndoNotAvailable, match="já foi anulado"):
        annul(office, "2013-06-04", "julgamento")
    office.record("1/2013", "pagamento", "2013-06-05", amount="50.00")  # kept as a credit
    assert annul(office, "2013-06-06", "pagamento", "erro_de_lancamento") == State.ANULADO
    assert office.case("1/2013").pago == 0
    assert office.holds("1/2013") == []


def test_an_annulment_of_the_auto_typed_by_mistake_is_annulled(office: Office) -> None:
    annulled_whole(office)
    assert office.show("1/2013")["tracks"] == {"principal": "anulado", "registro": "cancelado"}
    assert annul(office, "2013-06-07", "anulacao", "erro_de_lancamento") == State.INSCRITO
    assert (office.case("1/2013").saldo, office.inscription("1/2013")["status"]) == (363_00, "inscrito")
    assert office.show("1/2013")["tracks"] == {"principal": "inscrito", "registro": "em_cobranca"}
    assert office.holds("1/2013") == []


def test_money_given_back_is_not_lost_with_the_payment_it_came_of(office: Office) -> None:
    """330,00 typed by mistake made a credit of the 100,00 really paid, which was returned: told, not forgotten."""
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.record("1/2013", "pagamento", "2013-04-25", amount="330.00", key="banco-1")
    office.record("1/2013", "pagamento", "2013-05-10", amount="100.00")
    office.record("1/2013", "restituicao", "2013-08-01", amount="100.00", of="pagamento", grounds="a mais", **WHO)
    with pytest.raises(WouldUndo, match="restituição de 01/08/2013"):
        annul(office, "2013-09-02", "banco-1", "erro_de_lancamento")
    assert office.case("1/2013").pago == 330_00
