"""``posturas serve`` as a process of its own, on a port that it chooses."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from subprocess import PIPE, Popen

SECONDS = 60


@dataclass
class Served:
    """The process, where it listens, and what it wrote to stderr so far."""

    process: Popen[str]
    base: str = ""
    said: list[str] = field(default_factory=list)

    def stop(self) -> int:
        """SIGTERM, and the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS)


@contextmanager
def serving(url: str, *options: str) -> Iterator[Served]:
    """A server over the database, stopped at the end."""
    program = "from procedure.cli.main import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "serve", "--port", "0", "--db", url, *options]
    with Popen(command, stderr=PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        served = Served(process)
        try:
            _read_address(served)
            drain = threading.Thread(target=_drain, args=(served,), daemon=True)
            drain.start()
            yield served
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()


def _read_address(served: Served) -> None:
    assert served.process.stderr is not None
    for line in served.process.stderr:
        served.said.append(line)
        found = re.search(r"http://127\.0\.0\.1:[0-9]+", line)
        if found:
            served.base = found.group()
            return
    raise AssertionError("".join(served.said))


def _drain(served: Served) -> None:
    assert served.process.stderr is not None
    served.said.extend(served.process.stderr)
