"""Folders, names and sizes of the packages."""

from __future__ import annotations

import tomllib

from tests.structure.sources import PACKAGES, ROOT, modules, shipped_name

LAYERS = {
    "cli", "corrections", "documents", "domain", "hooks", "http", "pages", "papers", "services", "store", "testing",
}  # fmt: skip
SAY_NOTHING = {"util", "utils", "common", "helper", "helpers", "misc"}
MOST_LINES = 400


def test_every_folder_with_modules_is_a_package_of_the_distribution() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    folders = {".".join(shipped_name(path).parent.parts) for path in modules()}
    assert folders == set(settings["packages"])


def test_every_package_says_that_it_is_typed() -> None:
    assert [name for name in PACKAGES if name != "migrations" and not (ROOT / name / "py.typed").exists()] == []


def test_every_module_of_procedure_is_in_a_layer() -> None:
    # A module beside the layers would be outside the import contracts.
    below = {path.parts[1].removesuffix(".py") for path in modules("procedure")} - {"__init__"}
    assert below <= LAYERS


def test_no_module_is_named_for_nothing() -> None:
    paths = modules(*PACKAGES, "tests", "scripts")
    assert [str(path) for path in paths if SAY_NOTHING & {part.removesuffix(".py") for part in path.parts}] == []


def test_no_module_of_a_package_is_longer_than_400_lines() -> None:
    lengths = {str(path): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}
