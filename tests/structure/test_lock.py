"""The lock: every dependency of the project and of its tests, by hash, from no host in particular."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.structure.sources import ROOT

LOCK = (ROOT / "requirements" / "lock.txt").read_text(encoding="utf-8")
BENCH = (ROOT / "requirements" / "bench.txt").read_text(encoding="utf-8")
CONSTRAINTS = (ROOT / "requirements" / "constraints.txt").read_text(encoding="utf-8")
PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.]*)")


def pins(text: str) -> dict[str, str]:
    return {match["name"]: match["version"] for match in map(PIN.match, text.splitlines()) if match}


def requirement_names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=!~ ;#]", line)[0].lower() for line in requirements if line and not line.startswith("#")}


@pytest.mark.parametrize("lock", [LOCK, BENCH], ids=["lock", "bench"])
def test_a_lock_has_pins_and_their_hashes_and_nothing_else(lock: str) -> None:
    logical = lock.replace("\\\n", " ").splitlines()
    entry = re.compile(PIN.pattern + r"(?: ; [^#]+?)?(?:\s+--hash=sha256:[0-9a-f]{64})+\s*")
    assert [line[:60] for line in logical if not entry.fullmatch(line)] == []
    assert not re.search(r"://|--index|find-links|trusted-host|file:", lock + CONSTRAINTS)


def test_what_the_benchmark_compares_with_is_locked_beside_the_lock() -> None:
    wanted = (ROOT / "requirements" / "bench.in").read_text(encoding="utf-8").splitlines()
    assert requirement_names(wanted) - set(pins(BENCH)) == set()
    both = pins(LOCK).keys() & pins(BENCH).keys()
    assert {name: pins(BENCH)[name] for name in both} == {name: pins(LOCK)[name] for name in both}


def test_the_lock_holds_every_direct_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    direct = project["project"]["dependencies"]
    for extra in project["project"]["optional-dependencies"].values():
        direct += extra
    direct += project["build-system"]["requires"]
    direct += (ROOT / "requirements" / "dev.in").read_text(encoding="utf-8").splitlines()
    assert requirement_names(direct) - set(pins(LOCK)) == set()


def test_the_constraints_for_hosts_are_the_locked_versions() -> None:
    constraints = pins(CONSTRAINTS)
    assert len(constraints) == len(CONSTRAINTS.splitlines())
    assert constraints.items() <= pins(LOCK).items()
    assert {"sqlalchemy", "holidays", "transitions"} <= set(constraints)
    assert "pytest" not in constraints
