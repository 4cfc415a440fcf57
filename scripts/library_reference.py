"""The page of the library: what hosts import, with the signatures and words of the code itself."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from collections.abc import Iterator
from typing import Any

MODULES = ("procedure", "procedure.hooks", "procedure.corrections", "procedure.papers", "procedure.testing")
INTRO = (
    "What a host may import, and nothing else of the packages. Amounts are `Decimal` reais, unless a name says\n"
    "centavos; instants are aware. How to use it: [embed the library](../howto/embed.md)."
)


def library() -> list[str]:
    """The body of the page."""
    body: list[str] = []
    for place in MODULES:
        module = importlib.import_module(place)
        body += [f"## {place}", "", *_words(module.__doc__), ""]
        for name in sorted(module.__all__, key=str.lower):
            body += _entry(place, name, getattr(module, name))
    return body


def _entry(place: str, name: str, value: Any) -> list[str]:
    lines = [f"### {place}.{name}", ""]
    if inspect.isclass(value):
        return [*lines, *_words(value.__doc__), "", *_members(value)]
    if inspect.isroutine(value):
        return [*lines, "```text", *_signature(name, value), "```", "", *_words(value.__doc__), ""]
    return [*lines, f"`{type(value).__name__}`", ""]


def _members(value: type) -> list[str]:
    fields = dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    told = [f"{item.name}: {item.type}" for item in fields]
    methods = [(name, held) for name, held in vars(value).items() if not name.startswith("_")]
    for name, held in methods:
        if isinstance(held, property):
            told.append(f"{name} -> {inspect.signature(held.fget).return_annotation}  (property)")  # type: ignore[arg-type]  # read only, so it has one
        elif inspect.isfunction(held):
            told += _signature(name, held)
    return ["```text", *told, "```", ""] if told else []


def _signature(name: str, value: Any) -> list[str]:
    signature = inspect.signature(value)
    line = f"{name}{signature}".replace("'", "")
    if len(line) <= 110:
        return [line]
    parts = [f"    {str(p).replace(chr(39), '')}," for p in _with_star(signature)]
    returned = str(signature.return_annotation).replace("'", "")
    return [f"{name}(", *parts, f") -> {returned}"]


def _with_star(signature: inspect.Signature) -> Iterator[Any]:
    keyword_only = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            yield "*"
        yield parameter


def _words(text: str | None) -> list[str]:
    return inspect.cleandoc((text or "").replace("``", "`")).splitlines()
