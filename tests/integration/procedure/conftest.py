"""A municipality's office over a fresh database: records acts, sweeps nights, reads cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine

from procedure.domain.case import Case, RecordedAct
from procedure.domain.moment import Moment
from procedure.services.context import zone_of
from procedure.services.ports import SuppliedUnitValue
from procedure.services.recomputing import Recomputer
from procedure.services.record import Recorder
from procedure.services.register_showing import show_inscription
from procedure.services.showing import show_case
from procedure.services.verifying import verify
from procedure.store import supplied
from procedure.store.archive import reading
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository
from procedure.store.sweep_run import Order, Report
from procedure.store.sweeping import sweep

MUNICIPALITY = "3204708"
LAW = "es-3204708/lei-1522-2005"
LATER = datetime(2016, 1, 4, 12, tzinfo=UTC)
FIRM: dict[str, Any] = {
    "name": "Padaria São João Ltda.",
    "doc": "11.222.333/0001-81",
    "kind": "pj",
    "address": {"street": "Rua das Flores", "number": "10", "city": "São Gabriel da Palha", "uf": "ES"},
}


@dataclass
class Office:
    """Records as a fiscal's ERP would; every act is recorded at ``LATER`` unless told."""

    url: str
    engine: Engine
    acts_sent: int = field(default=0)

    def record(self, auto: str, act: str, on: str, *, at: datetime = LATER, **fields: Any) -> str | None:
        """Record one act and return the state."""
        role = fields.pop("role", _ROLES.get(act, "fiscal"))
        actor = fields.pop("actor", f"{role}-1")
        data = {"municipality": MUNICIPALITY, "auto": auto, "act": act, "date": on, "actor": actor, "role": role}
        with session_scope(self.engine) as session:
            return Recorder(SqlRepository(session)).record({**data, **fields}, recorded_at=at).state

    def draw(
        self, auto: str, fact: str | dict[str, Any] = "2013-02-20T22:00", on: str = "2013-03-01", **changes: Any
    ) -> None:
        """Draw up an auto for imminent danger. ``fact`` is its date, or the whole of it."""
        sound = {"place": "Praça", "article": "64-I", "description": "Som alto sem alvará"}
        fields: dict[str, Any] = {
            "infrator": FIRM,
            "fact": None if "infractions" in changes else fact if isinstance(fact, dict) else {"date": fact, **sound},
            "perigo_iminente": "risco relatado",
            "signature": {"by": "recusa", "witnesses": ["Ana Sá", "Rui Dó"]},
        }
        self.record(auto, "lavratura", on, **{**fields, **changes})

    def serve(self, auto: str, act: str = "ciencia", joined: str = "2013-03-08") -> str | None:
        """Serve by post; the AR is joined on that day."""
        return self.record(auto, act, joined, method="postal", received=joined, juntada=joined)

    def judge(self, auto: str, on: str, outcome: str = "subsistente", **fields: Any) -> str | None:
        """The Secretário's judgment, with every element the law asks for."""
        said: dict[str, Any] = {"outcome": outcome, "report": "relatório", "grounds": "fundamentos"}
        if outcome in ("subsistente", "parcialmente_subsistente"):
            said |= {"articles_infringed": ["64-I"], "articles_penalty": ["64-T"]}
        return self.record(auto, "julgamento", on, **{**said, **fields})

    def until_final(self, auto: str) -> None:
        """Drawn up, served on 08/03/2013, revel, judged on 01/04, served on 02/04, no appeal: final from 18/04/2013."""
        self.draw(auto)
        self.serve(auto)
        self.judge(auto, "2013-04-01")
        self.serve(auto, "ciencia_decisao", "2013-04-02")
        self.sweep("2013-04-18")

    def sweep(self, as_of: str, **options: Any) -> Report:
        """One night's sweep."""
        when = Moment.parse(as_of, zone_of(MUNICIPALITY))
        return sweep(self.url, Order(MUNICIPALITY, when, LATER, **options))

    def case(self, auto: str) -> Case:
        """The case as stored."""
        with session_scope(self.engine) as session:
            return SqlRepository(session).load(MUNICIPALITY, [auto], lock=False)[auto]

    def show(self, auto: str) -> dict[str, Any]:
        """The case as `auto show` tells it."""
        with session_scope(self.engine) as session:
            return show_case(SqlRepository(session), MUNICIPALITY, auto)

    def acts(self, auto: str) -> list[RecordedAct]:
        """Its acts."""
        with session_scope(self.engine) as session:
            return SqlRepository(session).acts(MUNICIPALITY, auto)

    def holds(self, auto: str) -> list[str]:
        """The defects that verifying the case finds, each act's effects computed again."""
        with reading(self.engine) as archive:
            found = verify(archive, MUNICIPALITY, auto=auto, deeper=Recomputer(archive, MUNICIPALITY))
        return [f"{defect.seq} {defect.code}: {defect.what}" for defect in found.defects]

    def register(self) -> list[dict[str, Any]]:
        """The register of dívida ativa, by number."""
        with session_scope(self.engine) as session:
            return SqlRepository(session).inscriptions(MUNICIPALITY)

    def inscription(self, number: str) -> dict[str, Any]:
        """An inscription as it stands."""
        with session_scope(self.engine) as session:
            return show_inscription(SqlRepository(session), MUNICIPALITY, number)

    def kinds(self, auto: str) -> list[str]:
        """The kinds of its acts, in order."""
        return [a.kind for a in self.acts(auto)]

    def option(self, name: str, value: str) -> None:
        """Choose a reading."""
        with session_scope(self.engine) as session:
            supplied.set_option(
                session, MUNICIPALITY, LAW, name, value, act="Portaria de teste", recorded_at=LATER.isoformat()
            )


_ROLES = {
    "julgamento": "secretario",
    "reconsideracao": "secretario",
    "remessa": "secretario",
    "julgamento_recurso": "prefeito",
    "defesa": "autuado",
    "recurso": "autuado",
    "renuncia": "autuado",
    "pagamento": "autuado",
    "regularizacao": "autuado",
    "restituicao": "secretario",
    "anulacao": "secretario",
    "recalculo_multa": "secretario",
    "cancelamento": "procuradoria",
}


@pytest.fixture
def office(upgraded_url: str) -> Iterator[Office]:
    engine = open_engine(upgraded_url)
    with session_scope(engine) as session:
        value = SuppliedUnitValue("VRSGP", date(2012, 9, 18), Decimal("30.00"), "Decreto de teste")
        supplied.set_unit_value(session, MUNICIPALITY, LAW, value, recorded_at=LATER.isoformat())
    yield Office(upgraded_url, engine)
    engine.dispose()
