"""`procedure.testing` against the databases: the same acts leave the same cases, with the same hashes."""

from __future__ import annotations

import dataclasses
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from legalbasis import PosturasError
from procedure import supply_option, supply_unit_value, sweep_cases
from procedure.domain.case import Case
from procedure.services.record import Recorder
from procedure.store import persons
from procedure.store.errors import KeyAlreadyUsed, StaleCase
from procedure.store.repository import SqlRepository
from procedure.testing import FixedClock, MemoryOffice, MemoryRepository, acts_of
from tests.integration.store.samples import new_case, opened

IBGE, LAW = "3204708", "es-3204708/lei-1522-2005"
CLOCK = FixedClock("2016-01-04T12:00:00-03:00")
CITED: dict[str, Any] = {"articles_infringed": ["64-I"], "articles_penalty": ["64-T"]}
SWEEPS = (date(2013, 3, 26), date(2013, 4, 30), date(2014, 6, 1))


def story() -> list[dict[str, Any]]:
    """Two autos of one firm: one by default, paid in part and inscribed; the next, later, defended and appealed."""
    one = acts_of(IBGE, "1/2013").lavratura("2013-03-01", article="64-I", key="k1").ciencia("2013-03-08")
    one.julgamento("2013-04-01", **CITED).ciencia_decisao("2013-04-02").intimacao_pagamento("2013-04-24")
    one.pagamento("2013-04-25", "130.00")
    two = acts_of(IBGE, "2/2013").lavratura("2013-06-03", article="64-I", fact="2013-06-01T22:00").ciencia("2013-06-05")
    two.act("defesa", "2013-06-10").julgamento("2013-07-01", **CITED).ciencia_decisao("2013-07-02")
    two.act("recurso", "2013-07-10").act("remessa", "2013-07-12")
    two.act("julgamento_recurso", "2013-08-01", outcome="subsistente", grounds="fundamentos")
    notice = acts_of(IBGE, "N-1").notificacao("2013-05-02", article="46", term="10d")
    bad = acts_of(IBGE, "3/2013").ciencia("2013-06-05")
    return [*one.acts, *two.acts, *notice.acts, *bad.acts, one.acts[0]]


def plain(case: Case) -> dict[str, Any]:
    """Everything of a case but what only says how it is stored."""
    found = dataclasses.asdict(case)
    found["deadlines"] = sorted(found["deadlines"], key=lambda d: (d["number"], d["kind"]))
    return found


def test_the_same_acts_leave_the_same_cases(upgraded_url: str) -> None:
    with opened(upgraded_url) as engine:
        with Session(engine) as session, session.begin():
            secret = persons.secret(session.connection())
        office = MemoryOffice(IBGE, CLOCK, MemoryRepository(person_secret=secret))
        _supply(engine, office)
        assert _in_database(engine) == _in_memory(office)
        with Session(engine) as session:
            _compare(SqlRepository(session), office.repository)


def _supply(engine: Engine, office: MemoryOffice) -> None:
    start, value = date(2012, 9, 18), Decimal("30.00")
    office.supply_unit_value(LAW, "VRSGP", start=start, value=value, act="Decreto de teste")
    office.supply_option(LAW, "base_acrescimo", "saldo", act="Portaria de teste")
    with Session(engine) as session, session.begin():
        supply_unit_value(session, LAW, "VRSGP", start=start, value=value, act="Decreto de teste", recorded_at=CLOCK())
        supply_option(session, LAW, "base_acrescimo", "saldo", act="Portaria de teste", recorded_at=CLOCK())


def _in_database(engine: Engine) -> list[str]:
    said = []
    for data in story():
        try:
            with Session(engine) as session, session.begin():
                recorded = Recorder(SqlRepository(session)).record(data, recorded_at=CLOCK())
                said.append(f"{recorded.state} {recorded.known} {recorded.seqs}")
        except PosturasError as error:
            said.append(error.error_code)
    for day in SWEEPS:
        with Session(engine) as session, session.begin():
            swept = sweep_cases(session, IBGE, as_of=day, recorded_at=CLOCK())
            said.append(f"{swept.examined} {swept.expired} {swept.inscribed} {swept.failures}")
    return said


def _in_memory(office: MemoryOffice) -> list[str]:
    said = []
    for data in story():
        try:
            recorded = office.record(data)
            said.append(f"{recorded.state} {recorded.known} {recorded.seqs}")
        except PosturasError as error:
            said.append(error.error_code)
    for day in SWEEPS:
        swept = office.sweep(day)
        said.append(f"{swept.examined} {swept.expired} {swept.inscribed} {swept.failures}")
    return said


def _compare(database: SqlRepository, memory: MemoryRepository) -> None:
    autos = list(database.stream_autos(IBGE))
    assert autos == list(memory.stream_autos(IBGE)) == ["1/2013", "2/2013", "N-1"]
    stored, held = database.load(IBGE, autos, lock=False), memory.load(IBGE, autos, lock=False)
    for auto in autos:
        assert plain(stored[auto]) == plain(held[auto])
        acts = [dataclasses.asdict(a) for a in database.acts(IBGE, auto)]
        assert acts == [dataclasses.asdict(a) for a in memory.acts(IBGE, auto)]
    assert stored["2/2013"].arbitrada == 66_000  # 11 × 30,00, doubled: the first was final on 18/04/2013
    assert database.inscriptions(IBGE) == memory.inscriptions(IBGE) != []
    assert database.inscriptions(IBGE, number="1/2013") == memory.inscriptions(IBGE, number="1/2013")
    assert database.municipalities() == memory.municipalities() == [IBGE]
    assert database.auto_of_key(IBGE, "k1") == memory.auto_of_key(IBGE, "k1") == "1/2013"
    key = database.person_key_of(IBGE, "11.222.333/0001-81")
    assert key is not None
    assert key == memory.person_key_of(IBGE, "11222333000181")
    assert database.autos_of_person(IBGE, key) == memory.autos_of_person(IBGE, key)
    assert database.autos_reissuing(IBGE, "1/2013") == memory.autos_reissuing(IBGE, "1/2013")
    for question in ({}, {"states": ["inscrito"]}, {"due_until": date(2013, 12, 31)}, {"limit": 1}):
        ours = [c.auto for c in memory.search_autos(IBGE, **question)]  # type: ignore[arg-type]  # one option at a time
        assert [c.auto for c in database.search_autos(IBGE, **question)] == ours  # type: ignore[arg-type]  # the same


def test_what_is_given_out_is_a_copy() -> None:
    repository = MemoryRepository()
    repository.save([new_case("1/2013")])
    repository.load("3204708", ["1/2013"], lock=True)["1/2013"].facts["fatos"] = "mudado"
    assert repository.load("3204708", ["1/2013"], lock=True)["1/2013"].facts["fatos"] != "mudado"


def test_a_stale_write_is_refused_and_leaves_nothing() -> None:
    repository = MemoryRepository()
    repository.save([new_case("1/2013")])
    fresh = new_case("2/2013")
    with pytest.raises(StaleCase):
        repository.save([fresh, new_case("1/2013")])
    assert list(repository.stream_autos("3204708")) == ["1/2013"]


def test_a_key_serves_once() -> None:
    repository = MemoryRepository()
    keyed = new_case("1/2013")
    keyed.new_acts[0].key = "k"
    repository.save([keyed])
    other = new_case("2/2013")
    other.new_acts[0].key = "k"
    with pytest.raises(KeyAlreadyUsed):
        repository.save([other])


def test_a_refused_act_leaves_nothing_in_the_office() -> None:
    office = MemoryOffice(IBGE, FixedClock("2016-01-04T12:00:00-03:00"))
    with pytest.raises(PosturasError):
        office.record_all(acts_of(IBGE, "1/2013").lavratura("2013-03-01", article="39").acts)
    assert office.repository.municipalities() == []


def test_the_clock_moves_only_when_told() -> None:
    clock = FixedClock("2016-01-04T12:00:00-03:00")
    assert clock() == clock()
    assert clock.advance(days=1).isoformat() == "2016-01-05T12:00:00-03:00"
    with pytest.raises(ValueError, match="aware"):
        FixedClock("2016-01-04T12:00:00")
