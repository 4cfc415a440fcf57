"""Sweeps in processes of their own, to be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from bench.sweep.prototypes import AS_OF
from tests.integration.breaking.sizes import LARGEST


def sweep(
    url: str, *options: str, as_of: str = AS_OF.isoformat(), limit: int | None = None
) -> subprocess.Popen[str]:
    """Start ``posturas sweep`` in a process group of its own; ``limit`` is the largest file that it may write."""
    program = Path(__file__).with_name("swept.py")
    command = [sys.executable, str(program), "sweep", "--as-of", as_of, "--db", url, *options]
    path = os.pathsep.join([str(Path.cwd()), *filter(None, sys.path)])

    environment = {**os.environ, "PYTHONPATH": path, **({LARGEST: str(limit)} if limit else {})}
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[str], number: int = signal.SIGKILL) -> None:
    """Kill the process and its workers at once, as a machine that goes down."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
    process.communicate()


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """The ids of its child processes."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    with suppress(OSError):
        return [int(word) for word in children.read_text(encoding="ascii").split()]
    return []


def ended(process: subprocess.Popen[str], seconds: float = 900) -> str:
    """Wait for the end; what the process said."""
    said, _ = process.communicate(timeout=seconds)
    return said
