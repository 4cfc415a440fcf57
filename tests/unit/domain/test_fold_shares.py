"""Folding an act replaces what the case holds and changes nothing in place: copies of a case share it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from procedure.cli.demo_sample import NAMES, load_sample
from procedure.domain.case import Case
from procedure.domain.chain import canonical
from procedure.domain.fold import fold
from procedure.testing import FixedClock, MemoryOffice


def seen(case: Case) -> tuple[str, list[str], str]:
    return canonical(case.facts), [str(item) for item in case.deadlines], str(case.inscription)


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_stays_as_it_was_while_the_case_goes_on(name: str) -> None:
    sample = load_sample(name)
    office = MemoryOffice(sample.municipality, FixedClock(datetime(2016, 1, 1, 12, tzinfo=UTC)))
    for value in sample.units:
        office.supply_unit_value(sample.law, value.unit, start=value.start, value=value.value, act=value.act)
    for option in sample.options:
        office.supply_option(sample.law, option.name, option.value, act=option.act)
    for day, acts in sorted(sample.by_day().items()):
        office.sweep(day)  # the register's acts name inscriptions
        office.record_all(acts)
    office.sweep(sample.last_day)
    folded: set[str] = set()
    for auto in office.repository.stream_autos(sample.municipality):
        folded |= follow(office, auto)
    assert len(folded) > 20


def follow(office: MemoryOffice, auto: str) -> set[Any]:
    """Replay a case; before each act a copy is taken, which must not change. The kinds of its acts."""
    stored = office.case(auto)
    case = Case(stored.municipality, auto, law=stored.law, timezone=stored.timezone)
    acts = office.acts(auto)
    for act in acts:
        apart = case.copied()
        before = seen(apart)
        fold(case, act)
        assert seen(apart) == before, act.kind
    assert seen(case)[0] == canonical(stored.facts)
    return {act.kind for act in acts}
