"""The published cases, through the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from procedure.cli.main import main

CASES = Path(__file__).parent / "prazos-publicados.jsonl"


def test_the_published_cases_pass_through_the_batch(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The file goes in as it was published: its ``expect`` and ``source`` are notes to the counting, not input."""
    cases: list[dict[str, Any]] = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    assert main(["prazo", "--batch", str(CASES)]) == 0
    answers = [json.loads(line) for line in capfdbinary.readouterr().out.decode().splitlines()]
    assert len(cases) == 18
    assert [a["id"] for a in answers] == [c["id"] for c in cases]
    expected = {c["id"]: c["expect"] for c in cases}
    assert {a["id"]: {name: a[name] for name in expected[a["id"]]} for a in answers} == expected
