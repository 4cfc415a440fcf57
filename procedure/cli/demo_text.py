"""The report of the demonstration for people: Portuguese, 80 columns."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from penalties.money import money_br
from procedure.cli.auto_text import describe
from procedure.cli.plain import article_br
from procedure.domain.labels import INSCRIPTION_STATUSES, TRACK_STATES, deadline_label, state_label
from procedure.domain.vocabulary import TrackState

WIDTH = 80
CITED = re.compile(r"(?P<line> +\S.*\s{2,}(?P<reason>\S.*?))  (?P<citation>\[.+\])$")
WEEKDAYS = ("seg", "ter", "qua", "qui", "sex", "sáb", "dom")


def day(text: str) -> str:
    """A day as printed: 29/04/2013."""
    return date.fromisoformat(text).strftime("%d/%m/%Y")


def _money(text: str) -> str:
    return money_br(Decimal(text))


def _heading(number: int, title: str) -> list[str]:
    return _title(f"{number}. {title}")


def _title(line: str) -> list[str]:
    return ["", line, "─" * len(line)]


def text_of(found: dict[str, Any]) -> str:
    """The whole report but what to type next."""
    lines = ["POSTURAS — demonstração"]
    for told in found["municipalities"]:
        lines += [*opening(told), *states(told), *ahead(told), *inscriptions(told), *beside(told), *stories(told)]
    return "\n".join([*lines, *verification(found)])


def opening(found: dict[str, Any]) -> list[str]:
    """Where, and what was done."""
    return [
        "",
        "═" * WIDTH,
        found["title"],
        "═" * WIDTH,
        f"Dia a dia, de {day(found['first_day'])} a {day(found['last_day'])}: {found['acts']} atos lançados;",
        f"{found['nights']} noites, e varredura nas {found['sweeps']} em que algo vencia.",
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
    title = f"Prazos que vencem de {day(ahead_of['from'])} a {day(ahead_of['to'])}"
    return [*_heading(2, title), *([_deadline(item) for item in ahead_of["items"]] or ["   nenhum"])]


def _deadline(item: dict[str, Any]) -> str:
    due = f"{_weekday(item['due'])} {day(item['due'])}"
    return f"   {due}  {item['auto']:<10}{deadline_label(item['kind']):<23} {article_br(item['article'])}"


def _weekday(text: str) -> str:
    return WEEKDAYS[date.fromisoformat(text).weekday()]


def inscriptions(found: dict[str, Any]) -> list[str]:
    """The register of dívida ativa, with what is still owed."""
    listed = found["inscriptions"]
    header = f"   {'nº':<8}{'data':<12}{'auto':<10}{'devedor':<22}{'inscrito':>11}  situação"
    lines = [_inscription(item) for item in listed["items"]]
    return [
        *_heading(3, f"Dívida ativa: {len(listed['items'])} inscrições"),
        *([header, *lines] if lines else ["   nenhuma"]),
        "",
        f"   A receber: {listed['standing']} inscrições, {_money(listed['standing_owed'])} "
        "(já abatido o que foi pago depois).",
    ]


def _inscription(item: dict[str, Any]) -> str:
    status = INSCRIPTION_STATUSES.get(item["status"], item["status"])
    name = shorten(item["debtor"] or "(apagado)", 20)
    amount = _money(item["total"]).removeprefix("R$ ")
    return f"   {item['number']:<8}{day(item['date']):<12}{item['auto']:<10}{name:<22}{amount:>11}  {status}"


def beside(found: dict[str, Any]) -> list[str]:
    """The side tracks: things near the end of their term, choices that wait, daily fines running."""
    told = found["tracks"]
    return [
        *_heading(4, "Ao lado da multa"),
        f"   Coisas apreendidas: {told['held']} processos; a resolver até {day(found['deadlines']['to'])}:",
        *_listed(_goods(item) for item in told["goods"]),
        "   Obrigações não cumpridas, à espera da escolha da autoridade:",
        *_listed(_choice(item) for item in told["choices"]),
        "   Multas diárias em curso (nada se cobra antes de consolidar):",
        *_listed(_daily(item) for item in told["daily_fines"]),
        f"   Acumulado nelas: {_money(told['accrued'])}.",
    ]


def _listed(lines: Iterable[str]) -> list[str]:
    return [folded for line in lines for folded in _wrapped(f"     {line}", WIDTH, 16)] or ["     nenhuma"]


def _goods(item: dict[str, Any]) -> str:
    things = ", ".join(f"{thing['quantity']} × {thing['description']}" for thing in item["items"])
    term = f"prazo até {day(item['term'])}" if item["term"] else "sem prazo"
    return f"{item['auto']:<10} {TRACK_STATES[TrackState(item['state'])]}: {things}; {term}"


def _choice(item: dict[str, Any]) -> str:
    return f"{item['auto']:<10} {TRACK_STATES[TrackState(item['state'])]}: {item['description']}"


def _daily(item: dict[str, Any]) -> str:
    accrued = f"{item['days']} dias, {_money(item['accrued'])}"
    return f"{item['auto']:<10} {_money(item['rate'])} por dia desde {day(item['from'])}: {accrued}"


def stories(found: dict[str, Any]) -> list[str]:
    """The cases told in full, as ``posturas auto show`` tells them, folded to the page."""
    lines = _heading(5, "Processos contados do começo ao fim")
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
    """Whether the records are what their acts say."""
    answers = [told["verify"] for told in found["municipalities"]]
    cases, acts = (sum(answer[key] for answer in answers) for key in ("cases", "acts"))
    defects = [defect for answer in answers for defect in answer["defects"]]
    told = f"{cases} processos, {acts} atos: "
    if all(answer["ok"] for answer in answers):
        lines = [
            f"   {told}tudo confere.",
            "   A cadeia de cada processo está inteira, e prazos, multas e inscrições,",
            "   feitos de novo a partir dos atos, dão o mesmo.",
        ]
    else:
        lines = [f"   {told}{len(defects)} defeitos."]
        lines += [f"   auto {d['auto']}: {d['what']} [{d['code']}]" for d in defects]
    return ["", "═" * WIDTH, *_title("Conferência"), *lines]


def closing(found: dict[str, Any], command: str) -> str:
    """Where the database is and what to type next."""
    place, story = found["municipality"], found["stories"][0]["auto"]
    later = (date.fromisoformat(found["deadlines"]["to"]) + timedelta(days=1)).isoformat()
    return "\n".join(
        [
            *_title("E agora"),
            f"   O banco: {found['database']}",
            f"   {len(found['documents'])} documentos em PDF, ao lado dele: documentos",
            "   O painel da semana, um processo dia a dia e os prazos para a agenda: paginas",
            "   Para olhar dentro dele:",
            "",
            f"   export POSTURAS_DB={shlex.quote(found['url'])}",
            *(f"   {command} {rest}" for rest in _next_commands(place, story, later)),
        ]
    )


def _next_commands(municipality: str, auto: str, later: str) -> Sequence[str]:
    here = f"--municipality {municipality}"
    return (
        f"auto show {auto} {here}",
        f"auto list {here}",
        f"divida-ativa list {here}",
        f"sweep --as-of {later} --dry-run {here}",
        f"verify {here}",
    )
