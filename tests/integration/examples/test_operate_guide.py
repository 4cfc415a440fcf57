"""docs/howto/operate.md: the commands that it only shows are taken by the parser, and its tables miss nothing."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from procedure.cli.main import main
from tests.integration.examples.commands import parsed
from tests.structure.sources import ROOT
from tests.structure.test_docs import blocks

GUIDE = "docs/howto/operate.md"
TEXT = (ROOT / GUIDE).read_text(encoding="utf-8")


def test_the_commands_it_only_shows_are_taken() -> None:
    shown = [line for kind, _, text in blocks(GUIDE) if kind == "text" for line in text.splitlines()]
    ours = [part for line in shown for part in re.split(r" && |  +#", line) if part.startswith("posturas ")]
    assert len(ours) >= 6
    for line in ours:
        parsed(line)


def test_it_names_every_query_that_alerts_and_no_other() -> None:
    written = (ROOT / "examples" / "operate" / "alerts.sql").read_text(encoding="utf-8")
    told = set(re.findall(r"query `(\w+)`", TEXT))
    assert told == set(re.findall(r"^-- name: (\w+)$", written, re.MULTILINE))


def test_the_fields_it_lists_are_those_of_the_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path}/posturas.db"
    assert main(shlex.split(f"db upgrade --db {url}")) == 0
    capsys.readouterr()
    assert main(shlex.split(f"sweep --as-of 2013-03-26 --municipality 3204708 --json --db {url}")) == 0
    printed = set(json.loads(capsys.readouterr().out))
    table = TEXT.split("| of a sweep's JSON | |")[1].split("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert listed == printed
