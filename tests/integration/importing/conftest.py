"""An office on each database in turn, and one on SQLite alone for what does not reach the database."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.importing.samples import Office


@pytest.fixture
def office(upgraded_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Office:
    """A municipality whose database has the schema and the test value of its unit."""
    made = Office(upgraded_url, tmp_path, capsys)
    made.set_unit()
    return made
