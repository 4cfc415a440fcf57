"""HTML made of elements, so that what comes from the record is always escaped: text is never pasted into markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

_VOID = frozenset({"meta", "br", "hr", "line", "rect", "circle", "path", "polygon"})
# What HTML forbids (controls, surrogates, non-characters): printed as the replacement character.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_UNBROKEN = re.compile(r"(R\$|\b[Aa]rts?\.|§|nº) ")


class Html(str):
    """Markup that is safe to put on a page as it is."""

    __slots__ = ()


Child = str | int | Iterable["Child"] | None


def text(value: str) -> Html:
    """What people wrote, as text of a page; an amount and an article keep to one line."""
    return Html(_UNBROKEN.sub("\\1\u00a0", escape(_FORBIDDEN.sub("\ufffd", value), quote=True)))


def join(*children: Child) -> Html:
    """Markup and texts one after another; texts escaped, None left out."""
    return Html("".join(_parts(children)))


def el(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Html:
    """An element. ``class_`` and ``aria_label`` are written ``class`` and ``aria-label``; a None or False attribute
    is left out, True stands alone.
    """
    said = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{said}>" if name in ("meta", "br", "hr") else f"<{name}{said}/>")
    return Html(f"<{name}{said}>{join(*children)}</{name}>")


def name_of(person: str) -> Html:
    """A name in an element that keeps its direction of writing to itself."""
    return el("bdi", person)


def _attribute(key: str, value: str | int | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{text(str(value))}"'


def _parts(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            yield child
        elif isinstance(child, str):
            yield text(child)
        elif isinstance(child, int):
            yield str(child)
        else:
            yield from _parts(child)
