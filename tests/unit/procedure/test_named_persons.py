"""The persons of a payload, found where they are wont to stand: the same ones, in the same order, as by looking
everywhere.
"""

from __future__ import annotations

from typing import Any

import pytest

from procedure.domain.chain import canonical
from procedure.services.verifying import person_references
from procedure.store import proof


def _named(name: str, **more: Any) -> dict[str, Any]:
    return {"person": name, "version": 1, "digest": f"d-{name}", **more}


@pytest.mark.parametrize(
    ("payload", "names"),
    [
        ({}, []),
        ({"infrator": _named("a", key=None, kind="pf")}, ["a"]),
        (
            {"by": _named("a"), "copy_to": _named("b"), "infrator": _named("c"), "responsavel": _named("d")},
            ["d", "c", "b", "a"],
        ),
        (
            {
                "infrator": _named("a"),
                "signature": {"by": "recusa", "witnesses": [_named("b"), _named("c")]},
                "witnesses": [_named("d"), _named("e")],
            },
            ["e", "d", "c", "b", "a"],
        ),
        ({"infrator": _named("a", within=_named("b"))}, ["a", "b"]),  # where none is wont to stand
        ({"goods": [{"of": _named("a")}], "infrator": _named("b")}, ["b", "a"]),
        ({"fact": {"description": "digest"}, "infrator": _named("a")}, ["a"]),
        ({"infrator": {"person": 1, "version": 1, "digest": "x"}, "by": _named("a")}, ["a"]),
        ({"signature": None, "witnesses": {"digest": "x"}, "by": "digest"}, []),
    ],
)
def test_the_persons_are_those_found_by_looking_everywhere(payload: dict[str, Any], names: list[str]) -> None:
    payload = {name: payload[name] for name in sorted(payload)}
    found = proof._persons(payload, canonical(payload).count('"digest"'))
    assert [each["person"] for each in found] == names
    assert found == list(person_references(payload))
