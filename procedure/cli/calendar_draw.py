"""The year on screen: each day with the sign of its kind, a legend, and below it the days that are not normal."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from calendars.days import WEEKDAYS, DayFact
from calendars.office import OfficeCalendar
from procedure.cli.drawing import Ink, Line, Piece, fill, length, side_by_side, words
from procedure.services.documenting.months import MONTHS
from procedure.services.office_year import LABELS, RARE, DayMark, day_mark, days_of, hours, runs, weeks_of, when

__all__ = ["MARKS", "MONTHS", "day_list", "draw_year", "legend", "mark_of", "weeks_of"]

_HEAD = " D   S  T  Q  Q  S   S"
WIDTH, _GAP, _INDENT = 23, 4, 1


class Mark(NamedTuple):
    """How one kind of day is drawn."""

    sign: str
    ink: Ink
    label: str


_SIGNS = {
    DayMark.NORMAL: (" ", Ink.PLAIN),
    DayMark.WEEKLY: ("·", Ink.WEEKLY_OFF),
    DayMark.HOLIDAY: ("F", Ink.HOLIDAY),
    DayMark.OPTIONAL: ("P", Ink.OPTIONAL),
    DayMark.REDUCED: ("R", Ink.REDUCED),
    DayMark.SUSPENDED: ("S", Ink.SUSPENDED),
    DayMark.OPENED: ("A", Ink.OPENED),
    DayMark.UNKNOWN: ("?", Ink.FAINT),
}
_MARKS = {mark: Mark(sign, ink, LABELS[mark]) for mark, (sign, ink) in _SIGNS.items()}
MARKS = tuple(_MARKS.values())
NORMAL, WEEKLY, HOLIDAY, OPTIONAL, REDUCED, SUSPENDED, OPENED, UNKNOWN = MARKS
_DOUBT = Piece("?", Ink.UNVERIFIED)
_RARE = tuple(_MARKS[mark] for mark in RARE)  # in the legend only when drawn


def mark_of(calendar: OfficeCalendar, day: date) -> Mark:
    """How a day of the calendar is drawn."""
    return _MARKS[day_mark(calendar, day)]


def draw_year(calendar: OfficeCalendar, year: int, width: int) -> list[Line]:
    """The twelve months in as many columns as ``width`` takes, the legend, the days and their acts."""
    room = (width - _INDENT + _GAP) // (WIDTH + _GAP)
    columns = next(n for n in (6, 4, 3, 2, 1) if n <= max(room, 1))
    months = [_month(calendar, year, month) for month in range(1, 13)]
    lines = side_by_side(months, columns, width=WIDTH, gap=_GAP, indent=_INDENT)
    days = days_of(year)
    lines += [(), *_year_legend(calendar, days, width), ()]
    return lines + day_list(calendar, days, width)


def _month(calendar: OfficeCalendar, year: int, month: int) -> list[Line]:
    lines: list[Line] = [(Piece(MONTHS[month - 1].center(WIDTH), Ink.TITLE),), (Piece(_HEAD, Ink.FAINT),)]
    return lines + [_week(calendar, week) for week in weeks_of(year, month)]


def _week(calendar: OfficeCalendar, week: list[date | None]) -> Line:
    cells = [_cell(calendar, day) for day in week]
    blank = Piece(" ")  # the weekend stands a little apart
    return (cells[0], blank, *cells[1:-1], blank, cells[-1])


def _cell(calendar: OfficeCalendar, day: date | None) -> Piece:
    if day is None:
        return Piece("   ")
    mark = mark_of(calendar, day)
    return Piece(f"{day.day:>2}{mark.sign}", mark.ink)


def _year_legend(calendar: OfficeCalendar, days: list[date], width: int) -> list[Line]:
    """Each sign, what it says, and how many of ``days`` have it: a kind with no day shows its 0."""
    drawn = [mark_of(calendar, day) for day in days]
    shown = [mark for mark in MARKS if mark not in _RARE or mark in drawn]
    return legend(((m.sign, m.ink, f"{m.label} ({drawn.count(m)})") for m in shown), width)


def legend(entries: Iterable[tuple[str, Ink, str]], width: int) -> list[Line]:
    """``sign = meaning``, one after another."""
    items = ((Piece(sign if sign.strip() else "sem sinal", ink), Piece(f" = {text}")) for sign, ink, text in entries)
    return fill(items, width=width, head=(Piece(" "),), indent=1, gap=3)


def day_list(calendar: OfficeCalendar, days: list[date], width: int) -> list[Line]:
    """The days that differ from the plain week, one or a run of equal ones a row, with reason, act, verified or not."""
    off = " e ".join(WEEKDAYS[d] for d in sorted(calendar.weekly_off)) or "nenhum dia"
    found = list(runs(calendar, days))
    if not found:
        return fill(words(f"Folga semanal: {off}. Nenhum outro dia fora do normal."), width=width)
    doubt = (Piece("("), _DOUBT)
    opening = [*words(f"Folga semanal: {off}. Além disso"), doubt, *words("= a confirmar com o município):")]
    lines = fill(opening, width=width)
    one_year = days[0].year == days[-1].year
    whens = [when(first, last, "%d/%m" if one_year else "%d/%m/%Y") for first, last, _ in found]
    for shown, (first, _, fact) in zip(whens, found, strict=True):
        lines += _entry(mark_of(calendar, first), shown.ljust(max(map(len, whens))), fact, width)
    return lines


def _entry(mark: Mark, shown: str, fact: DayFact, width: int) -> list[Line]:
    sure = Piece(" ") if fact.verified else _DOUBT
    head = (Piece(f"  {shown}  "), Piece(mark.sign, mark.ink), sure, Piece(" "))
    act = f"[{fact.act}]" if fact.act else "[sem ato informado]"
    return fill(words(f"{fact.description}{hours(fact)} {act}"), width=width, head=head, indent=length(head))
