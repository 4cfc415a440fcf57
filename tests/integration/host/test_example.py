"""The embedding example that README quotes, run as a person would, on both databases."""

from __future__ import annotations

import subprocess
import sys

from tests.structure.sources import ROOT


def test_the_example_commits_both_rows_or_neither(database_url: str) -> None:
    url = database_url.replace("postgresql://", "postgresql+psycopg://")
    command = [sys.executable, "examples/embed.py", url]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONUTF8": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    # The second auto has no witnesses: its row of the host's is rolled back with it.
    assert done.stdout.splitlines() == ["recusado: testemunhas_insuficientes", "['P-1'] lavrado"]
