"""A host asks what an act would undo before it records it, and who forgave what (in its own session)."""

from __future__ import annotations

from datetime import UTC, datetime

from procedure.store import host
from procedure.store.engine import open_engine, session_scope
from tests.integration.cli.scenes import IBGE, inscribed_case, supply_unit

NOW = datetime(2015, 1, 2, 12, tzinfo=UTC)
PAID = {
    "municipality": IBGE, "auto": "1/2013", "act": "pagamento", "date": "2013-04-26", "actor": "Banco",
    "role": "tesouraria", "amount": "330.00",
}  # fmt: skip


def test_a_host_rehearses_an_act_and_nothing_is_left(upgraded_url: str) -> None:
    supply_unit(upgraded_url)
    inscribed_case(upgraded_url)
    engine = open_engine(upgraded_url)
    with session_scope(engine) as session:
        host.sweep_cases(session, IBGE, as_of=datetime(2013, 5, 2, tzinfo=UTC), recorded_at=NOW)
        before = host.show_case(session, IBGE, "1/2013")
        reach = host.rehearse_act(session, PAID, recorded_at=NOW).reach
        assert reach is not None
        assert reach["state"] == {"from": "inscrito", "to": "pago"}
        assert host.show_case(session, IBGE, "1/2013") == before
        assert host.audit_acts(session, IBGE)["acts"] == []
    engine.dispose()
