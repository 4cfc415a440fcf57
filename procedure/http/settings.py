"""What whoever runs the server chooses: limits and sizes. Nothing here is read from the environment."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes are bytes, rates requests a second for each key. ``threads`` bounds the connections to the database too."""

    max_body: int = 1 << 20
    max_import: int = 64 << 20
    rate: int = 500
    burst: int = 1_000
    failed_rate: int = 5
    failed_burst: int = 20
    page: int = 50
    max_page: int = 500
    threads: int = 12
    key_seconds: int = 2
    """How old the answer “this key stands” may be where no database is read: the counting of terms."""
    days_seconds: int = 5
    """How old the municipality's own days may be there."""
