"""Terms in hours."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from calendars import (
    RULES,
    OfficeHours,
    SuspensionFact,
    Term,
    Timeliness,
    count,
    due_date,
    load_calendar,
    weekends_calendar,
)
from calendars.office import OfficeCalendar

ART_35_B, LEI_9784 = RULES["art-35-b"], RULES["lei-9784"]
ZONE = ZoneInfo("America/Sao_Paulo")
CARNIVAL = [date(2018, 2, d) for d in (12, 13, 14)]


def at(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=ZONE)


def with_hours(**settings: bool) -> OfficeCalendar:
    return OfficeCalendar(
        "teste",
        timezone="America/Sao_Paulo",
        first_day=date(2010, 1, 1),
        last_day=date(2030, 12, 31),
        hours=OfficeHours.same_every_day(time(8), time(17)),
        **settings,
    )


def test_48_hours_from_24_04_2013_without_the_hour() -> None:
    counted = count(load_calendar("es-3204708"), ART_35_B, Term.parse("48h"), date(2013, 4, 24))
    assert counted.due == date(2013, 4, 26)
    assert counted.payment(date(2013, 4, 26)) is Timeliness.TEMPESTIVA
    assert counted.payment(date(2013, 4, 27)) is Timeliness.INTEMPESTIVA


@pytest.mark.parametrize(
    ("hours_end", "due_at"),
    [
        ("same_clock", at(2018, 2, 15, 9, 35)),
        ("first_minute", at(2018, 2, 15)),
        ("end_of_expediente", datetime(2018, 2, 15, 23, 59, 59, tzinfo=ZONE)),
    ],
)
def test_48_hours_from_thursday_08_02_2018_at_09_35_before_carnival(hours_end: str, due_at: datetime) -> None:
    calendar = weekends_calendar(closed=CARNIVAL)
    rule = ART_35_B.with_(hours_end=hours_end)
    naive = datetime(2018, 2, 8, 9, 35)  # the municipality's clock
    counted = count(calendar, rule, Term.parse("48h"), naive)
    assert counted.due_at == due_at
    assert counted.due == date(2018, 2, 15)
    assert counted.last_counted == date(2018, 2, 10)
    aware = datetime(2018, 2, 8, 11, 35, tzinfo=UTC)
    assert count(calendar, rule, Term.parse("48h"), aware).due_at == due_at


def test_48_hours_are_not_two_days_when_the_hour_is_known() -> None:
    # Monday 10:00 + 48 h: Wednesday 10:00, to the minute; as days it would be the whole Wednesday.
    counted = count(weekends_calendar(), ART_35_B, Term.parse("48h"), at(2013, 4, 22, 10))
    assert counted.due_at == at(2013, 4, 24, 10)
    assert counted.filing(at(2013, 4, 24, 10, 0) + timedelta(seconds=59)) is Timeliness.TEMPESTIVA
    assert counted.filing(at(2013, 4, 24, 10, 1)) is Timeliness.INTEMPESTIVA
    assert counted.payment(date(2013, 4, 24)) is Timeliness.TEMPESTIVA
    as_days = count(weekends_calendar(), ART_35_B.with_(hours="as_days"), Term.parse("48h"), at(2013, 4, 22, 10))
    assert as_days.due_at == datetime(2013, 4, 24, 23, 59, 59, tzinfo=ZONE)


def test_the_day_of_a_moment_with_offset_is_the_municipality_s() -> None:
    # 00:30 in UTC is still the evening before in Brasília: Friday 08/03/2013.
    moment = datetime(2013, 3, 9, 0, 30, tzinfo=UTC)
    calendar = load_calendar("es-3204708")
    assert count(calendar, ART_35_B, Term.parse("15d"), moment).starts_on == date(2013, 3, 8)
    assert due_date(calendar, ART_35_B, Term.parse("15d"), moment) == date(2013, 3, 25)
    assert due_date(calendar, ART_35_B, Term.parse("48h"), at(2013, 4, 22, 10)) == date(2013, 4, 24)


def test_hours_that_are_no_multiple_of_24_are_rounded_up_to_days() -> None:
    assert count(weekends_calendar(), ART_35_B, Term.parse("36h"), date(2013, 4, 22)).due == date(2013, 4, 24)
    assert count(weekends_calendar(), ART_35_B, Term.parse("1h"), date(2013, 4, 22)).due == date(2013, 4, 23)


def test_the_days_and_minutes_of_an_hour_term_are_other_readings() -> None:
    # Friday 10:00 + 24 h: Saturday, so Monday; as days, day 1 is Monday: Monday. Waiting for expediente: Tuesday.
    counted = count(weekends_calendar(), ART_35_B, Term.parse("24h"), at(2013, 4, 26, 10))
    assert counted.due == date(2013, 4, 29)
    assert [(a.due, a.reading) for a in counted.alternatives] == [(date(2013, 4, 30), "first_day=next_expediente")]
    # 48 h: Sunday, so Monday; as days Tuesday (Monday is day 1); waiting: Monday 00:00 + 48 h = Wednesday.
    longer = count(weekends_calendar(), ART_35_B, Term.parse("48h"), at(2013, 4, 26, 10))
    assert longer.due == date(2013, 4, 29)
    assert [(a.due, a.reading) for a in longer.alternatives] == [
        (date(2013, 4, 30), "hours=as_days"),
        (date(2013, 5, 1), "first_day=next_expediente"),
    ]


def test_a_notice_outside_expediente_starts_at_the_opening_of_the_next() -> None:
    calendar = with_hours()
    term = Term.parse("24h")
    assert count(calendar, ART_35_B, term, at(2013, 4, 22, 18, 30)).due_at == at(2013, 4, 24, 8)
    assert count(calendar, ART_35_B, term, at(2013, 4, 22, 6)).due_at == at(2013, 4, 23, 8)
    assert count(calendar, ART_35_B, term, at(2013, 4, 20, 10)).due_at == at(2013, 4, 23, 8)
    # Lei 9.784 asks for no expediente at the start.
    assert count(calendar, LEI_9784, term, at(2013, 4, 21, 10)).due_at == at(2013, 4, 22, 10)


def test_an_end_outside_the_hours_known_moves() -> None:
    calendar, term = with_hours(), Term.parse("5h")
    assert count(calendar, ART_35_B, term, at(2013, 4, 22, 16)).due_at == at(2013, 4, 23, 17)
    assert count(calendar, ART_35_B.with_(hours_end="first_minute"), term, at(2013, 4, 22, 16)).due_at == at(
        2013, 4, 23, 8
    )
    assert count(calendar, ART_35_B.with_(end_on="any"), term, at(2013, 4, 22, 16)).due_at == at(2013, 4, 22, 21)
    # Runs out at 06:00, before the office opens: that same day has expediente still.
    assert count(calendar, ART_35_B, Term.parse("14h"), at(2013, 4, 22, 16)).due_at == at(2013, 4, 23, 17)


def test_the_due_moment_of_days_is_the_end_of_expediente_or_midnight_with_electronic_filing() -> None:
    term, start = Term.parse("2d"), date(2013, 4, 22)
    assert count(with_hours(), ART_35_B, term, start).due_at == at(2013, 4, 24, 17)
    electronic = with_hours(electronic_filing=True)
    assert count(electronic, ART_35_B, term, start).due_at == datetime(2013, 4, 24, 23, 59, 59, tzinfo=ZONE)


def test_48_hours_are_48_elapsed_hours_across_a_change_of_clocks() -> None:
    # On Sunday 15/10/2017 clocks went from 00:00 to 01:00; on 18/02/2018 from 00:00 back to 23:00.
    rule = LEI_9784.with_(end_on="any")
    spring = count(weekends_calendar(), rule, Term.parse("48h"), at(2017, 10, 14, 10))
    assert spring.due_at.isoformat() == "2017-10-16T11:00:00-02:00"
    autumn = count(weekends_calendar(), rule, Term.parse("48h"), at(2018, 2, 17, 10))
    assert autumn.due_at.isoformat() == "2018-02-19T09:00:00-03:00"


def test_the_last_second_of_a_day_whose_last_hour_came_twice_is_the_later_one() -> None:
    # Saturday 17/02/2018: 23:00 to 24:00 happened in summer time, then again in standard time.
    counted = count(weekends_calendar(), LEI_9784.with_(end_on="any"), Term.parse("2d"), date(2018, 2, 15))
    assert counted.due_at.isoformat() == "2018-02-17T23:59:59-03:00"


def test_midnight_that_did_not_exist_is_the_first_moment_that_did() -> None:
    # The office of a suspended Saturday: a balance that resumes on Sunday 15/10/2017, whose 00:00 was skipped.
    calendar = weekends_calendar(suspended=[SuspensionFact(date(2017, 10, 13), date(2017, 10, 13))])
    rule = LEI_9784.with_(end_on="any")
    counted = count(calendar, rule, Term.parse("48h"), at(2017, 10, 12, 12))
    # 12 h to the midnight of Friday 13, then from Saturday 00:00 another 36 elapsed: Sunday 13:00 by the new clocks.
    assert counted.due_at.isoformat() == "2017-10-15T13:00:00-02:00"


def test_suspended_days_do_not_run_in_hours_either() -> None:
    calendar = weekends_calendar(suspended=[SuspensionFact(date(2013, 4, 24), date(2013, 4, 25))])
    counted = count(calendar, ART_35_B, Term.parse("48h"), at(2013, 4, 23, 12))
    # 12 h on Tuesday; resumes on Friday 00:00; 36 h more is Saturday noon: Monday.
    assert counted.last_counted == date(2013, 4, 27)
    assert counted.due == date(2013, 4, 29)


def test_the_steps_of_an_hour_term_tell_the_clock() -> None:
    counted = count(
        weekends_calendar(closed=CARNIVAL), ART_35_B, Term.parse("48h"), at(2018, 2, 8, 9, 35), explain=True
    )
    assert [s.kind.value for s in counted.steps] == [
        "evento",
        "primeiro_dia",
        "ultimo_dia",
        "adiado",
        "adiado",
        "adiado",
        "vencimento",
    ]
    assert "09:35" in counted.steps[0].reason
