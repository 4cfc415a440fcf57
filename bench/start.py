"""The part ``start``: how long a command takes to start, against ``python -c pass`` in the same round."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.measuring import interleaved, python, ratios, run_program, spread
from bench.targets import Targets, require

ROUNDS, FEW_ROUNDS = 9, 5
COMMAND = ("-m", "procedure.cli.main")
PRAZO = (*COMMAND, "prazo", "--law", "es-3204708/lei-1522-2005", "--start", "2013-05-10", "--term", "15d")
LIMITS = {"--help": 5, "prazo": 10, "import procedure": 10, "sweep on nothing": 35}


def run(targets: Targets, scale: float) -> None:
    """Measure, check and judge."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'nothing.db'}"
        run_program(python(*COMMAND, "db", "upgrade", "--db", database))
        nothing = (*COMMAND, "sweep", "--as-of", "2014-01-01", "--json", "--db", database)
        # What each must print, by what the law and the contract say, not by what it printed before.
        commands: dict[str, tuple[Sequence[str], str]] = {
            "python -c pass": (("-c", "pass"), ""),
            "--help": ((*COMMAND, "--help"), "prazo"),
            # Notice on Friday 10/05/2013; day 1 is Monday 13, the fifteenth Monday 27.
            "prazo": (PRAZO, "27/05/2013"),
            "import procedure": (("-c", "import procedure"), ""),
            "sweep on nothing": (nothing, '"examined": 0,'),
        }

        def started(name: str) -> float:
            arguments, said = commands[name]
            ran = run_program(python(*arguments))
            require(said in ran.output, f"{name} does not say {said}")
            return ran.seconds

        for name in commands:
            started(name)  # byte code written, files in memory
        rounds = ROUNDS if scale >= 1 else FEW_ROUNDS
        times = interleaved({name: lambda name=name: started(name) for name in commands}, rounds)  # type: ignore[misc]  # bound at once
    print(f"start, ms and × python -c pass: medians [least..most] of {rounds} interleaved rounds")
    for name, measured in times.items():
        against = ratios(measured, times["python -c pass"])
        print(f"  {name:<20} {spread(t * 1e3 for t in measured):.0f} ms  {against} ×")
    for name, limit in LIMITS.items():
        targets.at_most(f"start of {name}", ratios(times[name], times["python -c pass"]).median, limit)
