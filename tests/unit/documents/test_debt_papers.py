"""The Termo and the CDA: every element of LEF art. 2º §§ 5º-6º and CTN art. 202 on a line of its own, in PDF and JSON.

The case of the spec: 64-I punished by 64-T, 11 × 30,00 = 330,00; a tenth by art. 35-A = 33,00; 363,00 in all.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from legalbasis import PosturasError
from procedure.documents.typesetting import Typesetter
from procedure.domain.document_kinds import DocumentKind
from procedure.domain.register_errors import NotAuthenticated
from procedure.services.documenting.building import paper_of_inscription
from procedure.services.documenting.casefile import Request
from procedure.services.documenting.errors import CodeNotRecognised
from procedure.services.documenting.pieces import to_json
from procedure.services.documenting.verification import verify_code
from procedure.testing import MemoryOffice
from tests.unit.documents.conftest import (
    FIRM,
    IBGE,
    ISSUED,
    LAW,
    Authenticated,
    Build,
    inscribe,
    lines_of,
    open_office,
    read,
)

ELEMENTS = [
    "Número da inscrição: 1/2013",
    "Data da inscrição: 29/04/2013",
    "Livro e folha: livro 1, folha 1",
    "Processo administrativo: nº 1/2013",
    "Auto de infração: nº 1/2013",
    "Devedor: Bar do Zé Ltda",
    "CNPJ: 11.222.333/0001-81",
    "Endereço: Avenida Graça Aranha, 410, São Gabriel da Palha/ES",
    "Corresponsáveis: não há",
    "Origem: multa por infração administrativa (auto de infração nº 1/2013)",
    "Natureza: dívida ativa não tributária",
    "Infração: Lei 1.522/2005, art. 64-I",
    "Penalidade: Lei 1.522/2005, art. 64-T",
    "Valor originário: R$ 330,00",
    "Acréscimo: R$ 33,00 (Lei 1.522/2005, art. 35-A)",
    "Total inscrito: R$ 363,00",
    "Exigível desde: 27/04/2013",
    "Juros: não incidem juros: não há ato municipal informado que os fixe",
    "Último dia para ajuizar a cobrança: 24/10/2018",
    "Conta: 11 VRSGP × R$ 30,00 = R$ 330,00",
]


@pytest.mark.parametrize("kind", ["termo_inscricao", "cda"])
def test_each_element_stands_on_one_line(kind: str, build: Build, typesetter: Typesetter) -> None:
    lines = lines_of(typesetter.pdf(build(kind)))
    assert [element for element in ELEMENTS if element not in lines] == []
    (update,) = [line for line in lines if line.startswith("Atualização monetária:")]
    assert "sem atualização monetária" in update
    assert "Fundamento legal: Lei 1.522/2005, art. 64-I" in lines


def test_the_cda_names_who_authenticates_and_carries_a_code(build: Build, typesetter: Typesetter) -> None:
    paper = build("cda")
    lines = lines_of(typesetter.pdf(paper))
    assert "Davi Lorenzon" in lines
    assert "Chefe da Dívida Ativa" in lines
    assert f"Código de verificação: {to_json(paper)['code']}" in lines
    assert "São Gabriel da Palha/ES, 10 de maio de 2013." in lines


def test_the_json_is_the_object_that_is_printed(build: Build) -> None:
    document = to_json(build("cda"))
    assert (document["original_amount"], document["total"]) == ("330.00", "363.00")
    assert document["sums"] == [{"label": "Acréscimo", "amount": "33.00", "basis": "Lei 1.522/2005, art. 35-A"}]
    assert [document[name] for name in ("number", "livro", "folha", "date")] == ["1/2013", 1, 1, "2013-04-29"]
    assert document["debtor"]["doc"] == "11.222.333/0001-81"


def test_no_cda_before_the_authentication(office: MemoryOffice, build: Build) -> None:
    assert isinstance(office.repository, Authenticated)
    office.repository.sealed = False
    with pytest.raises(NotAuthenticated) as caught:
        build("cda")
    assert "autenticacao" in str(caught.value)
    build("termo_inscricao")  # the Termo is printed, and says that nobody authenticated it


def test_with_no_authority_the_refusal_says_what_to_supply() -> None:
    office = open_office()
    office.data.options[LAW].clear()
    inscribe(office, FIRM)
    assert isinstance(office.repository, Authenticated)
    office.repository.sealed = False
    with pytest.raises(NotAuthenticated) as caught:
        paper_of_inscription(office.repository, IBGE, "1/2013", DocumentKind.CDA, Request(ISSUED))
    assert "divida_ativa.authority" in str(caught.value)


def test_an_inscription_paid_or_cancelled_has_no_cda(office: MemoryOffice, build: Build) -> None:
    office.record(
        {
            "municipality": IBGE, "auto": "1/2013", "act": "pagamento", "date": "2013-06-03", "amount": "363.00",
            "actor": "caixa", "role": "tesouraria",
        }
    )  # fmt: skip
    with pytest.raises(PosturasError) as caught:
        build("cda")
    assert caught.value.error_code == "inscricao_encerrada"


def test_a_cda_asks_for_no_more_than_a_payment_left(office: MemoryOffice, build: Build, typesetter: Typesetter) -> None:
    office.record(
        {
            "municipality": IBGE, "auto": "1/2013", "act": "pagamento", "date": "2013-06-03", "amount": "100.00",
            "actor": "caixa", "role": "tesouraria",
        }
    )  # fmt: skip
    lines = lines_of(typesetter.pdf(build("cda")))
    assert "Total inscrito: R$ 363,00" in lines
    assert "Pago depois da inscrição: R$ 100,00" in lines
    assert "Resta do total inscrito: R$ 263,00" in lines
    assert "Pago depois da inscrição: R$ 100,00" not in lines_of(typesetter.pdf(build("termo_inscricao")))


def test_a_cda_tells_the_last_day_as_an_acknowledgement_left_it(office: MemoryOffice, build: Build) -> None:
    office.record(
        {
            "municipality": IBGE, "auto": "1/2013", "act": "reconhecimento", "date": "2014-05-05", "actor": "Bar",
            "role": "autuado",
        }
    )  # fmt: skip
    # Five years again from 05/05/2014, and the 180 days of the inscription: 01/11/2019. The Termo stays as it was.
    assert to_json(build("cda"))["prescribes_on"] == "2019-11-01"
    assert to_json(build("termo_inscricao"))["prescribes_on"] == "2018-10-24"


def test_the_code_is_verified_against_the_register(office: MemoryOffice, build: Build) -> None:
    code = str(to_json(build("cda"))["code"])
    assert code.startswith("1/2013-")
    assert verify_code(office.repository, IBGE, code)["total"] == "363.00"
    assert verify_code(office.repository, IBGE, f" {code.lower()} ")["number"] == "1/2013"


CHANGES = [lambda code: code[:-1] + ("A" if code[-1] != "A" else "B"), lambda code: "2" + code[1:], lambda code: "x",
           lambda code: "１" + code[1:], lambda code: "0" + code]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_another_code_is_not_recognised(change: Any, office: MemoryOffice, build: Build) -> None:
    with pytest.raises(CodeNotRecognised):
        verify_code(office.repository, IBGE, change(str(to_json(build("cda"))["code"])))


def test_each_inscription_has_its_own_code(office: MemoryOffice) -> None:
    inscribe(office, FIRM, "2/2013")
    codes = {
        str(to_json(paper_of_inscription(office.repository, IBGE, number, DocumentKind.CDA, Request(ISSUED)))["code"])
        for number in ("1/2013", "2/2013")
    }
    assert len(codes) == 2


def test_the_same_cda_has_the_same_bytes(build: Build, typesetter: Typesetter) -> None:
    first = typesetter.pdf(build("cda"))
    with Typesetter() as another:
        assert another.pdf(build("cda")) == first
    assert typesetter.pdf(build("termo_inscricao")) != first


def test_the_pdf_is_tagged_archival_and_has_every_font_inside(build: Build, typesetter: Typesetter) -> None:
    reader = read(typesetter.pdf(build("cda")))
    root: Any = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] == True  # noqa: E712  # a PDF boolean object, not Python's
    assert "/StructTreeRoot" in root
    assert root["/Lang"].lower() == "pt-br"
    metadata = root["/Metadata"].get_data().decode()
    assert 'pdfaid:part="2"' in metadata or "<pdfaid:part>2<" in metadata
    assert "pdfuaid:part" in metadata
    fonts = [font.get_object() for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    assert fonts
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        descriptor = inner["/FontDescriptor"].get_object()
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor), font["/BaseFont"]
    assert len(reader.pages) <= 2


def test_articles_keep_the_ascii_hyphen_and_are_not_broken(build: Build, typesetter: Typesetter) -> None:
    text = "\n".join(lines_of(typesetter.pdf(build("intimacao_pagamento"))))
    assert "art. 35-A" in text
    assert "64-T" in text
    assert not {"\u2010", "\u2011", "\u2212", "\u00ad"} & set(text)


def test_the_day_of_the_paper_is_the_day_asked(office: MemoryOffice, typesetter: Typesetter) -> None:
    request = Request(date(2014, 1, 1))
    paper = paper_of_inscription(office.repository, IBGE, "1/2013", DocumentKind.CDA, request)
    assert "São Gabriel da Palha/ES, 1º de janeiro de 2014." in lines_of(typesetter.pdf(paper))
