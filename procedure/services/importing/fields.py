"""The columns that a CSV of acts may have: the fields of every act, nested ones dotted (spec 07)."""

from __future__ import annotations

import re
from functools import lru_cache

from procedure.domain.act_shapes import EVIDENCE, FACT, GOODS, SHAPES
from procedure.domain.field_checks import Shape

COMMON = ("municipality", "auto", "act", "date", "actor", "role", "office", "recorded_at", "key", "law")
OBJECT_LISTS = {"infractions": FACT, "goods": GOODS, "evidence": EVIDENCE}
WORD_LISTS = frozenset(
    {"signature.witnesses", "witnesses", "articles_infringed", "articles_penalty", "inscriptions", "confirmed"}
)
AMOUNTS = frozenset({"amount", "deposit", "quantidade", "daily_fine", "expenses", "proceeds", "cost", "goods.quantity"})
_NUMBERED = re.compile(r"([a-z_]+)\.([1-9]\d{0,2})\.([a-z0-9_]+)\Z")


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    found = set(COMMON)
    for shape in SHAPES.values():
        _walk(shape, "", found)
    return frozenset(found)


def _walk(shape: Shape, prefix: str, found: set[str]) -> None:
    for name, (check, _) in shape.fields.items():
        if isinstance(check, Shape):
            _walk(check, f"{prefix}{name}.", found)
        elif name in OBJECT_LISTS and not prefix:
            found.update(f"{name}.N.{inner}" for inner in OBJECT_LISTS[name].fields)
        else:
            found.add(prefix + name)


def is_known(name: str) -> bool:
    """Whether some act has this field; items of lists of objects are numbered: ``goods.1.description``."""
    numbered = _NUMBERED.match(name)
    return (f"{numbered[1]}.N.{numbered[3]}" if numbered else name) in _names()


def known_names() -> list[str]:
    """Every column, in order, with N for an item's number."""
    return sorted(_names())
