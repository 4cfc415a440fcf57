"""Side tracks over a database: what is refused, and what ``verify --deep`` finds."""

from __future__ import annotations

import pytest

from procedure.cli.auto_text import describe
from procedure.domain.case import Case
from procedure.domain.errors import ActOutOfOrder, MissingWitnesses, NothingToReturn
from procedure.domain.fold import fold
from procedure.domain.vocabulary import State
from procedure.services.recomputing import Recomputer
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.procedure.conftest import FIRM, LAW, MUNICIPALITY, Office


def test_a_daily_fine_asks_for_an_auto(office: Office) -> None:
    """On a notice alone there is no fact whose day picks the unit's value."""
    fact = {"date": "2013-02-20T22:00", "place": "Praça", "article": "64-I", "description": "Som alto"}
    notice = {"method": "pessoal", "received": "2013-03-01", "juntada": "2013-03-01", "signed_by": "funcionario"}
    office.record("1", "notificacao_preliminar", "2013-03-01", infrator=FIRM, fact=fact, term="30d", **notice)
    office.record("1", "obrigacao_imposta", "2013-03-02", description="Isolar o salão.", term_start="2d")
    imposed = {"article": "64-S,§3", "from": "2013-03-08", "role": "secretario"}
    served = {**notice, "received": "2013-03-07", "juntada": "2013-03-07"}
    with pytest.raises(ActOutOfOrder) as refused:
        office.record("1", "multa_diaria_imposta", "2013-03-07", **imposed, **served)
    assert "auto lavrado" in refused.value.message


@pytest.mark.parametrize(("led", "codes"), [("apreendido", []), ("vendido", ["linha_divergente"])])
def test_a_side_track_led_elsewhere_is_found(office: Office, led: str, codes: list[str]) -> None:
    office.draw("1")
    office.record("1", "apreensao", "2013-03-02", goods=[{"description": "caixa de som", "quantity": "1"}])
    with session_scope(office.engine, read_only=True) as session:
        repo = SqlRepository(session)
        drawn, seized = repo.acts(MUNICIPALITY, "1")
        case = Case(MUNICIPALITY, "1", law=LAW, rulebook_version=drawn.rulebook_version)
        fold(case, drawn)
        seized.payload["tracks"] = {"apreensao": led}
        assert [code for code, _ in Recomputer(repo, MUNICIPALITY).check(case, seized)] == codes


def test_what_is_held_of_an_auto_that_fell_waits_to_be_given_back(office: Office) -> None:
    office.draw("1")
    office.record("1", "apreensao", "2013-03-02", goods=[{"description": "caixa de som", "quantity": "1"}])
    assert office.show("1")["pending"] == []
    said = {"actor": "Secretária Rosa", "second_person": "Procurador Ivo", "ground": "vicio_de_forma", "grounds": "x"}
    office.record("1", "anulacao", "2013-03-05", **said)
    assert office.show("1")["pending"] == ["devolver_coisas"]
    assert "devolva-as a quem é de direito" in " ".join(describe(office.show("1")).split())
    office.record("1", "devolucao", "2013-03-06", receipt="Nota fiscal 7")
    assert office.show("1")["pending"] == []


@pytest.mark.parametrize(
    ("item", "gone", "on"),
    [
        ({"perishable": True}, {"act": "doacao", "receipt": "Asilo"}, "2013-03-05"),
        ({}, {"act": "hasta_publica", "proceeds": "400.00", "receipt": "1/2013"}, "2013-06-05"),
    ],
)
def test_a_seizure_annulled_when_the_goods_are_gone_keeps_on_record_where_they_went(
    office: Office, item: dict[str, bool], gone: dict[str, str], on: str
) -> None:
    goods = [{"description": "caixa", "quantity": "1", **item}]
    office.draw("1/2013")
    office.record("1/2013", "apreensao", "2013-03-02", goods=goods)
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01")
    office.serve("1/2013", "ciencia_decisao", "2013-04-02")
    if on > "2013-04-18":
        office.sweep("2013-05-20")  # unclaimed, and final
    office.record("1/2013", gone["act"], on, role="secretario", **{k: v for k, v in gone.items() if k != "act"})
    said = {"actor": "Secretária Rosa", "second_person": "Procurador Ivo", "ground": "vicio_de_forma", "grounds": "x"}
    assert office.record("1/2013", "anulacao", "2013-06-10", annuls="apreensao", **said) == State.DEFINITIVO
    assert [a["act"] for a in office.acts("1/2013")[-1].payload["fell"]] == [gone["act"]]
    assert gone["act"] in [a["act"] for a in office.show("1/2013")["acts"]]
    assert "apreensao" not in office.show("1/2013")["tracks"]
    assert office.holds("1/2013") == []


@pytest.mark.parametrize(("owed", "codes"), [(500_00, []), (900_00, ["cobranca_divergente"])])
def test_a_collection_of_what_the_origin_does_not_owe_is_found(office: Office, owed: int, codes: list[str]) -> None:
    """The auto says what it collects; the origin's record says what became due there: 500,00 of cost."""
    office.until_final("1")
    office.record("1", "obrigacao_imposta", "2013-04-19", description="Isolar o salão.", term_start="2d")
    office.record("1", "execucao_pela_prefeitura", "2013-05-02", cost="500.00", role="secretario")
    signed = {"by": "recusa", "witnesses": ["Ana Sá", "Rui Dó"]}
    collecting = {"infrator": FIRM, "signature": signed, "linked_auto": "1", "collects": "custos"}
    office.record("2", "lavratura", "2013-05-06", **collecting)
    assert office.kinds("1")[-1] == "cobranca"
    with session_scope(office.engine, read_only=True) as session:
        repo = SqlRepository(session)
        (drawn,) = repo.acts(MUNICIPALITY, "2")
        case = Case(MUNICIPALITY, "2", law=LAW, rulebook_version=drawn.rulebook_version)
        drawn.payload["collection"]["entries"][0]["amount"] = owed
        assert [code for code, _ in Recomputer(repo, MUNICIPALITY).check(case, drawn)] == codes


def test_a_refused_collection_leaves_the_origin_as_it_was(office: Office) -> None:
    office.until_final("1")
    office.record("1", "obrigacao_imposta", "2013-04-19", description="Isolar o salão.", term_start="2d")
    office.record("1", "execucao_pela_prefeitura", "2013-05-02", cost="500.00", role="secretario")
    before = office.kinds("1")
    with pytest.raises(MissingWitnesses):
        office.record(
            "2", "lavratura", "2013-05-06", infrator=FIRM, linked_auto="1", collects="custos",
            signature={"by": "recusa", "witnesses": ["Ana Sá"]},
        )  # fmt: skip
    assert office.kinds("1") == before
    assert office.show("1")["to_collect"] == {"multa_diaria": "0.00", "custos": "500.00"}


def test_what_was_collected_for_an_auto_that_fell_is_given_back(office: Office) -> None:
    """500,00 of cost, collected and paid in another auto; then the first is annulled: 500,00 are owed back, once."""
    office.until_final("1")
    office.record("1", "obrigacao_imposta", "2013-04-19", description="Isolar o salão.", term_start="2d")
    office.record("1", "execucao_pela_prefeitura", "2013-05-02", cost="500.00", role="secretario")
    signed = {"by": "recusa", "witnesses": ["Ana Sá", "Rui Dó"]}
    office.record("2", "lavratura", "2013-05-06", infrator=FIRM, signature=signed, linked_auto="1", collects="custos")
    office.serve("2", joined="2013-05-10")
    office.judge("2", "2013-06-03", articles_penalty=["5"])
    office.serve("2", "ciencia_decisao", "2013-06-04")
    assert office.record("2", "pagamento", "2013-06-10", amount="500.00") == "pago"
    back = {"of": "pagamento", "grounds": "auto anulado", "second_person": "maria"}
    with pytest.raises(NothingToReturn):
        office.record("2", "restituicao", "2013-06-11", amount="500.00", **back)
    annulled = {"annuls": "1", "grounds": "vício", "second_person": "maria"}
    assert office.record("1", "anulacao", "2013-07-01", **annulled) == "anulado"
    assert (office.show("1")["pending"], office.show("2")["pending"]) == (["restituir_cobranca"],) * 2
    assert office.show("2")["credit"] == "500.00"
    assert "restitua" in describe(office.show("2"))
    with pytest.raises(NothingToReturn):
        office.record("2", "restituicao", "2013-07-02", amount="500.01", **back)
    office.record("2", "restituicao", "2013-07-02", amount="200.00", **back)
    assert (office.show("2")["credit"], office.show("1")["pending"]) == ("300.00", ["restituir_cobranca"])
    office.record("2", "restituicao", "2013-07-03", amount="300.00", **back)
    shown = office.show("2")
    assert (shown["pending"], shown["amounts"]["pago"], shown["amounts"]["saldo"]) == ([], "0.00", "0.00")
    assert office.show("1")["pending"] == []
    assert [found for auto in ("1", "2") for found in deeper(office, auto)] == []


def deeper(office: Office, auto: str) -> list[tuple[str, str]]:
    """What ``verify --deep`` finds in an auto."""
    with session_scope(office.engine, read_only=True) as session:
        repo = SqlRepository(session)
        acts = repo.acts(MUNICIPALITY, auto)
        case, found = Case(MUNICIPALITY, auto, law=LAW, rulebook_version=acts[0].rulebook_version), []
        for act in acts:
            found += Recomputer(repo, MUNICIPALITY).check(case, act)
            fold(case, act)
    return found
