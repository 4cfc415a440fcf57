"""The benchmark: ``make bench [PART=sweep|million|prazo|…|http] [SCALE=0.05]``.

Each part runs in a process of its own and ends with TARGETS MET, or one line for each target missed. How to add one:

    a part is a module with ``def run(targets: Targets, scale: float) -> None``, named in PARTS below.
    It prints its figures, checks its results with ``require(right, what)``, and judges them with
    ``targets.at_most`` and ``targets.at_least``. ``scale`` multiplies its sizes (1 is the full size, within 20
    minutes on 2 cores; the tests run it at about 0.01), and below 1 nothing is judged. What it needs beyond the lock
    is imported inside the function that uses it; when it is missing the part says so and goes on.
    Tools: ``bench.measuring`` (interleaved rounds, medians of ratios, memory), ``bench.databases``, ``bench.targets``.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys

from bench.measuring import python
from bench.targets import Targets

PARTS = {
    "sweep": "bench.sweep",
    "million": "bench.sweep.million",
    "prazo": "bench.prazo",
    "machine": "bench.machine",
    "import": "bench.import_acts",
    "verify": "bench.verify",
    "start": "bench.start",
    "http": "bench.http",
}


def main() -> int:
    """Run the parts that are named, or all; 1 if one of them missed a target or failed."""
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one or more of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies all sizes (default: 1)")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    names = arguments.parts or list(PARTS)
    if len(names) == 1:
        return _run(names[0], arguments.scale)
    commands = [python("-m", "bench", name, "--scale", str(arguments.scale)) for name in names]
    return max(subprocess.run(command, check=False).returncode for command in commands)


def _run(name: str, scale: float) -> int:
    print(f"== bench {name}", flush=True)
    targets = Targets(scale)
    importlib.import_module(PARTS[name]).run(targets, scale)
    return 0 if targets.close() else 1


if __name__ == "__main__":
    sys.exit(main())
