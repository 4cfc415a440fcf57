"""The months of a term as tables: each day with its part in the count and its word, and the legend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from procedure.pages.frame import PALETTE
from procedure.pages.markup import Html, el

Month = Mapping[str, Any]
WEEK = ("domingo", "segunda", "terça", "quarta", "quinta", "sexta", "sábado")
_CLASSES = {
    "inicio": "start",
    "contado": "counted",
    "pulado": "skipped",
    "suspenso": "stopped",
    "vence": "due",
    "espera": "waits",
    "fora": "out",
}
_MEANINGS = {
    "inicio": "início: o dia do começo, que não se conta",
    "contado": "1º, 2º …: dias contados",
    "pulado": "pula, adia: dia que não pode ser começo nem fim",
    "suspenso": "susp.: o prazo não corre",
    "vence": "vence: último dia do prazo",
    "espera": "espera: até aqui o município aguarda, pela leitura mais favorável",
}
assert set(_CLASSES.values()) - {"out"} <= set(PALETTE)


def months(drawn: Sequence[Month]) -> Html:
    """The months side by side, and below them what their words mean."""
    return el("div", el("div", [_month(month) for month in drawn], class_="months"), _legend(drawn))


def _month(month: Month) -> Html:
    head = [el("th", el("abbr", day[:3], title=day), scope="col") for day in WEEK]
    weeks = [el("tr", [_day(day) for day in week]) for week in month["weeks"]]
    return el(
        "table", el("caption", month["title"]), el("thead", el("tr", head)), el("tbody", weeks), class_="month"
    )


def _day(day: Month | None) -> Html:
    if day is None:
        return el("td", class_="empty")
    word = day["word"] or ("fechado" if day["closed"] and day["part"] in ("fora", "contado") else None)
    return el("td", el("b", day["number"]), el("span", word) if word else None, class_=_CLASSES[day["part"]])


def _legend(drawn: Iterable[Month]) -> Html:
    parts = {day["part"] for month in drawn for week in month["weeks"] for day in week if day}
    shown = [el("li", said, class_=_CLASSES[part]) for part, said in _MEANINGS.items() if part in parts]
    return el("ul", shown, class_="legend")
