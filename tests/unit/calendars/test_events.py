"""Suspension, interruption and extension: three different operations."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from calendars import (
    RULES,
    Extension,
    ExtensionFact,
    Interruption,
    Suspension,
    SuspensionFact,
    Term,
    count,
    due_date,
    load_calendar,
    weekends_calendar,
)
from calendars.errors import InvalidRange

ART_35_B = RULES["art-35-b"]
START, TERM = date(2023, 3, 1), Term.parse("15d")  # a Wednesday: day 1 on the 2nd, due on Thursday the 16th
WEEK = (date(2023, 3, 6), date(2023, 3, 10))  # Monday to Friday


def test_without_events() -> None:
    assert count(weekends_calendar(), ART_35_B, TERM, START).due == date(2023, 3, 16)


def test_a_suspension_keeps_what_has_run() -> None:
    # Days 1 to 4 on 2 to 5; day 5 on Monday 13; day 15 on Thursday 23.
    counted = count(weekends_calendar(), ART_35_B, TERM, START, events=[Suspension(*WEEK)])
    assert counted.due == date(2023, 3, 23)


def test_an_interruption_restarts_the_whole_term_on_the_first_day_after_it() -> None:
    # The first day of expediente after Friday 10 is Monday 13, day 1 again; day 15 is Monday 27.
    counted = count(weekends_calendar(), ART_35_B, TERM, START, events=[Interruption(*WEEK)])
    assert counted.first_counted == date(2023, 3, 13)
    assert counted.due == date(2023, 3, 27)
    # Under next_day it is Saturday 11: day 15 is Saturday 25, so Monday 27.
    loose = count(weekends_calendar(), ART_35_B.with_(first_day="next_day"), TERM, START, events=[Interruption(*WEEK)])
    assert (loose.first_counted, loose.last_counted) == (date(2023, 3, 11), date(2023, 3, 25))


def test_an_interruption_after_the_end_or_before_the_start_changes_nothing() -> None:
    for span in ((date(2023, 3, 17), date(2023, 3, 20)), (date(2023, 2, 20), date(2023, 2, 27))):
        assert count(weekends_calendar(), ART_35_B, TERM, START, events=[Interruption(*span)]).due == date(2023, 3, 16)


def test_an_extension_moves_an_end_inside_its_window_to_a_fixed_date() -> None:
    inside = Extension(date(2023, 3, 15), date(2023, 3, 17), date(2023, 3, 31))
    assert count(weekends_calendar(), ART_35_B, TERM, START, events=[inside]).due == date(2023, 3, 31)
    # To a Saturday: the term ends on the Monday.
    saturday = Extension(date(2023, 3, 15), date(2023, 3, 17), date(2023, 4, 1))
    assert count(weekends_calendar(), ART_35_B, TERM, START, events=[saturday]).due == date(2023, 4, 3)
    outside = Extension(date(2023, 3, 17), date(2023, 3, 20), date(2023, 3, 31))
    assert count(weekends_calendar(), ART_35_B, TERM, START, events=[outside]).due == date(2023, 3, 16)


def test_events_befall_terms_in_hours_too() -> None:
    start = datetime(2023, 3, 1, 13, tzinfo=UTC)  # 10:00 in Brasília
    term, calendar = Term.parse("24h"), weekends_calendar()
    day = date(2023, 3, 2)
    assert count(calendar, ART_35_B, term, start).due_at.isoformat() == "2023-03-02T10:00:00-03:00"
    # 14 hours on the 1st, the 2nd stands still, 10 more on the 3rd.
    held = count(calendar, ART_35_B, term, start, events=[Suspension(day, day)])
    assert held.due_at.isoformat() == "2023-03-03T10:00:00-03:00"
    # All 24 again from the start of the 3rd: Saturday 00:00, so the whole of Monday.
    again = count(calendar, ART_35_B, term, start, events=[Interruption(day, day)])
    assert again.due_at.isoformat() == "2023-03-06T23:59:59-03:00"
    moved = count(calendar, ART_35_B, term, start, events=[Extension(day, day, date(2023, 3, 9))])
    assert moved.due_at.isoformat() == "2023-03-09T23:59:59-03:00"


def test_the_steps_tell_what_befell() -> None:
    calendar = weekends_calendar()
    stopped = count(
        calendar, ART_35_B, TERM, START, events=[Interruption(*WEEK, "embargos", "Despacho 3")], explain=True
    )
    assert (stopped.steps[0].kind.value, stopped.steps[0].citation) == ("interrompido", "Despacho 3")
    moved = Extension(date(2023, 3, 15), date(2023, 3, 17), date(2023, 3, 31), "Decreto 7")
    told = count(calendar, ART_35_B, TERM, START, events=[moved], explain=True).steps
    assert ("prorrogado", "Decreto 7") in [(s.kind.value, s.citation) for s in told]


def test_a_calendar_carries_suspensions_and_extensions_for_every_term() -> None:
    calendar = load_calendar("es-3204708").with_facts(
        [SuspensionFact(*WEEK), ExtensionFact(date(2023, 3, 20), date(2023, 3, 24), date(2023, 3, 31))]
    )
    counted = count(calendar, ART_35_B, TERM, START)
    assert counted.last_counted == date(2023, 3, 23)
    assert counted.due == date(2023, 3, 31)
    assert due_date(calendar, ART_35_B, TERM, START) == date(2023, 3, 31)


def test_a_period_that_ends_before_it_starts_is_refused() -> None:
    backwards = (date(2023, 3, 10), date(2023, 3, 6))
    for kind in (Suspension, Interruption, SuspensionFact):
        with pytest.raises(InvalidRange):
            kind(*backwards)
    with pytest.raises(InvalidRange):
        Extension(date(2023, 3, 15), date(2023, 3, 17), date(2023, 3, 16))
