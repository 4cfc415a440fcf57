"""What a part of the benchmark was asked to reach, and how it ends: TARGETS MET, or one line for each target missed."""

from __future__ import annotations

from dataclasses import dataclass, field


class WrongResult(Exception):
    """What was measured did not compute what it should have: its time means nothing."""


def require(right: bool, what: str) -> None:
    """Raise WrongResult unless right: a benchmark checks its results also under ``python -O``."""
    if not right:
        raise WrongResult(what)


@dataclass(slots=True)
class Targets:
    """The targets of one part. Below full size (``scale`` under 1) the figures are printed, not judged."""

    scale: float = 1.0
    missed: list[str] = field(default_factory=list)
    judged: int = 0

    def at_most(self, what: str, figure: float, limit: float, unit: str = "×") -> None:
        """The figure must not be above the limit."""
        self._judge(what, figure, limit, unit, "at most", figure <= limit)

    def at_least(self, what: str, figure: float, limit: float, unit: str = "×") -> None:
        """The figure must not be below the limit."""
        self._judge(what, figure, limit, unit, "at least", figure >= limit)

    def _judge(self, what: str, figure: float, limit: float, unit: str, side: str, met: bool) -> None:
        self.judged += 1
        line = f"{what}: {figure:,.2f} {unit} ({side} {limit:,.2f})"
        told = "" if self.scale < 1 else "ok" if met else "MISSED"
        print(f"  {told:<7} {line}", flush=True)
        if not met:
            self.missed.append(line)

    def close(self) -> bool:
        """Print the last lines of the part; whether all was met, or is not judged at this size."""
        if self.scale < 1:
            print(f"TARGETS NOT JUDGED: sizes are {self.scale:g} of the full ones")
            return True
        print("\n".join(f"TARGET MISSED {line}" for line in self.missed) or "TARGETS MET")
        return not self.missed
