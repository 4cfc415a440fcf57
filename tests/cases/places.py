"""Where an office keeps its record: a database, or the memory that hosts test with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from decimal import Decimal
from typing import Any, Protocol

from calendars import DayFact, DayKind, Nature
from calendars.fact_documents import fact_to_document
from procedure.domain.moment import Moment
from procedure.services.context import Contexts
from procedure.services.ports import MunicipalData, Repository, SuppliedEnd, SuppliedStart, SuppliedUnitValue
from procedure.services.sweep import sweep_chunk
from procedure.store import supplied
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository
from procedure.store.sweep_run import Order
from procedure.store.sweeping import sweep_with
from procedure.testing import MemoryRepository

STAMP = "2012-09-18T08:00:00-03:00"
Failures = dict[str, tuple[str, str]]


class Place(Protocol):
    """What the runner asks of a store."""

    def supply(self, data: MunicipalData) -> None: ...

    def unit(self, *, read_only: bool = False) -> AbstractContextManager[Repository]: ...

    def sweep(self, municipality: str, as_of: Moment) -> Failures: ...

    def close(self) -> None: ...


class Database:
    """A database with the newest schema."""

    def __init__(self, url: str) -> None:
        self.engine = open_engine(url)

    def supply(self, data: MunicipalData) -> None:
        code = data.municipality
        with session_scope(self.engine) as session:
            for law, values in data.unit_values.items():
                for priced in values:
                    supplied.set_unit_value(session, code, law, priced, recorded_at=STAMP)
            for law, chosen in data.options.items():
                for name, value in chosen.items():
                    supplied.set_option(session, code, law, name, value, act="Ato de teste", recorded_at=STAMP)
            for end in data.ends.values():
                supplied.set_law_end(session, code, end, recorded_at=STAMP)
            for start in data.starts.values():
                supplied.set_law_start(session, code, start, recorded_at=STAMP)
            supplied.import_facts(session, code, data.calendar_facts, "teste", recorded_at=STAMP)

    @contextmanager
    def unit(self, *, read_only: bool = False) -> Iterator[Repository]:
        with session_scope(self.engine, read_only=read_only) as session:
            yield SqlRepository(session)

    def sweep(self, municipality: str, as_of: Moment) -> Failures:
        return sweep_with(self.engine, Order(municipality, as_of, as_of.instant)).failures

    def close(self) -> None:
        self.engine.dispose()


class Memory:
    """The store of ``procedure.testing``."""

    def __init__(self) -> None:
        self.repository = MemoryRepository()

    def supply(self, data: MunicipalData) -> None:
        self.repository.data[data.municipality] = data

    @contextmanager
    def unit(self, *, read_only: bool = False) -> Iterator[Repository]:
        with self.repository.unit_of_work() as repository:
            yield repository

    def sweep(self, municipality: str, as_of: Moment) -> Failures:
        with self.unit() as repository:
            chunk = sweep_chunk(
                repository,
                Contexts(repository),
                municipality,
                before_epoch=as_of.epoch,
                after="",
                limit=1000,
                recorded_at=as_of.instant.isoformat(timespec="seconds"),
            )
        return chunk.failures

    def close(self) -> None:
        pass


def municipal_data(code: str, law: str, units: tuple[str, ...], since: date, case: dict[str, Any]) -> MunicipalData:
    """What a case says that its municipality supplied: unit values, readings, the law's end, closed days."""
    data = MunicipalData(code)
    values = case.get("unit_values", [[since, case["unit_value"]]] if case["unit_value"] else [])
    data.unit_values[law] = [
        SuppliedUnitValue(unit, start, Decimal(value), "Decreto de teste") for start, value in values for unit in units
    ]
    data.options[law] = dict(case.get("options", {}))
    if "start" in case:
        data.starts[law] = SuppliedStart(law, case["start"], "Gazeta de teste")
    if "end" in case:
        data.ends[law] = SuppliedEnd(law, case["end"], "Lei 2.456/2014 (de teste)")
    data.calendar_facts = [_closed(day) for day in case.get("closed", ())]
    return data


def _closed(day: date) -> dict[str, Any]:
    fact = DayFact(day, DayKind.FECHADO, "ponto facultativo", "Decreto de teste", None, Nature.PONTO_FACULTATIVO)
    return fact_to_document(fact)
