"""The part ``million``: what a sweep costs among a million cases, for which the part ``sweep`` has no time."""

from __future__ import annotations

from bench.sweep import rounds
from bench.targets import Targets


def run(targets: Targets, scale: float) -> None:
    """Measure, check and judge; see ``bench.sweep.rounds``."""
    rounds.run_million(targets, scale)
