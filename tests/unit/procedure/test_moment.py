"""Legal moments: what is read as a date, and the days on which the clocks of Brazil changed."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from legalbasis import InputError
from procedure.domain.moment import Moment, before

TZ = ZoneInfo("America/Sao_Paulo")


@pytest.mark.parametrize(
    "text",
    [
        "2013-W10-1", "20130308", "2013-02-30", "08/03/2013", "1899-12-31", "2101-01-01", "", "2013-03-08T25:00",
        "2013-3-8",
    ],
)
def test_anything_but_an_iso_date_is_refused_with_its_remedy(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        Moment.parse(text, TZ)
    assert refusal.value.error_code == "data_invalida"
    assert "AAAA-MM-DD" in str(refusal.value.remedy)


def test_a_midnight_that_did_not_exist_is_the_hour_that_followed() -> None:
    # On Sunday 04/11/2018 the clocks went from 00:00 to 01:00, at 03:00 UTC.
    moment = Moment.of_day(date(2018, 11, 4), TZ)
    assert moment.instant.isoformat() == "2018-11-04T01:00:00-02:00"
    assert str(moment) == "2018-11-04"


def test_the_first_instant_after_a_day_is_the_next_day_even_when_clocks_change() -> None:
    # Saturday 17/02/2018 had 25 hours: 23:59:59 came twice, and Sunday began after the second one, at -03:00.
    last = Moment.end_of_day(date(2018, 2, 17), TZ)
    assert str(last) == "2018-02-17T23:59:59-03:00"
    assert str(last.next_second()) == "2018-02-18T00:00:00-03:00"
    assert Moment.end_of_day(date(2013, 4, 26), TZ).next_second().clock.isoformat() == "2013-04-27T00:00:00-03:00"  # type: ignore[union-attr]  # it has an hour


def test_order_goes_by_the_day_unless_both_hours_are_known() -> None:
    day = Moment.parse("2013-03-25", TZ)
    late = Moment.parse("2013-03-25T23:00", TZ)
    early = Moment.parse("2013-03-25T08:00", TZ)
    assert before(early, late)
    assert not before(day, late)
    assert not before(late, day)
    assert before(late, Moment.parse("2013-03-26", TZ))
