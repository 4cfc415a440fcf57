"""Many cases of the three laws with deadlines that have ended, and what an undisturbed sweep makes of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from bench.sweep.cases import load
from bench.sweep.prototypes import Prototype, build
from procedure.cli.main import main
from tests.conftest import _drop, _execute, _upgrade
from tests.integration.breaking.record import Record, record
from tests.integration.breaking.running import ended, sweep
from tests.integration.breaking.sizes import CASES


@dataclass(frozen=True)
class Filled:
    """A fresh copy of the filled database, and the record that a sweep in peace leaves in another copy.

    ``refill`` makes another fresh copy at the same place.
    """

    url: str
    calm: Record
    dialect: str
    refill: Callable[[], None]


@pytest.fixture(scope="session")
def prototypes(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Prototype]]:
    """The database in which the prototypes were recorded, and they."""
    url = f"sqlite:///{tmp_path_factory.mktemp('nursery')}/nursery.db"
    _upgrade(url)
    return url, build(url, 12)


@pytest.fixture(scope="session")
def templates() -> dict[str, tuple[str, Record]]:
    """By dialect, the filled database that is copied for each test and the record of the calm sweep."""
    return {}


@pytest.fixture
def filled(
    dialect: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    prototypes: tuple[str, list[Prototype]],
    templates: dict[str, tuple[str, Record]],
) -> Iterator[Filled]:
    """On each of the two databases."""
    copies = Copies(dialect, request, tmp_path)
    if dialect not in templates:
        made = copies.empty()
        _upgrade(made)
        load(made, *prototypes, CASES)
        calm = copies.copy(made)
        process = sweep(calm)
        said = ended(process)
        assert process.returncode == 0, said
        assert main(["verify", "--db", calm]) == 0
        templates[dialect] = (made, record(calm))
        copies.drop(calm)
    template, calm_record = templates[dialect]
    url = copies.copy(template)
    yield Filled(url, calm_record, dialect, lambda: copies.again(template, url))
    copies.drop(url)


class Copies:
    """Makes, copies and drops databases of one dialect. Templates live as long as the run."""

    def __init__(self, dialect: str, request: pytest.FixtureRequest, folder: Path) -> None:
        self._dialect, self._request, self._folder = dialect, request, folder

    def empty(self) -> str:
        """The URL of a database with nothing."""
        if self._dialect == "sqlite":
            factory: pytest.TempPathFactory = self._request.getfixturevalue("tmp_path_factory")
            return f"sqlite:///{factory.mktemp('filled')}/template.db"
        made: str = self._request.getfixturevalue("pg_create")()
        return made

    def copy(self, url: str) -> str:
        """The URL of a copy."""
        name = str(make_url(url).database)
        if self._dialect == "sqlite":
            shutil.copyfile(name, self._folder / "copy.db")
            return f"sqlite:///{self._folder}/copy.db"
        made: str = self._request.getfixturevalue("pg_create")(name)
        return made

    def again(self, template: str, url: str) -> None:
        """Put the template's rows back into the copy."""
        self.drop(url)
        if self._dialect == "sqlite":
            self.copy(template)
        else:
            names = [str(make_url(name).database) for name in (url, template)]
            _execute(self._request.getfixturevalue("pg_url"), "CREATE DATABASE {} TEMPLATE {}", *names)

    def drop(self, url: str) -> None:
        """Remove the database."""
        if self._dialect == "sqlite":
            for suffix in ("", "-wal", "-shm"):
                Path(f"{make_url(url).database}{suffix}").unlink(missing_ok=True)
        else:
            _drop(self._request.getfixturevalue("pg_url"), url)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs them all: the filled databases are made once."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("breaking"))


