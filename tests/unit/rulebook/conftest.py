"""What a test adds to the laws known does not stay known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from calendars import laws, shipped
from procedure.domain import rulebooks


@pytest.fixture
def no_laws_left() -> Iterator[None]:
    """Forget the laws, calendars and folders that the test added."""
    yield
    for kept in (rulebooks._added, rulebooks._folders, laws._ADDED, shipped._ADDED):
        kept.clear()
    shipped.load_calendar.cache_clear()
