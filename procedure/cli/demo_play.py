"""Time going by over the sample: the acts of each day are recorded, then the sweep of the night runs, day after day."""

from __future__ import annotations

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
from procedure.store.repository import SqlRepository
from procedure.store.sweeping import Order, sweep_with

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


def play(engine: Any, sample: Sample, shown: Progress) -> int:
    """Record and sweep from the first day to the last; how many acts came in. Raises the typed errors of recording."""
    supply(engine, sample)
    by_day = sample.by_day()
    for day in sample.days():
        _record(engine, sample, day, by_day.get(day, []))
        _sweep_night(engine, sample, day)
        shown.advance()
    return sum(len(acts) for day, acts in by_day.items() if day <= sample.last_day)


def _record(engine: Any, sample: Sample, day: date, acts: list[dict[str, Any]]) -> None:
    if not acts:
        return
    instant = datetime.combine(day, CLOSING, zone_of(sample.municipality))
    with session_scope(engine) as session:
        recorder = Recorder(SqlRepository(session))
        for act in acts:
            recorder.record(act, recorded_at=instant)


def _sweep_night(engine: Any, sample: Sample, day: date) -> None:
    """The sweep as of the day's end: what fell due on it is concluded."""
    zone = zone_of(sample.municipality)
    night = Moment.of_day(day + timedelta(days=1), zone)
    early = datetime.combine(day + timedelta(days=1), time(3), zone)
    sweep_with(engine, Order(sample.municipality, night, early))
