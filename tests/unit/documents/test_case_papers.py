"""The papers of a case: what each must say by arts. 20, 22, 31 and 35-A, on lines that a reader extracts."""

from __future__ import annotations

import pytest

from legalbasis import PosturasError
from procedure.documents.typesetting import Typesetter
from procedure.domain.document_kinds import DocumentKind
from procedure.services.documenting.building import paper_of_case
from procedure.services.documenting.casefile import Request
from procedure.services.documenting.pieces import to_json
from procedure.testing import MemoryOffice
from tests.unit.documents.conftest import (
    AUTO,
    IBGE,
    ISSUED,
    LAW,
    PERSON,
    Build,
    days_of,
    inscribe,
    lines_of,
    open_office,
)

BANK_CODE = "00190.00009 01234.567890"
# What each paper must say: art. 20 of the auto, 24 and 34 of the notices, 31 of the decision, 35-A of the intimation.
SAID: dict[str, list[str]] = {
    "auto_de_infracao": [
        "Autuado: Bar do Zé Ltda",
        "Endereço: Avenida Graça Aranha, 410, São Gabriel da Palha/ES",
        "Data do fato: 20/02/2013, às 22:10",
        "Local: Avenida Graça Aranha, 410",
        "Fato: Som.",
        "Infração: Lei 1.522/2005, art. 64-I",
        "Penalidade: multa de 11 VRSGP",
        "Imposta pelo: Lei 1.522/2005, art. 64-T",
        "Prazo de defesa: 15 dias (Lei 1.522/2005, art. 24)",
        "Prazo de recurso: 15 dias (Lei 1.522/2005, art. 34)",
        "O autuado recusou-se a assinar; assinam duas testemunhas.",
    ],
    "notificacao_auto": [
        "Prazo de defesa: 15 dias (Lei 1.522/2005, art. 24), até 25/03/2013",
        "Ciência considerada feita em: 08/03/2013",
    ],
    "decisao": [
        "Relatório dos autos.",
        "As fotos provam o fato.",
        "Dispositivos infringidos: art. 64-I",
        "Dispositivos que cominam a penalidade: art. 64-T",
        "Valor da multa: R$ 330,00",
        "Prazo de recurso: 15 dias (Lei 1.522/2005, art. 34)",
    ],
    "notificacao_decisao": ["Valor da multa: R$ 330,00", "Decisão: auto subsistente"],
    "intimacao_pagamento": [
        "Total a recolher: R$ 330,00",
        "Prazo para pagar: 48 horas (Lei 1.522/2005, art. 35-A), até 26/04/2013",
        "Acréscimo: 10% sobre a multa arbitrada: R$ 33,00 (Lei 1.522/2005, art. 35-A)",
        "Total com o acréscimo: R$ 363,00",
        "Inscrição em dívida ativa: Lei 1.522/2005, art. 6º, § 1º",
    ],
    "memoria_calculo": [
        "Conta: 11 VRSGP × R$ 30,00 = R$ 330,00",
        "Conta: R$ 330,00 × 10% = R$ 33,00",
        "Total: R$ 363,00",
    ],
    "memoria_prazo": ["Vencimento: 26/04/2013", "abril de 2013"],
    "certidao_decurso": ["Prazo de defesa: 15 dias, de 08/03/2013 a 25/03/2013 (Lei 1.522/2005, art. 24)"],
    "certidao_definitividade": ["Decisão: auto subsistente", "Valor da multa: R$ 330,00"],
    "extrato": ["Situação: inscrito em dívida ativa", "Saldo: R$ 363,00"],
}


@pytest.mark.parametrize("kind", SAID)
def test_what_the_law_asks_is_said_on_one_line_each(kind: str, build: Build, typesetter: Typesetter) -> None:
    lines = lines_of(typesetter.pdf(build(kind)))
    assert [said for said in SAID[kind] if said not in lines] == []


def test_an_edital_says_name_infraction_penalty_and_term_and_hides_the_cpf(typesetter: Typesetter) -> None:
    office = open_office()
    inscribe(office, PERSON)
    paper = paper_of_case(office.repository, IBGE, AUTO, DocumentKind.EDITAL, Request(ISSUED, about="auto"))
    lines = lines_of(typesetter.pdf(paper))
    assert "Nome: Conceição Müller d’Ávila (***.982.247-**)" in lines
    assert "Infração: Lei 1.522/2005, art. 64-I" in lines
    assert "Penalidade: multa de 11 VRSGP (Lei 1.522/2005, art. 64-T)" in lines
    assert "Prazo de defesa: 15 dias (Lei 1.522/2005, art. 24)" in lines
    assert "529" not in "\n".join(lines)
    assert "Graça Aranha" not in "\n".join(lines)  # neither the address nor the place of the fact
    assert "529" not in str(to_json(paper))


def test_the_extrato_says_that_the_collection_of_a_paid_inscription_ended() -> None:
    office = open_office()
    inscribe(office, PERSON)

    def tracks() -> object:
        paper = paper_of_case(office.repository, IBGE, AUTO, DocumentKind.EXTRATO, Request(ISSUED))
        return to_json(paper)["tracks"]

    assert tracks() == ["cobrança da dívida ativa: em cobrança administrativa"]
    paid = {"act": "pagamento", "date": "2013-05-03", "actor": "Banco", "role": "autuado", "amount": "363.00"}
    office.record({"municipality": IBGE, "auto": AUTO, **paid})
    assert tracks() == ["cobrança da dívida ativa: quitada"]


def test_an_edital_hides_the_cpf_that_a_name_or_a_description_has(typesetter: Typesetter) -> None:
    office = open_office()
    named = {**PERSON, "name": "Conceição d’Ávila 52998224725"}
    inscribe(office, named, description="Som alto; reclama José, 111.444.777-35")
    paper = paper_of_case(office.repository, IBGE, AUTO, DocumentKind.EDITAL, Request(ISSUED, about="auto"))
    lines = lines_of(typesetter.pdf(paper))
    assert "Nome: Conceição d’Ávila ***.982.247-** (***.982.247-**)" in lines
    assert "Descrição: Som alto; reclama José, ***.444.777-**" in lines
    told = str(to_json(paper))
    assert ("52998224725" in told, "111.444.777-35" in told, "Graça Aranha" in told) == (False, False, False)


def test_the_guia_carries_what_the_host_supplies(build: Build, typesetter: Typesetter) -> None:
    with pytest.raises(PosturasError) as caught:
        build("guia")
    assert caught.value.error_code == "documento_incompleto"  # nobody said until when it can be paid
    lines = lines_of(typesetter.pdf(build("guia", due=ISSUED, payment_code=BANK_CODE, pix="pix-do-banco")))
    assert "Valor a recolher: R$ 363,00" in lines
    assert "Vencimento: 10/05/2013" in lines
    assert f"Linha digitável: {BANK_CODE}" in lines
    assert "pix-do-banco" in lines


def test_the_months_of_a_term_show_what_was_counted_and_what_was_not(build: Build) -> None:
    (term,) = to_json(build("memoria_prazo", term="recurso"))["terms"]
    days = days_of(term)
    # Ciência on Tuesday 02/04/2013: day 1 is 03/04, day 15 is 17/04, a Wednesday (art. 35-B).
    assert days["abril de 2013", 2]["part"] == "inicio"
    assert [days["abril de 2013", n]["word"] for n in (3, 16)] == ["1º", "14º"]
    assert days["abril de 2013", 17]["part"] == "vence"
    assert days["abril de 2013", 18]["part"] == "fora"
    assert days["abril de 2013", 6]["closed"] is True  # a Saturday, counted all the same
    assert term["due"] == "2013-04-17"


def test_a_term_that_ends_on_a_closed_day_shows_the_days_it_rolls_over(build: Build) -> None:
    (term,) = to_json(build("memoria_prazo", term="defesa"))["terms"]
    days = days_of(term)
    # Ciência on Friday 08/03/2013: it cannot begin on the weekend; day 1 is Monday 11/03, day 15 is 25/03.
    assert [days["março de 2013", n]["part"] for n in (8, 9, 10, 11)] == ["inicio", "pulado", "pulado", "contado"]
    assert days["março de 2013", 25]["part"] == "vence"


@pytest.mark.parametrize("kind", ["notificacao_preliminar", "termo_doacao", "termo_interdicao", "decisao_recurso"])
def test_a_paper_whose_act_did_not_happen_is_refused_with_the_act_that_is_missing(kind: str, build: Build) -> None:
    with pytest.raises(PosturasError) as caught:
        build(kind)
    assert caught.value.error_code == "documento_sem_ato"
    assert "não tem ato de" in str(caught.value)


def test_who_signs_has_the_name_that_the_municipality_gave(
    office: MemoryOffice, build: Build, typesetter: Typesetter
) -> None:
    assert "fiscal-1" in lines_of(typesetter.pdf(build("auto_de_infracao")))
    name = "Marta Fiorot; Fiscal de Posturas; Portaria 9"
    office.supply_option(LAW, "assinante.fiscal-1", name, act="Portaria 1/2013")
    lines = lines_of(typesetter.pdf(build("auto_de_infracao")))
    assert "Marta Fiorot" in lines
    assert "Fiscal de Posturas" in lines
    assert "fiscal-1" not in lines
