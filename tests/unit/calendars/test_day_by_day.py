"""Both ways of the package, the walk and the tables, against the tests' own day-by-day counting."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calendars import (
    RULES,
    CountingRule,
    DayFact,
    DayKind,
    OfficeCalendar,
    OfficeHours,
    SuspensionFact,
    Term,
    count,
    due_date,
)
from tests.unit.calendars.day_by_day import Office, count_day_by_day, count_minutes

FIRST, LAST = date(2017, 1, 1), date(2026, 12, 31)
ZONE = ZoneInfo("America/Sao_Paulo")
VALUES = {
    "days": ("corridos", "uteis"),
    "start_on": ("expediente", "any"),
    "start_on_closed": ("deemed_next", "first_counted"),
    "first_day": ("next_expediente", "next_day"),
    "end_on": ("expediente", "any"),
    "reduced": ("closed", "closed_at_end", "early_closing_at_end", "open"),
    "resume": ("next_expediente", "next_day"),
    "months": ("last_day", "next_day"),
    "hours_end": ("end_of_expediente", "same_clock", "first_minute"),
}
near = st.dates(date(2018, 1, 1), date(2018, 4, 30))


@st.composite
def offices(draw: st.DrawFn) -> Office:
    """A few months with many odd days, so that ends meet them."""
    closed = draw(st.sets(near, max_size=12))
    reduced = draw(st.dictionaries(near, st.sampled_from([(True, False), (False, True), (True, True)]), max_size=12))
    spans = draw(st.lists(st.tuples(near, st.integers(0, 20)), max_size=3))
    return Office(closed, reduced, [(first, first + timedelta(days=more)) for first, more in spans])


@st.composite
def rules(draw: st.DrawFn) -> CountingRule:
    base = RULES[draw(st.sampled_from(["art-35-b", "lei-9784", "cpc-2015"]))]
    changed = draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=4, unique=True))
    return base.with_(**{name: draw(st.sampled_from(VALUES[name])) for name in changed})


def calendar_of(office: Office, hours: OfficeHours | None = None) -> OfficeCalendar:
    bare = OfficeCalendar("teste", timezone="America/Sao_Paulo", first_day=FIRST, last_day=LAST, hours=hours)
    return bare.with_facts(
        [
            *(DayFact(day, DayKind.FECHADO, "fechado") for day in office.closed),
            *(
                DayFact(day, DayKind.REDUZIDO, "reduzido", opens_late=late, closes_early=early)
                for day, (late, early) in office.reduced.items()
            ),
            *(SuspensionFact(first, last) for first, last in office.suspended),
        ]
    )


terms = st.one_of(
    st.tuples(st.integers(1, 60), st.just("d")),
    st.tuples(st.integers(1, 200), st.just("h")),
    st.tuples(st.integers(1, 14), st.just("m")),
    st.tuples(st.integers(1, 3), st.just("a")),
)


@settings(max_examples=120, deadline=None)
@given(offices(), rules(), terms, near)
def test_count_and_due_date_agree_with_day_by_day(
    office: Office, rule: CountingRule, term: tuple[int, str], start: date
) -> None:
    amount, unit = term
    calendar, written = calendar_of(office), Term.parse(f"{amount}{unit}")
    counted = count(calendar, rule, written, start, explain=True)
    expected = count_day_by_day(office, rule.parameters(), amount, unit, start)
    assert (counted.starts_on, counted.first_counted, counted.last_counted, counted.due) == expected
    assert due_date(calendar, rule, written, start) == expected[3]


def dense_office(random: Random) -> Office:
    """A quarter of the days odd, and three suspensions: terms meet them all the time."""
    days = [date(2018, 1, 1) + timedelta(days=n) for n in range(120)]
    sides = [(True, False), (False, True), (True, True)]
    spans = [(first, first + timedelta(days=random.randrange(12))) for first in random.sample(days, 3)]
    reduced = {day: random.choice(sides) for day in random.sample(days, 15)}
    return Office(set(random.sample(days, 15)), reduced, spans)


@pytest.mark.parametrize("seed", range(24))
def test_every_start_of_a_season_agrees_with_day_by_day(seed: int) -> None:
    random = Random(seed)
    office = dense_office(random)
    calendar = calendar_of(office)
    base = RULES[("art-35-b", "lei-9784", "cpc-2015")[seed % 3]]
    # The first seeds take the rules as they are; the others change up to three parameters.
    names = random.sample(sorted(VALUES), random.randrange(1, 4)) if seed >= 6 else []
    rule = base.with_(**{name: random.choice(VALUES[name]) for name in names})
    for shift in range(100):
        start = date(2018, 1, 1) + timedelta(days=shift)
        for text in ("1d", "2d", "5d", "15d", "48h", "1m"):
            expected = count_day_by_day(office, rule.parameters(), int(text[:-1]), text[-1], start)
            term = Term.parse(text)
            assert due_date(calendar, rule, term, start) == expected[3], (text, start)
            if shift % 4 == 0:
                counted = count(calendar, rule, term, start)
                assert (counted.starts_on, counted.first_counted, counted.last_counted, counted.due) == expected


@settings(max_examples=80, deadline=None)
@given(offices(), rules(), st.integers(1, 60), near)
def test_every_reading_is_the_rule_with_one_parameter_changed(
    office: Office, rule: CountingRule, days: int, start: date
) -> None:
    counted = count(calendar_of(office), rule, Term.parse(f"{days}d"), start)
    dues = [a.due for a in counted.alternatives]
    assert dues == sorted(set(dues))
    assert counted.due not in dues
    for other in counted.alternatives:
        for reading in other.reading.split("; "):
            name, value = reading.split("=")
            changes = {name: value}
            if (name, value) == ("start_on", "expediente") and rule.id == "lei-9784":
                changes["first_day"] = "next_expediente"
            if (name, value) == ("start_on", "any"):
                changes["first_day"] = "next_day"
            expected = count_day_by_day(office, rule.with_(**changes).parameters(), days, "d", start)
            assert expected[3] == other.due, reading


@settings(max_examples=60, deadline=None)
@given(
    offices(),
    rules(),
    st.integers(1, 100),
    st.datetimes(datetime(2018, 1, 1), datetime(2018, 4, 30)),
    st.sampled_from([None, (time(8), time(17)), (time(12, 30), time(18))]),
)
def test_hours_agree_with_minute_by_minute(
    office: Office, rule: CountingRule, hours: int, start: datetime, week: tuple[time, time] | None
) -> None:
    opens, closes = week or (None, None)
    calendar = calendar_of(office, OfficeHours.same_every_day(*week) if week else None)
    start = start.replace(second=0, microsecond=0)
    counted = count(calendar, rule, Term.parse(f"{hours}h"), start)
    real = start.replace(tzinfo=ZONE)
    expected = count_minutes(office, rule.parameters(), hours, real, opens=opens, closes=closes)
    assert counted.due_at == expected
    assert counted.due == expected.date()


@settings(max_examples=25, deadline=None)
@given(offices(), near)
def test_a_calendar_rebuilt_from_its_document_is_the_same(office: Office, day: date) -> None:
    calendar = calendar_of(office)
    again = OfficeCalendar.from_document(calendar.to_document())
    assert again.version == calendar.version
    assert again.kind(day) == office.kind(day) == calendar.kind(day)


# Spec 02, "One parameter is changed at a time"; lei-9784 takes start_on together with first_day.
OTHER_READINGS: dict[str, list[dict[str, str]]] = {
    "art-35-b": [
        {"start_on_closed": "first_counted"},
        {"first_day": "next_day"},
        {"reduced": "closed_at_end"},
        {"resume": "next_day"},
    ],
    "lei-9784": [
        {"start_on": "expediente", "first_day": "next_expediente"},
        {"first_day": "next_expediente"},
        {"reduced": "closed_at_end"},
    ],
    "cpc-2015": [{"reduced": "closed_at_end"}, {"resume": "next_day"}],
}


@pytest.mark.parametrize("seed", range(12))
def test_no_reading_that_changes_the_date_is_left_out(seed: int) -> None:
    random = Random(1000 + seed)
    office = dense_office(random) if seed % 2 else Office({date(2018, 1, 1), date(2018, 2, 13)}, {}, [])
    calendar = calendar_of(office)
    rule = RULES[("art-35-b", "lei-9784", "cpc-2015")[seed % 3]]
    parameters = rule.parameters()
    seen = 0
    for shift in range(100):
        start = date(2018, 1, 1) + timedelta(days=shift)
        for text in ("1d", "5d", "15d", "48h", "1m"):
            amount, unit = int(text[:-1]), text[-1]
            main = count_day_by_day(office, parameters, amount, unit, start)[3]
            expected: dict[date, list[str]] = {}
            for changes in OTHER_READINGS[rule.id]:
                due = count_day_by_day(office, {**parameters, **changes}, amount, unit, start)[3]
                if due != main:
                    name, value = next(iter(changes.items()))
                    expected.setdefault(due, []).append(f"{name}={value}")
            counted = count(calendar, rule, Term.parse(text), start)
            found = [(a.due, a.reading) for a in counted.alternatives]
            assert found == [(due, "; ".join(expected[due])) for due in sorted(expected)], (text, start)
            seen += len(found)
    assert seen or seed % 6 == 2  # rule cpc-2015 without reduced days or suspensions: no reading changes a date
