"""Every key, foreign key and statement carries the municipality, so that the tables can be distributed by it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, PrimaryKeyConstraint, UniqueConstraint, create_engine, event, text

from procedure.cli.demo_play import supply
from procedure.cli.demo_sample import load_samples
from procedure.cli.main import main
from procedure.store.citus import distributed
from procedure.store.tables import metadata
from tests.integration.store.samples import opened

TABLE = re.compile(r"\b(?:FROM|JOIN|UPDATE|INTO|USING|,)\s+(posturas_\w+)(?:\s+(?:AS\s+)?(?!SET\b|WHERE\b|ON\b|JOIN\b|LEFT\b|CROSS\b|FOR\b|ORDER\b|GROUP\b|LIMIT\b|SELECT\b|VALUES\b|USING\b)(\w+))?", re.I)  # noqa: E501  # one pattern
WHOLE_DATABASE = {  # statements about all municipalities at once, by the question that they answer
    "which municipalities there are": "SELECT posturas_cases.municipality FROM posturas_cases",
    "db check: open deadlines": "WHERE posturas_deadlines.status =",
    "db check: rows without a case": "WHERE posturas_cases.auto IS NULL",
    "db check: events of another server": "FROM posturas_outbox WHERE xid >= pg_snapshot_xmax(",
}


@pytest.mark.parametrize("name", distributed())
def test_keys_begin_with_the_municipality(name: str) -> None:
    table = metadata.tables[name]
    keys = [c for c in table.constraints if isinstance(c, PrimaryKeyConstraint | UniqueConstraint)]
    found = [list(key.columns.keys()) for key in keys] + [list(i.columns.keys()) for i in table.indexes]
    assert found
    assert [columns for columns in found if columns[0] != "municipality"] == []
    for key in table.foreign_key_constraints:
        pairs = [(element.parent.name, element.column.name) for element in key.elements]
        assert ("municipality", "municipality") in pairs, key.name
        assert key.referred_table.name in distributed(), key.name


def test_so_do_those_of_the_database_itself(pg_create: Callable[..., str]) -> None:
    url = pg_create()
    assert main(["db", "upgrade", "--db", url]) == 0
    query = text(
        "SELECT c.conname, array_agg(a.attname::text ORDER BY k.n) FROM pg_constraint c "
        "CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY k(attnum, n) "
        "JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum "
        "WHERE c.contype IN ('p', 'u', 'f') AND c.conrelid::regclass::text = ANY(:names) GROUP BY c.conname"
    )
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            keys = {row.conname: row[1] for row in connection.execute(query, {"names": distributed()})}
    finally:
        engine.dispose()
    assert len(keys) > len(distributed())
    assert {name: columns for name, columns in keys.items() if columns[0] != "municipality"} == {}


@pytest.fixture
def statements(upgraded_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Every statement that the commands send, over the sample of one law."""
    seen: set[str] = set()

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        seen.add(" ".join(statement.split()))

    sample = load_samples()[0]
    acts = tmp_path / "acts.jsonl"
    lines = Path("procedure/sample", sample.acts_file).read_text(encoding="utf-8").splitlines(keepends=True)
    acts.write_text("".join(lines[:300]), encoding="utf-8")
    event.listen(Engine, "before_cursor_execute", note)
    try:
        with opened(upgraded_url) as engine:
            supply(engine, sample)
        auto = sample.acts[0]["auto"]
        for command in (
            ["import", str(acts)],
            ["sweep", "--as-of", "2014-07-01"],
            ["sweep", "--as-of", "2014-07-02", "--dry-run"],
            ["verify"],
            ["auto", "show", auto],
            ["auto", "list"],
            ["divida-ativa", "list"],
            ["db", "check"],
        ):
            assert main([*command, "--db", upgraded_url]) in (0, 1), command
            capsys.readouterr()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return seen


def without_municipality(statement: str) -> list[str]:
    """The distributed tables, by alias, that a statement reads or writes with no condition on their municipality."""
    plain = re.sub(r"INSERT INTO \w+ \([^)]*\bmunicipality\b[^)]*\)", "", statement.replace('"', ""))
    found = {alias or name for name, alias in TABLE.findall(plain) if name in distributed()}
    loose = []
    for name in sorted(found):
        alone = len(found) == 1 and re.search(r"\bmunicipality\b\s*(=|IN|IS)", plain)
        if not alone and not re.search(rf"\b{name}\.municipality *(=|IN)|= *{name}\.municipality", plain):
            loose.append(name)
    return loose


def test_every_statement_names_the_municipality_of_every_table(statements: set[str]) -> None:
    about_one = {s for s in statements if not any(part in s for part in WHOLE_DATABASE.values())}
    read = [s for s in about_one if TABLE.search(s)]
    assert len(read) > 30
    assert {s: loose for s in read if (loose := without_municipality(s))} == {}


def test_a_join_without_it_is_seen() -> None:
    joined = "SELECT 1 FROM posturas_cases c JOIN posturas_acts a ON a.auto = c.auto"
    assert without_municipality(joined + " WHERE c.municipality = %s") == ["a"]
    assert without_municipality(joined + " AND a.municipality = c.municipality") == []
    assert without_municipality('INSERT INTO posturas_acts ("municipality", "seq") SELECT * FROM unnest(%s)') == []
    assert without_municipality("INSERT INTO posturas_acts (auto) VALUES (?)") == ["posturas_acts"]
    assert without_municipality("DELETE FROM posturas_outbox WHERE id < ?") == ["posturas_outbox"]
