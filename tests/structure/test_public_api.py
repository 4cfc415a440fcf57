"""What hosts write against: names, signatures and fields, committed as text. A change shows as a diff of it.

To accept one: POSTURAS_REGENERATE=1 pytest tests/structure/test_public_api.py, review the diff, and write what a host
must change into CHANGELOG.md.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.structure.sources import ROOT

LISTED = ROOT / "tests" / "structure" / "public_api.txt"
MODULES = ("procedure", "procedure.corrections", "procedure.hooks", "procedure.papers", "procedure.testing")
MOST_NAMES = 20
OF_THE_PROTOCOL = ("__call__",)


def described(name: str, value: Any) -> Iterator[str]:
    """A line for the name, and one for each field and method of a class of the project's own."""
    if inspect.isclass(value):
        bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
        yield f"class {name}({bases})"
        yield from (f"    {line}" for line in sorted(members(value)))
    elif inspect.isroutine(value):
        yield f"def {name}{inspect.signature(value)}"
    elif isinstance(value, (bytes, dict, tuple)):
        yield f"{name}: {type(value).__name__}"
    else:
        yield f"{name} = {value}".replace("typing.", "").replace("collections.abc.", "")


def members(value: type) -> Iterator[str]:
    fields = {item.name: item.type for item in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else {}
    yield from (f"{name}: {kind}" for name, kind in fields.items())
    if not fields and "__init__" in vars(value) and not getattr(value, "_is_protocol", False):
        yield f"__init__{inspect.signature(vars(value)['__init__'])}"
    for name, held in vars(value).items():
        if name in fields or (name.startswith("_") and name not in OF_THE_PROTOCOL):
            continue
        if isinstance(held, property):
            yield f"{name} -> {inspect.signature(held.fget).return_annotation}"  # type: ignore[arg-type]  # they read
        elif inspect.isfunction(held):
            yield f"{name}{inspect.signature(held)}"


def snapshot() -> str:
    lines: list[str] = []
    for place in MODULES:
        module = importlib.import_module(place)
        lines += ["", f"# {place}"]
        for name in sorted(module.__all__):
            lines += described(name, getattr(module, name))
    return "\n".join(lines[1:]) + "\n"


def test_the_public_names_and_signatures_are_the_committed_ones() -> None:
    if os.environ.get("POSTURAS_REGENERATE"):
        LISTED.write_text(snapshot(), encoding="utf-8")
    assert LISTED.read_text(encoding="utf-8") == snapshot()


def test_a_host_has_at_most_twenty_names_to_learn() -> None:
    import procedure

    assert 0 < len(procedure.__all__) <= MOST_NAMES
    assert set(procedure.__all__) == set(procedure._PLACES)


@pytest.mark.parametrize("place", MODULES)
def test_every_public_name_is_documented_and_typed(place: str) -> None:
    module = importlib.import_module(place)
    for name in sorted(module.__all__):
        value = getattr(module, name)
        if inspect.isclass(value):
            assert value.__doc__, name
        elif inspect.isroutine(value):
            assert value.__doc__, name
            signature = inspect.signature(value)
            assert signature.return_annotation is not signature.empty, name
            assert [p.name for p in signature.parameters.values() if p.annotation is p.empty] == [], name
