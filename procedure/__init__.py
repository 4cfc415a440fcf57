"""A municipality's administrative penalty cases, from the auto de infração to the dívida ativa, run as its law says.

    from procedure import record_act, sweep_cases

    record_act(session, {"municipality": "3204708", "auto": "1/2013", "act": "lavratura", …}, recorded_at=now)

A host gives its own SQLAlchemy ``Session``; acts commit with the host's rows or roll back with them. Names load on
first use: ``import procedure`` brings no SQLAlchemy. Beside them ``procedure.hooks`` is for what must happen in the
transaction of an act, ``procedure.testing`` for hosts' own tests, ``procedure.papers`` for printing, and
``procedure.corrections`` for when the days of the office or the text of a law change.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from legalbasis import ErrorGroup as ErrorGroup
    from legalbasis import PosturasError as PosturasError
    from procedure.domain.rulebooks import add_rulebooks as add_rulebooks
    from procedure.services.counting import count_deadline as count_deadline
    from procedure.services.fining import Fine as Fine
    from procedure.services.fining import Question as FineQuestion
    from procedure.services.fining import assess_fine as assess_fine
    from procedure.services.ports import Repository as Repository
    from procedure.services.record import Recorded as Recorded
    from procedure.store.events import poll as poll_events
    from procedure.store.host import Swept as Swept
    from procedure.store.host import record_act as record_act
    from procedure.store.host import record_acts as record_acts
    from procedure.store.host import show_case as show_case
    from procedure.store.host import supply_law_end as supply_law_end
    from procedure.store.host import supply_law_start as supply_law_start
    from procedure.store.host import supply_option as supply_option
    from procedure.store.host import supply_unit_value as supply_unit_value
    from procedure.store.host import sweep_cases as sweep_cases
    from procedure.store.host import upgrade_schema as upgrade_schema

_PLACES = {
    "ErrorGroup": "legalbasis",
    "Fine": "procedure.services.fining",
    "FineQuestion": "procedure.services.fining:Question",
    "PosturasError": "legalbasis",
    "Recorded": "procedure.services.record",
    "Repository": "procedure.services.ports",
    "Swept": "procedure.store.host",
    "add_rulebooks": "procedure.domain.rulebooks",
    "assess_fine": "procedure.services.fining",
    "count_deadline": "procedure.services.counting",
    "poll_events": "procedure.store.events:poll",
    "record_act": "procedure.store.host",
    "record_acts": "procedure.store.host",
    "show_case": "procedure.store.host",
    "supply_law_end": "procedure.store.host",
    "supply_law_start": "procedure.store.host",
    "supply_option": "procedure.store.host",
    "supply_unit_value": "procedure.store.host",
    "sweep_cases": "procedure.store.host",
    "upgrade_schema": "procedure.store.host",
}
__all__ = [
    "ErrorGroup",
    "Fine",
    "FineQuestion",
    "PosturasError",
    "Recorded",
    "Repository",
    "Swept",
    "add_rulebooks",
    "assess_fine",
    "count_deadline",
    "poll_events",
    "record_act",
    "record_acts",
    "show_case",
    "supply_law_end",
    "supply_law_start",
    "supply_option",
    "supply_unit_value",
    "sweep_cases",
    "upgrade_schema",
]


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, other = place.partition(":")
    value = getattr(importlib.import_module(module), other or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
