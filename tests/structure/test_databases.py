"""The databases that the other tests take from `database_url`."""

from __future__ import annotations

import pytest
import sqlalchemy as sa


@pytest.mark.parametrize("turn", [1, 2])
def test_a_database_is_fresh_and_holds_what_is_written(database_url: str, dialect: str, turn: int) -> None:
    engine = sa.create_engine(database_url)
    try:
        assert engine.dialect.name == dialect
        assert sa.inspect(engine).get_table_names() == []
        with engine.begin() as connection:
            connection.execute(sa.text("CREATE TABLE auto (numero TEXT)"))
            connection.execute(sa.text("INSERT INTO auto VALUES ('nº 1/2013 – São Gabriel')"))
        with engine.connect() as connection:
            assert connection.execute(sa.text("SELECT numero FROM auto")).all() == [("nº 1/2013 – São Gabriel",)]
    finally:
        engine.dispose()
