"""The upgrade of what a former release left behind: cases open then are carried on by the program of today."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from procedure import poll_events, record_act, show_case
from procedure.cli.main import main
from procedure.store.engine import open_engine
from procedure.store.schema import HEAD
from procedure.testing import acts_of
from tests.migrations.frozen import FOLDER, IBGE, thaw
from tests.waiting import settled

REVISIONS = sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))
BEFORE = {
    "N-1": "notificado", "1/2013": "aguardando_defesa", "2/2013": "aguardando_recurso",
    "3/2013": "aguardando_pagamento", "4/2013": "inscrito",
}  # fmt: skip
# By 10/05: 10 days from Monday 22/04 end on 02/05 (01/05 is a holiday); 15 from Friday 19/04 on Monday 06/05; 15 from
# Tuesday 16/04 on 02/05; 48 hours from Wednesday 24/04 on Friday 26/04, and the next office day inscribes.
AFTER = {
    "N-1": "notificacao_vencida", "1/2013": "em_julgamento", "2/2013": "definitivo",
    "3/2013": "inscrito", "4/2013": "inscrito",
}  # fmt: skip


@pytest.fixture(params=REVISIONS)
def former(request: pytest.FixtureRequest, database_url: str) -> Iterator[tuple[str, str, Engine]]:
    """A database as the release of a revision left it: its URL, the revision, an engine."""
    engine = open_engine(database_url, create=True)
    try:
        with engine.begin() as connection:
            thaw(connection, request.param)
        yield database_url, request.param, engine
    finally:
        engine.dispose()


def states(engine: Engine) -> dict[str, str]:
    with Session(engine) as session:
        return {auto: show_case(session, IBGE, auto)["state"] for auto in BEFORE}


def test_the_first_release_is_frozen() -> None:
    assert REVISIONS[0] == "0001"
    assert REVISIONS[-1] <= HEAD


def test_open_cases_go_on_after_the_upgrade(
    former: tuple[str, str, Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    url, revision, engine = former
    assert main(["db", "upgrade", "--json", "--db", url]) == 0
    assert json.loads(capsys.readouterr().out) == {"before": revision, "after": HEAD, "changed": revision != HEAD}
    assert main(["db", "check", "--db", url]) == 0
    assert states(engine) == BEFORE
    assert main(["sweep", "--as-of", "2013-05-10", "--db", url]) == 0
    assert states(engine) == AFTER
    with Session(engine) as session:
        found = {auto: show_case(session, IBGE, auto)["inscricao"] for auto in ("3/2013", "4/2013")}
    assert [(item["number"], item["date"], item["amount"]) for item in found.values()] == [
        ("2/2013", "2013-04-29", "363.00"), ("1/2013", "2013-04-05", "363.00"),
    ]  # fmt: skip
    assert main(["verify", "--deep", "--db", url]) == 0, capsys.readouterr().out


def test_the_register_and_the_outbox_go_on_too(former: tuple[str, str, Engine]) -> None:
    url, _, engine = former
    assert main(["db", "upgrade", "--db", url]) == 0
    with Session(settled(engine)) as session:
        read = poll_events(session, IBGE)
    (again,) = acts_of(IBGE, "9/2013").lavratura("2013-04-25", article="64-I", fact="2013-04-24T22:00").acts
    with Session(engine) as session, session.begin():
        record_act(session, again, recorded_at=datetime.fromisoformat("2013-05-03T12:00:00-03:00"))
    with Session(settled(engine)) as session:
        fresh = poll_events(session, IBGE, read.position).events
        persons = session.scalar(text("SELECT count(DISTINCT id) FROM posturas_persons WHERE doc = '11222333000181'"))
    assert [(event.auto, event.act) for event in fresh] == [("9/2013", "lavratura")]
    assert persons == 1, "the key under which persons are known came along"
