"""Daily fines: which calendar days accrue, each once however the spans overlap."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta


def days_accrued(spans: Iterable[tuple[date, date]]) -> int:
    """How many days lie in ``spans`` (first and last day, both included), each day counted once.

    Raises ValueError for a span that ends before it starts.
    """
    counted, reached = 0, date.min
    for first, last in sorted(spans):
        if last < first:
            raise ValueError(f"span ends on {last}, before its start {first}")
        start = max(first, reached)
        if start <= last:
            counted += (last - start).days + 1
            reached = last + timedelta(days=1)
    return counted
