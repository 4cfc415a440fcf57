"""A case inscribed in memory, and what a PDF says when it is read back."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pypdf import PdfReader

from procedure.documents.typesetting import Typesetter
from procedure.domain.document_kinds import DocumentKind
from procedure.services.documenting.building import paper_of_case
from procedure.services.documenting.casefile import Request
from procedure.services.documenting.papers import Paper
from procedure.testing import FixedClock, MemoryOffice, MemoryRepository, acts_of

IBGE, LAW, AUTO = "3204708", "es-3204708/lei-1522-2005", "1/2013"
ISSUED = date(2013, 5, 10)
ADDRESS = {"street": "Avenida Graça Aranha", "number": "410", "city": "São Gabriel da Palha", "uf": "ES"}
FIRM = {"name": "Bar do Zé Ltda", "doc": "11.222.333/0001-81", "kind": "pj", "address": ADDRESS}
PERSON = {"name": "Conceição Müller d’Ávila", "doc": "529.982.247-25", "kind": "pf", "address": ADDRESS}
AUTHORITY = {"authority": "Davi Lorenzon", "office": "Chefe da Dívida Ativa", "act": "Portaria 7/2013"}
FACT = {"date": "2013-02-20T22:10", "place": "Avenida Graça Aranha, 410", "article": "64-I", "description": "Som."}


class Authenticated(MemoryRepository):
    """A store whose every inscription is authenticated, when ``sealed``."""

    sealed = True

    def inscriptions(self, municipality: str, *, number: str | None = None) -> list[dict[str, Any]]:
        rows = super().inscriptions(municipality, number=number)
        return [{**row, "termo": {**row["termo"], "authenticated": self.sealed}} for row in rows]


def open_office() -> MemoryOffice:
    """An office that knows the value of the unit and the authority of the dívida ativa."""
    office = MemoryOffice(IBGE, FixedClock("2016-01-04T12:00-03:00"), Authenticated())
    office.supply_unit_value(LAW, "VRSGP", start=date(2012, 9, 18), value=Decimal("30.00"), act="Decreto 1/2012")
    for name, value in AUTHORITY.items():
        office.supply_option(LAW, f"divida_ativa.{name}", value, act="Portaria 7/2013")
    return office


def inscribe(office: MemoryOffice, person: dict[str, Any], auto: str = AUTO, **fact: str) -> None:
    """The case of the spec: 48 hours that end on 26/04/2013, inscribed on the 29th."""
    served = {"method": "pessoal", "signed_by": "representante"}
    acts = acts_of(IBGE, auto)
    acts.act(
        "lavratura", "2013-03-01", infrator=person, fact={**FACT, **fact}, perigo_iminente="Hospital ao lado.",
        signature={"by": "recusa", "witnesses": ["Lúcia Pagung", "Ademir Zanotelli"]},
    )  # fmt: skip
    acts.ciencia("2013-03-08", juntada="2013-03-08", **served)
    acts.julgamento(
        "2013-04-01", outcome="subsistente", report="Relatório dos autos.", grounds="As fotos provam o fato.",
        articles_infringed=["64-I"], articles_penalty=["64-T"],
    )  # fmt: skip
    acts.ciencia_decisao("2013-04-02", juntada="2013-04-02", **served)
    acts.intimacao_pagamento("2013-04-24", juntada="2013-04-24", **served)
    office.record_all(acts.acts)
    office.sweep(date(2013, 5, 2))


@pytest.fixture
def office() -> MemoryOffice:
    office = open_office()
    inscribe(office, FIRM)
    return office


@pytest.fixture(scope="session")
def typesetter() -> Iterator[Typesetter]:
    with Typesetter() as open_one:
        yield open_one


Build = Callable[..., Paper]


@pytest.fixture
def build(office: MemoryOffice) -> Build:
    """The paper of a kind, of the inscribed case."""

    def built(kind: str, **asked: Any) -> Paper:
        request = Request(ISSUED, **asked)
        return paper_of_case(office.repository, IBGE, AUTO, DocumentKind(kind), request)

    return built


def read(pdf: bytes) -> PdfReader:
    """The PDF, to be looked into."""
    return PdfReader(io.BytesIO(pdf))


def lines_of(pdf: bytes) -> list[str]:
    """The lines of text of the whole PDF, as a reader extracts them."""
    return [line.strip() for page in read(pdf).pages for line in page.extract_text().splitlines()]


def days_of(term: dict[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    """The drawn days of a term, by month and number."""
    months = ((month["title"], week) for month in term["months"] for week in month["weeks"])
    return {(title, day["number"]): day for title, week in months for day in week if day}
