"""A deadline on the calendar: its months, each day with its kind, its part in the count, the ends that fall on it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from calendars.counting import Count
from calendars.days import WEEKDAYS
from calendars.explain import StepKind
from calendars.laws import Espera, LawCounting
from calendars.notice import NoticeEvent, notice_event
from calendars.rules import Hours
from procedure.cli.calendar_draw import MARKS, MONTHS, day_list, legend, mark_of, weeks_of
from procedure.cli.drawing import Ink, Line, Piece, fill, side_by_side, words
from procedure.cli.prazo_text import long_day

_CELL = 8
_WIDTH, _GAP, _INDENT = 7 * _CELL, 2, 1
_MANY = 4  # months; beyond, those in which the term only runs are told in one line
_EVENTS = {
    NoticeEvent.RECEIPT: ("receb.", "recebimento"),
    NoticeEvent.JUNTADA: ("juntada", "juntada aos autos"),
    NoticeEvent.PUBLICATION: ("edital", "publicação do edital"),
    NoticeEvent.PUBLICATION_NEXT_EXPEDIENTE: ("edital", "publicação do edital"),
}


class Word(NamedTuple):
    """A word under a day, and what the legend says of it."""

    text: str
    ink: Ink
    meaning: str


_START = Word("início", Ink.EXCLUDED, "dia do início: não se conta")
_SKIPPED = Word("pula", Ink.SKIPPED, "o prazo ainda não pode começar")
_STOPPED = Word("susp.", Ink.SUSPENDED, "o prazo não corre")
_NOT_COUNTED = Word("não", Ink.SKIPPED, "dia que não se conta")
_RUNS = Word("corre", Ink.COUNTED, "o prazo corre")
_MOVED = Word("adia", Ink.SKIPPED, "dia que não pode ser o vencimento")
_LAST = Word("último", Ink.OTHER_DUE, "último dia contado")
_DUE = Word("VENCE", Ink.DUE, "vencimento")
_OTHER = Word("outra", Ink.OTHER_DUE, "vencimento por outra leitura")
_WAITS = Word("espera", Ink.OTHER_DUE, "outra leitura, a mais favorável: o município espera até aqui")
_COUNTED = "dias contados"
_PARTS = {
    StepKind.SKIPPED: _SKIPPED,
    StepKind.SUSPENDED: _STOPPED,
    StepKind.NOT_COUNTED: _NOT_COUNTED,
}


def draw_deadline(
    law: LawCounting, counted: Count, start: date | datetime, method: str | None, width: int
) -> list[Line]:
    """The months from the event to the last end, the legend, and the days of those months that are not normal.

    ``start`` is the event as it was given (with ``edital`` the publication, which ``counted.start`` follows).
    """
    event = _date(start)
    parts, ends = part_of_days(counted), _ends(law, counted, event, method)
    months = _months(min(event, counted.starts_on), max(ends))
    drawn = [m for m in months if len(months) <= _MANY or not _only_runs(m, parts, ends)]
    blocks = [_month(counted, month, parts, ends) for month in drawn]
    columns = max(1, (width - _INDENT + _GAP) // (_WIDTH + _GAP))
    lines: list[Line] = [
        (Piece(f"Prazo de {counted.term.label()}, pela {law.name} de {law.place_name}", Ink.TITLE),),
        (Piece(f"Vence em {long_day(counted.due)}", Ink.TITLE),),
        (),
    ]
    lines += side_by_side(blocks, columns, width=_WIDTH, gap=_GAP, indent=_INDENT)
    if len(drawn) < len(months):
        left_out = _spans([m for m in months if m not in drawn])
        lines += [(), *fill(words(f"Não desenhados, o prazo corre neles todos os dias: {left_out}."), width=width)]
    days = [day for y, m in drawn for week in weeks_of(y, m) for day in week if day is not None]
    kinds = {mark_of(counted.calendar, day) for day in days}
    lines += [(), *legend((mark for mark in MARKS if mark in kinds), width)]
    lines += legend(_words_used(parts, ends), width)
    return [*lines, (), *day_list(counted.calendar, days, width)]


def part_of_days(counted: Count) -> dict[date, Word]:
    """What each day is in the count: start, skipped, 1º, 2º … (or running), stopped, moved."""
    parts: dict[date, Word] = {counted.starts_on: _START}
    for step in counted.steps:
        if step.kind in _PARTS:
            parts.update((day, _PARTS[step.kind]) for day in _days(step.first, step.last))
    ordinal, by_number = 0, not counted.term.months and not _by_clock(counted)
    for day in _days(counted.first_counted, counted.last_counted):
        if parts.get(day) not in (_STOPPED, _NOT_COUNTED):
            ordinal += 1
            parts[day] = Word(f"{ordinal}º", Ink.COUNTED, _COUNTED) if by_number else _RUNS
    for day in _days(counted.last_counted + timedelta(1), counted.due - timedelta(1)):
        parts[day] = _MOVED
    return parts


def _by_clock(counted: Count) -> bool:
    known = counted.term.in_hours and isinstance(counted.start, datetime)
    return known and counted.rule.hours is Hours.MINUTE_TO_MINUTE


def _ends(law: LawCounting, counted: Count, event: date, method: str | None) -> dict[date, Word]:
    """The words of the third line: the event, the last day counted, the due day, and the ends of other readings."""
    name, meaning = _EVENTS[notice_event(method, law.notice)] if method else ("evento", "evento que inicia o prazo")
    ends = {event: Word(name, Ink.EXCLUDED, meaning), counted.last_counted: _LAST}
    ends.update((other.due, _OTHER) for other in counted.alternatives)
    if law.espera is Espera.LEITURA_MAIS_FAVORAVEL:
        ends[law.expires_on(counted)] = _WAITS
    last = counted.last_counted == counted.due
    ends[counted.due] = _DUE._replace(meaning="último dia contado e vencimento") if last else _DUE
    return ends


def _months(first: date, last: date) -> list[tuple[int, int]]:
    index = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return [(n // 12, n % 12 + 1) for n in index]


def _spans(months: list[tuple[int, int]]) -> str:
    """``janeiro/2014 a novembro/2014, janeiro/2015``."""
    spans: list[list[tuple[int, int]]] = []
    for month in months:
        if spans and len(_months(date(*spans[-1][-1], 1), date(*month, 1))) == 2:
            spans[-1].append(month)
        else:
            spans.append([month])
    ends = ([span[0]] if len(span) == 1 else [span[0], span[-1]] for span in spans)
    return ", ".join(" a ".join(f"{MONTHS[m - 1]}/{y}" for y, m in pair) for pair in ends)


def _only_runs(month: tuple[int, int], parts: dict[date, Word], ends: dict[date, Word]) -> bool:
    days = [day for week in weeks_of(*month) for day in week if day is not None]
    return all(day in parts and parts[day].ink is Ink.COUNTED and day not in ends for day in days)


def _month(counted: Count, month: tuple[int, int], parts: dict[date, Word], ends: dict[date, Word]) -> list[Line]:
    year, number = month
    head = "".join(f" {WEEKDAYS[(n - 1) % 7][:3]}".ljust(_CELL) for n in range(7))
    title = f" {MONTHS[number - 1]} de {year}".ljust(_WIDTH)
    lines: list[Line] = [(Piece(title, Ink.TITLE),), (Piece(head, Ink.FAINT),)]
    for week in weeks_of(year, number):
        lines.append(tuple(piece for day in week for piece in _number(counted, day)))
        for under in (parts, ends):
            if any(day in under for day in week):
                lines.append(tuple(piece for day in week for piece in _under(under.get(day) if day else None)))
    return lines


def _number(counted: Count, day: date | None) -> Line:
    if day is None:
        return (Piece(" " * _CELL),)
    mark = mark_of(counted.calendar, day)
    return _cell(f"{day.day:>2}{mark.sign}", mark.ink)


def _under(word: Word | None) -> Line:
    return _cell(word.text, word.ink) if word else (Piece(" " * _CELL),)


def _cell(text: str, ink: Ink) -> Line:
    return Piece(" "), Piece(text, ink), Piece(" " * (_CELL - 1 - len(text)))


def _words_used(parts: dict[date, Word], ends: dict[date, Word]) -> list[Word]:
    """The words drawn, each meaning once, in the order of the days."""
    used: dict[str, Word] = {}
    for _, word in [*sorted(parts.items()), *sorted(ends.items())]:
        used.setdefault(word.meaning, word._replace(text="1º, 2º …") if word.meaning == _COUNTED else word)
    return list(used.values())


def _days(first: date, last: date) -> Iterator[date]:
    return (date.fromordinal(o) for o in range(first.toordinal(), last.toordinal() + 1))


def _date(moment: date | datetime) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
