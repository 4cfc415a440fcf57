"""The last day to file, by each thesis. Dates are those of spec 04 or counted by hand."""

from datetime import date

import pytest

from procedure.domain.prescription import (
    Debt,
    Interruption,
    Interrupts,
    Prescription,
    Role,
    months_after,
    prescription,
    theses,
    years_after,
)

EXIGIVEL = date(2013, 4, 27)  # 48 hours to pay ended on 26/04/2013
FINAL = date(2013, 4, 23)  # the appeal's term ended on 22/04/2013


def of(debt: Debt, thesis: str) -> date | None:
    found: Prescription = prescription(debt)
    return next(r.last_day for r in found.readings if r.thesis.id == thesis)


def test_never_inscribed() -> None:
    debt = Debt(EXIGIVEL, FINAL)
    assert prescription(debt).prescribes_on == date(2018, 4, 27)


def test_inscribed_and_not_filed_has_180_days_more() -> None:
    debt = Debt(EXIGIVEL, FINAL, inscribed_on=date(2013, 4, 29))
    assert prescription(debt).prescribes_on == date(2018, 10, 24)


def test_the_earlier_reading_is_the_one_that_warns() -> None:
    assert prescription(Debt(EXIGIVEL, FINAL)).warns_on == date(2018, 4, 23)


def test_in_court_there_is_no_date() -> None:
    found = prescription(Debt(EXIGIVEL, FINAL, date(2013, 4, 29), filed_on=date(2018, 6, 1)))
    assert (found.in_court, found.prescribes_on, found.warns_on) == (True, None, None)


def test_filed_after_thirty_days_only_thirty_were_suspended() -> None:
    debt = Debt(EXIGIVEL, FINAL, date(2013, 4, 29), filed_on=date(2013, 5, 29))
    assert of(debt, "vencimento") == date(2018, 5, 27)


def test_inscribed_after_it_had_run_out_adds_nothing() -> None:
    assert prescription(Debt(EXIGIVEL, FINAL, date(2018, 4, 28))).prescribes_on == date(2018, 4, 27)
    assert prescription(Debt(EXIGIVEL, FINAL, date(2018, 4, 27))).prescribes_on == date(2018, 10, 24)


def test_an_acknowledgement_restarts_the_whole_or_half_of_it() -> None:
    debt = Debt(EXIGIVEL, FINAL, interruptions=(Interruption(Interrupts.RECONHECIMENTO, date(2017, 1, 10)),))
    assert of(debt, "vencimento") == date(2022, 1, 10)
    assert of(debt, "recomeco_pela_metade") == date(2019, 7, 10)
    assert prescription(debt).warns_on == date(2019, 7, 10)


def test_half_of_the_term_never_ends_before_the_whole_first_one() -> None:
    debt = Debt(EXIGIVEL, FINAL, interruptions=(Interruption(Interrupts.RECONHECIMENTO, date(2013, 6, 1)),))
    assert of(debt, "recomeco_pela_metade") == date(2018, 4, 27)


def test_it_is_interrupted_only_once() -> None:
    twice = tuple(Interruption(Interrupts.RECONHECIMENTO, day) for day in (date(2017, 1, 10), date(2015, 3, 2)))
    assert of(Debt(EXIGIVEL, FINAL, interruptions=twice), "vencimento") == date(2020, 3, 2)


def test_an_agreement_stops_it_until_it_is_broken() -> None:
    running = (Interruption(Interrupts.PARCELAMENTO, date(2014, 2, 3)),)
    assert prescription(Debt(EXIGIVEL, FINAL, interruptions=running)).prescribes_on is None
    broken = (Interruption(Interrupts.PARCELAMENTO, date(2014, 2, 3), resumes=date(2015, 2, 4)),)
    assert of(Debt(EXIGIVEL, FINAL, interruptions=broken), "vencimento") == date(2020, 2, 4)


def test_protest_restarts_nothing_by_default_and_the_other_reading_is_shown() -> None:
    debt = Debt(EXIGIVEL, FINAL, interruptions=(Interruption(Interrupts.PROTESTO, date(2014, 2, 3)),))
    assert prescription(debt).prescribes_on == date(2018, 4, 27)
    assert of(debt, "protesto_interrompe") == date(2019, 2, 3)


def test_what_comes_after_the_end_restarts_nothing() -> None:
    late = (Interruption(Interrupts.RECONHECIMENTO, date(2018, 4, 28)),)
    assert prescription(Debt(EXIGIVEL, FINAL, interruptions=late)).prescribes_on == date(2018, 4, 27)


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [
        (date(2012, 2, 29), 60, date(2017, 3, 1)),
        (date(2013, 8, 31), 30, date(2016, 3, 1)),
        (date(2013, 12, 31), 2, date(2014, 3, 1)),
        (date(2013, 12, 15), 12, date(2014, 12, 15)),
    ],
)
def test_a_day_that_the_month_lacks_is_the_first_of_the_next(day: date, months: int, expected: date) -> None:
    assert months_after(day, months) == expected


def test_years_are_twelve_months() -> None:
    assert years_after(date(2016, 2, 29), 4) == date(2020, 2, 29)


def test_each_thesis_has_its_source_and_day_and_one_is_adopted() -> None:
    assert [t.id for t in theses() if t.role is Role.ADOTADA] == ["vencimento"]
    assert all(t.sources and t.since for t in theses())


def test_each_date_is_explained_by_its_steps() -> None:
    found = prescription(Debt(EXIGIVEL, FINAL, inscribed_on=date(2013, 4, 29))).to_dict()
    adopted = found["readings"][0]
    assert [step["day"] for step in adopted["steps"]] == ["2013-04-27", "2018-04-27", "2018-10-24"]
    assert "180 dias" in adopted["steps"][-1]["reason"]
    assert adopted["steps"][-1]["source"] == "Lei 6.830/1980, art. 2º, § 3º"
