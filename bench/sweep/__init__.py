"""The part ``sweep``: the product against its floor, and against what a user would write instead."""

from __future__ import annotations

from bench.targets import Targets


def run(targets: Targets, scale: float) -> None:
    """Measure, check and judge; see ``bench.sweep.rounds``."""
    from bench.sweep import rounds  # not above: the product's processes import this package, and need little of it

    rounds.run(targets, scale)
