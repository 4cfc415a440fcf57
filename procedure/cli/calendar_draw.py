"""The year on screen: each day with the sign of its kind, a legend, and below it the days that are not normal."""

from __future__ import annotations

from calendar import SUNDAY, Calendar
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from calendars.days import WEEKDAYS, DayFact, DayKind, Nature, weekly_closed
from calendars.office import OfficeCalendar
from procedure.cli.drawing import Ink, Line, Piece, fill, length, side_by_side, words

MONTHS = (
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)
# Weeks run from Sunday to Saturday, as on the wall calendars of Brazil.
_WEEKS = Calendar(SUNDAY)
_HEAD = " D   S  T  Q  Q  S   S"
WIDTH, _GAP, _INDENT = 23, 4, 1


class Mark(NamedTuple):
    """How one kind of day is drawn."""

    sign: str
    ink: Ink
    label: str


NORMAL = Mark(" ", Ink.PLAIN, "expediente normal")
WEEKLY = Mark("·", Ink.WEEKLY_OFF, "folga semanal")
HOLIDAY = Mark("F", Ink.HOLIDAY, "feriado")
OPTIONAL = Mark("P", Ink.OPTIONAL, "ponto facultativo")
REDUCED = Mark("R", Ink.REDUCED, "expediente reduzido")
SUSPENDED = Mark("S", Ink.SUSPENDED, "prazos suspensos")
OPENED = Mark("A", Ink.OPENED, "aberto por ato em dia de folga")
UNKNOWN = Mark("?", Ink.FAINT, "fora do calendário")
MARKS = (NORMAL, WEEKLY, HOLIDAY, OPTIONAL, REDUCED, SUSPENDED, OPENED, UNKNOWN)
_DOUBT = Piece("?", Ink.UNVERIFIED)
_RARE = (OPENED, UNKNOWN)  # in the legend only when drawn


def mark_of(calendar: OfficeCalendar, day: date) -> Mark:
    """How a day of the calendar is drawn."""
    ordinal = day.toordinal()
    if not calendar.first <= ordinal <= calendar.last:
        return UNKNOWN
    fact = calendar.fact_at(ordinal)
    if fact is None:
        return NORMAL
    if fact.kind is DayKind.FECHADO:
        if fact == weekly_closed(ordinal):
            return WEEKLY
        return OPTIONAL if fact.nature is Nature.PONTO_FACULTATIVO else HOLIDAY
    return {DayKind.REDUZIDO: REDUCED, DayKind.SUSPENSO: SUSPENDED}.get(fact.kind, OPENED)


def weeks_of(year: int, month: int) -> list[list[date | None]]:
    """The weeks of a month, Sunday first; None for a place of another month."""
    return [[date(year, month, d) if d else None for d in week] for week in _WEEKS.monthdayscalendar(year, month)]


def draw_year(calendar: OfficeCalendar, year: int, width: int) -> list[Line]:
    """The twelve months in as many columns as ``width`` takes, the legend, the days and their acts."""
    room = (width - _INDENT + _GAP) // (WIDTH + _GAP)
    columns = next(n for n in (6, 4, 3, 2, 1) if n <= max(room, 1))
    months = [_month(calendar, year, month) for month in range(1, 13)]
    lines = side_by_side(months, columns, width=WIDTH, gap=_GAP, indent=_INDENT)
    days = [day for month in range(1, 13) for week in weeks_of(year, month) for day in week if day is not None]
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
    runs = list(_runs(calendar, days))
    if not runs:
        return fill(words(f"Folga semanal: {off}. Nenhum outro dia fora do normal."), width=width)
    doubt = (Piece("("), _DOUBT)
    opening = [*words(f"Folga semanal: {off}. Além disso"), doubt, *words("= a confirmar com o município):")]
    lines = fill(opening, width=width)
    one_year = days[0].year == days[-1].year
    whens = [_when(first, last, "%d/%m" if one_year else "%d/%m/%Y") for first, last, _ in runs]
    for when, (first, _, fact) in zip(whens, runs, strict=True):
        lines += _entry(mark_of(calendar, first), when.ljust(max(map(len, whens))), fact, width)
    return lines


def _when(first: date, last: date, form: str) -> str:
    weekday = WEEKDAYS[first.weekday()].removesuffix("-feira")
    return f"{first:{form}} {weekday}" if first == last else f"{first:{form}} a {last:{form}}"


def _entry(mark: Mark, when: str, fact: DayFact, width: int) -> list[Line]:
    sure = Piece(" ") if fact.verified else _DOUBT
    head = (Piece(f"  {when}  "), Piece(mark.sign, mark.ink), sure, Piece(" "))
    act = f"[{fact.act}]" if fact.act else "[sem ato informado]"
    return fill(words(f"{fact.description}{_hours(fact)} {act}"), width=width, head=head, indent=length(head))


def _hours(fact: DayFact) -> str:
    if fact.kind is not DayKind.REDUZIDO:
        return ""
    opens = (f"abre às {fact.opens:%H:%M}" if fact.opens else "abre mais tarde") if fact.late() else ""
    closes = (f"fecha às {fact.closes:%H:%M}" if fact.closes else "fecha mais cedo") if fact.early() else ""
    return f" ({' e '.join(filter(None, (opens, closes)))})" if opens or closes else ""


def _runs(calendar: OfficeCalendar, days: list[date]) -> Iterator[tuple[date, date, DayFact]]:
    """Neighbours that say the same together; weekly days off between them do not part them (a recess of weeks)."""
    open_run: tuple[date, date, DayFact] | None = None
    for day in days:
        mark = mark_of(calendar, day)
        if mark is WEEKLY:
            continue
        fact = None if mark in (NORMAL, UNKNOWN) else calendar.fact(day)
        if open_run is not None and fact is not None and _same(open_run[2], fact):
            open_run = (open_run[0], day, fact)
            continue
        if open_run is not None:
            yield open_run
        open_run = None if fact is None else (day, day, fact)
    if open_run is not None:
        yield open_run


def _same(one: DayFact, other: DayFact) -> bool:
    return one.to_row()[1:] == other.to_row()[1:]
