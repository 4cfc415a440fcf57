"""The report of the demonstration for people: Portuguese, 80 columns."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from penalties.money import money_br
from procedure.cli.auto_text import describe
from procedure.domain.labels import INSCRIPTION_STATUSES, deadline_label, state_label

WIDTH = 80
CITED = re.compile(r"(?P<line> +\S.*\s{2,}(?P<reason>\S.*?))  (?P<citation>\[.+\])$")
WEEKDAYS = ("seg", "ter", "qua", "qui", "sex", "sáb", "dom")


def day(text: str) -> str:
    """A day as printed: 29/04/2013."""
    return date.fromisoformat(text).strftime("%d/%m/%Y")


def _money(text: str) -> str:
    return money_br(Decimal(text))


def _heading(number: int, title: str) -> list[str]:
    line = f"{number}. {title}"
    return ["", line, "─" * len(line)]


def text_of(found: dict[str, Any]) -> str:
    """The whole report but what to type next."""
    return "\n".join(
        [*opening(found), *states(found), *ahead(found), *inscriptions(found), *stories(found), *verification(found)]
    )


def opening(found: dict[str, Any]) -> list[str]:
    """What was done, in four lines."""
    return [
        "POSTURAS — demonstração",
        found["title"],
        "",
        f"Dia a dia, de {day(found['first_day'])} a {day(found['last_day'])}: {found['acts']} atos lançados,",
        f"{found['nights']} varreduras, uma por noite.",
        *(f"{unit['unit']}: {_money(unit['value'])} ({unit['act']})." for unit in found["units"]),
    ]


def states(found: dict[str, Any]) -> list[str]:
    """How many autos stand where."""
    counts = found["states"]
    lines = [f"   {state_label(state):<40}{count:>4}" for state, count in counts.items()]
    total = sum(counts.values())
    return [
        *_heading(1, f"Onde estão os {total} processos ao fim de {day(found['last_day'])}"),
        *lines,
        f"   {'total':<40}{total:>4}",
    ]


def ahead(found: dict[str, Any]) -> list[str]:
    """The deadlines of the next days."""
    ahead_of = found["deadlines"]
    title = f"Prazos que acabam de {day(ahead_of['from'])} a {day(ahead_of['to'])}"
    lines = [
        f"   {_weekday(i['due'])} {day(i['due'])}  {i['auto']:<10}{deadline_label(i['kind']):<24}art. {i['article']}"
        for i in ahead_of["items"]
    ]
    return [*_heading(2, title), *(lines or ["   nenhum"])]


def _weekday(text: str) -> str:
    return WEEKDAYS[date.fromisoformat(text).weekday()]


def inscriptions(found: dict[str, Any]) -> list[str]:
    """The register of dívida ativa, with what is still owed."""
    listed = found["inscriptions"]
    header = f"   {'nº':<8}{'data':<12}{'auto':<10}{'devedor':<22}{'inscrito':>11}  situação"
    lines = [_inscription(item) for item in listed["items"]]
    return [
        *_heading(3, f"Dívida ativa: {len(listed['items'])} inscrições"),
        header,
        *lines,
        "",
        f"   A receber: {listed['standing']} inscrições, {_money(listed['standing_owed'])} "
        "(já abatido o que foi pago depois).",
    ]


def _inscription(item: dict[str, Any]) -> str:
    status = INSCRIPTION_STATUSES.get(item["status"], item["status"])
    name = shorten(item["debtor"] or "(apagado)", 20)
    amount = _money(item["total"]).removeprefix("R$ ")
    return f"   {item['number']:<8}{day(item['date']):<12}{item['auto']:<10}{name:<22}{amount:>11}  {status}"


def stories(found: dict[str, Any]) -> list[str]:
    """The cases told in full, as ``posturas auto show`` tells them, folded to the page."""
    lines = _heading(4, "Processos contados do começo ao fim")
    for letter, story in zip("abcdefgh", found["stories"], strict=False):
        lines += ["", *textwrap.wrap(f"{letter}) {story['title']}.", WIDTH, subsequent_indent="   "), ""]
        lines += _fold(describe(story["case"]), WIDTH)
    return lines


def _fold(text: str, width: int) -> Iterator[str]:
    """The lines of the text at the width: a citation goes under the reason it follows, the rest under its indent."""
    for line in text.splitlines():
        if len(line) <= width:
            yield line.rstrip()
            continue
        told = CITED.match(line)
        if told and len(told["line"]) <= width:
            column = told.start("reason")
            yield told["line"]
            yield from _wrapped(" " * column + told["citation"], width, column)
        else:
            yield from _wrapped(line, width, len(line) - len(line.lstrip()) + 2)


def _wrapped(line: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(line, width, subsequent_indent=" " * indent, break_long_words=False)


def shorten(text: str, width: int) -> str:
    """The text, cut with an ellipsis when it is longer than ``width``."""
    return text if len(text) <= width else text[: width - 1] + "…"


def verification(found: dict[str, Any]) -> list[str]:
    """Whether the record is what its acts say."""
    answer = found["verify"]
    told = f"{answer['cases']} processos, {answer['acts']} atos: "
    if answer["ok"]:
        lines = [
            f"   {told}tudo confere.",
            "   A cadeia de cada processo está inteira, e prazos, multas e inscrições,",
            "   feitos de novo a partir dos atos, dão o mesmo.",
        ]
    else:
        lines = [f"   {told}{len(answer['defects'])} defeitos."]
        lines += [f"   auto {d['auto']}: {d['what']} [{d['code']}]" for d in answer["defects"]]
    return [*_heading(5, "Conferência"), *lines]


def closing(found: dict[str, Any], command: str) -> str:
    """Where the database is and what to type next."""
    story = found["stories"][0]["auto"]
    later = (date.fromisoformat(found["deadlines"]["to"]) + timedelta(days=1)).isoformat()
    return "\n".join(
        [
            *_heading(6, "E agora"),
            f"   O banco: {found['database']}",
            "   Para olhar dentro dele:",
            "",
            f"   export POSTURAS_DB={shlex.quote(found['url'])}",
            *(f"   {command} {rest}" for rest in _next_commands(story, later)),
        ]
    )


def _next_commands(auto: str, later: str) -> Sequence[str]:
    return (
        f"auto show {auto}",
        "auto list",
        "divida-ativa list",
        f"sweep --as-of {later} --dry-run",
        "verify",
    )
