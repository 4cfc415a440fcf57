from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from calendars import InvalidTerm, Term, TermUnit, parse_day, parse_start
from calendars.errors import InvalidDate
from calendars.term import add_months


@pytest.mark.parametrize(
    ("text", "amount", "unit", "label"),
    [
        ("15d", 15, TermUnit.DAYS, "15 dias"),
        ("48h", 48, TermUnit.HOURS, "48 horas"),
        ("2m", 2, TermUnit.MONTHS, "2 meses"),
        ("1m", 1, TermUnit.MONTHS, "1 mês"),
        ("1a", 1, TermUnit.YEARS, "1 ano"),
    ],
)
def test_a_term_is_read_and_written(text: str, amount: int, unit: TermUnit, label: str) -> None:
    term = Term.parse(text)
    assert (term.amount, term.unit, str(term), term.label()) == (amount, unit, text, label)


@pytest.mark.parametrize(
    "text",
    ["0d", "-5d", "d", "15", "15 d", "1.5d", "15D", "15x", "", "١٥d", "1e3d", None, 15, ["15d"], "9" * 5000 + "d"],
)
def test_what_is_no_term_is_refused(text: object) -> None:
    with pytest.raises(InvalidTerm) as caught:
        Term.parse(text)
    assert caught.value.error_code == "prazo_invalido"
    assert len(caught.value.message) < 120


def test_a_term_of_zero_or_less_cannot_be_built_either() -> None:
    for amount in (0, -1):
        with pytest.raises(InvalidTerm):
            Term(amount, TermUnit.DAYS)


@pytest.mark.parametrize(
    "text",
    ["1899-12-31", "2101-01-01", "20130308", "2013-W10-5", "2013-02-30", "08/03/2013", "", None, 20130308, "x\ud800"],
)
def test_a_date_outside_1900_to_2100_or_not_iso_is_refused(text: object) -> None:
    with pytest.raises(InvalidDate) as caught:
        parse_day(text)
    caught.value.message.encode()  # printable whatever came in


def test_starts_are_days_or_moments() -> None:
    assert parse_start("1900-01-01") == date(1900, 1, 1)
    assert parse_start("2100-12-31") == date(2100, 12, 31)
    assert parse_start("2018-02-08T09:35") == datetime(2018, 2, 8, 9, 35)  # the municipality's clock
    with_offset = datetime(2018, 2, 8, 9, 35, tzinfo=timezone(timedelta(hours=-2)))
    assert parse_start("2018-02-08T09:35:00-02:00") == with_offset
    for text in ("2018-02-08T25:00", "2018-02-08T9:35", "2018-02-08T", "1899-02-08T09:35"):
        with pytest.raises(InvalidDate):
            parse_start(text)


@pytest.mark.parametrize(
    ("day", "months", "next_day", "last_day"),
    [
        (date(2023, 1, 31), 1, date(2023, 3, 1), date(2023, 2, 28)),
        (date(2024, 1, 31), 1, date(2024, 3, 1), date(2024, 2, 29)),
        (date(2024, 2, 29), 12, date(2025, 3, 1), date(2025, 2, 28)),
        (date(2023, 10, 31), 1, date(2023, 12, 1), date(2023, 11, 30)),
        (date(2023, 1, 15), 1, date(2023, 2, 15), date(2023, 2, 15)),
        (date(2023, 12, 31), 12, date(2024, 12, 31), date(2024, 12, 31)),
        (date(2022, 11, 30), 3, date(2023, 3, 1), date(2023, 2, 28)),
    ],
)
def test_months_keep_the_day_number_or_follow_the_rule(day: date, months: int, next_day: date, last_day: date) -> None:
    assert add_months(day, months, to_next_day=True) == next_day
    assert add_months(day, months, to_next_day=False) == last_day
