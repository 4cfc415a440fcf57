"""A deadline on the calendar. Expected months are typed by hand from a wall calendar and the laws' rules."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date, datetime, timedelta

import pytest

from calendars.counting import count
from calendars.days import DayFact, DayKind, ExtensionFact, SuspensionFact
from calendars.laws import law_counting
from calendars.rules import RULES
from calendars.shipped import load_calendar, weekends_calendar
from calendars.term import Term
from calendars.under_law import count_under_law
from procedure.cli.drawing import plain
from procedure.cli.main import main
from procedure.cli.prazo_draw import draw_deadline, part_of_days

SAO_GABRIEL = "es-3204708/lei-1522-2005"
IBIA = "mg-3129509/lei-1355-1990"

# The notice joined on Saturday 09/03 is deemed of Monday 11/03; day 1 Tuesday 12/03, day 15 Tuesday 26/03. Under the
# Receita's reading Monday 11/03 is already day 1: Monday 25/03.
MARCH_2013 = """\
  março de 2013
  dom     seg     ter     qua     qui     sex     sáb
                                           1       2·
   3·      4       5       6       7       8       9·
                                                  pula
                                                  juntada
  10·     11      12      13      14      15      16·
  pula    início  1º      2º      3º      4º      5º
  17·     18      19      20      21      22      23·
  6º      7º      8º      9º      10º     11º     12º
  24·     25      26      27      28      29F     30·
  13º     14º     15º
          outra   VENCE
  31·
"""

# The order of Monday 03/06: its five days end on Saturday 08/06 and roll to Monday 10/06.
JUNE_2024 = """\
  junho de 2024
  dom     seg     ter     qua     qui     sex     sáb
                                                   1·
   2·      3       4       5       6       7       8·
          início  1º      2º      3º      4º      5º
          receb.                                  último
   9·     10      11      12      13      14      15·
  adia
          VENCE
  16·     17      18      19      20      21      22·
  23·     24      25      26      27      28      29·
  30·
"""

# Twenty days from Friday 10/05: Thursday 30/05; the favourable reading begins on Monday 13/05 and ends on Saturday
# 01/06, so Monday 03/06, until which the municipality waits.
MAY_AND_JUNE_2024 = """\
  maio de 2024                                              junho de 2024
  dom     seg     ter     qua     qui     sex     sáb       dom     seg     ter     qua     qui     sex     sáb
                           1F      2       3       4·                                                        1·
   5·      6       7       8       9      10      11·        2·      3       4       5       6       7       8·
                                          início  1º                espera
                                          receb.             9·     10      11      12      13      14      15·
  12·     13      14      15      16      17      18·       16·     17      18      19      20      21      22·
  2º      3º      4º      5º      6º      7º      8º        23·     24      25      26      27      28      29·
  19·     20      21      22      23      24      25·       30·
  9º      10º     11º     12º     13º     14º     15º
  26·     27      28      29      30      31
  16º     17º     18º     19º     20º
                                  VENCE
"""


def drawn(law: str, start: date | datetime, term: str, method: str | None = None, width: int = 80) -> list[str]:
    counted = count_under_law(law, Term.parse(term), start, method=method)
    return [plain(line) for line in draw_deadline(law_counting(law), counted, start, method, width)]


def test_a_notice_joined_on_a_saturday() -> None:
    lines = drawn(SAO_GABRIEL, date(2013, 3, 9), "15d", "pessoal")
    assert lines[:3] == [
        "Prazo de 15 dias, pela Lei 1.522/2005 de São Gabriel da Palha/ES",
        "Vence em terça-feira, 26/03/2013",
        "",
    ]
    months = MARCH_2013.splitlines()
    assert lines[3 : 3 + len(months)] == months
    assert lines[3 + len(months) :] == [
        "",
        " sem sinal = expediente normal   · = folga semanal   F = feriado",
        " pula = o prazo ainda não pode começar   início = dia do início: não se conta",
        " 1º, 2º … = dias contados   juntada = juntada aos autos",
        " outra = vencimento por outra leitura   VENCE = último dia contado e vencimento",
        "",
        "Folga semanal: sábado e domingo. Além disso (? = a confirmar com o município):",
        "  29/03 sexta  F? Sexta-feira Santa [Lei 9.093/1995, art. 2º (feriado religioso",
        "                  municipal, a confirmar)]",
    ]


def test_an_end_on_a_saturday_rolls_to_monday() -> None:
    months = JUNE_2024.splitlines()
    lines = drawn(IBIA, date(2024, 6, 3), "5d", "pessoal")
    assert lines[3 : 3 + len(months)] == months
    assert " adia = dia que não pode ser o vencimento   receb. = recebimento" in lines
    assert " último = último dia contado   VENCE = vencimento" in lines


def test_two_months_side_by_side_and_the_favourable_reading() -> None:
    months = MAY_AND_JUNE_2024.splitlines()
    assert drawn(IBIA, date(2024, 5, 10), "20d", "pessoal", 120)[3 : 3 + len(months)] == months
    assert any("o município espera até aqui" in line for line in drawn(IBIA, date(2024, 5, 10), "20d"))


@pytest.mark.parametrize("width", [80, 114, 115, 120, 200])
def test_the_drawing_fits_the_width(width: int) -> None:
    lines = drawn(SAO_GABRIEL, date(2013, 11, 20), "60d", "postal", width)
    assert max(map(len, lines)) <= width
    heads = [line.count("dom") for line in lines if "dom     seg" in line]
    assert heads == ([1, 1, 1] if width < 115 else [2, 1] if width < 173 else [3])


def test_the_publication_of_an_edital_is_marked_apart_from_the_day_of_notice() -> None:
    lines = drawn(SAO_GABRIEL, date(2013, 3, 15), "15d", "edital")
    at = next(n for n, line in enumerate(lines) if line.startswith("  17·"))
    assert lines[at - 1] == "                                          edital"
    assert lines[at + 1].startswith("          início  1º      2º")


def parts(
    calendar_facts: list[DayFact | SuspensionFact | ExtensionFact], rule: str, start: date, term: str
) -> list[str]:
    """``dd word`` of each day of the count."""
    calendar = weekends_calendar().with_facts(calendar_facts)
    counted = count(calendar, RULES[rule], Term.parse(term), start, explain=True)
    return [f"{day:%d} {word.text}" for day, word in sorted(part_of_days(counted).items())]


def test_suspended_days_do_not_run_and_the_balance_resumes_on_expediente() -> None:
    # Monday 04/03/2013, five days; suspended Thursday 07 to Friday 08: the balance resumes on Monday 11.
    stop = SuspensionFact(date(2013, 3, 7), date(2013, 3, 8))
    assert parts([stop], "art-35-b", date(2013, 3, 4), "5d") == [
        "04 início",
        "05 1º",
        "06 2º",
        "07 susp.",
        "08 susp.",
        "09 susp.",
        "10 susp.",
        "11 3º",
        "12 4º",
        "13 5º",
    ]


def test_closed_days_do_not_count_among_working_days() -> None:
    # Wednesday 06/03/2013, three working days, Friday closed.
    holiday = DayFact(date(2013, 3, 8), DayKind.FECHADO, "feriado")
    assert parts([holiday], "cpc-2015", date(2013, 3, 6), "3d") == [
        "06 início",
        "07 1º",
        "08 não",
        "09 não",
        "10 não",
        "11 2º",
        "12 3º",
    ]


def test_days_up_to_the_end_fixed_by_a_decree_are_moved() -> None:
    moved = ExtensionFact(date(2013, 3, 7), date(2013, 3, 8), date(2013, 3, 12))
    assert parts([moved], "art-35-b", date(2013, 3, 4), "3d") == [
        "04 início",
        "05 1º",
        "06 2º",
        "07 3º",
        "08 adia",
        "09 adia",
        "10 adia",
        "11 adia",
    ]


def test_terms_in_months_and_by_the_clock_run_without_numbers() -> None:
    text = "\n".join(drawn(SAO_GABRIEL, date(2013, 3, 5), "1m"))
    assert "corre = o prazo corre" in text
    assert "dias contados" not in text
    clock = drawn(SAO_GABRIEL, datetime(2013, 3, 8, 16), "48h")
    # From Friday 08/03 at 16 h to Sunday 10/03 at 16 h: the end of Monday's expediente.
    at = next(n for n, line in enumerate(clock) if line.startswith("  10·"))
    assert clock[at - 2] == "                                          corre   corre"
    assert clock[at + 1 : at + 3] == ["  corre", "  último  VENCE   outra   outra"]


def test_months_in_which_a_long_term_only_runs_are_told_in_one_line() -> None:
    lines = drawn(SAO_GABRIEL, date(2013, 12, 3), "1a")
    assert [line for line in lines if " de 201" in line and line.startswith("  ")] == [
        "  dezembro de 2013",
        "  dezembro de 2014",
    ]
    assert "Não desenhados, o prazo corre neles todos os dias: janeiro/2014 a novembro/2014." in lines
    assert "  25/12/2014 quinta  F  Natal [Lei 662/1949, art. 1º]" in lines


def test_the_last_number_is_the_term_whatever_the_calendar() -> None:
    calendar = load_calendar("es-3204708").with_facts([SuspensionFact(date(2013, 5, 6), date(2013, 5, 17))])
    for law in (SAO_GABRIEL, IBIA):
        for days in (1, 5, 15, 40):
            for n in range(0, 120, 7):
                start = date(2013, 3, 1) + timedelta(n)
                counted = count_under_law(law, Term.parse(f"{days}d"), start, calendar=calendar)
                found = part_of_days(counted)
                assert found[counted.first_counted].text == "1º"
                assert found[counted.last_counted].text == f"{days}º"


PRAZO = ["prazo", "--law", SAO_GABRIEL, "--start", "2013-03-09", "--term", "15d", "--method", "pessoal"]
SHOW = [
    "calendar",
    "show",
    "--municipality",
    "3204708",
    "--start",
    "2013-03-09",
    "--term",
    "15d",
    "--method",
    "pessoal",
]


def test_prazo_draws_below_its_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(PRAZO) == 0
    explained = capsys.readouterr().out
    assert main([*PRAZO, "--draw"]) == 0
    both = capsys.readouterr().out
    assert both.startswith(explained)
    assert MARCH_2013 in both
    assert "\x1b" not in both


def test_calendar_show_draws_the_deadline_above_the_same_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(PRAZO) == 0
    explained = capsys.readouterr().out
    assert main(SHOW) == 0
    both = capsys.readouterr().out
    assert both.endswith(explained)
    assert MARCH_2013 in both
    assert main([*SHOW, "--law", SAO_GABRIEL]) == 0
    assert capsys.readouterr().out == both


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ([*PRAZO, "--draw", "--json"], "uso_do_prazo"),
        (["prazo", "--batch", "-", "--draw", "--json"], "uso_do_prazo"),
        ([*SHOW, "--json"], "uso_do_calendario"),
        ([*SHOW, "--year", "2013", "--json"], "uso_do_calendario"),
        ([*SHOW[:4], "--json"], "uso_do_calendario"),
        ([*SHOW[:6], "--json"], "uso_do_calendario"),
        (
            [*SHOW[:2], "--municipality", "1", "--start", "2013-03-09", "--term", "15d", "--json"],
            "calendario_desconhecido",
        ),
    ],
)
def test_what_cannot_be_drawn_is_a_typed_error(asked: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(asked) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_a_law_of_another_municipality_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SHOW, "--law", IBIA]) == 2
    assert f"As leis do município são: {SAO_GABRIEL}" in capsys.readouterr().err


def test_prazo_without_draw_loads_no_drawing() -> None:
    program = (
        f"import sys\nfrom procedure.cli.main import main\nmain({PRAZO!r})\n"
        "sys.stderr.write(repr([m for m in sys.modules if 'draw' in m or m == 'rich' or m == 'calendar']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "[]"
