"""The script for a cluster, run on a plain server with stand-ins for the two functions that Citus adds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import create_engine, inspect, text

from legalbasis import InputError
from procedure.cli.main import main
from procedure.store.citus import REFERENCE, distributed, statements
from procedure.store.tables import metadata

STAND_INS = """
CREATE TABLE placed (name text, key text, beside text, at serial);
CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE sql AS
    $$ INSERT INTO placed VALUES (name, NULL, NULL) $$;
CREATE FUNCTION create_distributed_table(name text, key text, colocate_with text DEFAULT NULL) RETURNS void LANGUAGE sql
    AS $$ INSERT INTO placed VALUES (name, key, colocate_with) $$;
CREATE ROLE "erp de teste";
"""


def test_the_script_runs_and_leaves_keys_and_privileges_and_no_trigger(pg_create: Callable[..., str]) -> None:
    url = pg_create()
    assert main(["db", "upgrade", "--db", url]) == 0
    engine = create_engine(url)
    try:
        before = {name: inspect(engine).get_foreign_keys(name) for name in metadata.tables}
        with engine.begin() as connection:
            connection.exec_driver_sql(STAND_INS)
        script = "\n".join(statements("erp de teste")).removeprefix("BEGIN;").removesuffix("COMMIT;")
        with engine.begin() as connection:
            connection.exec_driver_sql(script)
        with engine.connect() as connection:
            triggers = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
            assert connection.scalar(text(triggers)) == 0
            placed = connection.execute(text("SELECT name, key, beside FROM placed ORDER BY at")).all()
            allowed = "SELECT has_table_privilege('erp de teste', 'posturas_acts', :what)"
            can = {what: connection.scalar(text(allowed), {"what": what}) for what in ("INSERT", "UPDATE", "TRUNCATE")}
        assert can == {"INSERT": True, "UPDATE": False, "TRUNCATE": False}
        assert {name: inspect(engine).get_foreign_keys(name) for name in metadata.tables} == before
        by_municipality = [(name, beside) for name, key, beside in placed if key == "municipality"]
        assert by_municipality[0] == ("posturas_cases", None)
        assert {beside for _, beside in by_municipality[1:]} == {"posturas_cases"}
        assert {name for name, _, _ in placed} == {*metadata.tables, "posturas_alembic_version"}
    finally:
        with engine.begin() as connection:
            connection.exec_driver_sql('DROP OWNED BY "erp de teste"; DROP ROLE "erp de teste"')
        engine.dispose()


def test_every_table_is_distributed_or_on_every_node() -> None:
    assert set(distributed()) | set(REFERENCE) == {*metadata.tables, "posturas_alembic_version"}
    assert set(distributed()) & set(REFERENCE) == set()


def test_a_bad_role_is_refused_before_anything_is_printed() -> None:
    with pytest.raises(InputError, match="nome de papel"):
        next(statements('x"; DROP TABLE posturas_acts; --'))


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", "citus-sql"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == list(statements())
    assert "--role" in printed.err, "without triggers the privileges alone protect the acts"
    assert "GRANT" not in printed.out
