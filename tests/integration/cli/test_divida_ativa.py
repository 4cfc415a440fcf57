"""``posturas divida-ativa``: the register and the Termo de Inscrição."""

from __future__ import annotations

import json
from datetime import date

import pytest
from sqlalchemy import text

from legalbasis import PosturasError
from procedure.services.register import missing_elements
from procedure.store import supplied
from procedure.store.engine import session_scope
from tests.integration.cli.scenes import (
    CPF,
    CPF_MASKED,
    IBGE,
    LAW,
    NOW,
    PERSON,
    Cli,
    inscribed_case,
    opened,
    record,
    to_payment,
)

LIST_KEYS = {
    "number", "date", "livro", "folha", "auto", "debtor", "doc_masked", "original_amount", "charges", "total",
    "legal_basis", "status", "prescribes_on",
}  # fmt: skip


@pytest.fixture
def register(sao_gabriel: Cli) -> Cli:
    """The issue's case, inscribed on 29/04/2013."""
    inscribed_case(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2013-05-01")
    return sao_gabriel


def test_the_list_has_the_contract_s_keys(register: Cli) -> None:
    (item,) = register.json("divida-ativa", "list")
    assert set(item) >= LIST_KEYS
    # Due from 27/04/2013: five years (Decreto 20.910/1932 art. 1º), and the 180 days of LEF art. 2º § 3º.
    assert (item["number"], item["date"], item["prescribes_on"]) == ("1/2013", "2013-04-29", "2018-10-24")
    assert (item["original_amount"], item["charges"], item["total"]) == ("330.00", "33.00", "363.00")
    assert (item["debtor"], item["doc_masked"], item["status"]) == ("Bar do Zé Ltda", "11222333000181", "inscrito")
    assert "Lei 1.522/2005, art. 64-T" in item["legal_basis"]
    _, out, _ = register("divida-ativa", "list")
    assert "1 inscrição(ões); em aberto: 1, no total inscrito de R$ 363,00 (sem abater o que se pagou depois)." in out


def test_the_list_masks_a_cpf_and_the_termo_does_not(sao_gabriel: Cli) -> None:
    record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1), person=PERSON))
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    (item,) = sao_gabriel.json("divida-ativa", "list")
    assert item["doc_masked"] == CPF_MASKED
    assert CPF not in json.dumps(item)
    assert sao_gabriel.json("divida-ativa", "list", "--unmask")[0]["doc"] == CPF
    _, out, _ = sao_gabriel("divida-ativa", "list")
    assert CPF_MASKED in out
    assert sao_gabriel.json("divida-ativa", "show", "1/2013")["debtor"]["doc"] == CPF


def test_the_cpf_in_the_name_of_a_one_man_firm_is_masked_too(sao_gabriel: Cli) -> None:
    record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1), person={**PERSON, "name": f"Ana Souza {CPF}"}))
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    assert sao_gabriel.json("divida-ativa", "list")[0]["debtor"] == f"Ana Souza {CPF_MASKED}"
    for command in (("divida-ativa", "list"), ("divida-ativa", "register"), ("auto", "list")):
        code, out, _ = sao_gabriel(*command)
        assert (code, CPF in out, CPF_MASKED in out) == (0, False, True)
    assert sao_gabriel.json("divida-ativa", "list", "--unmask")[0]["debtor"] == f"Ana Souza {CPF}"
    assert sao_gabriel.json("divida-ativa", "show", "1/2013")["debtor"]["name"] == f"Ana Souza {CPF}"


def test_a_name_writes_no_line_of_the_termo(sao_gabriel: Cli) -> None:
    forged = {**PERSON, "name": "Ana\nTotal inscrito: R$ 0,00"}
    record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1), person=forged))
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    lines = sao_gabriel("divida-ativa", "show", "1/2013")[1].splitlines()
    assert [line for line in lines if line.startswith("Total inscrito:")] == ["Total inscrito: R$ 363,00"]
    assert "Devedor: Ana Total inscrito: R$ 0,00, CPF 529.982.247-25" in lines


@pytest.mark.parametrize("name", ["Ana \x1b[2J Souza", "Ana \u202e Souza"])
def test_a_name_steers_no_terminal(sao_gabriel: Cli, name: str) -> None:
    with pytest.raises(PosturasError, match="caractere de controle"):
        record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1), person={**PERSON, "name": name}))


def test_the_termo_has_every_element_of_the_law(register: Cli) -> None:
    termo = register.json("divida-ativa", "show", "1/2013")
    assert termo["debtor"]["name"] == "Bar do Zé Ltda"
    assert termo["debtor"]["address"]["street"] == "Rua A"
    assert termo["co_responsible"] == []
    assert (termo["original_amount"], termo["charges"], termo["total"]) == ("330.00", "33.00", "363.00")
    assert termo["charges_basis"] == "Lei 1.522/2005, art. 35-A"
    assert termo["exigivel_em"] == "2013-04-27"
    assert termo["nature"] == "dívida ativa não tributária"
    assert (termo["infraction_articles"], termo["penalty_articles"]) == (["64-I"], ["64-T"])
    assert (termo["number"], termo["date"], termo["livro"], termo["folha"]) == ("1/2013", "2013-04-29", 1, 1)
    assert (termo["processo"], termo["auto"]) == ("1/2013", "1/2013")
    assert termo["interest"]["manner"]
    assert termo["update"] == {**termo["update"], "subject": False}
    assert termo["assessment"]["amount"] == "330.00"
    assert "autoridade da dívida ativa" in termo["authority_to_supply"]


def test_the_termo_reads_as_a_termo(register: Cli) -> None:
    code, out, err = register("divida-ativa", "show", "1/2013")
    assert (code, err) == (0, "")
    for line in (
        "TERMO DE INSCRIÇÃO EM DÍVIDA ATIVA Nº 1/2013",
        "Data da inscrição: 29/04/2013",
        "Livro 1, folha 1",
        "Auto de infração nº 1/2013",
        "Devedor: Bar do Zé Ltda, CNPJ 11.222.333/0001-81",
        "Domicílio do devedor: Rua A, 12 – São Gabriel da Palha/ES",
        "Natureza: dívida ativa não tributária",
        "Infração: art. 64-I",
        "Penalidade: art. 64-T",
        "Valor originário: R$ 330,00",
        "Acréscimos: R$ 33,00 (Lei 1.522/2005, art. 35-A)",
        "Total inscrito: R$ 363,00",
        "Exigível desde: 27/04/2013",
        "Autoridade: a informar",
    ):
        assert line in out.splitlines()


def test_an_authority_supplied_later_is_that_of_a_termo_not_yet_authenticated(register: Cli) -> None:
    for name, value in (("authority", "Maria Alves"), ("office", "Procuradora"), ("act", "Portaria 12/2013")):
        option = ("--law", LAW, "--option", f"divida_ativa.{name}", "--value", value, "--act", "Decreto 1")
        assert register("rulebook", "option", "set", *option)[0] == 0
    termo = register.json("divida-ativa", "show", "1/2013")
    assert (termo["authority"], termo["authority_office"], termo["authority_act"]) == (
        "Maria Alves", "Procuradora", "Portaria 12/2013",
    )  # fmt: skip
    assert termo["authority_to_supply"] is None


def test_the_authority_given_by_the_municipality_is_printed(sao_gabriel: Cli) -> None:
    given = {"authority": "Maria Alves", "office": "Procuradora", "act": "Portaria 12/2013"}
    with opened(sao_gabriel.url) as engine, session_scope(engine) as session:
        for name, value in given.items():
            stamp = NOW.isoformat()
            supplied.set_option(session, IBGE, LAW, f"divida_ativa.{name}", value, act="Decreto 1", recorded_at=stamp)
    inscribed_case(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2013-05-01")
    termo = sao_gabriel.json("divida-ativa", "show", "1/2013")
    assert (termo["authority"], termo["authority_office"], termo["authority_act"]) == tuple(given.values())
    assert termo["authority_to_supply"] is None
    _, out, _ = sao_gabriel("divida-ativa", "show", "1/2013")
    assert "Autoridade: Maria Alves" in out.splitlines()


ELEMENTS = [
    ("nature", "natureza"), ("origin", "origem"), ("processo", "processo"), ("infraction_articles", "infração"),
    ("penalty_articles", "penalidade"), ("original_amount", "originário"), ("legal_basis", "fundamento legal"),
    ("exigivel_em", "exigível"), ("interest", "juros"), ("update", "atualização"), ("assessment", "memória"),
    ("charges_basis", "acréscimos"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "named"), ELEMENTS)
def test_an_element_that_is_missing_is_an_error_that_names_it(register: Cli, key: str, named: str) -> None:
    with opened(register.url) as engine, engine.begin() as connection:
        termo = json.loads(connection.scalar(text("SELECT termo FROM posturas_inscriptions")) or "")
        termo[key] = None
        connection.execute(text("UPDATE posturas_inscriptions SET termo = :termo"), {"termo": json.dumps(termo)})
    found = register.json("divida-ativa", "show", "1/2013", code=2)["error"]
    assert (found["code"], found["place"]) == ("elemento_do_termo_ausente", "inscrição 1/2013")
    assert named in found["message"]


def test_a_debtor_without_domicile_is_an_element_missing(register: Cli) -> None:
    termo = register.json("divida-ativa", "show", "1/2013")
    assert list(missing_elements(termo)) == []
    nowhere = {**termo, "debtor": {**termo["debtor"], "address": None}}
    assert [key for key, _ in missing_elements(nowhere)] == ["debtor.address"]
    nobody = {**termo, "debtor": None, "number": None}
    assert [key for key, _ in missing_elements(nobody)] == ["number", "debtor"]


def test_a_debtor_erased_by_a_recorded_act_is_said_to_be(register: Cli) -> None:
    from procedure.store.repository import SqlRepository

    with opened(register.url) as engine, session_scope(engine) as session:
        repo = SqlRepository(session)
        case = repo.load(IBGE, ["1/2013"], lock=False)["1/2013"]
        repo.erase_person(IBGE, str(case.person_id), "2020-01-01T00:00:00-03:00")
    assert register.json("divida-ativa", "show", "1/2013")["debtor"]["erased"] is True
    _, out, _ = register("divida-ativa", "show", "1/2013")
    assert "Devedor: dados pessoais apagados" in out.splitlines()
    assert register.json("divida-ativa", "list")[0]["debtor"] is None


def test_a_number_that_is_not_there_or_not_a_number(register: Cli) -> None:
    assert register.json("divida-ativa", "show", "2/2013", code=2)["error"]["code"] == "inscricao_desconhecida"
    assert register.json("divida-ativa", "show", "um", code=2)["error"]["code"] == "numero_invalido"
    assert register("divida-ativa", "show")[0] == 2
    assert register("divida-ativa", "list", "1/2013")[0] == 2


def test_an_empty_database_has_an_empty_register(cli: Cli) -> None:
    assert cli.json("divida-ativa", "list") == []
    assert cli.json("divida-ativa", "show", "1/2013", code=2)["error"]["code"] == "inscricao_desconhecida"
