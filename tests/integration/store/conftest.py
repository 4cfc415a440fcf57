"""An engine on each database in turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from tests.integration.store.samples import opened


@pytest.fixture
def engine(upgraded_url: str) -> Iterator[Engine]:
    """An engine on a database with the newest schema and no case."""
    with opened(upgraded_url) as made:
        yield made
