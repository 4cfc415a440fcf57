"""What the municipality supplies: the newest revision is in force, the older ones stay."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from sqlalchemy import Engine, text

from procedure.services.ports import MunicipalData, SuppliedEnd, SuppliedStart, SuppliedUnitValue
from procedure.store import supplied
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.store.samples import IBGE

LAW = "lei-1522-2005"
NOW = "2013-01-10T09:00:00-02:00"


def test_nothing_is_supplied_at_first(engine: Engine) -> None:
    with session_scope(engine) as session:
        assert SqlRepository(session).municipal_data(IBGE) == MunicipalData(IBGE)


def test_a_correction_supersedes_and_deletes_nothing(engine: Engine) -> None:
    old = SuppliedUnitValue("VRSGP", date(2012, 1, 1), Decimal("28.5000"), "Decreto 1/2012")
    wrong = SuppliedUnitValue("VRSGP", date(2013, 1, 1), Decimal("30.00"), "Decreto 9/2013")
    right = SuppliedUnitValue("VRSGP", date(2013, 1, 1), Decimal("30.1234"), "Decreto 9/2013, retificado")
    with session_scope(engine) as session:
        assert supplied.set_unit_value(session, IBGE, LAW, wrong, recorded_at=NOW)
        assert not supplied.set_unit_value(session, IBGE, LAW, wrong, recorded_at=NOW)
        assert supplied.set_unit_value(session, IBGE, LAW, right, recorded_at=NOW)
        assert supplied.set_unit_value(session, IBGE, LAW, old, recorded_at=NOW)
        assert supplied.set_law_end(session, IBGE, SuppliedEnd(LAW, date(2014, 10, 1), "x"), recorded_at=NOW)
        assert supplied.set_law_end(session, IBGE, SuppliedEnd(LAW, date(2015, 1, 1), "Lei 2.500"), recorded_at=NOW)
        assert supplied.set_law_start(session, IBGE, SuppliedStart(LAW, date(2005, 7, 11), "y"), recorded_at=NOW)
        assert supplied.set_law_start(session, IBGE, SuppliedStart(LAW, date(2005, 7, 12), "z"), recorded_at=NOW)
        assert not supplied.set_law_start(session, IBGE, SuppliedStart(LAW, date(2005, 7, 12), "z"), recorded_at=NOW)
        assert supplied.set_option(session, IBGE, LAW, "antecedente", "definitividade", act="-", recorded_at=NOW)
        assert supplied.set_option(session, IBGE, LAW, "antecedente", "autuacao", act="Portaria 1", recorded_at=NOW)
    with session_scope(engine, read_only=True) as session:
        data = SqlRepository(session).municipal_data(IBGE)
        assert data.unit_values == {LAW: [old, right]}
        assert data.ends == {LAW: SuppliedEnd(LAW, date(2015, 1, 1), "Lei 2.500")}
        assert data.starts == {LAW: SuppliedStart(LAW, date(2005, 7, 12), "z")}
        assert data.options == {LAW: {"antecedente": "autuacao"}}
        kept = session.execute(text("SELECT value FROM posturas_unit_values ORDER BY start, revision")).scalars().all()
        assert kept == ["28.5000", "30.00", "30.1234"]
        assert SqlRepository(session).municipal_data("3100000") == MunicipalData("3100000")


def test_calendar_facts_are_imported_once_in_order(engine: Engine) -> None:
    facts = [
        {"date": "2013-05-31", "kind": "ponto_facultativo", "description": "Corpus Christi", "act": "Decreto 7"},
        {"date": "2013-02-11", "kind": "recesso", "description": "Carnaval", "act": "Decreto 3"},
    ]
    with session_scope(engine) as session:
        assert supplied.import_facts(session, IBGE, facts, "dias.csv") == 2
        more = [facts[1], {"date": "2013-12-24", "kind": "meio_expediente", "act": "Decreto 9"}]
        assert supplied.import_facts(session, IBGE, more, "mais.csv", recorded_at=NOW) == 1
    with session_scope(engine, read_only=True) as session:
        assert SqlRepository(session).municipal_data(IBGE).calendar_facts == [*facts, more[1]]
