"""Acts recorded after the fact: what a late recording undoes, what it may not, what it leaves on record (spec 05)."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from procedure.domain.errors import ActInFuture, ActOutOfOrder, PriorNoticeMissing, UnknownAuto, WouldUndo
from procedure.domain.machine import ActNotAllowed
from procedure.domain.vocabulary import DeadlineStatus, State
from tests.integration.procedure.conftest import FIRM, Office


def test_a_defence_of_the_last_day_typed_after_the_sweep_undoes_the_default(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")  # joined Friday 08/03: defence due Monday 25/03/2013
    office.sweep("2013-03-26")
    assert office.case("1/2013").facts["revel"] is True
    assert office.record("1/2013", "defesa", "2013-03-25") == State.EM_JULGAMENTO
    case = office.case("1/2013")
    assert "revel" not in case.facts
    assert office.kinds("1/2013") == ["lavratura", "ciencia", "decurso_defesa", "desfazimento", "defesa"]
    first, second = [d for d in case.deadlines if d.kind == "defesa"]
    assert (first.status, first.undone) == (DeadlineStatus.CANCELADO, True)
    assert (second.status, second.supersedes, second.due) == (DeadlineStatus.CUMPRIDO, first.number, date(2013, 3, 25))
    assert [f["timeliness"] for f in case.facts["filings"]] == ["tempestiva"]


def test_a_defence_of_the_day_after_is_kept_and_moves_nothing(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    assert office.record("1/2013", "defesa", "2013-03-26") == State.EM_JULGAMENTO
    case = office.case("1/2013")
    assert case.facts["revel"] is True
    assert case.facts["filings"][0]["timeliness"] == "intempestiva"
    assert office.kinds("1/2013") == ["lavratura", "ciencia", "decurso_defesa", "defesa"]


def test_a_defence_out_of_time_typed_after_the_judgment_only_joins_the_case(office: Office) -> None:
    """It would have moved nothing before the judgment (spec 05): there is nothing to annul, so it is not refused."""
    office.draw("1/2013")
    office.serve("1/2013")  # due Monday 25/03/2013
    office.judge("1/2013", "2013-04-01")
    assert office.record("1/2013", "defesa", "2013-03-27") == State.JULGADO
    assert office.kinds("1/2013") == ["lavratura", "ciencia", "decurso_defesa", "julgamento", "defesa"]
    filing = office.case("1/2013").facts["filings"][-1]
    assert (filing["timeliness"], filing["moved"]) == ("intempestiva", False)
    assert office.case("1/2013").facts["revel"] is True
    assert office.serve("1/2013", "ciencia_decisao", "2013-04-02") == State.AGUARDANDO_RECURSO
    assert office.record("1/2013", "recurso", "2013-04-17") == State.EM_RECURSO
    assert office.holds("1/2013") == []


def test_a_defence_kept_out_of_time_stands_in_no_late_acts_way(office: Office) -> None:
    """What is later told again over another past finds it where it belongs, not where it was typed."""
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.sweep("2013-05-10")
    assert office.record("1/2013", "defesa", "2013-03-27") == State.INSCRITO
    assert office.record("1/2013", "recurso", "2013-04-17") == State.EM_RECURSO  # in time: the inscription falls
    assert "defesa" not in [u["act"] for u in office.acts("1/2013")[-2].payload["undoes"]]
    assert [f["act"] for f in office.case("1/2013").facts["filings"]] == ["defesa", "recurso"]
    assert office.holds("1/2013") == []


def test_a_disputed_defence_typed_after_the_judgment_is_for_who_judged_to_see(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013", joined="2013-03-09")  # default due 26/03; the other reading 25/03
    office.judge("1/2013", "2013-04-01")
    with pytest.raises(WouldUndo, match="julgamento de 01/04/2013"):
        office.record("1/2013", "defesa", "2013-03-26")


def test_a_saturday_notice_makes_the_last_day_disputed_but_in_time(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013", joined="2013-03-09")  # default due 26/03; the other reading 25/03
    office.record("1/2013", "defesa", "2013-03-26")
    case = office.case("1/2013")
    assert "revel" not in case.facts
    assert case.facts["filings"][0]["timeliness"] == "controvertida"
    office.judge("1/2013", "2013-04-01")  # it moved the case, so nothing is left to decide about it


def test_a_defence_that_would_undo_a_judgment_is_refused_whole(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01")
    before = office.acts("1/2013")
    with pytest.raises(WouldUndo, match="fim do prazo de defesa de 26/03/2013, julgamento de 01/04/2013"):
        office.record("1/2013", "defesa", "2013-03-20")
    assert office.acts("1/2013") == before


def test_a_payment_of_the_due_day_takes_back_the_surcharge(office: Office) -> None:
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")  # 48 hours: Friday 26/04/2013
    office.sweep("2013-04-27")
    assert office.case("1/2013").acrescimo == 33_00
    assert office.record("1/2013", "pagamento", "2013-04-26", amount="330.00") == State.PAGO
    case = office.case("1/2013")
    assert (case.acrescimo, case.pago, case.saldo) == (0, 330_00, 0)
    assert "exigivel_em" not in case.facts
    undoing = office.acts("1/2013")[-2].payload
    assert [u["act"] for u in undoing["undoes"]] == ["decurso_pagamento", "acrescimo"]
    assert undoing["cause"]["act"] == "pagamento"


def test_an_inscription_that_should_not_have_come_is_cancelled_and_stays(office: Office) -> None:
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.sweep("2013-04-30")
    office.record("1/2013", "pagamento", "2013-04-26", amount="130.00")  # in time, but not the whole
    assert office.case("1/2013").state == State.VENCIDO  # the surcharge is due all the same
    first = office.case("1/2013").inscription
    assert first is not None
    assert (first.label, first.status) == ("1/2013", "cancelado")
    undoing = next(a for a in office.acts("1/2013") if a.kind == "desfazimento")
    ground = {"inscription": "1/2013", "ground": "ato_tempestivo_registrado_depois"}
    assert undoing.payload["cancels"] == ground
    office.sweep("2013-05-10")
    assert [(r["number"], r["status"], r["termo"]["total"]) for r in office.register()] == [
        (1, "cancelado", "363.00"), (2, "inscrito", "233.00"),
    ]  # fmt: skip
    assert [bool(r["prescribes_on"]) for r in office.register()] == [False, True]  # what is undone collects nothing
    undone, again = office.inscription("1/2013"), office.inscription("2/2013")
    told = [(item["act"], item["date"], item["ground"]) for item in undone["history"]]
    assert told == [("desfazimento", str(undoing.at), "ato_tempestivo_registrado_depois")]
    assert (undone["saldo"], undone["prescription"]) == ("0.00", None)  # it collects nothing
    assert (again["saldo"], again["history"]) == ("233.00", [])
    assert again["prescription"] is not None


def test_an_appeal_in_time_typed_after_the_order_to_pay(office: Office) -> None:
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.sweep("2013-05-10")  # surcharged and inscribed
    assert office.record("1/2013", "recurso", "2013-04-17") == State.EM_RECURSO
    case = office.case("1/2013")
    assert (case.acrescimo, case.arbitrada) == (0, 330_00)
    assert "final_at" not in case.facts
    undoing = office.acts("1/2013")[-2].payload
    assert [u["act"] for u in undoing["undoes"]] == [
        "decurso_recurso", "intimacao_pagamento", "decurso_pagamento", "acrescimo", "inscricao",
    ]  # fmt: skip
    assert [f["act"] for f in undoing["fell"]] == ["intimacao_pagamento"]
    assert not case.open_deadlines()


def test_a_deposit_recorded_after_the_default_is_simply_a_deposit(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    office.sweep("2013-03-26")
    assert office.record("1/2013", "pagamento", "2013-03-20", amount="100.00") == State.EM_JULGAMENTO
    assert "desfazimento" not in office.kinds("1/2013")
    assert office.case("1/2013").pago == 100_00


def test_a_whole_payment_inside_the_term_to_appeal_undoes_its_expiry(office: Office) -> None:
    office.until_final("1/2013")  # 15 days from 02/04 end on 17/04/2013
    assert office.record("1/2013", "pagamento", "2013-04-10", amount="330.00") == State.PAGO
    assert office.kinds("1/2013")[-3:] == ["decurso_recurso", "desfazimento", "pagamento"]
    assert office.case("1/2013").facts["final_at"].startswith("2013-04-18T00:00:00")


def test_a_late_appeal_is_kept_and_blocks_nothing(office: Office) -> None:
    office.until_final("1/2013")
    assert office.record("1/2013", "recurso", "2013-04-19") == State.DEFINITIVO
    filing = office.case("1/2013").facts["filings"][-1]
    assert (filing["timeliness"], filing["moved"]) == ("intempestiva", False)
    assert office.serve("1/2013", "intimacao_pagamento", "2013-04-24") == State.AGUARDANDO_PAGAMENTO


def test_a_late_appeal_that_the_secretario_knows_is_as_if_in_time(office: Office) -> None:
    office.until_final("1/2013")
    office.record("1/2013", "recurso", "2013-04-19")
    known = {"outcome": "conhecida", "ground": "greve dos correios"}
    assert office.record("1/2013", "remessa", "2013-04-22", timeliness_decision=known) == State.EM_SEGUNDA_INSTANCIA
    assert office.kinds("1/2013")[-4:] == ["recurso", "desfazimento", "recurso", "remessa"]
    assert "final_at" not in office.case("1/2013").facts


def test_not_knowing_a_late_appeal_leaves_the_case_where_it_was(office: Office) -> None:
    office.until_final("1/2013")
    with pytest.raises(Exception, match="não há recurso tardio"):
        office.record("1/2013", "reconsideracao", "2013-04-19", outcome="subsistente", grounds="fora do prazo")
    office.record("1/2013", "recurso", "2013-04-19")
    refused = {"outcome": "nao_conhecida", "ground": "fora do prazo"}
    state = office.record(
        "1/2013", "reconsideracao", "2013-04-22", outcome="subsistente", grounds="prazo", timeliness_decision=refused
    )
    assert state == State.DEFINITIVO
    assert office.case("1/2013").facts["filings"][-1]["decided"] == "nao_conhecida"


def test_an_act_before_the_one_it_answers_is_refused(office: Office) -> None:
    office.draw("1/2013")
    with pytest.raises(ActOutOfOrder):
        office.serve("1/2013", joined="2013-02-25")
    office.serve("1/2013")
    with pytest.raises(ActOutOfOrder):
        office.record("1/2013", "defesa", "2013-03-07")


def test_an_act_in_the_future_of_its_recording_is_refused(office: Office) -> None:
    with pytest.raises(ActInFuture):
        office.record("1/2013", "regularizacao", "2016-01-05")
    office.draw("1/2013")
    recorded = datetime(2013, 3, 7, 15, tzinfo=UTC)
    with pytest.raises(ActInFuture, match="08/03/2013"):
        office.record(
            "1/2013", "ciencia", "2013-03-06", at=recorded, method="postal", received="2013-03-06", juntada="2013-03-08"
        )


def test_an_act_on_an_auto_that_does_not_exist_says_so(office: Office) -> None:
    with pytest.raises(UnknownAuto, match="9/2013"):
        office.record("9/2013", "defesa", "2013-03-08")


def test_a_defence_before_any_notice_is_not_allowed_and_says_what_is(office: Office) -> None:
    office.draw("1/2013")
    with pytest.raises(ActNotAllowed, match="ciencia"):
        office.record("1/2013", "defesa", "2013-03-08")


def test_an_undone_term_expires_again_once_when_nothing_came(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    office.sweep("2013-03-26")
    office.record("1/2013", "defesa", "2013-03-25")
    for night in ("2013-03-27", "2013-04-20", "2013-04-20"):
        office.sweep(night)
    # only the autuante's 15 days ran out: counted from Monday 25/03, day 1 on 26/03, due 09/04/2013
    assert office.kinds("1/2013").count("decurso_defesa") == 1
    assert office.case("1/2013").deadline("impugnacao").due == date(2013, 4, 9)  # type: ignore[union-attr]  # it is there
    assert office.kinds("1/2013").count("decurso_impugnacao") == 1


def test_acts_between_an_appeal_and_the_decurso_that_it_undid_are_in_order(office: Office) -> None:
    office.until_final("1/2013")  # the term ran out on 17/04/2013
    office.record("1/2013", "recurso", "2013-04-10")
    with pytest.raises(ActNotAllowed):
        office.record("1/2013", "recurso", "2013-04-11")
    assert office.record("1/2013", "remessa", "2013-04-12") == State.EM_SEGUNDA_INSTANCIA


def notify(office: Office, auto: str) -> None:
    """A notice joined on 04/03/2013: 10 days, to 14/03/2013."""
    fact = {"date": "2013-03-01T10:00", "place": "Praça", "article": "64-I", "description": "Som alto sem alvará"}
    office.record(
        auto, "notificacao_preliminar", "2013-03-04", infrator=FIRM, fact=fact, term="10d", method="postal",
        juntada="2013-03-04",
    )  # fmt: skip


def test_a_regularizacao_typed_late_does_not_take_the_ground_from_an_auto(office: Office) -> None:
    notify(office, "5/2013")
    office.draw("6/2013", "2013-03-20T10:00", "2013-03-21", perigo_iminente=None)
    with pytest.raises(WouldUndo, match="6/2013"):
        office.record("5/2013", "regularizacao", "2013-03-12")
    assert office.case("5/2013").state == State.NOTIFICACAO_VENCIDA


def test_the_notice_of_the_auto_s_own_number_is_to_the_person_charged(office: Office) -> None:
    notify(office, "5/2013")
    person = {"name": "Ciro Dalla", "kind": "pf", "doc": "529.982.247-25", "address": {"street": "Rua Ceará"}}
    with pytest.raises(PriorNoticeMissing, match="outra pessoa"):
        office.draw("5/2013", "2013-03-20T10:00", "2013-03-21", infrator=person, perigo_iminente=None)
    branch = {**FIRM, "doc": "11.222.333/0002-62"}
    office.draw("5/2013", "2013-03-20T10:00", "2013-03-21", infrator=branch, perigo_iminente=None)
    assert office.case("5/2013").state == State.LAVRADO


def test_a_doubled_fine_asks_to_be_reckoned_again_when_its_antecedent_falls(office: Office) -> None:
    office.until_final("1/2013")  # final on 18/04/2013
    office.draw("2/2013", fact="2013-05-20T22:00", on="2013-05-21")
    office.serve("2/2013", joined="2013-05-22")
    office.judge("2/2013", "2013-07-01")
    assert office.case("2/2013").arbitrada == 660_00
    assert office.show("2/2013")["pending"] == []
    office.record("1/2013", "anulacao", "2013-07-02", annuls="lavratura", grounds="vício", second_person="outra pessoa")
    assert office.show("2/2013")["pending"] == ["recalcular_multa"]
    assert office.case("2/2013").arbitrada == 660_00  # told, never changed silently


def test_what_was_done_to_the_debt_comes_again_over_its_new_inscription_by_number_or_not(office: Office) -> None:
    """363,00 inscribed and parcelled by its number; 130,00 of the due day, typed later, leave 233,00 (spec 03, item 5).

    The parcelamento is of the debt: it stands, over the new inscription; it falls with a whole payment, and comes back
    when that payment turns out to be a mistake.
    """
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.sweep("2013-05-02")
    office.record("1/2013", "parcelamento", "2013-05-06", role="procuradoria", inscription="1/2013")
    office.record("1/2013", "pagamento", "2013-04-26", amount="130.00")
    kept = office.inscription("2/2013")
    assert (kept["total"], kept["status"]) == ("233.00", "parcelado")
    assert office.inscription("1/2013")["status"] == "cancelado"
    office.record("1/2013", "pagamento", "2013-04-25", amount="200.00", key="banco-2")
    assert (office.case("1/2013").state, office.case("1/2013").saldo) == (State.PAGO, 0)
    said = {"annuls": "banco-2", "ground": "erro_de_lancamento", "grounds": "de outro auto", "second_person": "outra"}
    office.record("1/2013", "anulacao", "2013-07-01", **said)
    kept = office.inscription("3/2013")
    assert (kept["total"], kept["status"]) == ("233.00", "parcelado")
    assert office.holds("1/2013") == []


def test_a_certidao_replaced_in_the_register_is_not_authenticated_by_the_former_act(office: Office) -> None:
    for name in ("authority", "office", "act"):
        office.option(f"divida_ativa.{name}", "Portaria 7/2013")
    office.until_final("1/2013")
    office.serve("1/2013", "intimacao_pagamento", "2013-04-24")
    office.sweep("2013-05-02")
    office.record("1/2013", "autenticacao", "2013-05-03", role="procuradoria", inscription="1/2013")
    office.record("1/2013", "pagamento", "2013-04-26", amount="130.00")
    office.sweep("2013-05-10")
    assert [f["act"] for a in office.acts("1/2013") for f in a.payload.get("fell", ())] == ["autenticacao"]
    assert not office.inscription("2/2013")["authenticated"]
