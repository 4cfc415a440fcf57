"""Time going by over a sample: the acts of each day are recorded, then the sweep of the night runs, day after day.

A night on which nothing falls due is passed over: its sweep would find nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from procedure.cli.demo_sample import Sample
from procedure.cli.progress import Progress
from procedure.domain.moment import Moment
from procedure.services.context import zone_of
from procedure.services.ports import SuppliedUnitValue
from procedure.services.record import Recorder
from procedure.store import supplied
from procedure.store.engine import session_scope
from procedure.store.listing import next_expiry
from procedure.store.repository import SqlRepository
from procedure.store.sweep_run import Order
from procedure.store.sweeping import sweep_with

CLOSING = time(18)  # the acts of a day are typed in at the end of it


def supply(engine: Any, sample: Sample) -> None:
    """Record what the municipality supplies: values of units, the authority that inscribes."""
    stamp = datetime.combine(sample.days()[0], time(8), zone_of(sample.municipality)).isoformat()
    with session_scope(engine) as session:
        for unit in sample.units:
            value = SuppliedUnitValue(unit.unit, unit.start, unit.value, unit.act)
            supplied.set_unit_value(session, sample.municipality, sample.law, value, recorded_at=stamp)
        for option in sample.options:
            supplied.set_option(
                session, sample.municipality, sample.law, option.name, option.value, act=option.act, recorded_at=stamp
            )


@dataclass(frozen=True, slots=True)
class Played:
    """How many acts came in, how many nights went by, in how many of them something fell due."""

    acts: int
    nights: int
    sweeps: int


def play(engine: Any, sample: Sample, shown: Progress) -> Played:
    """Record and sweep from the first day to the last. Raises the typed errors of recording."""
    supply(engine, sample)
    by_day = sample.by_day()
    days = sample.days()
    sweeps, first = 0, None
    for day in days:
        if acts := by_day.get(day, []):
            _record(engine, sample, day, acts)
            first = _first_expiry(engine, sample)
        night = Moment.of_day(day + timedelta(days=1), zone_of(sample.municipality))
        if first is not None and first < night.epoch:
            _sweep(engine, sample, night)
            sweeps += 1
            first = _first_expiry(engine, sample)
        shown.advance()
    return Played(sum(len(acts) for day, acts in by_day.items() if day <= sample.last_day), len(days), sweeps)


def _first_expiry(engine: Any, sample: Sample) -> int | None:
    with session_scope(engine, read_only=True) as session:
        return next_expiry(session, sample.municipality)


def _record(engine: Any, sample: Sample, day: date, acts: list[dict[str, Any]]) -> None:
    instant = datetime.combine(day, CLOSING, zone_of(sample.municipality))
    with session_scope(engine) as session:
        recorder = Recorder(SqlRepository(session))
        for act in acts:
            recorder.record(act, recorded_at=instant)


def _sweep(engine: Any, sample: Sample, night: Moment) -> None:
    """The sweep as of the end of a day, at 3 h: what fell due on it is concluded."""
    early = datetime.combine(night.day, time(3), zone_of(sample.municipality))
    sweep_with(engine, Order(sample.municipality, night, early))
