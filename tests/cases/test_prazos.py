"""The published cases, through the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from procedure.cli.main import main

CASES = Path(__file__).parent / "prazos-publicados.jsonl"


def test_the_published_cases_pass_through_the_batch(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    cases: list[dict[str, Any]] = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    lines = [json.dumps({k: v for k, v in case.items() if k not in ("expect", "source")}) for case in cases]
    asked = tmp_path / "prazos.jsonl"
    asked.write_text("\n".join(lines), encoding="utf-8")
    assert main(["prazo", "--batch", str(asked)]) == 0
    answers = [json.loads(line) for line in capfdbinary.readouterr().out.decode().splitlines()]
    assert len(cases) == 18
    assert [a["id"] for a in answers] == [c["id"] for c in cases]
    expected = {c["id"]: c["expect"] for c in cases}
    assert {a["id"]: {name: a[name] for name in expected[a["id"]]} for a in answers} == expected
