"""A case on screen as it went by: the line downwards, each running term as a bar beside it, the money under its act."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from calendars.days import WEEKDAYS
from procedure.cli.plain import WIDTH, amount_br, article_br, day_br, person_br
from procedure.domain.labels import act_label, state_label
from procedure.domain.telling import end_words, event_label, event_number, gap_label, money_words, term_label
from procedure.domain.wording import cited_br

Document = Mapping[str, Any]
_MARGIN = 17  # the date and its weekday


def describe(doc: Document) -> str:
    """The document of ``services.timeline.timeline`` for people."""
    lanes = Lanes()
    lines = [*_heading(doc), ""]
    days = doc["days"]
    for number, day in enumerate(days):
        if number:
            gap = date.fromisoformat(day["date"]) - date.fromisoformat(days[number - 1]["date"])
            lines.append(f"{'':{_MARGIN}}│ {lanes.running()} {gap_label(gap.days)}")
        lines += _day(doc, day, lanes)
    coming = doc["next_engine_act"]
    if coming:
        lines += ["", f"Se nada acontecer: {act_label(coming['act'])} em {day_br(coming['date'])}"]
    return "\n".join(line.rstrip() for line in lines)


def _heading(doc: Document) -> Iterator[str]:
    yield f"AUTO DE INFRAÇÃO Nº {doc['auto']} – {doc['municipality_name']}"
    yield doc["law_title"]
    yield f"Autuado: {person_br(doc['infrator'])}"
    yield f"Situação: {state_label(doc['state'])}; a pagar {amount_br(doc['amounts']['saldo'])}"
    yield "● ato   ■ fim de prazo   ┌ │ └ o prazo corre"


class Lanes:
    """The terms that run at a time, each in a column of its own while it runs."""

    def __init__(self) -> None:
        self._held: list[int | None] = []

    def start(self, term: int) -> None:
        """Give the term the first free column."""
        free = next((at for at, held in enumerate(self._held) if held is None), len(self._held))
        if free == len(self._held):
            self._held.append(None)
        self._held[free] = term

    def end(self, term: int) -> None:
        """Free its column; those at the right that nobody holds go."""
        self._held[self._held.index(term)] = None
        while self._held and self._held[-1] is None:
            self._held.pop()

    def running(self) -> str:
        """The columns between two dates."""
        return self.drawn({})

    def drawn(self, signs: Mapping[int, str]) -> str:
        """The columns, with the sign of each term that has one now; two at the least, so that the texts stand still."""
        cells = [" " if held is None else signs.get(held, "│") for held in self._held]
        return " ".join([*cells, *" " * (2 - len(cells))])


def _day(doc: Document, day: Document, lanes: Lanes) -> Iterator[str]:
    for term in day["starts"]:
        lanes.start(term)
    room = WIDTH - _MARGIN - len(f"│ {lanes.running()} ")
    texts = list(_texts(doc, day, room))
    when = date.fromisoformat(day["date"])
    head = f"{when:%d/%m/%Y} {WEEKDAYS[when.weekday()][:3]}"
    for number, text in enumerate(texts):
        signs = dict.fromkeys(day["starts"], "┌") if number == 0 else {}
        if number == len(texts) - 1:
            signs |= dict.fromkeys(day["ends"], "└")
        rail = ("●" if day["events"] else "■") if number == 0 else "│"
        yield f"{head if number == 0 else '':{_MARGIN}}{rail} {lanes.drawn(signs)} {text}"
    for term in day["ends"]:
        lanes.end(term)


def _texts(doc: Document, day: Document, room: int) -> Iterator[str]:
    for at in day["events"]:
        event = doc["events"][at]
        cited = f" ({cited_br(event['article'], event['norm'])})" if event["article"] else ""
        yield from textwrap.wrap(f"{event_number(event)}. {event_label(event)}{cited}", room, subsequent_indent="   ")
        money = "; ".join(money_words(event))
        if money:
            yield from _told(f"{money}; a pagar {amount_br(event['balance'])}", room)
    for at in day["starts"]:
        item = doc["deadlines"][at]
        ends = day_br(item["expires_on"])
        yield from _told(f"começa: {term_label(item)} ({article_br(item['article'])}), até {ends}", room)
    for at in day["ends"]:
        yield from _told(end_words(doc["deadlines"][at]), room)


def _told(said: str, room: int) -> list[str]:
    """Under the act's number."""
    return textwrap.wrap(said, room, initial_indent="   ", subsequent_indent="   ")
