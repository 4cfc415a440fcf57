"""Two tables of the rulebook reference that the program answers: the counting rules, and what a fine asks of an act."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from calendars import RULES
from calendars.rules import PARAMETERS
from penalties import Choice, Grau
from penalties.choosing import choose
from penalties.errors import ChoiceMissing
from penalties.penalty import Penalty
from procedure.domain.rulebook_reader import read_rulebook


def counting_rules(said: Mapping[str, Any]) -> str:
    """Each rule's own value of each parameter: what holds where ``[counting] options`` says nothing."""
    head = _head(said, f"| parâmetro | {' | '.join(f'`{rule}`' for rule in RULES)} |", len(RULES) + 1)
    rows = [
        f"| `{name}` | {' | '.join(f'`{rule.parameters()[name]}`' for rule in RULES.values())} |"
        for name in PARAMETERS
    ]
    return "\n".join([*head, *rows])


def _head(said: Mapping[str, Any], titles: str, columns: int) -> list[str]:
    return ["", f"### {said['title']}", "", said["idea"].strip(), "", titles, "|---" * columns + "|"]


_CHOSEN: dict[str, dict[str, Any]] = {
    "grau": {"grau": Grau.MINIMO}, "quantidade": {"quantidade": Decimal(500)}, "valor": {"valor": Decimal(100)},
    "motivo": {"motivo": "?"},
}  # fmt: skip
_FIELD = {"motivo": "grounds"}  # in an act the reason is part of the grounds


def choices(said: Mapping[str, Any], examples: str) -> str:
    """What an act must say for each base, told by the penalty itself, which refuses to be chosen without it."""
    whole = tomllib.loads(examples)
    rows: dict[str, str] = {}
    for penalties in read_rulebook(examples, file="exemplos").penalties.values():
        for penalty in penalties:
            table = next(
                t for t in whole["penalty"]
                if t["id"] == penalty.id and t.get("in_force_from") == penalty.in_force_from
            )  # fmt: skip
            name = f"`{table['base']}`" + (" com `per`" if "per" in table else "")
            rows[name] = ", ".join(f"`{field}`" for field in _missing(penalty)) or "nada"
    head = _head(said, "| `base` | campos do ato |", 2)
    return "\n".join([*head, *(f"| {name} | {told} |" for name, told in rows.items())])


def _missing(penalty: Penalty) -> list[str]:
    given: dict[str, Any] = {}
    told: list[str] = []
    while not penalty.daily:
        try:
            choose(penalty, Choice(**given))
        except ChoiceMissing as error:
            name = str(error.field)
            told.append(_FIELD.get(name, name))
            given |= _CHOSEN.get(name) or {name: str(error.remedy).partition(": ")[2].split(",")[0]}
        else:
            break
    return told
