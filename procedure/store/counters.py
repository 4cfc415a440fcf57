"""Counters without gaps: the row is locked until the transaction ends, and a rollback gives the numbers back."""

from __future__ import annotations

from sqlalchemy import Connection, text

_TAKE = text(
    "INSERT INTO posturas_counters (municipality, name, year, value) VALUES (:municipality, :name, :year, :count) "
    "ON CONFLICT (municipality, name, year) DO UPDATE SET value = posturas_counters.value + excluded.value "
    "RETURNING value"
)


def take(connection: Connection, municipality: str, name: str, year: int, count: int) -> int:
    """Lock the counter and take ``count`` (1 or more) numbers of it; the first is returned, counting from 1."""
    if count < 1:
        raise ValueError("count must be positive")
    last: int = connection.execute(
        _TAKE, {"municipality": municipality, "name": name, "year": year, "count": count}
    ).scalar_one()
    return last - count + 1
