"""The office's year as a page, and a term on the months in which it runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from calendars import Count, OfficeCalendar
from calendars.days import WEEKDAYS
from procedure.domain.readings import reading_br
from procedure.domain.wording import weekday_br
from procedure.pages.frame import cards, page, sentence, table
from procedure.pages.markup import Child, Html, el
from procedure.pages.months import WEEK, months
from procedure.services.documenting.months import MONTHS, draw_months
from procedure.services.documenting.pieces import to_json
from procedure.services.office_year import LABELS, RARE, DayMark, day_mark, days_of, hours, runs, weeks_of, when

_CLASSES = {
    DayMark.NORMAL: None,
    DayMark.WEEKLY: "weekly",
    DayMark.HOLIDAY: "due",
    DayMark.OPTIONAL: "waits",
    DayMark.REDUCED: "skipped",
    DayMark.SUSPENDED: "stopped",
    DayMark.OPENED: "counted",
    DayMark.UNKNOWN: "out",
}
_SIGNS = {
    DayMark.HOLIDAY: "F",
    DayMark.OPTIONAL: "P",
    DayMark.REDUCED: "R",
    DayMark.SUSPENDED: "S",
    DayMark.OPENED: "A",
    DayMark.UNKNOWN: "?",
}


def year_page(calendar: OfficeCalendar, year: int, place: str) -> str:
    """The twelve months, each day with the sign of its kind, and below them every day that is not normal, with why."""
    heading = f"Dias da repartição em {year}"
    off = " e ".join(WEEKDAYS[day] for day in sorted(calendar.weekly_off)) or "nenhum dia"
    drawn = el("div", [_month(calendar, year, month) for month in range(1, 13)], class_="months year")
    body = [_legend(calendar, year), drawn, el("h2", "Dias que não são normais, e por quê"), *_days(calendar, year)]
    return page(
        f"{heading}, {place}",
        place=place,
        heading=heading,
        intro=el("p", f"Folga semanal: {off}.", class_="sub"),
        body=body,
        foot=_foot(calendar),
        sheets=["calendar"],
    )


def _foot(calendar: OfficeCalendar) -> Html:
    return el("p", f"Calendário {calendar.id}, versão {calendar.version[:12]}.")


def _legend(calendar: OfficeCalendar, year: int) -> Html:
    drawn = [day_mark(calendar, day) for day in days_of(year)]
    shown = [mark for mark in DayMark if mark not in RARE or mark in drawn]
    items = [(mark, f"{_SIGNS[mark]} = " if mark in _SIGNS else "") for mark in shown]
    said = [el("li", f"{sign}{LABELS[mark]} ({drawn.count(mark)})", class_=_CLASSES[mark]) for mark, sign in items]
    return el("ul", said, class_="legend")


def _month(calendar: OfficeCalendar, year: int, month: int) -> Html:
    head = [el("th", el("abbr", day[:3], title=day), scope="col") for day in WEEK]
    weeks = [el("tr", [_day(calendar, day) for day in week]) for week in weeks_of(year, month)]
    return el(
        "table", el("caption", sentence(MONTHS[month - 1])), el("thead", el("tr", head)), el("tbody", weeks),
        class_="month",
    )  # fmt: skip


def _day(calendar: OfficeCalendar, day: date | None) -> Html:
    if day is None:
        return el("td", class_="empty")
    mark = day_mark(calendar, day)
    sign = _SIGNS.get(mark)
    return el("td", el("b", day.day), el("span", sign) if sign else None, class_=_CLASSES[mark])


def _days(calendar: OfficeCalendar, year: int) -> Iterator[Html]:
    rows: list[Sequence[Child]] = [
        [
            when(first, last, "%d/%m/%Y"),
            sentence(LABELS[day_mark(calendar, first)]),
            f"{fact.description}{hours(fact)}",
            fact.act or "sem ato informado",
            "sim" if fact.verified else "a confirmar",
        ]
        for first, last, fact in runs(calendar, days_of(year))
    ]
    heads = ("Dia", "Tipo", "Razão", "Ato", "Confirmado pelo município")
    yield table("Feriados, pontos facultativos, expediente reduzido e suspensões", heads, rows)


# ---------------------------------------------------------------- a term


def term_page(counted: Count, *, place: str, law: str, expires_on: date) -> str:
    """A term on its months: the days counted, those skipped with the reason, the last one, the other readings.

    ``expires_on``: until when the municipality waits.
    """
    heading = f"Prazo de {counted.term.label()}"
    due = counted.due.isoformat()
    entries: list[tuple[str, Child, str | None]] = [
        ("Começa", f"{counted.starts_on:%d/%m/%Y}", "o dia do começo não se conta"),
        ("Primeiro dia contado", f"{counted.first_counted:%d/%m/%Y}", None),
        ("Vence", f"{counted.due:%d/%m/%Y}", weekday_br(due).split(",")[0]),
    ]
    if expires_on != counted.due:
        entries.append(("O município espera até", f"{expires_on:%d/%m/%Y}", "pela leitura mais favorável"))
    drawn = [to_json(month) for month in draw_months(counted, expires_on=expires_on)]
    rows: list[Sequence[Child]] = [
        [_span(step.first, step.last), step.reason, step.citation or "—"] for step in counted.steps
    ]
    body = [
        cards(entries),
        el("h2", "Os dias do prazo"),
        months(drawn),
        el("h2", "O que se contou e o que se pulou"),
        table("Cada passo da contagem, com a razão", ("Dias", "O que houve", "Fundamento"), rows),
        *_readings(counted),
    ]
    return page(
        f"{heading}, {place}",
        place=place,
        heading=heading,
        intro=el("p", law, class_="sub"),
        body=body,
        foot=_foot(counted.calendar),
    )


def _span(first: date, last: date) -> str:
    return f"{first:%d/%m/%Y}" if first == last else f"{first:%d/%m/%Y} a {last:%d/%m/%Y}"


def _readings(counted: Count) -> Iterator[Html]:
    if counted.alternatives:
        rows: list[Sequence[Child]] = [
            [f"{other.due:%d/%m/%Y}", sentence(reading_br(other.reading))] for other in counted.alternatives
        ]
        yield el("h2", "Outras leituras")
        yield table("O vencimento que outra leitura daria", ("Venceria em", "Leitura"), rows)
