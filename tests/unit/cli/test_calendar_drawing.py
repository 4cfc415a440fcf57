"""The year on screen. Expected months are typed by hand from a wall calendar."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from datetime import date, time

import pytest

from calendars.days import DayFact, DayKind, Nature, SuspensionFact
from calendars.office import OfficeCalendar
from calendars.shipped import load_calendar, weekends_calendar
from procedure.cli.calendar_draw import (
    HOLIDAY,
    NORMAL,
    OPENED,
    OPTIONAL,
    REDUCED,
    SUSPENDED,
    UNKNOWN,
    WEEKLY,
    Mark,
    draw_year,
    mark_of,
)
from procedure.cli.drawing import plain
from procedure.cli.main import main

SHOW = ["calendar", "show", "--municipality", "3204708", "--year", "2013"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

# March 2013 began on a Friday; Good Friday was the 29th.
MARCH_2013 = """\
          março
  D   S  T  Q  Q  S   S
                  1   2·
  3·  4  5  6  7  8   9·
 10· 11 12 13 14 15  16·
 17· 18 19 20 21 22  23·
 24· 25 26 27 28 29F 30·
 31·
"""

# February 2018: Carnival on the 13th, Ash Wednesday on the 14th, a Saturday opened, a recess over a weekend.
FEBRUARY_2018 = """\
        fevereiro
  D   S  T  Q  Q  S   S
               1  2   3A
  4·  5  6  7  8  9  10·
 11· 12P13P14R15 16  17·
 18· 19 20 21 22S23S 24·
 25· 26S27S28F
"""


class Terminal(io.StringIO):
    """What says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def drawn(calendar: OfficeCalendar, year: int, width: int) -> list[str]:
    return [plain(line) for line in draw_year(calendar, year, width)]


def every_kind() -> OfficeCalendar:
    facultativo = Nature.PONTO_FACULTATIVO
    return weekends_calendar().with_facts(
        [
            DayFact(date(2018, 2, 3), DayKind.NORMAL, "mutirão", "Decreto 1/2018"),
            DayFact(date(2018, 2, 12), DayKind.FECHADO, "Carnaval", "Decreto 2/2018", nature=facultativo),
            DayFact(date(2018, 2, 13), DayKind.FECHADO, "Carnaval", "Decreto 2/2018", nature=facultativo),
            DayFact(date(2018, 2, 14), DayKind.REDUZIDO, "Cinzas", "Decreto 2/2018", opens=time(12)),
            SuspensionFact(date(2018, 2, 22), date(2018, 2, 28), "inventário", "Decreto 3/2018"),
            DayFact(date(2018, 2, 28), DayKind.FECHADO, "padroeira", verified=False),
        ]
    )


def test_a_month_as_on_the_wall() -> None:
    lines = drawn(load_calendar("es-3204708"), 2013, 24)  # 24 columns: one month beside none
    at = lines.index("          março")
    assert lines[at : at + 8] == MARCH_2013.splitlines()


def test_every_kind_of_day_has_its_sign_and_its_row() -> None:
    lines = drawn(every_kind(), 2018, 24)
    at = lines.index("        fevereiro")
    assert lines[at : at + 7] == FEBRUARY_2018.splitlines()
    rows = drawn(every_kind(), 2018, 80)
    assert rows[rows.index("Folga semanal: sábado e domingo. Além disso (? = a confirmar com o município):") + 1 :] == [
        "  03/02 sábado   A  mutirão [Decreto 1/2018]",
        "  12/02 a 13/02  P  Carnaval [Decreto 2/2018]",
        "  14/02 quarta   R  Cinzas (abre às 12:00) [Decreto 2/2018]",
        "  22/02 a 27/02  S  inventário [Decreto 3/2018]",
        "  28/02 quarta   F? padroeira [sem ato informado]",
    ]


def test_the_legend_tells_the_kinds_apart_and_counts_them() -> None:
    # 365 days of 2018: 104 at weekends (one of them opened), 2 + 1 + 4 + 1 weekdays that are not normal.
    legend = " ".join(drawn(every_kind(), 2018, 200))
    for entry in (
        "sem sinal = expediente normal (253)",
        "· = folga semanal (103)",
        "F = feriado (1)",
        "P = ponto facultativo (2)",
        "R = expediente reduzido (1)",
        "S = prazos suspensos (4)",
        "A = aberto por ato em dia de folga (1)",
    ):
        assert entry in legend


@pytest.mark.parametrize(
    ("day", "mark"),
    [
        (date(2018, 2, 1), NORMAL),
        (date(2018, 2, 3), OPENED),
        (date(2018, 2, 4), WEEKLY),
        (date(2018, 2, 12), OPTIONAL),
        (date(2018, 2, 14), REDUCED),
        (date(2018, 2, 22), SUSPENDED),
        (date(2018, 2, 24), WEEKLY),  # a weekend inside a suspension stays a weekend
        (date(2018, 2, 28), HOLIDAY),
        (date(2101, 1, 1), UNKNOWN),
    ],
)
def test_the_mark_of_each_kind(day: date, mark: Mark) -> None:
    assert mark_of(every_kind(), day) == mark


def test_a_holiday_on_a_sunday_is_drawn_as_the_holiday() -> None:
    assert mark_of(load_calendar("es-3204708"), date(2013, 4, 21)) == HOLIDAY  # Tiradentes


def test_signs_alone_tell_the_kinds_apart() -> None:
    marks = (NORMAL, WEEKLY, HOLIDAY, OPTIONAL, REDUCED, SUSPENDED, OPENED, UNKNOWN)
    assert len({mark.sign for mark in marks}) == len(marks)


def test_a_year_that_the_calendar_knows_in_part_says_so() -> None:
    short = OfficeCalendar("x", timezone="America/Sao_Paulo", first_day=date(2013, 3, 4), last_day=date(2013, 12, 31))
    lines = drawn(short, 2013, 24)
    assert lines[lines.index("          março") + 3] == "  3?  4  5  6  7  8   9·"
    assert "? = fora do calendário (62)" in " ".join(drawn(short, 2013, 200))


@pytest.mark.parametrize(
    ("width", "beside"), [(40, 1), (50, 1), (51, 2), (77, 2), (78, 3), (80, 3), (105, 4), (120, 4), (159, 6), (400, 6)]
)
def test_months_side_by_side_fit_the_width(width: int, beside: int) -> None:
    lines = drawn(load_calendar("es-3204708"), 2013, width)
    heads = [line for line in lines if line.lstrip().startswith("D   S")]
    assert [head.count("D") for head in heads] == [beside] * (12 // beside)
    assert max(map(len, lines)) <= width


def test_all_twelve_months_hold_all_their_days() -> None:
    for width in (80, 120):
        lines = drawn(load_calendar("mg-3129509"), 2024, width)
        grid = "\n".join(lines[: next(n for n, line in enumerate(lines) if "sem sinal" in line)])
        assert len(re.findall(r"\d+", grid)) == 366


def show(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, **env: str) -> str:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", **env}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", stream)
    assert main(SHOW) == 0
    return stream.getvalue()


def test_colour_on_a_terminal_and_the_same_text_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    piped = show(monkeypatch, io.StringIO(), FORCE_COLOR="1", COLUMNS="120")
    assert "\x1b" not in piped
    assert max(map(len, piped.splitlines())) <= 80
    coloured = show(monkeypatch, Terminal(), COLUMNS="80")
    assert "\x1b[1;31m29F" in coloured  # bold red: a holiday
    assert ESCAPE.sub("", coloured) == piped
    assert show(monkeypatch, Terminal(), COLUMNS="80", NO_COLOR="1") == piped
    assert show(monkeypatch, Terminal(), COLUMNS="80", TERM="dumb") == piped
    assert "\x1b" in show(monkeypatch, Terminal(), COLUMNS="80", NO_COLOR="")


def test_a_wider_terminal_has_a_wider_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = ESCAPE.sub("", show(monkeypatch, Terminal(), COLUMNS="120"))
    months = [line.split() for line in text.splitlines() if "janeiro" in line or "março" in line]
    assert months == [["janeiro", "fevereiro", "março", "abril"]]


def test_rich_is_imported_only_to_colour() -> None:
    script = (
        f"import sys\nfrom procedure.cli.main import main\nassert main({SHOW!r}) == 0\n"
        "sys.stderr.write(str('rich' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == "False"
    assert MARCH_2013.splitlines()[2].strip() in done.stdout
