"""``posturas db``: what it prints, and how every bad address ends in a typed error."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from procedure.cli.main import main
from procedure.store.engine import open_engine, session_scope
from procedure.store.errors import DatabaseBusy, DatabaseReadOnly
from procedure.store.grants import PRIVILEGES
from procedure.store.repository import SqlRepository
from procedure.store.schema import HEAD
from tests.integration.store.samples import IBGE, new_case, opened

BAD = {
    "no url at all": ("nada", "url_do_banco_invalida"),
    "another database": ("mysql://root@localhost/x", "banco_nao_suportado"),
    "an unknown driver": ("postgresql+nothing://localhost/x", "url_do_banco_invalida"),
    "a port that is no number": ("postgresql://localhost:port/x", "url_do_banco_invalida"),
    "nobody listening": ("postgresql://u:segredo@127.0.0.1:1/x", "banco_inacessivel"),
    "a folder that is not there": ("sqlite:////nao/existe/x.db", "banco_inacessivel"),
    "a folder": ("sqlite:////", "banco_inacessivel"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_address_is_a_typed_error(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    url, code = BAD[what]
    assert main(["db", "upgrade", "--json", "--db", url]) == 2
    printed = capsys.readouterr().out
    assert json.loads(printed)["error"]["code"] == code
    assert json.loads(printed)["error"]["remedy"]
    assert "segredo" not in printed


def test_a_file_that_is_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "carta.db").write_text("Prezado Secretário,\n" * 200, encoding="utf-8")
    for action in ("upgrade", "check"):
        assert main(["db", action, "--json", "--db", f"sqlite:///{tmp_path}/carta.db"]) == 2
        assert json.loads(capsys.readouterr().out)["error"]["code"] == "banco_inacessivel"


def test_without_the_driver(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert main(["db", "check", "--json", "--db", "postgresql://localhost/x"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "driver_ausente"
    assert "posturas[postgres]" in error["remedy"]


def test_upgrade_and_check(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", "upgrade", "--db", database_url]) == 0
    assert "Tabelas criadas" in capsys.readouterr().out
    assert main(["db", "upgrade", "--json", "--db", database_url]) == 0
    assert json.loads(capsys.readouterr().out) == {"before": HEAD, "after": HEAD, "changed": False}
    assert main(["db", "check", "--db", database_url]) == 0
    assert "em ordem" in capsys.readouterr().out


def test_check_on_an_empty_database_says_what_to_run(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    open_engine(database_url, create=True).dispose()
    assert main(["db", "check", "--db", database_url]) == 1
    assert "Rode posturas db upgrade" in capsys.readouterr().out


DISARM = {
    "sqlite": ["DROP TRIGGER posturas_acts_no_delete"],
    "postgresql": ["ALTER TABLE posturas_acts DISABLE TRIGGER posturas_acts_no_truncate"],
}


def test_check_finds_what_was_tampered_with(upgraded_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(upgraded_url) as engine:
        with session_scope(engine) as session:
            SqlRepository(session).save([new_case("1/2013"), new_case("2/2013")])
        with engine.begin() as connection:
            for statement in DISARM[engine.dialect.name]:
                connection.execute(text(statement))
            connection.execute(text("UPDATE posturas_deadlines SET expires_epoch = 0 WHERE auto = '1/2013'"))
            connection.execute(text("UPDATE posturas_deadlines SET expires_at = '' WHERE auto = '2/2013'"))
            connection.execute(text("DELETE FROM posturas_settings"))
    assert main(["db", "check", "--json", "--db", upgraded_url]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [problem["check"] for problem in answer["problems"]] == [
        "gatilhos", "prazos", "prazos", "chave_das_pessoas",
    ]  # fmt: skip
    assert "1/2013" in answer["problems"][1]["message"]
    assert "não tem data de vencimento" in answer["problems"][2]["message"]


def test_check_finds_rows_without_their_case(upgraded_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(upgraded_url) as engine:
        with session_scope(engine) as session:
            SqlRepository(session).save([new_case("1/2013")])
        connection = engine.connect()
        if engine.dialect.name == "sqlite":
            connection.connection.cursor().execute("PRAGMA foreign_keys = OFF")  # before the transaction begins
        else:
            connection.execute(text("SET session_replication_role = replica"))
        connection.execute(text("DELETE FROM posturas_cases"))
        connection.commit()
        connection.close()
    assert main(["db", "check", "--db", upgraded_url]) == 1
    assert "posturas_acts tem linhas de autos que não existem" in capsys.readouterr().out


def test_the_second_sqlite_writer_says_that_the_database_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    assert main(["db", "upgrade", "--db", url]) == 0
    with opened(url) as one, session_scope(one) as writing:
        writing.connection()
        monkeypatch.setattr("procedure.store.sqlite.BUSY_TIMEOUT_MS", 50)
        with opened(url) as other:
            with pytest.raises(DatabaseBusy), session_scope(other) as second:
                second.connection()
            with session_scope(other, read_only=True) as reading:
                assert SqlRepository(reading).municipalities() == []


def test_a_database_that_takes_no_writing_says_so_and_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["db", "upgrade", "--db", f"sqlite:///{tmp_path}/x.db"]) == 0
    url = f"sqlite:///file:{tmp_path}/x.db?mode=ro&uri=true"
    with opened(url) as engine, pytest.raises(DatabaseReadOnly) as caught, session_scope(engine) as session:
        session.execute(text("DELETE FROM posturas_cases"))
    assert "permissões" in str(caught.value)
    capsys.readouterr()
    assert main(["auto", "list", "--json", "--db", url]) == 0


def test_a_role_with_no_right_to_write_says_so(upgraded_url: str) -> None:
    with opened(upgraded_url) as engine:
        if engine.dialect.name == "sqlite":
            pytest.skip("SQLite has no read-only transaction")
    url = f"{upgraded_url}&options=-cdefault_transaction_read_only%3Don"
    with opened(url) as reader, pytest.raises(DatabaseReadOnly), session_scope(reader) as session:
        session.execute(text("DELETE FROM posturas_cases"))


def test_grants_need_a_role_and_refuse_what_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", "grants", "--json"]) == 2
    assert main(["db", "grants", "--json", "--role", 'erp"; DROP TABLE x; --']) == 2
    assert "papel_invalido" in capsys.readouterr().out


def test_the_granted_role_works_and_cannot_rewrite(upgraded_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", "grants", "--role", "posturas app", "--json"]) == 0
    statements = json.loads(capsys.readouterr().out)["statements"]
    assert len(statements) == len(PRIVILEGES)
    if upgraded_url.startswith("sqlite"):
        return  # no roles there
    with opened(upgraded_url) as engine:
        with engine.begin() as connection:
            connection.execute(text('CREATE ROLE "posturas app"'))
            for statement in statements:
                connection.execute(text(statement))
        try:
            with session_scope(engine) as session:
                session.execute(text('SET LOCAL ROLE "posturas app"'))
                repository = SqlRepository(session)
                repository.save([case := new_case()])
                repository.put_person(IBGE, {"name": "X", "doc": None, "kind": "pf"})
                assert repository.take_numbers(IBGE, 2013, 1) == 1
                assert repository.claim_due(IBGE, 2**40, "", 9) == [case.auto]
            for forbidden in ("UPDATE posturas_acts SET actor = 'x'", "DELETE FROM posturas_cases"):
                with engine.connect() as connection:
                    connection.execute(text('SET LOCAL ROLE "posturas app"'))
                    with pytest.raises(DBAPIError, match="permission denied"):
                        connection.execute(text(forbidden))
        finally:
            with engine.begin() as connection:
                connection.execute(text('DROP OWNED BY "posturas app"; DROP ROLE "posturas app"'))
