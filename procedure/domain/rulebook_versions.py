"""Cases between two texts of one law: the new procedure from its first day, the sanction of the text of the fact.

A case that passed to a new text is under both: its version names the two, ``<procedure>|sancao=<sanction>``, and its
law is the procedure of the one with the penalties of the other (spec 01, "Which version").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from procedure.domain.rulebook import Rulebook

_MARK = "|sancao="
SANCTION = ("penalties", "penalty_choices", "infractions", "exclusions", "recidivism")
"""What of a rulebook is the sanction: what is punished, how much, and what doubles it. All else is procedure."""


def joined(procedure: str, sanction: str) -> str:
    """The version of a case under both texts; the procedure's alone when they are one."""
    return procedure if procedure == sanction else f"{procedure}{_MARK}{sanction}"


def split(version: str) -> tuple[str, str]:
    """(version of the procedure, version of the sanction)."""
    procedure, _, sanction = version.partition(_MARK)
    return procedure, sanction or procedure


def compose(procedure: Rulebook, sanction: Rulebook) -> Rulebook:
    """The law of a case under both texts."""
    if procedure.version == sanction.version:
        return procedure
    kept: dict[str, Any] = {name: getattr(sanction, name) for name in SANCTION}
    return replace(
        procedure,
        version=joined(procedure.version, sanction.version),
        switches={**sanction.switches, **procedure.switches},
        units={**sanction.units, **procedure.units},
        **kept,
    )


def version_on(version: str, facts: Mapping[str, Any], day: date) -> str:
    """Under which version an act of that day is done: before a new procedure's first day, the one that came before."""
    for passage in reversed(facts.get("texts", ())):
        if day >= date.fromisoformat(passage["first_day"]):
            break
        version = passage["from"]
    return version
