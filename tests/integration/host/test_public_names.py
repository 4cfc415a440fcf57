"""`procedure`'s public functions on a host's own session, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

import procedure
from procedure.testing import acts_of
from tests.integration.store.samples import opened

IBGE, LAW = "3204708", "es-3204708/lei-1522-2005"
NOW = datetime(2016, 1, 4, 12, tzinfo=UTC)


@pytest.fixture
def host(upgraded_url: str) -> Iterator[Engine]:
    with opened(upgraded_url) as engine:
        with Session(engine) as session, session.begin():
            session.execute(text("CREATE TABLE erp (numero VARCHAR(20) PRIMARY KEY)"))
            procedure.supply_unit_value(
                session, LAW, "VRSGP", start=date(2012, 9, 18), value=Decimal("30.00"), act="Decreto", recorded_at=NOW
            )
        yield engine


def final_case() -> list[dict[str, object]]:
    """Of the issue: default on 25/03, judged, final on 18/04, 48 hours from the juntada of 24/04/2013."""
    acts = acts_of(IBGE, "1/2013").lavratura("2013-03-01", article="64-I").ciencia("2013-03-08")
    acts.julgamento("2013-04-01", articles_infringed=["64-I"], articles_penalty=["64-T"])
    return acts.ciencia_decisao("2013-04-02").intimacao_pagamento("2013-04-24").acts


def test_acts_and_sweep_commit_with_the_hosts_rows(host: Engine) -> None:
    with Session(host) as session, session.begin():
        session.execute(text("INSERT INTO erp VALUES ('P-1')"))
        recorded = procedure.record_acts(session, final_case(), recorded_at=NOW)
        assert [r.state for r in recorded][-1] == "aguardando_pagamento"
        early = procedure.sweep_cases(session, IBGE, as_of=date(2013, 4, 26), recorded_at=NOW)
        assert (early.examined, early.expired) == (0, 0)
        late = procedure.sweep_cases(session, IBGE, as_of=datetime(2013, 4, 27, 3), recorded_at=NOW)
        assert (late.expired, late.surcharged, late.inscribed) == (1, 1, 0)
    with Session(host) as session, session.begin():
        swept = procedure.sweep_cases(session, IBGE, as_of=date(2013, 4, 30), recorded_at=NOW, limit=5)
        assert swept.inscribed == 1
        shown = procedure.show_case(session, IBGE, "1/2013")
        assert (shown["state"], shown["amounts"]["saldo"]) == ("inscrito", "363.00")
        assert session.scalar(text("SELECT numero FROM erp")) == "P-1"
        events = procedure.poll_events(session, IBGE).events
    assert [e.seq for e in events] == list(range(1, len(events) + 1))


def test_a_rollback_loses_both(host: Engine) -> None:
    with Session(host) as session:
        session.execute(text("INSERT INTO erp VALUES ('P-1')"))
        procedure.record_acts(session, final_case(), recorded_at=NOW)
        session.rollback()
    with Session(host) as session:
        assert session.scalar(text("SELECT count(*) FROM erp")) == 0
        with pytest.raises(procedure.PosturasError) as caught:
            procedure.show_case(session, IBGE, "1/2013")
        assert caught.value.error_code == "auto_desconhecido"


def test_a_refused_act_in_a_savepoint_keeps_the_rest(host: Engine) -> None:
    first, *others = final_case()
    with Session(host) as session, session.begin():
        procedure.record_act(session, first, recorded_at=NOW)
        with pytest.raises(procedure.PosturasError), session.begin_nested():
            procedure.record_act(session, {**others[0], "juntada": None}, recorded_at=NOW)
    with Session(host) as session:
        assert procedure.show_case(session, IBGE, "1/2013")["state"] == "lavrado"


def test_what_is_supplied_is_read_by_the_next_act(host: Engine) -> None:
    fact = {"date": "2014-11-20T10:00", "place": "Praça", "article": "64-I", "description": "Som alto"}
    (auto,) = acts_of(IBGE, "9/2014").lavratura("2014-11-21", article="64-I").acts
    with Session(host) as session, session.begin():
        with pytest.raises(procedure.PosturasError) as caught, session.begin_nested():
            procedure.record_act(session, {**auto, "fact": fact}, recorded_at=NOW)
        assert caught.value.error_code == "vigencia_incerta"
        with pytest.raises(procedure.PosturasError) as caught, session.begin_nested():
            procedure.supply_law_end(session, LAW, day=date(2014, 7, 14), act="Lei 2.456/2014", recorded_at=NOW)
        assert caught.value.error_code == "fim_de_vigencia_impossivel"
        end = date(2015, 1, 1)
        assert procedure.supply_law_end(session, LAW, day=end, act="Lei 2.456/2014", recorded_at=NOW)
        assert not procedure.supply_law_end(session, LAW, day=end, act="Lei 2.456/2014", recorded_at=NOW)
        assert procedure.record_act(session, {**auto, "fact": fact}, recorded_at=NOW).state == "lavrado"


def test_a_recording_instant_must_have_its_zone(host: Engine) -> None:
    with Session(host) as session, pytest.raises(ValueError, match="aware"):
        procedure.sweep_cases(session, IBGE, as_of=date(2013, 4, 26), recorded_at=datetime(2016, 1, 4))
