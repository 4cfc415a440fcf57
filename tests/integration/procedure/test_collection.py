"""The register after inscription: each act of collection, who and when, and what it leaves (spec 04)."""

from __future__ import annotations

import threading
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from legalbasis import PosturasError
from procedure.domain import errors, register_errors
from procedure.domain.machine import ActNotAllowed
from procedure.domain.vocabulary import State, Track
from procedure.services.record import Recorded, Recorder
from procedure.services.register import UnknownInscription
from procedure.store import supplied
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.procedure.conftest import FIRM, LATER, MUNICIPALITY, Office

NUMBER = "1/2013"
ROLE = {"role": "procuradoria", "actor": "procuradora"}


def inscribe(office: Office, auto: str = "1/2013", **changes: Any) -> None:
    """Last day to pay 26/04/2013; inscribed on 29/04/2013: 330,00 and the 10% of art. 35-A."""
    office.draw(auto, **changes)
    office.serve(auto)
    office.judge(auto, "2013-04-01")
    office.serve(auto, "ciencia_decisao", "2013-04-02")
    office.record(auto, "intimacao_pagamento", "2013-04-24", method="postal", juntada="2013-04-24", role="tesouraria")
    office.sweep("2013-05-02")


def give_authority(office: Office) -> None:
    for name, value in {"authority": "Maria Alves", "office": "Procuradora", "act": "Portaria 12/2013"}.items():
        office.option(f"divida_ativa.{name}", value)


@pytest.fixture
def held(office: Office) -> Office:
    give_authority(office)
    inscribe(office)
    return office


def act(office: Office, kind: str, on: str = "2013-05-06", **fields: Any) -> str:
    """Record an act of the register and say where the inscription stands."""
    office.record("1/2013", kind, on, **{**ROLE, **fields})
    item = office.case("1/2013").inscription
    assert item is not None
    return item.status


def numbered(office: Office, kind: str, on: str, at: datetime = LATER, **fields: Any) -> list[Recorded]:
    data = {"municipality": MUNICIPALITY, "act": kind, "date": on, **ROLE, **fields}
    with session_scope(office.engine) as session:
        return Recorder(SqlRepository(session)).record_each(data, recorded_at=at)


def test_without_the_authority_s_data_the_authentication_is_refused_with_what_to_supply(office: Office) -> None:
    inscribe(office)
    with pytest.raises(register_errors.AuthorityMissing) as caught:
        act(office, "autenticacao")
    assert "divida_ativa.authority" in (caught.value.remedy or "")
    give_authority(office)
    act(office, "autenticacao")
    item = office.case("1/2013").inscription
    assert item is not None
    assert item.beside["authentication"]["authority"] == "Maria Alves"
    assert item.termo["authenticated"] is False  # the Termo itself never changes
    with pytest.raises(register_errors.AlreadyAuthenticated):
        act(office, "autenticacao", "2013-05-07")


def test_one_authentication_covers_a_list_and_needs_no_auto(held: Office) -> None:
    inscribe(held, "2/2013", fact="2013-02-21T22:00", infrator={**FIRM, "doc": "529.982.247-25", "kind": "pf"})
    done = numbered(held, "autenticacao", "2013-05-06", inscriptions=["2/2013", "1/2013"], key="lote-1")
    assert [(d.auto, d.known) for d in done] == [("1/2013", False), ("2/2013", False)]
    again = numbered(held, "autenticacao", "2013-05-06", inscriptions=["2/2013", "1/2013"], key="lote-1")
    assert [d.known for d in again] == [True, True]
    assert held.kinds("1/2013").count("autenticacao") == held.kinds("2/2013").count("autenticacao") == 1


def test_a_list_with_a_number_that_is_not_there_does_nothing(held: Office) -> None:
    with pytest.raises(UnknownInscription, match="9/2013"):
        numbered(held, "autenticacao", "2013-05-06", inscriptions=["1/2013", "9/2013"])
    assert "autenticacao" not in held.kinds("1/2013")


@pytest.mark.parametrize("kind", ["protesto", "ajuizamento", "substituicao"])
def test_nothing_is_collected_before_the_authentication(held: Office, kind: str) -> None:
    with pytest.raises(register_errors.NotAuthenticated):
        act(held, kind, ground="erro_formal", **({"description": "erro"} if kind == "substituicao" else {}))


@pytest.mark.parametrize("role", ["fiscal", "secretario", "tesouraria", "autuado"])
def test_only_the_divida_ativa_and_the_procuradoria_authenticate(held: Office, role: str) -> None:
    with pytest.raises(errors.CompetenceError):
        act(held, "autenticacao", role=role, actor="outro")


def test_the_collection_goes_out_and_comes_back(held: Office) -> None:
    assert act(held, "autenticacao") == "inscrito"
    assert act(held, "protesto", "2013-06-03", reference="B5820306.131") == "em_protesto"
    assert act(held, "suspensao", "2013-06-10", ground="ordem_judicial", reference="MS 1") == "suspenso"
    with pytest.raises(ActNotAllowed):
        act(held, "parcelamento", "2013-06-11")
    assert act(held, "retorno", "2013-06-20") == "em_protesto"
    assert act(held, "parcelamento", "2013-07-01", reference="Termo 7") == "parcelado"
    assert act(held, "retirada_protesto", "2013-07-05") == "parcelado"
    assert act(held, "suspensao", "2013-07-10", ground="revisao_administrativa") == "suspenso"
    assert act(held, "retorno", "2013-07-20") == "parcelado"
    assert act(held, "parcelamento_rompido", "2013-09-02") == "inscrito"  # the protest had been lifted
    assert act(held, "ajuizamento", "2013-10-01", reference="0001234-55.2013.8.08.0045") == "em_execucao_fiscal"
    assert act(held, "protesto", "2013-10-10") == "em_execucao_fiscal"
    with pytest.raises(register_errors.AlreadyProtested):
        act(held, "protesto", "2013-10-11")
    assert act(held, "retorno", "2014-02-03") == "em_protesto"
    assert held.case("1/2013").state == State.INSCRITO
    assert held.acts("1/2013")[-1].payload["norm"] == "Lei 6.830/1980"


@pytest.mark.parametrize(
    ("kind", "ground"), [("suspensao", "falta_de_dinheiro"), ("suspensao", None), ("substituicao", "decisao_judicial")]
)
def test_the_grounds_are_closed_lists(held: Office, kind: str, ground: str | None) -> None:
    act(held, "autenticacao")
    with pytest.raises(errors.GroundNotAllowed):
        act(held, kind, ground=ground, **({"description": "erro"} if kind == "substituicao" else {}))


def test_before_the_inscription_there_is_no_act_of_the_register(office: Office) -> None:
    office.until_final("1/2013")
    with pytest.raises(ActNotAllowed):
        act(office, "protesto", "2013-04-20")
    with pytest.raises(errors.AnotherInscription):
        act(office, "reconhecimento", "2013-04-20", role="autuado", inscription="1/2013")


def test_after_cancellation_only_the_protest_is_lifted(held: Office) -> None:
    act(held, "autenticacao")
    act(held, "protesto", "2013-06-03")
    assert act(held, "cancelamento", "2013-07-01", ground="remissao_legal", second_person="outra") == "cancelado"
    with pytest.raises(register_errors.NotInscribed):
        act(held, "suspensao", "2013-07-02", ground="ordem_judicial")
    assert act(held, "retirada_protesto", "2013-07-02") == "cancelado"
    item = held.case("1/2013").inscription
    assert item is not None
    assert item.beside["cancellation"]["ground"] == "remissao_legal"
    assert item.beside["protests"][0]["withdrawn"]


# ---------------------------------------------------------------- substitution


def substitute(office: Office, on: str = "2013-06-03", **fields: Any) -> str:
    return act(office, "substituicao", on, **{"ground": "erro_material", **fields})


def test_the_certidao_is_replaced_for_an_error_in_the_address(held: Office) -> None:
    act(held, "autenticacao")
    with pytest.raises(register_errors.NothingToMend):
        substitute(held)
    substitute(held, infrator={**FIRM, "address": {"street": "Rua Certa", "city": "Vitória", "uf": "ES"}})
    item = held.case("1/2013").inscription
    assert item is not None
    (entry,) = item.beside["substitutions"]
    assert entry["mended"]["infrator"]["version"] == 2
    assert item.termo["debtor"]["version"] == 1


def test_the_debtor_is_never_replaced(held: Office) -> None:
    act(held, "autenticacao")
    with pytest.raises(register_errors.DebtorSubstitution, match="392"):
        substitute(held, infrator={**FIRM, "doc": "529.982.247-25", "kind": "pf"})


@pytest.mark.parametrize("named", [{"articles_infringed": ["64-J"]}, {"articles_penalty": ["7"]}])
def test_the_legal_basis_is_never_replaced(held: Office, named: dict[str, Any]) -> None:
    act(held, "autenticacao")
    with pytest.raises(register_errors.LegalBasisSubstitution):
        substitute(held, description="artigo errado", **named)


def test_in_court_the_certidao_is_replaced_until_the_first_judgment(held: Office) -> None:
    act(held, "autenticacao")
    act(held, "ajuizamento", "2013-10-01", reference="0001234-55.2013.8.08.0045")
    with pytest.raises(register_errors.JudgmentNotTold):
        substitute(held, "2014-03-03", description="valor por extenso")
    with pytest.raises(register_errors.SubstitutionTooLate):
        substitute(held, "2014-03-03", description="valor por extenso", judgment="2014-03-03")
    assert substitute(held, "2014-03-03", description="valor por extenso", judgment="nao_proferida")


# ---------------------------------------------------------------- prescription


def days(office: Office) -> tuple[date | None, date | None]:
    item = office.case("1/2013").inscription
    assert item is not None
    return item.prescribes_on, item.warns_on


def test_inscribed_and_not_filed_it_prescribes_180_days_later_and_the_earlier_reading_warns(held: Office) -> None:
    # Due from 27/04/2013 (Decreto 20.910/1932 art. 1º): 27/04/2018, and 180 days (LEF art. 2º § 3º). The appeal term
    # ended on 17/04/2013, so the decision was final on 18/04: 18/04/2018 and the same 180 days.
    assert days(held) == (date(2018, 10, 24), date(2018, 10, 15))
    termo = held.case("1/2013").inscription.termo  # type: ignore[union-attr]  # it is inscribed
    assert (termo["exigivel_em"], termo["prescribes_on"]) == ("2013-04-27", "2018-10-24")


def test_an_acknowledgement_restarts_the_time_once(held: Office) -> None:
    held.record("1/2013", "reconhecimento", "2014-05-05", role="autuado", inscription=NUMBER)
    # Five whole years again from 05/05/2014 and 180 days; half of them, never before the first five (Súmula 383 STF).
    assert days(held)[0] == date(2019, 11, 1)
    assert days(held)[1] == date(2018, 10, 24)
    held.record("1/2013", "reconhecimento", "2015-05-05", role="autuado", inscription=NUMBER)
    assert days(held)[0] == date(2019, 11, 1)


def test_an_agreement_stops_the_time_until_broken_and_the_court_ends_the_reckoning(held: Office) -> None:
    act(held, "autenticacao")
    act(held, "parcelamento", "2013-07-01")
    assert days(held) == (None, None)
    act(held, "parcelamento_rompido", "2013-09-02")
    assert days(held)[0] == date(2019, 3, 1)  # 02/09/2018 and 180 days
    act(held, "ajuizamento", "2013-10-01")
    assert days(held) == (None, None)
    act(held, "retorno", "2014-02-03")
    assert days(held)[0] == date(2019, 3, 1)


# ---------------------------------------------------------------- payments


def test_a_part_paid_is_shared_in_proportion_and_the_rest_settles(held: Office) -> None:
    act(held, "pagamento", "2013-06-03", amount="100.00", role="tesouraria", actor="caixa")
    # 100 of 363: 330/363 of it to the fine, 33/363 to the surcharge.
    shares = held.acts("1/2013")[-1].payload["allocation"]
    assert [(p["key"], p["paid"]) for p in shares["parts"]][:2] == [("multa", "90.91"), ("acrescimo", "9.09")]
    with pytest.raises(register_errors.BalanceOpen, match="263,00"):
        act(held, "quitacao", "2013-06-04")
    numbered(held, "pagamento", "2013-07-01", inscription=NUMBER, amount="263.00", role="tesouraria", actor="caixa")
    case = held.case("1/2013")
    assert (case.state, case.saldo, case.credit) == (State.QUITADO, 0, 0)
    assert case.inscription is not None
    assert case.inscription.status == "quitado"
    assert case.inscription.termo["total"] == "363.00"


def rule(office: Office, **settings: str) -> None:
    """1% in each month of 2013; nothing else."""
    with session_scope(office.engine) as session:
        for name in ("IPCA-E", "Selic"):
            months = {(2013, m): Decimal(1) for m in range(1, 13)}
            supplied.set_index_values(session, MUNICIPALITY, name, months, "teste", recorded_at=LATER.isoformat())
    told = {"atualizacao.ato": "Lei 9/2012", "atualizacao.indice": "IPCA-E", "atualizacao.teto": "nenhum", **settings}
    for name, value in told.items():
        office.option(name, value)


def test_with_a_rule_a_payment_is_measured_against_the_updated_amount_of_its_day(held: Office) -> None:
    rule(held, **{"juros.percentual": "1"})
    # Paid on 10/07/2013: May and June at 1% each: 363,00 × 1,0201 = 370,30; interest 2% of it: 7,41; whole 377,71.
    act(held, "pagamento", "2013-07-10", amount="363.00", role="tesouraria", actor="caixa")
    case = held.case("1/2013")
    assert case.state == State.INSCRITO
    paid = held.acts("1/2013")[-1].payload
    assert paid["balance"]["total"] == "377.71"
    assert (paid["balance"]["parts"]["atualizacao"], paid["balance"]["parts"]["juros"]) == ("7.30", "7.41")
    left = sum(case.facts["ledger"]["parts"].values())
    assert left == 1471  # 377,71 - 363,00
    act(held, "pagamento", "2013-07-20", amount="14.71", role="tesouraria", actor="caixa")
    case = held.case("1/2013")
    assert (case.state, case.saldo, case.credit, case.pago) == (State.QUITADO, 0, 0, 37771)


def test_the_order_of_payment_is_the_municipality_s_and_what_update_leaves_open_needs_an_act_to_settle(
    held: Office,
) -> None:
    rule(held)
    held.option("pagamento.ordem", "multa, acrescimo")
    act(held, "pagamento", "2013-07-10", amount="363.00", role="tesouraria", actor="caixa")
    paid = held.acts("1/2013")[-1].payload
    assert "Portaria de teste" in paid["allocation"]["order"]
    assert (paid["accretion_paid"], held.case("1/2013").saldo) == (0, 0)
    with pytest.raises(register_errors.BalanceOpen, match="7,30"):
        act(held, "quitacao", "2013-07-11")
    assert act(held, "quitacao", "2013-07-11", legal_act="Lei 10/2013, art. 3º") == "quitado"


def test_what_a_payment_made_before_the_rule_left_open_is_updated_since_it_fell_due(held: Office) -> None:
    act(held, "pagamento", "2013-06-03", amount="100.00", role="tesouraria", actor="caixa")
    rule(held)
    act(held, "pagamento", "2013-08-01", amount="1.00", role="tesouraria", actor="caixa")
    # 263,00 due since 27/04/2013; May, June and July at 1% each: 263 × 1,030301 = 270,97.
    paid = held.acts("1/2013")[-1].payload["balance"]
    assert (paid["total"], paid["parts"]["atualizacao"], paid["counted"]) == ("270.97", "7.97", None)


def test_what_a_payment_already_counted_is_told_and_not_counted_again(held: Office) -> None:
    rule(held)
    held.option("pagamento.ordem", "atualizacao, juros, multa, acrescimo")
    # May and June: 363 × 0,0201 = 7,30, which 107,30 pays with 100,00 of the 363,00.
    act(held, "pagamento", "2013-07-10", amount="107.30", role="tesouraria", actor="caixa")
    act(held, "pagamento", "2013-08-01", amount="1.00", role="tesouraria", actor="caixa")
    # On 263,00: 7,97 until July, of which 5,29 (0,0201) until June were counted by the payment of 10/07.
    paid = held.acts("1/2013")[-1].payload["balance"]
    assert (paid["total"], paid["parts"]["atualizacao"]) == ("265.68", "2.68")
    assert paid["counted"] == {"until": "2013-07-10", "atualizacao": "5.29", "juros": "0.00"}


def test_a_month_that_the_series_lacks_is_told(held: Office) -> None:
    rule(held)
    with pytest.raises(Exception, match="01/2014") as caught:
        act(held, "pagamento", "2014-02-10", amount="1.00", role="tesouraria", actor="caixa")
    assert "indice import" in str(getattr(caught.value, "remedy", ""))


def test_a_rule_is_told_in_the_termo(office: Office) -> None:
    rule(office, **{"juros.percentual": "1"})
    inscribe(office)
    termo = office.case("1/2013").inscription.termo  # type: ignore[union-attr]  # it is inscribed
    assert termo["update"]["subject"] is True
    assert (termo["update"]["basis"], termo["update"]["from"]) == ("IPCA-E (Lei 9/2012)", "2013-05-01")
    assert termo["interest"]["manner"].startswith("1% ao mês")


def test_the_track_begins_with_the_inscription(held: Office) -> None:
    case = held.case("1/2013")
    assert case.facts["tracks"] == {Track.REGISTRO: "em_cobranca"}
    assert held.acts("1/2013")[-1].payload["tracks"] == {"registro": "em_cobranca"}


def test_two_who_authenticate_at_once_authenticate_once(held: Office) -> None:
    started, refused = threading.Barrier(2), list[Exception]()

    def authenticate(actor: str) -> None:
        started.wait(10)
        try:
            numbered(held, "autenticacao", "2013-05-06", inscription=NUMBER, actor=actor)
        except PosturasError as error:
            refused.append(error)

    workers = [threading.Thread(target=authenticate, args=(name,)) for name in ("uma", "outra")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert [type(error) for error in refused] == [register_errors.AlreadyAuthenticated]
    assert held.kinds("1/2013").count("autenticacao") == 1


@pytest.mark.parametrize("what", ["reconhecimento", "parcelamento", "ajuizamento"])
def test_what_was_done_about_a_debt_that_was_none_falls_with_it(held: Office, what: str) -> None:
    """The whole 330,00 came on the last day (26/04/2013) and was typed late: nothing was overdue."""
    if what == "ajuizamento":
        act(held, "autenticacao", "2013-06-03")
    role = {"role": "autuado"} if what == "reconhecimento" else {"reference": "0001234-55.2013.8.08.0045"}
    act(held, what, "2013-06-10", **role)
    assert held.record("1/2013", "pagamento", "2013-04-26", amount="330.00", role="tesouraria") == State.PAGO
    case = held.case("1/2013")
    assert (case.acrescimo, case.pago, case.saldo, case.credit) == (0, 330_00, 0, 0)
    undoing = next(a for a in held.acts("1/2013") if a.kind == "desfazimento").payload
    assert [f["act"] for f in undoing["fell"] if f["act"] != "autenticacao"] == [what]
    assert held.inscription("1/2013")["status"] == "cancelado"
