"""Each part of the benchmark runs at a small size, checks its own results and says that it judges nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench.targets import Targets, WrongResult, require
from tests.structure.sources import ROOT

SMALL = {  # part: scale
    "sweep": "0.001", "million": "0.0005", "prazo": "0.001", "machine": "0.01", "start": "0.1", "import": "0.002",
    "verify": "0.001", "http": "0.01",
}  # fmt: skip


@pytest.mark.parametrize("part", SMALL)
def test_a_part_runs_small(part: str) -> None:
    command = [sys.executable, "-m", "bench", part, "--scale", SMALL[part]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"TARGETS NOT JUDGED: sizes are {SMALL[part]} of the full ones"


def test_a_missed_target_is_named_with_its_figure(capsys: pytest.CaptureFixture[str]) -> None:
    targets = Targets()
    targets.at_most("slow", 1.31, 1.3)
    targets.at_least("fast", 8, 8)
    assert not targets.close()
    assert capsys.readouterr().out.splitlines()[-1] == "TARGET MISSED slow: 1.31 × (at most 1.30)"


def test_targets_that_are_met_are_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    targets = Targets()
    targets.at_most("quick", 1.3, 1.3)
    assert targets.close()
    assert capsys.readouterr().out.splitlines()[-1] == "TARGETS MET"


def test_a_wrong_result_is_not_a_time() -> None:
    with pytest.raises(WrongResult, match="other rows"):
        require(False, "other rows")
