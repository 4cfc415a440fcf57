"""A host's own session: its rows and the acts are committed together or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from sqlalchemy import Engine, String, create_engine, event, select
from sqlalchemy.engine import make_url
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from procedure.store.errors import KeyAlreadyUsed
from procedure.store.repository import SqlRepository
from procedure.store.sqlite import configure_sqlite
from tests.integration.store.samples import IBGE, act, new_case


class Base(DeclarativeBase):
    """The host's models."""


class Protocol(Base):
    """A table of the host's."""

    __tablename__ = "protocols"
    number: Mapped[str] = mapped_column(String(20), primary_key=True)


@pytest.fixture
def host(upgraded_url: str) -> Iterator[Engine]:
    """An engine as a host makes it: with the driver's own transactions, and no help but ``configure_sqlite``."""
    url = make_url(upgraded_url)
    engine = create_engine(url.set(drivername="postgresql+psycopg") if url.get_backend_name() == "postgresql" else url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", lambda connection, _record: configure_sqlite(connection))
    Base.metadata.create_all(engine)
    yield engine
    engine.dispose()


def test_the_host_commits_or_rolls_back_both(host: Engine) -> None:
    with Session(host) as session:
        session.add(Protocol(number="P-1"))
        SqlRepository(session).save([new_case("1/2013")])
        session.rollback()
    with Session(host) as session:
        assert session.scalars(select(Protocol)).all() == []
        assert SqlRepository(session).municipalities() == []
        session.add(Protocol(number="P-2"))
        SqlRepository(session).save([new_case("2/2013")])
        session.commit()
    with Session(host) as session:
        assert [row.number for row in session.scalars(select(Protocol))] == ["P-2"]
        assert list(SqlRepository(session).load(IBGE, ["1/2013", "2/2013"], lock=True)) == ["2/2013"]


def test_a_refused_save_in_a_savepoint_leaves_the_hosts_work(host: Engine) -> None:
    with Session(host) as session:
        repository = SqlRepository(session)
        repository.save([new_case("1/2013", new_acts=[act(1, "lavratura", date(2013, 3, 8), key="k")])])
        session.add(Protocol(number="P-1"))
        repeated = new_case("2/2013", new_acts=[act(1, "lavratura", date(2013, 3, 8), key="k")])
        with pytest.raises(KeyAlreadyUsed), session.begin_nested():
            repository.save([repeated])
        repository.save([new_case("3/2013")])
        session.commit()
    with Session(host) as session:
        assert list(SqlRepository(session).stream_autos(IBGE)) == ["1/2013", "3/2013"]
        assert [row.number for row in session.scalars(select(Protocol))] == ["P-1"]
