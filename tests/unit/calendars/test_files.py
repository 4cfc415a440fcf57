from __future__ import annotations

from datetime import date, time
from pathlib import Path

import pytest

from calendars import (
    DayFact,
    DayKind,
    ExtensionFact,
    Nature,
    SuspensionFact,
    parse_calendar_csv,
    parse_calendar_toml,
)
from calendars.errors import CalendarFileDefects
from calendars.files import read_municipal_file, row_of, row_text
from calendars.rules import DATA
from legalbasis import InputError, TomlDefects

HEADER = "date;kind;description;act;published_on\n"


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_a_csv_is_read_with_semicolons_or_commas_bom_and_latin_1(tmp_path: Path) -> None:
    expected = [
        DayFact(date(2018, 2, 13), DayKind.FECHADO, "Terça de Carnaval", "Decreto 1/2018", date(2018, 1, 30)),
        DayFact(date(2018, 2, 14), DayKind.REDUZIDO, "Cinzas", "Decreto 1/2018"),
    ]
    rows = (
        "2018-02-13;fechado;Terça de Carnaval;Decreto 1/2018;2018-01-30\n2018-02-14;reduzido;Cinzas;Decreto 1/2018;\n"
    )
    assert parse_calendar_csv(write(tmp_path / "a.csv", HEADER + rows)) == expected
    assert parse_calendar_csv(write(tmp_path / "b.csv", "\ufeff" + HEADER + rows)) == expected
    assert parse_calendar_csv(write(tmp_path / "c.csv", (HEADER + rows).replace(";", ","))) == expected
    latin = write(tmp_path / "d.csv", HEADER + rows, "latin-1")
    assert parse_calendar_csv(latin, "latin-1") == expected
    with pytest.raises(InputError, match="latin-1"):
        parse_calendar_csv(latin)


def test_a_csv_says_a_ponto_facultativo(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", HEADER + "2018-05-31;ponto_facultativo;Corpus Christi;Decreto 2;\n")
    (fact,) = parse_calendar_csv(path)
    assert isinstance(fact, DayFact)
    assert (fact.kind, fact.nature) == (DayKind.FECHADO, Nature.PONTO_FACULTATIVO)


def test_every_defect_of_a_csv_is_told_with_its_line(tmp_path: Path) -> None:
    rows = "2018-02-30;fechado;a;b;\n2018-03-01;aberto;;b;ontem\n2018-03-02;fechado;a;b;\n2018-03-03;fechado\n"
    with pytest.raises(CalendarFileDefects) as caught:
        parse_calendar_csv(write(tmp_path / "a.csv", HEADER + rows))
    told = caught.value.message.splitlines()
    assert [line.split(":")[0] for line in told] == ["linha 2", *["linha 3"] * 3, *["linha 5"] * 3]
    assert "linha 4" not in caught.value.message


@pytest.mark.parametrize("text", ["", "data;tipo\n", "date;kind;description\n", HEADER.replace("\n", ";extra\n")])
def test_a_csv_without_its_columns_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CalendarFileDefects):
        parse_calendar_csv(write(tmp_path / "a.csv", text))


def test_a_csv_with_a_huge_cell_is_a_defect_not_a_traceback(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", HEADER + "2018-02-13;fechado;" + "x" * 200_000 + ";b;\n")
    with pytest.raises(CalendarFileDefects, match="linha 2"):
        parse_calendar_csv(path)


def test_a_missing_file_is_a_typed_error(tmp_path: Path) -> None:
    for parse in (parse_calendar_csv, parse_calendar_toml):
        with pytest.raises(InputError):
            parse(tmp_path / "nada")


def test_a_toml_gives_days_suspensions_and_extensions(tmp_path: Path) -> None:
    path = write(
        tmp_path / "dias.toml",
        """
[[day]]
date = 2018-02-14
kind = "reduzido"
description = "Quarta-feira de Cinzas"
act = "Decreto 1/2018"
published_on = 2018-01-30
opens = "12:00"

[[suspension]]
from = 2018-12-20
to = 2019-01-06
act = "Lei 9/2018"

[[extension]]
window_from = 2018-05-24
window_to = 2018-05-31
to = 2018-06-04
act = "Decreto 5/2018"
""",
    )
    day, suspension, extension = parse_calendar_toml(path)
    assert isinstance(day, DayFact)
    assert (day.opens, day.late(), day.early()) == (time(12), True, False)
    assert suspension == SuspensionFact(date(2018, 12, 20), date(2019, 1, 6), "prazos suspensos", "Lei 9/2018")
    assert extension == ExtensionFact(date(2018, 5, 24), date(2018, 5, 31), date(2018, 6, 4), "Decreto 5/2018")


def test_every_defect_of_a_toml_is_told_at_once(tmp_path: Path) -> None:
    path = write(
        tmp_path / "dias.toml",
        """
[[day]]
date = "2018-02-14"
kind = "aberto"
description = "x"
opens = "12:00"
palavra = 1

[[suspension]]
from = 2019-01-06
to = 2018-12-20
act = "Lei 9/2018"
""",
    )
    with pytest.raises(TomlDefects) as caught:
        parse_calendar_toml(path)
    keys = {d.key for d in caught.value.defects}
    assert {"day[0].date", "day[0].kind", "day[0].act", "day[0].opens", "day[0].palavra", "suspension[0].to"} <= keys


def test_a_toml_without_facts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TomlDefects):
        parse_calendar_toml(write(tmp_path / "a.toml", "# nada\n"))


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('timezone = "America/Cidade_Nenhuma"', "timezone"),
        ("weekly_off = [5, 9]", "weekly_off"),
        ("last_day = 2004-12-31", "last_day"),
    ],
)
def test_bad_settings_of_an_office_are_told(tmp_path: Path, line: str, key: str) -> None:
    text = (DATA / "es-3204708.toml").read_text(encoding="utf-8")
    changed = [line if row.split(" = ")[0] == key else row for row in text.splitlines()]
    with pytest.raises(TomlDefects) as caught:
        read_municipal_file(write(tmp_path / "x.toml", "\n".join(changed)))
    assert f"calendar.{key}" in {d.key for d in caught.value.defects}


def test_the_hours_of_an_office_are_read_by_weekday(tmp_path: Path) -> None:
    text = (DATA / "es-3204708.toml").read_text(encoding="utf-8")
    hours = '[calendar.hours]\nevery_day = ["08:00", "17:00"]\nfriday = ["08:00", "13:00"]\n'
    file = read_municipal_file(write(tmp_path / "x.toml", text + hours))
    assert file.settings.hours is not None
    assert file.settings.hours.week[0] == (time(8), time(17))
    assert file.settings.hours.week[4] == (time(8), time(13))


def test_a_row_of_the_answers_is_read_as_written() -> None:
    fact = DayFact(
        date(2018, 2, 14),
        DayKind.REDUZIDO,
        "Cinzas",
        "Decreto 1",
        date(2018, 1, 30),
        opens=time(12),
        closes_early=False,
    )
    assert row_of(row_text(fact)) == fact
    with pytest.raises(ValueError, match="separator"):
        row_text(DayFact(date(2018, 2, 14), DayKind.FECHADO, "a;b"))
