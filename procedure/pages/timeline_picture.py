"""The line of a case as a picture: acts and money above it, terms below it, in as many strips as its dates need.

The dates stand at equal distances with the number of days between them written on the line: a scale would crowd the
48 hours and leave years empty. Only legal words go into the picture: names stay in the text.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from procedure.domain.telling import (
    event_label,
    event_number,
    gap_label,
    last_day_words,
    money_words,
    status_label,
    term_label,
)
from procedure.domain.wording import day_br
from procedure.pages.frame import PALETTE, sentence
from procedure.pages.markup import Html, el

Document = Mapping[str, Any]
COLUMNS, COLUMN, MARGIN = 6, 118, 6
WIDTH = COLUMNS * COLUMN + 2 * MARGIN
LETTERS, BOLD_LETTERS = 17, 16  # in the width of a column
LINE, GAP = 14, 6  # height of a line of text; space between two labels
BAR, LANE = 10, 44  # height of a bar; of a lane, with the bar's two lines of text
LETTER_WIDTH = 7
_UNBROKEN = "\u00a0"  # an amount stays on one line
_FILLS = {"aberto": "start", "cumprido": "counted", "vencido": "skipped", "suspenso": "stopped", "cancelado": "field"}


class Bar(NamedTuple):
    """A term in one strip: from one place to another, with what is told under it."""

    left: int
    right: int
    text_left: int
    text_right: int
    item: Document
    first: bool
    last: bool


def picture(doc: Document) -> Html:
    """The strips, one SVG each, under one caption."""
    days = doc["days"]
    strips = [(at, days[at : at + COLUMNS]) for at in range(0, len(days), COLUMNS)]
    told = f"Linha do tempo do auto {doc['auto']}, parte"
    drawn = [_strip(doc, at, strip, f"{told} {n} de {len(strips)}") for n, (at, strip) in enumerate(strips, start=1)]
    said = "Em cima, os atos, com o seu número, e o dinheiro; embaixo, os prazos. As datas não estão em escala: "
    return el("figure", drawn, el("figcaption", f"{said}sobre a linha está o número de dias entre elas."))


def _strip(doc: Document, first: int, days: Sequence[Document], title: str) -> Html:
    labels = [list(_labels(doc, day)) for day in days]
    base = max((_height(column) for column in labels), default=0) + 26
    parts: list[Html] = [_axis(doc, first, days, base)]
    for place, (day, column) in enumerate(zip(days, labels, strict=True)):
        parts += _date(place, day, base)
        parts += _texts(_x(place), base - 20 - _height(column), column)
    lanes = _lanes(_bars(doc, first, days))
    for lane, bars in enumerate(lanes):
        parts += [piece for bar in bars for piece in _bar(bar, base + 34 + lane * LANE)]
    height = base + 30 + max(len(lanes), 0) * LANE + 8
    name = el("title", title)
    return el("svg", name, parts, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=title)


def _x(place: int) -> int:
    return MARGIN + 6 + place * COLUMN


# ---------------------------------------------------------------- above the line


def _labels(doc: Document, day: Document) -> Iterator[tuple[str, bool]]:
    """The lines over a date, as (text, whether it is money); an empty one between two acts."""
    for number, at in enumerate(day["events"]):
        event = doc["events"][at]
        if number:
            yield "", False
        for words in textwrap.wrap(f"{event_number(event)}. {event_label(event)}", LETTERS):
            yield words, False
        for money in money_words(event):
            for words in textwrap.wrap(money.replace("R$ ", f"R${_UNBROKEN}"), BOLD_LETTERS):
                yield words, True


def _height(column: Sequence[tuple[str, bool]]) -> int:
    return sum(LINE if words else GAP for words, _ in column)


def _texts(x: int, top: int, column: Sequence[tuple[str, bool]]) -> Iterator[Html]:
    y = top
    for words, is_money in column:
        y += LINE if words else GAP
        if words:
            yield _text(x, y - 3, words, ink="accent" if is_money else "ink", bold=is_money)


def _text(x: int, y: int, words: str, *, ink: str = "ink", bold: bool = False, anchor: str | None = None) -> Html:
    weight = "700" if bold else None
    return el("text", words, x=x, y=y, fill=PALETTE[ink], font_weight=weight, text_anchor=anchor)


# ---------------------------------------------------------------- the line


def _axis(doc: Document, first: int, days: Sequence[Document], base: int) -> Html:
    every = doc["days"]
    before, after = first > 0, first + len(days) < len(every)
    right = WIDTH - MARGIN if after else _x(len(days) - 1)
    parts: list[Html] = [_line(MARGIN if before else _x(0), right, base)]
    for place in range(len(days) if after else len(days) - 1):
        gap = date.fromisoformat(every[first + place + 1]["date"]) - date.fromisoformat(every[first + place]["date"])
        middle = _x(place) + COLUMN // 2
        parts.append(_text(middle, base - 5, gap_label(gap.days), ink="muted", anchor="middle"))
    if after:
        tip = WIDTH - MARGIN
        points = f"{tip},{base} {tip - 8},{base - 5} {tip - 8},{base + 5}"
        parts.append(el("polygon", points=points, fill=PALETTE["ink"]))
    return el("g", parts)


def _line(left: int, right: int, y: int) -> Html:
    return el("line", x1=left, y1=y, x2=right, y2=y, stroke=PALETTE["ink"], stroke_width=2)


def _date(place: int, day: Document, base: int) -> Iterator[Html]:
    x = _x(place)
    if day["events"]:
        yield el("circle", cx=x, cy=base, r=6, fill=PALETTE["accent"])
    else:
        yield el("rect", x=x - 4, y=base - 4, width=8, height=8, fill=PALETTE["due"])
    yield _text(x - 6, base + 20, day_br(day["date"]), bold=True)


# ---------------------------------------------------------------- below the line


def _bars(doc: Document, first: int, days: Sequence[Document]) -> Iterator[Bar]:
    """The terms that run in this strip, each cut to it."""
    begins, ends = days[0]["date"], days[-1]["date"]
    final = first + len(days) >= len(doc["days"])
    places = {day["date"]: place for place, day in enumerate(days)}
    for item in doc["deadlines"]:
        if item["starts_on"] > ends or item["ended_on"] < begins:
            continue
        starts, stops = item["starts_on"] in places, item["ended_on"] in places
        left = _x(places[item["starts_on"]]) if starts else MARGIN
        right = _x(places[item["ended_on"]]) if stops else WIDTH - MARGIN
        if not (stops or final) and right <= left:
            continue
        wide = LETTER_WIDTH * max(map(len, _told(item, starts)))
        text_left = min(left, WIDTH - MARGIN - wide)
        yield Bar(left, max(right, left + 8), text_left, text_left + wide, item, starts, stops)


def _told(item: Document, first: bool) -> tuple[str, str]:
    """The two lines under a bar."""
    ends = f"{status_label(item)}; {last_day_words(item)}"
    return sentence(term_label(item)) + ("" if first else " (continua)"), ends


def _lanes(bars: Iterator[Bar]) -> list[list[Bar]]:
    """Bars that touch neither each other nor their words share a lane."""
    lanes: list[list[Bar]] = []
    for bar in bars:
        for lane in lanes:
            last = lane[-1]
            if max(last.right, last.text_right) + 10 <= min(bar.left, bar.text_left):
                lane.append(bar)
                break
        else:
            lanes.append([bar])
    return lanes


def _bar(bar: Bar, y: int) -> Iterator[Html]:
    fill = PALETTE[_FILLS[bar.item["status"]]]
    dash = "4 3" if bar.item["status"] == "cancelado" else None
    yield el(
        "rect", x=bar.left, y=y, width=bar.right - bar.left, height=BAR, fill=fill, stroke=PALETTE["muted"],
        stroke_dasharray=dash,
    )  # fmt: skip
    if bar.last and bar.item["ended_on"] == bar.item["expires_on"]:
        yield el("rect", x=bar.right - 4, y=y - 2, width=4, height=BAR + 4, fill=PALETTE["due"])
    for number, words in enumerate(_told(bar.item, bar.first), start=1):
        yield _text(bar.text_left, y + BAR + number * 13, words, ink="ink" if number == 1 else "muted")
