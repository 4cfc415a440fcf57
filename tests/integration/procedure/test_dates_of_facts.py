"""Dates inside an act that no one could have lived in that order, and instants sent in another offset."""

from __future__ import annotations

from typing import Any

import pytest

from procedure.domain.errors import ActOutOfOrder, IncompleteNotice
from tests.integration.procedure.conftest import Office

FACT = {"place": "Praça", "article": "64-I", "description": "Som alto sem alvará"}


@pytest.mark.parametrize(
    ("drawn", "days"),
    [
        ("2013-03-01T10:00", {"date": "2013-03-01T22:00"}),  # that night, after the auto
        ("2013-03-01", {"date": "2013-02-20T22:00", "until": "2013-02-19"}),
        ("2013-03-01", {"date": "2013-02-20T22:00", "until": "2013-02-20T21:00"}),
        ("2013-03-01T10:00", {"date": "2013-02-20T22:00", "until": "2013-03-01T10:01"}),
    ],
)
def test_a_fact_ends_after_it_begins_and_before_its_auto(office: Office, drawn: str, days: dict[str, str]) -> None:
    with pytest.raises(ActOutOfOrder):
        office.draw("1/2013", on=drawn, fact={**FACT, **days})


def test_a_fact_of_the_hour_before_the_auto_is_taken(office: Office) -> None:
    office.draw("1/2013", on="2013-03-01T10:00", fact={**FACT, "date": "2013-03-01T09:00", "until": "2013-03-01"})
    assert office.case("1/2013").state == "lavrado"


def notice(office: Office, act: str, on: str, **dates: Any) -> None:
    office.record("1/2013", act, on, method="postal", **dates)


def test_nobody_receives_an_auto_before_it_is_drawn_up(office: Office) -> None:
    office.draw("1/2013", on="2013-03-01")
    with pytest.raises(ActOutOfOrder, match="28/02/2013"):
        notice(office, "ciencia", "2013-03-08", received="2013-02-28", juntada="2013-03-08")
    notice(office, "ciencia", "2013-03-08", received="2013-03-01", juntada="2013-03-08")


def test_nobody_receives_a_decision_before_it_is_made(office: Office) -> None:
    office.draw("1/2013")
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01")
    with pytest.raises(ActOutOfOrder):
        notice(office, "ciencia_decisao", "2013-04-02", received="2013-03-31", juntada="2013-04-02")


def test_a_notice_is_joined_after_the_hour_it_was_received(office: Office) -> None:
    office.draw("1/2013")
    with pytest.raises(IncompleteNotice):
        notice(office, "ciencia", "2013-03-08", received="2013-03-08T15:00", juntada="2013-03-08T09:00")


def test_an_instant_in_utc_is_read_in_the_municipality(office: Office) -> None:
    """02:30 UTC of Saturday 09/03 is 23:30 of Friday 08/03: day 1 is Monday 11/03, due 25/03/2013."""
    office.draw("1/2013")
    notice(office, "ciencia", "2013-03-08", juntada="2013-03-09T02:30Z")
    deadline = office.case("1/2013").deadline("defesa")
    assert deadline is not None
    assert (str(deadline.starts_on), str(deadline.due)) == ("2013-03-08", "2013-03-25")


def test_the_day_of_a_fact_is_the_municipality_s(office: Office) -> None:
    """01:00 UTC of 15/07/2014 is still 14/07, the last day on which the law is certain."""
    office.draw("1/2014", "2014-07-15T01:00+00:00", "2014-07-20")
    assert str(office.case("1/2014").fact_date) == "2014-07-14"
