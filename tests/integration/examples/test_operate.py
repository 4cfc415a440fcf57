"""The SQL of examples/operate on a real server: who may do what, what alerts, and a copy restored on another server."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

from procedure import poll_events, record_acts, supply_unit_value
from procedure.cli.main import main
from procedure.testing import acts_of
from tests import postgres
from tests.integration.store.samples import opened
from tests.structure.sources import ROOT
from tests.waiting import settled

FOLDER = ROOT / "examples" / "operate"
IBGE, LAW = "3204708", "es-3204708/lei-1522-2005"
NOW = datetime(2013, 3, 9, 12, tzinfo=UTC)
ROLES = ("posturas_owner", "posturas_app", "posturas_reader")


def plain(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def script(url: str, name: str) -> None:
    """Run a file of examples/operate as psql would, each statement committed."""
    with psycopg.connect(plain(url), autocommit=True) as connection:
        connection.execute((FOLDER / name).read_text(encoding="utf-8"))  # type: ignore[call-overload]  # our own file


def as_role(url: str, role: str) -> str:
    return f"{url}&options=-crole%3D{role}"


def drawn(auto: str) -> list[dict[str, object]]:
    """15 days from Friday 08/03/2013 end on Monday 25/03."""
    return acts_of(IBGE, auto).lavratura("2013-03-01", article="64-I").ciencia("2013-03-08").acts


def record(url: str, auto: str) -> None:
    with opened(url) as engine, Session(engine) as session, session.begin():
        record_acts(session, drawn(auto), recorded_at=NOW)


def head(url: str, capsys: pytest.CaptureFixture[str], *, code: int = 0) -> str:
    """The head that `posturas verify --head` prints, which the night keeps on another machine."""
    capsys.readouterr()
    assert main(["verify", "--head", "--json", "--db", url]) == code
    found = json.loads(capsys.readouterr().out)
    (place,) = found["municipalities"]
    return str(place["head"])


@pytest.fixture
def divided(pg_create: Callable[..., str], pg_url: str) -> Iterator[str]:
    """A database whose roles are those of roles.sql, upgraded by the owner."""
    url = pg_create()
    script(url, "roles.sql")
    try:
        assert main(["db", "upgrade", "--db", as_role(url, "posturas_owner")]) == 0
        yield url
    finally:
        with psycopg.connect(plain(url), autocommit=True) as connection:
            for role in ROLES:
                connection.execute(f"DROP OWNED BY {role} CASCADE; DROP ROLE {role}".encode())


def grant(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["db", "grants", "--role", "posturas_app"]) == 0
    with psycopg.connect(f"{plain(as_role(url, 'posturas_owner'))}", autocommit=True) as connection:
        connection.execute(capsys.readouterr().out.encode())
        connection.execute((FOLDER / "reader.sql").read_bytes())


@pytest.mark.xdist_group("roles")  # roles are the whole server's
def test_the_application_does_its_whole_job_and_can_change_no_act(
    divided: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    url = as_role(divided, "posturas_app")
    refused = main(["sweep", "--as-of", "2013-03-26", "--municipality", IBGE, "--json", "--db", url])
    assert refused == 2, "before the grants it may do nothing"
    grant(divided, capsys)
    value = ["--law", LAW, "--unit", "VRSGP", "--from", "2012-09-18", "--value", "30.00", "--act", "Decreto"]
    assert main(["rulebook", "unit", "set", *value, "--db", url]) == 0
    lines = tmp_path / "atos.jsonl"
    lines.write_text("\n".join(json.dumps(act) for act in [*drawn("1/2013"), *drawn("2/2013")]), encoding="utf-8")
    assert main(["import", str(lines), "--db", url]) == 0
    record(url, "3/2013")
    assert main(["sweep", "--as-of", "2013-03-26", "--workers", "2", "--db", url]) == 0
    assert main(["verify", "--deep", "--db", url]) == 0
    assert main(["db", "check", "--db", url]) == 0
    with opened(url) as engine:
        with Session(settled(engine)) as session:
            assert len(poll_events(session, IBGE).events) == 9
        for statement in (
            "UPDATE posturas_acts SET actor = 'x'",
            "DELETE FROM posturas_acts",
            "TRUNCATE posturas_acts CASCADE",
            "ALTER TABLE posturas_acts DISABLE TRIGGER ALL",
            "DROP TABLE posturas_acts CASCADE",
            "CREATE TABLE beside (x int)",
            "DELETE FROM posturas_cases",
            "UPDATE posturas_rulebooks SET content = ''",
            "UPDATE posturas_settings SET value = ''",
        ):
            with pytest.raises(sa.exc.ProgrammingError, match="InsufficientPrivilege"), engine.begin() as connection:
                connection.execute(sa.text(statement))


def alerts() -> dict[str, str]:
    text = (FOLDER / "alerts.sql").read_text(encoding="utf-8")
    parts = re.split(r"^-- name: (\w+)$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def alerted(url: str, at: str) -> dict[str, list[tuple[object, ...]]]:
    """What each query gives the monitoring role at an instant; only those that give something."""
    with psycopg.connect(plain(url)) as connection:
        told = {
            name: connection.execute(query.replace("now()", f"timestamptz '{at}'").encode()).fetchall()
            for name, query in alerts().items()
        }
    return {name: rows for name, rows in told.items() if rows}


@pytest.mark.xdist_group("roles")
def test_the_alerts_are_silent_until_there_is_something_to_say(
    divided: str, capsys: pytest.CaptureFixture[str]
) -> None:
    grant(divided, capsys)
    app, reader = as_role(divided, "posturas_app"), as_role(divided, "posturas_reader")
    record(app, "1/2013")
    assert set(alerts()) == {"overdue", "no_sweep", "failed", "stuck", "outbox"}
    assert alerted(reader, "2013-03-26 12:00-03") == {}, "the term ended less than 36 hours ago"
    assert alerted(reader, "2013-03-28 12:00-03") == {"overdue": [(IBGE, 1, date(2013, 3, 25))]}
    assert main(["sweep", "--as-of", "2013-03-26", "--db", app]) == 0
    swept = datetime.now(UTC)
    assert alerted(reader, f"{swept:%F %T}+00") == {}
    late = alerted(reader, f"{swept.year + 1}-01-01 00:00+00")
    assert [row[0] for row in late["no_sweep"]] == [IBGE]
    with opened(divided) as engine, engine.begin() as connection:
        connection.execute(sa.text("UPDATE posturas_sweep_runs SET status = 'em_andamento', finished_at = NULL"))
        connection.execute(
            sa.text("INSERT INTO posturas_sweep_failures VALUES (:ibge, 1, '1/2013', 'falta_valor', 'sem valor')"),
            {"ibge": IBGE},
        )
    told = alerted(reader, f"{swept.year + 1}-01-01 00:00+00")
    assert set(told) == {"no_sweep", "stuck", "failed"}
    assert told["failed"] == [(IBGE, "1/2013", "falta_valor", "sem valor")]
    for table in ("posturas_persons", "posturas_acts", "posturas_cases"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), psycopg.connect(plain(reader)) as connection:
            connection.execute(f"SELECT * FROM {table}".encode())


def copied(database: Path, copy: Path) -> None:
    """What `sqlite3 posturas.db "VACUUM INTO 'copy.db'"` does, while others write."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))


def test_a_restored_sqlite_copy_verifies_and_an_older_one_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path}/posturas.db"
    assert main(["db", "upgrade", "--db", url]) == 0
    record(url, "1/2013")
    copied(tmp_path / "posturas.db", tmp_path / "ontem.db")
    record(url, "2/2013")
    copied(tmp_path / "posturas.db", tmp_path / "hoje.db")
    kept = head(url, capsys)
    for name in ("hoje", "ontem"):
        copy = f"sqlite:///{tmp_path}/{name}.db"
        assert (head(copy, capsys) == kept) is (name == "hoje")
        assert main(["db", "check", "--db", copy]) == 0
    assert main(["sweep", "--as-of", "2013-03-26", "--db", f"sqlite:///{tmp_path}/hoje.db"]) == 0


def pg(program: str, *arguments: str) -> None:
    command = [str(postgres._installed_programs() / program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": os.defpath})
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif("POSTURAS_TEST_DB" in os.environ, reason="pg_dump must be of the server's version")
def test_a_dump_restored_on_another_server_goes_on(
    pg_create: Callable[..., str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The other server counts its transactions from the start, so the positions of events must begin again."""
    url = pg_create()
    assert main(["db", "upgrade", "--db", url]) == 0
    with psycopg.connect(plain(url), autocommit=True) as connection:
        connection.execute("DO $$ BEGIN FOR i IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$")
    record(url, "1/2013")
    assert main(["sweep", "--as-of", "2013-03-26", "--db", url]) == 0
    with opened(url) as engine, Session(settled(engine)) as session:
        read = poll_events(session, IBGE)
    kept = head(url, capsys)
    pg("pg_dump", "--format=custom", f"--file={tmp_path}/copia", plain(url))
    with postgres.server(postgres.SETTINGS, in_memory=True) as home:
        restored = postgres.url_of(home)
        pg("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={plain(restored)}", f"{tmp_path}/copia")
        assert head(restored, capsys) == kept
        assert main(["db", "check", "--db", restored]) == 1, "the positions are another server's"
        assert "eventos" in capsys.readouterr().out
        with opened(restored) as engine, Session(engine) as session:
            assert poll_events(session, IBGE).events == (), "none of them would be handed out"
        script(restored, "after-restore.sql")
        assert main(["db", "check", "--db", restored]) == 0
        record(restored, "2/2013")
        assert main(["sweep", "--as-of", "2013-03-26", "--db", restored]) == 0
        with opened(restored) as engine, Session(settled(engine)) as session:
            again = poll_events(session, IBGE)
            head_of_run = session.scalar(sa.text("SELECT head FROM posturas_sweep_runs ORDER BY run_id DESC LIMIT 1"))
        assert again.events[: len(read.events)] == read.events
        assert [(e.auto, e.act) for e in again.events[len(read.events) :]] == [
            ("2/2013", "lavratura"), ("2/2013", "ciencia"), ("2/2013", "decurso_defesa"),
        ]  # fmt: skip
        assert head_of_run == head(restored, capsys) != kept


def test_two_municipalities_in_a_schema_each(pg_create: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    url = pg_create()
    with psycopg.connect(plain(url), autocommit=True) as connection:
        connection.execute("CREATE SCHEMA m3204708; CREATE SCHEMA m3129509")
    one, two = (f"{url}&options=-csearch_path%3Dm{code}" for code in ("3204708", "3129509"))
    for each in (one, two):
        assert main(["db", "upgrade", "--db", each]) == 0
    record(one, "1/2013")
    with opened(one) as engine, Session(engine) as session, session.begin():
        value = {"start": date(2012, 9, 18), "value": Decimal("30.00"), "act": "Decreto", "recorded_at": NOW}
        supply_unit_value(session, LAW, "VRSGP", **value)
    assert main(["sweep", "--as-of", "2013-03-26", "--db", one]) == 0
    assert main(["verify", "--db", one]) == 0
    assert main(["db", "check", "--db", two]) == 0
    with psycopg.connect(plain(url)) as connection:
        counts = connection.execute(
            "SELECT (SELECT count(*) FROM m3204708.posturas_cases), (SELECT count(*) FROM m3129509.posturas_cases)"
        ).fetchone()
        keys = connection.execute(
            "SELECT count(DISTINCT value) FROM (SELECT value FROM m3204708.posturas_settings UNION ALL "
            "SELECT value FROM m3129509.posturas_settings) both_of"
        ).fetchone()
        in_public = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert counts == (1, 0)
    assert (keys, in_public) == ((2,), (0,)), "each has its own key of persons, and nothing is shared"


def test_what_the_night_prints_names_nobody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Results, messages and progress, also of what is refused: an auto and a reason, never a person."""
    person = {"name": "Ana Sigilosa", "doc": "529.982.247-25", "kind": "pf", "address": {"street": "Rua Secreta"}}
    good = acts_of(IBGE, "1/2013").lavratura("2013-03-01", article="64-I", infrator=person).ciencia("2013-03-08").acts
    wrong = {**person, "doc": "529.982.247-26"}
    bad = acts_of(IBGE, "2/2013").lavratura("2013-03-01", article="64-I", infrator=wrong).acts
    early = acts_of(IBGE, "1/2013").julgamento("2013-03-11", articles_infringed=["64-I"]).acts
    lines = tmp_path / "atos.jsonl"
    lines.write_text("\n".join(json.dumps(act) for act in [*good, *bad, *early]), encoding="utf-8")
    url = f"sqlite:///{tmp_path}/posturas.db"
    assert main(["db", "upgrade", "--db", url]) == 0
    assert main(["import", str(lines), "--db", url]) == 1
    with opened(url) as engine, engine.begin() as connection:
        connection.execute(sa.text("UPDATE posturas_cases SET facts = '{\"infrator\": {\"name\": \"Ana Sigilosa\"'"))
    night = (["sweep", "--as-of", "2013-03-26"], ["verify", "--deep"], ["verify", "--head"], ["db", "check"])
    codes = [main([*words, *form, "--db", url]) for words in night for form in ([], ["--json"])]
    assert codes == [1, 1, 1, 1, 1, 1, 0, 0]
    printed = "".join(capfd.readouterr())
    assert "1/2013" in printed
    assert [said for said in ("Sigilosa", "529.982", "52998224", "Secreta") if said in printed] == []
