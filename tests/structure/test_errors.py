"""Every error of the packages: a stable code, and a Portuguese sentence for people in its docstring."""

from __future__ import annotations

import importlib
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from legalbasis import PosturasError
from tests.structure.sources import ROOT, modules, shipped_name

LISTED = ROOT / "tests" / "structure" / "error_codes.txt"
SHARED = {"vigencia_incerta"}  # a law's start and its end are one question to the program that asks
ENGLISH = {"the", "is", "are", "of", "and", "not", "when", "with", "this", "that", "cannot", "which", "was", "has"}


def error_classes() -> list[type[PosturasError]]:
    for path in modules("legalbasis", "calendars", "penalties", "procedure"):
        parts = [part for part in shipped_name(path).with_suffix("").parts if part != "__init__"]
        if parts[-1] != "__main__":
            importlib.import_module(".".join(parts))
    found: list[type[PosturasError]] = []
    pending = [PosturasError]
    while pending:
        pending.extend(children := pending.pop().__subclasses__())
        found.extend(children)
    own = {
        error
        for error in found
        if error.__module__.split(".")[0] in ("legalbasis", "calendars", "penalties", "procedure")
    }
    return sorted(own, key=lambda error: error.__qualname__)


CLASSES = error_classes()


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__qualname__)
def test_an_error_has_its_own_code_and_a_portuguese_sentence(error: type[PosturasError]) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", vars(error).get("code", "")), "its own code, snake_case"
    sentence = (vars(error).get("__doc__") or "").strip().splitlines()[:1]
    assert sentence, "its docstring is the default message"
    assert sentence[0][0].isupper() or sentence[0][0] in "“"
    assert sentence[0].endswith("."), sentence
    assert not ENGLISH & set(re.findall(r"\w+", sentence[0].lower())), sentence


def test_no_two_errors_share_a_code() -> None:
    codes = Counter(error.code for error in CLASSES)
    assert {code for code, times in codes.items() if times > 1} <= SHARED


def test_codes_are_the_committed_ones() -> None:
    """Other programs branch on the codes: a change shows as a diff of the list.

    To accept one: POSTURAS_REGENERATE=1 pytest tests/structure/test_errors.py, and review the diff.
    """
    now = "".join(
        f"{error.code} {error.__qualname__}\n" for error in sorted(CLASSES, key=lambda e: (e.code, e.__qualname__))
    )
    if os.environ.get("POSTURAS_REGENERATE"):
        Path(LISTED).write_text(now, encoding="utf-8")
    assert LISTED.read_text(encoding="utf-8") == now
