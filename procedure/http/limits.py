"""How many requests a key may make: one token bucket for each, in this process; the caller gives the time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

NANO = 10**9
KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request may go on, and what the headers say of it."""

    allowed: bool
    limit: int
    remaining: int
    reset_seconds: int
    """Until the bucket is full again, rounded up."""
    retry_seconds: int
    """Until the next request may come, rounded up; 0 where this one was allowed."""


class Buckets:
    """A bucket of ``burst`` requests for each name, into which ``rate`` of them flow a second. Safe for threads.

    Whole numbers of billionths of a request: nothing is lost by rounding, however often a bucket is asked.
    """

    def __init__(self, rate: int, burst: int, most: int = KEPT) -> None:
        if rate < 1 or burst < 1:
            raise ValueError("rate and burst must be positive")
        self.rate = rate
        self.burst = burst
        self._most = most
        self._full = burst * NANO
        self._levels: OrderedDict[str, tuple[int, int]] = OrderedDict()  # name: billionths left, at which instant
        self._lock = threading.Lock()

    def take(self, name: str, now: int, count: int = 1) -> Verdict:
        """Take ``count`` requests out of the bucket at ``now``, monotonic nanoseconds, or none if there are fewer."""
        asked = count * NANO
        with self._lock:
            level = self._level(name, now)
            allowed = level >= asked
            if allowed:
                level -= asked
            self._levels[name] = (level, max(now, self._levels.get(name, (0, now))[1]))
            self._levels.move_to_end(name)
            if len(self._levels) > self._most:
                self._levels.popitem(last=False)
        wait = 0 if allowed else _seconds(asked - level, self.rate)
        return Verdict(allowed, self.burst, level // NANO, _seconds(self._full - level, self.rate), wait)

    def look(self, name: str, now: int) -> Verdict:
        """What ``take`` would find, and take nothing."""
        with self._lock:
            level = self._level(name, now)
        allowed = level >= NANO
        wait = 0 if allowed else _seconds(NANO - level, self.rate)
        return Verdict(allowed, self.burst, level // NANO, _seconds(self._full - level, self.rate), wait)

    def _level(self, name: str, now: int) -> int:
        level, then = self._levels.get(name, (self._full, now))
        return min(self._full, level + max(0, now - then) * self.rate)


def _seconds(missing: int, rate: int) -> int:
    return -(-missing // (rate * NANO))
