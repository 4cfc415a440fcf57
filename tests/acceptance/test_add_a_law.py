"""The guides of who encodes a law, from first command to last, as written, by somebody who has only the page."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.structure.sources import ROOT

PAGES = {"add-a-law": 10, "notice-works-seizure": 5}  # and at least how many commands each has
BLOCK = re.compile(r"(?ms)(?:^<!-- (?P<what>[^:>]+): (?P<file>[^>]+) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$")
SHELL = 'set -e; posturas() { "$PYTHON" -m procedure.cli.main "$@"; }; '


def blocks(page: str) -> Iterator[tuple[str, str, str, str]]:
    for found in BLOCK.finditer((ROOT / "docs" / "howto" / f"{page}.md").read_text(encoding="utf-8")):
        yield found["kind"], found["what"] or "", found["file"] or "", found["text"]


def replaced(text: str, diff: str) -> str:
    old = "".join(line[1:] for line in diff.splitlines(keepends=True) if line.startswith("-"))
    new = "".join(line[1:] for line in diff.splitlines(keepends=True) if line.startswith("+"))
    assert text.count(old) == 1, old
    return text.replace(old, new)


@pytest.mark.parametrize(("page", "least"), PAGES.items())
def test_the_page_works_as_written(page: str, least: int, tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PYTHON": sys.executable, "PYTHONUTF8": "1"}
    said, commands = "", 0
    for kind, what, file, text in blocks(page):
        place = tmp_path / file
        if kind == "sh":
            done = subprocess.run(
                ["bash", "-c", SHELL + text], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stderr) == (0, ""), f"{text}\n{done.stdout}\n{done.stderr}"
            said, commands = done.stdout, commands + text.count("posturas ")
            exported = re.findall(r"^export (\w+)=(\S+)$", text, re.M)
            environment.update(exported)
        elif kind == "text":
            missing = [line for line in text.splitlines() if line not in said]
            assert missing == [], said
        elif what == "grave em":
            place.write_text(text, encoding="utf-8")
        elif what == "acrescente a":
            place.write_text(place.read_text(encoding="utf-8") + text, encoding="utf-8")
        elif what == "troque em":
            place.write_text(replaced(place.read_text(encoding="utf-8"), text), encoding="utf-8")
        else:
            raise AssertionError((kind, what, text))
    assert commands >= least
