"""The issue's case in memory: 48 hours that end on 26/04/2013, inscribed on Monday the 29th."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from procedure.services.timeline import timeline
from procedure.testing import FixedClock, MemoryOffice, acts_of

IBGE, LAW, AUTO = "3204708", "es-3204708/lei-1522-2005", "1/2013"
ADDRESS = {"street": "Avenida Graça Aranha", "number": "410", "city": "São Gabriel da Palha", "uf": "ES"}
PERSON = {"name": "Conceição Müller d’Ávila", "doc": "529.982.247-25", "kind": "pf", "address": ADDRESS}
FACT = {"date": "2013-02-20T22:10", "place": "Avenida Graça Aranha, 410", "article": "64-I", "description": "Som."}
Told = Callable[..., dict[str, Any]]


def record_case(office: MemoryOffice, *, name: str, until: str) -> None:
    acts = acts_of(IBGE, AUTO)
    served = {"method": "pessoal", "signed_by": "autuado"}
    acts.act(
        "lavratura", "2013-03-01", infrator={**PERSON, "name": name}, fact=FACT, perigo_iminente="Hospital ao lado.",
        signature={"by": "recusa", "witnesses": ["Lúcia Pagung", "Ademir Zanotelli"]},
    )  # fmt: skip
    acts.ciencia("2013-03-08", juntada="2013-03-08", **served)
    acts.julgamento(
        "2013-04-01", outcome="subsistente", report="Relatório.", grounds="As fotos provam o fato.",
        articles_infringed=["64-I"], articles_penalty=["64-T"],
    )  # fmt: skip
    acts.ciencia_decisao("2013-04-02", juntada="2013-04-02", **served)
    acts.intimacao_pagamento("2013-04-24", juntada="2013-04-24", **served)
    office.record_all([act for act in acts.acts if act["date"] <= until])
    office.sweep(date.fromisoformat(until))


@pytest.fixture
def told() -> Told:
    """A function that gives the timeline of the case as it stood at the start of a day."""

    def tell(*, name: str = str(PERSON["name"]), until: str = "2013-05-02") -> dict[str, Any]:
        office = MemoryOffice(IBGE, FixedClock("2016-01-04T12:00-03:00"))
        office.supply_unit_value(LAW, "VRSGP", start=date(2012, 9, 18), value=Decimal("30.00"), act="Decreto 1/2012")
        record_case(office, name=name, until=until)
        return timeline(office.repository, IBGE, AUTO)

    return tell
