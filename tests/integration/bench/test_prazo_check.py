"""The benchmark's own way to count: right on the law's cases, and strict with a product that is wrong by a day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

import calendars.table
from bench import machine, prazo
from bench.prazo_check import LEI_9784, Answers, Office, expected, wrong_share
from bench.targets import Targets, WrongResult


def test_the_check_counts_as_the_law_says() -> None:
    # Friday 28/03/2013 is the eve of Good Friday, a holiday: day 1 is Monday 1/4 (Súmula 310 do STF).
    office = Office({date(2013, 3, 29)})
    answers = Answers(office)
    dates, others = answers.of("art-35-b", "15d", date(2013, 3, 28))
    assert dates == (date(2013, 3, 28), date(2013, 4, 1), date(2013, 4, 15), date(2013, 4, 15))
    # By the letter of CTN art. 210, Good Friday is day 1: it ends on Friday 12/4.
    assert others == ((date(2013, 4, 12), "first_day=next_day"),)
    # Lei 9.784, art. 66, § 3º: a month from 31/01 ends on the last day of February, Thursday 28.
    assert expected(office, LEI_9784, 0, 1, date(2013, 1, 31))[2:] == (date(2013, 2, 28), date(2013, 2, 28))


def test_a_suspension_keeps_what_has_run() -> None:
    # Notice on Monday 3/6/2013; six days run (4 to 9/6), 10 to 16 are suspended, the seventh to tenth are 17 to 20.
    office = Office(suspended={date(2013, 6, 10) + timedelta(days=n) for n in range(7)})
    assert Answers(office).of("art-35-b", "10d", date(2013, 6, 3))[0][3] == date(2013, 6, 20)


def test_the_share_of_wrong_dates_is_in_percent() -> None:
    right = [date(2013, 6, day) for day in (3, 4, 5, 6)]
    assert wrong_share([*right[:3], date(2013, 6, 7)], right) == 25


def test_a_product_that_is_wrong_by_a_day_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    real = calendars.table.due_date

    def late(*asked: Any) -> date:
        return real(*asked) + timedelta(days=1)

    monkeypatch.setattr(calendars.table, "due_date", late)
    with pytest.raises(WrongResult, match="wrong due dates"):
        prazo.run(Targets(0.001), 0.001)


def test_a_machine_that_goes_elsewhere_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def stays() -> machine.Contender:
        return (lambda: machine.names()[0]), (lambda case, path: str(case)), 10

    monkeypatch.setattr(machine, "PEERS", {"stays": stays})
    with pytest.raises(WrongResult, match="stays"):
        machine.run(Targets(0.01), 0.01)


def test_a_package_that_is_missing_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> machine.Contender:
        raise ModuleNotFoundError("No module named 'nowhere'", name="nowhere")

    monkeypatch.setattr(machine, "PEERS", {"nowhere": missing})
    machine.run(Targets(0.01), 0.01)
    assert "nowhere: not measured" in capsys.readouterr().out
