"""The frame of every page: its palette, its style sheet, its head; with the blocks that pages share.

One file, no script, no address outside of it. Prints on A4, reads on a phone. Colours are named once in ``PALETTE`` and
used in the pairs of ``PAIRS``, whose contrast a test computes (WCAG 2.1, 1.4.3: at least 4.5 to 1). Nothing is said by
colour alone: each day, state or bar has its word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files

from procedure.pages.markup import Child, Html, el, join, text

_ARTICLE = re.compile(r"arts?\. \S+")
PALETTE = {
    "paper": "#ffffff",
    "ink": "#1a1c1e",
    "muted": "#4d5459",
    "rule": "#c3c9ce",
    "field": "#f1f4f7",
    "accent": "#0b4a7d",
    "accent-soft": "#dfeaf5",
    "start": "#cfe0f2",
    "start-ink": "#0a3458",
    "counted": "#d8ecd6",
    "counted-ink": "#173f18",
    "skipped": "#f7e6c0",
    "skipped-ink": "#553a00",
    "stopped": "#e4dff2",
    "stopped-ink": "#382769",
    "due": "#9b1c1c",
    "due-ink": "#ffffff",
    "waits": "#f6dbe8",
    "waits-ink": "#660f3c",
    "alert": "#8a1717",
}

LETTERS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif'
"""The reader's own fonts: a page brings none."""

PAIRS = (
    ("ink", "paper"), ("ink", "field"), ("ink", "accent-soft"), ("muted", "paper"), ("muted", "field"),
    ("accent", "paper"), ("accent", "field"), ("paper", "accent"), ("alert", "paper"), ("alert", "field"),
    ("start-ink", "start"), ("counted-ink", "counted"), ("skipped-ink", "skipped"), ("stopped-ink", "stopped"),
    ("due-ink", "due"), ("waits-ink", "waits"),
)  # fmt: skip
"""Every (text, background) that a page uses."""


def sheet(name: str) -> str:
    """A style sheet of ``data/``; it names colours as ``var(--accent)``."""
    return (files("procedure.pages") / "data" / f"{name}.css").read_text(encoding="utf-8")


def page(
    title: str,
    *,
    place: str,
    heading: str,
    intro: Child,
    body: Iterable[Child],
    foot: Child,
    sheets: Sequence[str] = (),
) -> str:
    """The whole document: ``title`` in the tab, ``place`` over the ``heading``, ``foot`` at the end of the page.

    ``sheets`` are those of the page beside the one of all pages.
    """
    colours = "".join(f"--{name}:{value};" for name, value in PALETTE.items())
    style = "\n".join([f":root{{{colours}--letters:{LETTERS}}}", sheet("page"), *map(sheet, sheets)])
    head = join(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="generator", content="Posturas"),
        el("meta", name="robots", content="noindex"),
        el("title", title),
        el("style", Html(style)),  # the program's own sheets, never a text of the record
    )
    top = el("header", el("p", place, class_="place"), el("h1", heading), intro)
    content = join(top, el("main", list(body)), el("footer", foot))
    return f"<!DOCTYPE html>\n{el('html', el('head', head), el('body', content), lang='pt-BR')}\n"


def cards(entries: Sequence[tuple[str, Child, str | None]]) -> Html:
    """What matters most, each as (what, value, remark)."""
    return el(
        "dl",
        [
            el("div", el("dt", what), el("dd", value, el("small", remark) if remark else None), class_="card")
            for what, value, remark in entries
        ],
        class_="cards",
    )


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Child]], *, numbers: Sequence[int] = ()) -> Html:
    """A table whose first column names the row; ``numbers`` are the columns set to the right."""
    top = [el("th", head, scope="col", class_="num" if at in numbers else None) for at, head in enumerate(heads)]
    lines = [
        el(
            "tr",
            el("th", row[0], scope="row"),
            [
                el("td", cell, class_="num" if at in numbers else _whole(cell))
                for at, cell in enumerate(row[1:], start=1)
            ],
        )
        for row in rows
    ]
    inner = el("table", el("caption", caption), el("thead", el("tr", top)), el("tbody", lines))
    return el("div", inner, class_="wide")


def _whole(cell: Child) -> str | None:
    """The class of a cell that keeps to one line: an article does not break at its hyphen."""
    return "nowrap" if isinstance(cell, str) and _ARTICLE.fullmatch(cell) else None


def sentence(words: str) -> str:
    """With its first letter in capitals."""
    return f"{words[:1].upper()}{words[1:]}"


def plain(words: str) -> Html:
    """A paragraph."""
    return el("p", text(words))
