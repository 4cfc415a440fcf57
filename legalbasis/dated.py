"""Values that change on known days. Periods are half-open: ``start <= day < end``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Period(Generic[T]):
    """``value`` holds from ``start`` (inclusive) to ``end`` (exclusive; None: still)."""

    start: date
    end: date | None
    value: T

    def covers(self, day: date) -> bool:
        """Whether the period holds on ``day``."""
        return self.start <= day and (self.end is None or day < self.end)


class Dated(Generic[T]):
    """An immutable series of non-overlapping periods, in order of time.

    Raises ValueError when two periods overlap or one ends before it starts.
    """

    __slots__ = ("periods",)

    def __init__(self, periods: Iterable[Period[T]]) -> None:
        self.periods: tuple[Period[T], ...] = tuple(sorted(periods, key=lambda p: p.start))
        for period in self.periods:
            if period.end is not None and period.end <= period.start:
                raise ValueError(f"period ends on {period.end}, not after its start {period.start}")
        for before, after in zip(self.periods, self.periods[1:], strict=False):
            if before.end is None or before.end > after.start:
                raise ValueError(f"periods from {before.start} and {after.start} overlap")

    def on(self, day: date) -> T | None:
        """The value that holds on ``day``; None outside every period (the caller raises its own typed error)."""
        for period in reversed(self.periods):
            if period.covers(day):
                return period.value
        return None

    def first_day(self) -> date | None:
        """The first day covered, or None when there is no period."""
        return self.periods[0].start if self.periods else None
