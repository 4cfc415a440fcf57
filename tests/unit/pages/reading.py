"""A page read back by a parser that knows nothing of how it was made, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"meta", "br", "hr", "img", "link", "input"}
OUTWARD = ("href", "src", "srcset", "action", "data", "poster", "xlink:href", "background")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass
class Table:
    """A table: its caption, the texts of its rows, the headers that say what they head."""

    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)
    scopes: list[str | None] = field(default_factory=list)


class Page(HTMLParser):
    """What a page holds: text, headings, tables, style, and the faults found while reading."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.faults: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.headings: list[tuple[int, str]] = []
        self.tables: list[Table] = []
        self.style = ""
        self.title = ""
        self.text = ""
        self._open: list[str] = []
        self.feed(source)
        self.close()
        if self._open:
            self.faults.append(f"left open: {self._open}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if len(given) != len(attrs):
            self.faults.append(f"an attribute twice in <{tag}>")
        if tag in HEADINGS:
            self.headings.append((int(tag[1]), ""))
        if tag == "table":
            self.tables.append(Table())
        if tag == "tr":
            self.tables[-1].rows.append([])
        if tag in ("td", "th"):
            self.tables[-1].rows[-1].append("")
        if tag == "th":
            self.tables[-1].scopes.append(given.get("scope"))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self._open[-1:]}")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            self.style += data
            return
        if "title" in self._open and "svg" not in self._open:
            self.title += data
            return
        self.text += f"{data} " if data.strip() else ""
        if self._open and self._open[-1] in HEADINGS:
            level, said = self.headings[-1]
            self.headings[-1] = (level, said + data)
        if "caption" in self._open:
            self.tables[-1].caption += data
        elif "td" in self._open or "th" in self._open:
            self.tables[-1].rows[-1][-1] += data

    def words(self) -> str:
        """The whole text, its blanks (those that do not break too) as single spaces."""
        return re.sub(r"\s+", " ", self.text)

    def table(self, caption: str) -> list[list[str]]:
        """The rows below the head of the table so captioned."""
        (found,) = [t for t in self.tables if t.caption == caption]
        return [[re.sub(r"\s+", " ", cell) for cell in row] for row in found.rows[1:]]


def faults(page: Page) -> list[str]:
    """Everything that a page may not have: for who cannot see it, cannot reach the network, or reads it on paper."""
    return [*page.faults, *_frame(page), *_outward(page), *_headings(page), *_tables(page)]


def _frame(page: Page) -> Iterator[str]:
    values = {(tag, name): value for tag, name, value in page.attributes}
    if not page.source.startswith("<!DOCTYPE html>"):
        yield "no doctype"
    if values.get(("html", "lang")) != "pt-BR":
        yield "the language is not pt-BR"
    if not page.title.strip():
        yield "no title"
    if ("meta", "charset") not in values or "width=device-width" not in page.source:
        yield "no charset or viewport"
    if "@page" not in page.style or "A4" not in page.style:
        yield "no A4 page"


def _outward(page: Page) -> Iterator[str]:
    for tag in {"script", "link", "iframe", "object", "embed", "form", "img", "base"} & set(page.tags):
        yield f"<{tag}>"
    for tag, name, value in page.attributes:
        if name.startswith("on") or (name in OUTWARD and not (value or "").startswith("#")):
            yield f"{tag} {name}={value}"
    if re.search(r"url\(|@import|https?:|//", page.style):
        yield "the style reaches outside"
    if re.search(r"(?:https?:)?//[a-z]", re.sub(r"<style>.*?</style>", "", page.source, flags=re.DOTALL)):
        yield "an external address"


def _headings(page: Page) -> Iterator[str]:
    levels = [level for level, _ in page.headings]
    if levels[:1] != [1] or levels.count(1) != 1:
        yield "not one h1, first"
    yield from (f"h{one} then h{next_}" for one, next_ in pairwise(levels) if next_ > one + 1)
    yield from (f"a heading of level {level} with no text" for level, said in page.headings if not said.strip())


def _tables(page: Page) -> Iterator[str]:
    for table in page.tables:
        if not table.caption.strip():
            yield "a table without caption"
        if not table.scopes or not set(table.scopes) <= {"col", "row"}:
            yield f"a header without scope in “{table.caption}”"
