"""The scripts of `make check` find what they are for."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.structure.sources import ROOT

GOOD = """# Changelog

## Unreleased

### A deadline

- Kind: correction
- Periods: from 2012-09-18 until 2014-07-14; from 2020-01-01
- Zones: `penalties`, `docs`
- Seen: the last day moves to the next working day.

## 0.1.0 - 2026-01-31

### Faster

- Kind: technical
- Periods: none
- Zones: `penalties`
- Seen: nothing.
"""


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "penalties").mkdir()
    (tmp_path / "docs").mkdir()
    return tmp_path


def test_a_complete_changelog_has_no_defect(root: Path) -> None:
    assert script("check_changelog").defects(GOOD, root) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("- Kind: correction\n", "", "line 5: A deadline: Kind is missing"),
        ("Kind: correction", "Kind: fix", "Kind is one of"),
        ("from 2012-09-18 until", "from 2012-09 until", "a period is"),
        ("from 2012-09-18 until", "from 2012-09-31 until", "no such day in from 2012-09-31"),
        ("from 2012-09-18 until", "from 2015-09-18 until", "ends before it starts"),
        ("from 2012-09-18 until 2014-07-14; from 2020-01-01", "none", "only where no result changes"),
        ("`penalties`, `docs`", "`penalties`, `nowhere`", "Zones names `nowhere`"),
        ("- Seen: nothing.\n", "", "line 14: Faster: Seen is missing"),
        ("0.1.0 - 2026-01-31", "0.1.0 - 2026-02-31", "line 12: a release is"),
        ("## Unreleased", "## Next", "line 3: a release is"),
        ("- Seen: nothing.", "- Seen: nothing.\n- Author: one", "Author is no field"),
        ("- Seen: nothing.", "- Seen nothing.", "a field is"),
    ],
)
def test_a_defect_of_the_changelog_is_said(root: Path, old: str, new: str, said: str) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    assert said in "\n".join(script("check_changelog").defects(text, root))


def test_an_empty_changelog_is_a_defect(root: Path) -> None:
    assert script("check_changelog").defects("# Changelog\n", root) == ["line 1: no release"]


def test_broken_links_are_found_and_good_ones_are_not(root: Path) -> None:
    (root / "docs" / "prazos.md").write_text("# Prazos\n\n## A contagem: dias úteis\n", encoding="utf-8")
    page = root / "README.md"
    page.write_text(
        "[a](docs/prazos.md) [b](docs/prazos.md#a-contagem-dias-úteis) [c](https://example.org/x) `[x](code.md)`\n"
        "[d](docs/none.md) ![e](docs/none.png) [f](docs/prazos.md#nada) [g](#nada)\n",
        encoding="utf-8",
    )
    checker = script("check_links")
    assert checker.broken_links(page) == ["docs/none.md", "docs/none.png", "docs/prazos.md#nada", "#nada"]
    assert page in checker.documents(root)
