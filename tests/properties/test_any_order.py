"""Whatever the order in which acts are typed and whenever the sweep runs, the case ends as it would in legal order."""

from __future__ import annotations

from dataclasses import fields
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from procedure.domain.case import Case, Deadline
from procedure.domain.fold import fold
from procedure.services.recomputing import Recomputer
from procedure.testing import MemoryOffice
from tests.properties.histories import AUTO, LAWS, Law, outcome, record_in_any_order, walk

THE_END = date(2018, 1, 2)


def require_replays(office: MemoryOffice) -> None:
    """What ``verify --deep`` does: the acts, replayed and each recomputed, give the case as it is kept."""
    kept, acts = office.case(AUTO), office.acts(AUTO)
    deeper = Recomputer(office.repository, office.municipality)
    made = Case(kept.municipality, AUTO, law=kept.law, timezone=kept.timezone, rulebook_version=kept.rulebook_version)
    for act in acts:
        assert act.payload["from"] == (made.state.value if made.state else None)
        assert list(deeper.check(made, act)) == []
        fold(made, act)
    assert (made.state, made.facts, made.last_at) == (kept.state, kept.facts, kept.last_at)
    for name in ("arbitrada", "acrescimo", "diaria", "custos", "pago", "fact_date", "person_id"):
        assert getattr(made, name) == getattr(kept, name)
    names = [f.name for f in fields(Deadline) if f.name not in ("dirty", "stored")]
    assert [[getattr(d, n) for n in names] for d in made.deadlines] == [
        [getattr(d, n) for n in names] for d in kept.deadlines
    ]


@pytest.mark.parametrize("law", LAWS, ids=["sao_gabriel", "ibia", "estabelecimento", "distribuidora"])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
@given(data=st.data())
def test_any_order_of_recording_ends_the_same(law: Law, data: st.DataObject) -> None:
    def draw(most: int) -> int:
        return data.draw(st.integers(0, max(0, most)))

    straight, told = walk(law, draw, 14)
    straight.sweep(THE_END)
    office = record_in_any_order(law, told, draw)
    office.sweep(THE_END)
    assert outcome(office) == outcome(straight), [(a["act"], a["date"]) for a in told]
    require_replays(office)
