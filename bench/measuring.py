"""Measuring side by side: rounds in which every contender runs once, ratios within the round, their median and range.

A machine's speed drifts by half within minutes, so two times are compared only when they come from one round.
"""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Spread:
    """A median with the least and the greatest value."""

    median: float
    low: float
    high: float

    def __format__(self, spec: str) -> str:
        median, low, high = (format(value, spec or ".2f") for value in (self.median, self.low, self.high))
        return f"{median} [{low}..{high}]"


def spread(values: Iterable[float]) -> Spread:
    """The spread of one value or more."""
    known = sorted(values)
    return Spread(statistics.median(known), known[0], known[-1])


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long the work takes, by the wall clock, with the garbage collected before and not during."""
    gc.collect()
    gc.disable()
    try:
        began = clock()
        work()
        return clock() - began
    finally:
        gc.enable()


def busy_seconds(work: Callable[[], object]) -> float:
    """The same by this process's processor time: for work that waits for nothing, unmoved by what else runs."""
    return seconds(work, time.process_time)


def interleaved(contenders: Mapping[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Every contender once per round, in turn forwards and backwards, so that none profits from its place.

    A contender returns its own time (``seconds(...)`` of its work), so that its set-up and its check are not counted.
    """
    times: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    for _ in range(rounds):
        for name in order:
            times[name].append(contenders[name]())
        order.reverse()
    return times


def ratios(measured: Sequence[float], against: Sequence[float]) -> Spread:
    """The spread of the ratios within rounds."""
    return spread(one / other for one, other in zip(measured, against, strict=True))


def peak_megabytes() -> float:
    """The most memory that this process has held, in MB.

    From the system's status file where there is one: the peak of ``getrusage`` outlives exec, and in a program that a
    large process started it would be that of its parent.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that ended: how long it ran and the most memory it held (the largest of it and its children)."""

    seconds: float
    megabytes: float
    output: str


def run_program(arguments: Sequence[str], **environment: str) -> Finished:
    """Run a program by itself to its end. Raises CalledProcessError when it fails, with what it wrote on stderr."""
    began = time.perf_counter()
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=None, text=True, env={**os.environ, **environment}
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - began
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(arguments), output)
    return Finished(took, usage.ru_maxrss / 1024, output)


def python(*arguments: str) -> list[str]:
    """The command that runs this interpreter."""
    return [sys.executable, *arguments]
