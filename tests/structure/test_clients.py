"""What `make clients` installs is pinned with its digest and names no registry, and what it drives is there."""

from __future__ import annotations

import json
import re
import subprocess

from tests.structure.sources import ROOT

FOLDER = ROOT / "clients"
LOCK = json.loads((FOLDER / "typescript" / "package-lock.json").read_text(encoding="utf-8"))
MANIFEST = json.loads((FOLDER / "typescript" / "package.json").read_text(encoding="utf-8"))


def test_every_npm_package_is_locked_by_its_digest_and_from_no_named_registry() -> None:
    packages = {name: held for name, held in LOCK["packages"].items() if name}
    asked = (*MANIFEST["dependencies"], *MANIFEST["devDependencies"])
    assert {f"node_modules/{name}" for name in asked} <= set(packages)
    assert [name for name, held in packages.items() if not held.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, held in packages.items() if "resolved" in held] == []


def test_what_is_asked_for_is_one_version() -> None:
    asked = {**MANIFEST["dependencies"], **MANIFEST["devDependencies"]}
    assert [name for name, version in asked.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
    lines = (FOLDER / "java" / "requirements.txt").read_text(encoding="utf-8")
    assert re.search(r"^openapi-generator-cli==[\d.]+ \\\n    --hash=sha256:[0-9a-f]{64}$", lines, re.MULTILINE)


def test_the_script_is_shell_and_make_runs_it() -> None:
    assert subprocess.run(["sh", "-n", FOLDER / "run.sh"], check=False).returncode == 0
    assert "\t@sh clients/run.sh $(BIN)\n" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_both_programs_check_the_amounts_of_the_law() -> None:
    for program in ("typescript/case.ts", "java/FromAutoToCda.java"):
        text = (FOLDER / program).read_text(encoding="utf-8")
        assert [amount for amount in ("330.00", "33.00", "363.00", "2013-04-29") if f'"{amount}"' not in text] == []
