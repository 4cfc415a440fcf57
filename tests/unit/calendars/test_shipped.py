"""The calendars that ship: their bounds, their days, and the committed answers."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from calendars import (
    CalendarOutOfRange,
    DayFact,
    DayKind,
    ExtensionFact,
    OfficeCalendar,
    OfficeHours,
    SuspensionFact,
    calendar_ids,
    fact_from_document,
    fact_to_document,
    load_calendar,
    weekends_calendar,
)
from calendars.errors import CalendarDocumentInvalid, HolidayNotDocumented, UnknownCalendar, UnknownPlace, UnknownUf
from calendars.rules import DATA
from calendars.shipped import add_calendar, calendar_of_municipality

IDS = ("es-3204708", "mg-3120805", "mg-3129509")
ES, CRUZILIA, IBIA = (load_calendar(name) for name in IDS)


def test_the_three_municipalities_ship() -> None:
    assert calendar_ids() == IDS
    assert calendar_of_municipality("3129509") == IBIA
    for name in ("es-3204709", "../data/es-3204708", ""):
        with pytest.raises(UnknownCalendar, match="es-3204708"):
            load_calendar(name)


@pytest.mark.parametrize("calendar", [*(load_calendar(name) for name in IDS), weekends_calendar()], ids=lambda c: c.id)
def test_the_day_before_the_first_and_after_the_last_are_errors(calendar: OfficeCalendar) -> None:
    for inside in (calendar.first_day, calendar.last_day):
        assert calendar.kind(inside) in DayKind
    for outside in (calendar.first_day - timedelta(days=1), calendar.last_day + timedelta(days=1)):
        for ask in (calendar.kind, calendar.reason, calendar.is_normal, calendar.next_expediente):
            with pytest.raises(CalendarOutOfRange):
                ask(outside)
    with pytest.raises(CalendarOutOfRange):
        calendar.next_expediente(calendar.last_day, inclusive=False)


def test_the_calendars_know_2005_to_2030_and_the_bare_weeks_1900_to_2100() -> None:
    for calendar in (ES, CRUZILIA, IBIA):
        assert (calendar.first_day, calendar.last_day) == (date(2005, 1, 1), date(2030, 12, 31))
        assert calendar.timezone == "America/Sao_Paulo"
    bare = weekends_calendar()
    assert (bare.first_day, bare.last_day) == (date(1900, 1, 1), date(2100, 12, 31))
    assert bare.kind(date(1900, 1, 1)) is DayKind.NORMAL  # a Monday
    assert bare.kind(date(2100, 12, 25)) is DayKind.FECHADO  # a Saturday


@pytest.mark.parametrize(
    ("calendar", "day", "closed"),
    [
        (ES, date(2013, 5, 14), True),
        (ES, date(2014, 9, 29), True),
        (ES, date(2013, 10, 31), True),
        (IBIA, date(2013, 10, 31), False),
        (IBIA, date(2013, 8, 15), True),
        (CRUZILIA, date(2014, 1, 20), True),
        (CRUZILIA, date(2013, 12, 27), True),
        (CRUZILIA, date(2014, 12, 8), False),  # in one source only: left out
        # 20 November: in Ibiá from 2009, elsewhere from 2024.
        (IBIA, date(2008, 11, 20), False),
        (IBIA, date(2009, 11, 20), True),
        (ES, date(2009, 11, 20), False),
        (ES, date(2023, 11, 20), False),
        (ES, date(2024, 11, 20), True),
        # Nossa Senhora da Penha: Espírito Santo, 8 days after Easter, from 2020.
        (ES, date(2019, 4, 29), False),
        (ES, date(2020, 4, 20), True),
        (ES, date(2023, 4, 17), True),
        (IBIA, date(2020, 4, 20), False),
        # Good Friday closed by default.
        (ES, date(2013, 3, 29), True),
        # Carnival, Cinzas, Corpus Christi, 28/10, 24/12, 31/12: open unless an act says otherwise.
        (ES, date(2013, 2, 11), False),
        (ES, date(2013, 2, 12), False),
        (ES, date(2013, 2, 13), False),
        (ES, date(2013, 5, 30), False),
        (ES, date(2013, 10, 28), False),
        (ES, date(2013, 12, 24), False),
        (ES, date(2013, 12, 31), False),
        # Holidays of the courts are no holidays of a city hall.
        (ES, date(2014, 8, 11), False),
        (ES, date(2013, 11, 1), False),
        (ES, date(2014, 12, 8), False),
        (ES, date(2013, 12, 20), False),
        (ES, date(2014, 1, 6), False),
        (ES, date(2013, 12, 25), True),
        (ES, date(2013, 11, 15), True),
    ],
)
def test_days_of_the_municipalities(calendar: OfficeCalendar, day: date, closed: bool) -> None:
    assert day.weekday() < 5, "the test must ask about a day that the week does not close"
    assert calendar.kind(day) is (DayKind.FECHADO if closed else DayKind.NORMAL)
    assert (calendar.reason(day) is not None) is closed


def test_every_closed_day_says_why_and_by_which_act() -> None:
    for calendar in (ES, CRUZILIA, IBIA):
        assert all(f.description and f.act for f in calendar.exceptions())
        municipal = [f for f in calendar.exceptions(2013) if "municipal" in f.description]
        assert municipal
        assert not any(f.verified for f in municipal)
    assert ES.fact(date(2013, 3, 29)).verified is False  # type: ignore[union-attr]  # a closed day has its fact
    assert ES.reason(date(2013, 3, 9)) == "sábado"
    assert ES.reason(date(2013, 3, 8)) is None


def test_next_expediente_passes_holidays_and_weekends() -> None:
    assert ES.next_expediente(date(2013, 3, 8)) == date(2013, 3, 8)
    assert ES.next_expediente(date(2013, 3, 8), inclusive=False) == date(2013, 3, 11)
    assert ES.next_expediente(date(2013, 3, 29)) == date(2013, 4, 1)


def test_the_committed_answers_regenerate_equal() -> None:
    from calendars.regenerate import answers

    made = answers()
    assert set(made) == {path.name for path in DATA.glob("*.csv")}
    for name, text in made.items():
        assert (DATA / name).read_text(encoding="utf-8") == text, f"{name}: run python -m calendars.regenerate"


def test_reading_a_shipped_calendar_imports_no_holidays() -> None:
    program = (
        "import sys; from calendars import load_calendar; load_calendar('es-3204708');"
        "print([m for m in ('holidays', 'dateutil') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_holiday_without_its_law_stops_the_generation() -> None:
    from calendars.national import holidays_of

    with pytest.raises(UnknownUf):
        holidays_of("XX", [2020])
    with pytest.raises(HolidayNotDocumented, match="1900-01-01"):
        holidays_of(None, [1900])
    assert date(2020, 2, 25) not in {f.day for f in holidays_of(None, [2020])}  # Carnival is optional there


def test_national_days_of_the_years_before_their_laws_changed() -> None:
    from calendars.national import holidays_of

    with pytest.raises(HolidayNotDocumented, match="1990-01-01"):
        holidays_of(None, [1990, 1991])
    days = {f.day: f for f in holidays_of("MG", [1991, 1994, 1995, 1996, 2002])}
    by_law = ((1, 1), (4, 21), (5, 1), (9, 7), (10, 12), (11, 15), (12, 25))  # Leis 662/1949, 1.266/1950, 6.802/1980
    assert all(days[date(1991, month, day)].verified for month, day in by_law)
    # Finados became national by Lei 10.607, of 19/12/2002; until then, and Good Friday always, each municipality's.
    municipal = [date(1991, 3, 29), date(1991, 11, 2), date(1995, 4, 14), date(1996, 4, 5), date(2002, 11, 2)]
    assert [days[day].verified for day in municipal] == [False] * 5
    assert ["Lei 605/1949" in str(days[day].act) for day in municipal] == [True, True, True, False, True]
    assert {day for day in days if day.month == 10} == {
        *(date(year, 10, 12) for year in (1991, 1994, 1995, 1996, 2002)),
        date(1994, 10, 3),
        date(1996, 10, 3),
    }


def test_an_added_calendar_may_begin_before_2003(tmp_path: Path) -> None:
    text = (DATA / "mg-3129509.toml").read_text(encoding="utf-8").replace("mg-3129509", "mg-3199999")
    for first_day, begins in (("1991-01-01", True), ("1990-10-12", False)):
        path = tmp_path / f"{first_day}.toml"
        path.write_text(text.replace("first_day = 2005-01-01", f"first_day = {first_day}"), encoding="utf-8")
        add_calendar(path, calendar_id="mg-3199999")
        if begins:
            early = load_calendar("mg-3199999")
            assert not early.is_normal(date(1991, 8, 15))  # the municipality's own
            assert not early.is_normal(date(1994, 10, 3))
            assert early.is_normal(date(1991, 3, 4))
            with pytest.raises(CalendarOutOfRange):
                early.is_normal(date(1990, 12, 31))
        else:
            with pytest.raises(HolidayNotDocumented, match="1991-01-01"):
                load_calendar("mg-3199999")


def test_the_banks_follow_their_own_days() -> None:
    banks = ES.at("bancario")
    assert not banks.is_normal(date(2013, 2, 11))
    assert banks.kind(date(2013, 2, 13)) is DayKind.REDUZIDO
    assert not banks.is_normal(date(2013, 5, 30))
    assert not banks.is_normal(date(2013, 12, 31))
    assert not banks.is_normal(date(2013, 5, 14))  # the municipality's holiday
    assert ES.at("reparticao") is ES
    with pytest.raises(UnknownPlace):
        ES.at("correios")
    with pytest.raises(UnknownPlace):
        weekends_calendar().at("bancario")


def test_a_municipal_act_opens_closes_and_moves_days() -> None:
    good_friday, corpus = date(2013, 3, 29), date(2013, 5, 30)
    opened = ES.with_facts([DayFact(good_friday, DayKind.NORMAL, "expediente normal", "Decreto 1/2013")])
    assert opened.is_normal(good_friday)
    assert not ES.is_normal(good_friday)
    decreed = DayFact(corpus, DayKind.FECHADO, "ponto facultativo", "Decreto 2/2013", date(2013, 5, 2))
    # Moved by a later decree: the day is open again, the next closed. Order of publication, not of the list.
    moved = [
        DayFact(corpus, DayKind.NORMAL, "ponto facultativo transferido", "Decreto 3/2013", date(2013, 5, 28)),
        DayFact(date(2013, 5, 31), DayKind.FECHADO, "ponto facultativo", "Decreto 3/2013", date(2013, 5, 28)),
    ]
    assert not ES.with_facts([decreed]).is_normal(corpus)
    later = ES.with_facts([*moved, decreed])
    assert later.is_normal(corpus)
    assert not later.is_normal(date(2013, 5, 31))
    assert ES.with_facts([DayFact(date(2013, 3, 9), DayKind.NORMAL, "mutirão", "Decreto 4")]).is_normal(
        date(2013, 3, 9)
    )
    # Published together: the last of the list says what the day is.
    suspended = SuspensionFact(date(2018, 12, 17), date(2018, 12, 23), "recesso", "Lei 1")
    resumed = DayFact(date(2018, 12, 19), DayKind.NORMAL, "volta a correr", "Lei 2")
    assert ES.with_facts([suspended, resumed]).is_normal(date(2018, 12, 19))
    assert not ES.with_facts([suspended, resumed]).stopped_at(date(2018, 12, 19).toordinal())
    assert ES.with_facts([suspended, resumed]).stopped_at(date(2018, 12, 22).toordinal())  # the Saturday it names
    assert ES.with_facts([resumed, suspended]).kind(date(2018, 12, 19)) is DayKind.SUSPENSO
    with pytest.raises(CalendarOutOfRange):
        ES.with_facts([DayFact(date(2031, 1, 2), DayKind.FECHADO, "feriado", "Decreto 5")])


def test_the_version_changes_with_any_day_or_setting_and_only_then() -> None:
    suspension = SuspensionFact(date(2018, 12, 15), date(2019, 1, 6), "recesso", "Lei 1")
    changed = [
        ES.with_facts([DayFact(date(2013, 5, 30), DayKind.FECHADO, "ponto facultativo", "Decreto 2")]),
        ES.with_facts([suspension]),
        ES.with_facts([SuspensionFact(date(2018, 12, 17), date(2019, 1, 6), "recesso", "Lei 1")]),
        ES.with_facts([ExtensionFact(date(2018, 5, 24), date(2018, 5, 31), date(2018, 6, 4), "Decreto 3")]),
        ES._replaced(
            hours=OfficeHours.same_every_day(*(ES.end_of_day(735000).time().replace(hour=h) for h in (8, 17)))
        ),
        ES._replaced(electronic_filing=True),
        ES._replaced(weekly_off=frozenset({6})),
        ES._replaced(timezone="America/Bahia"),
        ES._replaced(banks=None),
    ]
    versions = [ES.version, *(c.version for c in changed)]
    assert len(set(versions)) == len(versions)
    for calendar in (ES, *changed):
        again = OfficeCalendar.from_document(json.loads(json.dumps(calendar.to_document())))
        assert again == calendar
        assert again.to_document() == calendar.to_document()
    # The digest is that of a canonical text any program can make.
    text = json.dumps(ES.to_document(), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    assert ES.version == hashlib.sha256(text.encode("ascii")).hexdigest()


def test_a_calendar_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        ES.timezone = "America/Bahia"


@pytest.mark.parametrize("document", [None, {}, [], {"format": 2}, {**ES.to_document(), "days": [["x"]]}])
def test_what_is_no_document_of_a_calendar_is_refused(document: object) -> None:
    with pytest.raises(CalendarDocumentInvalid):
        OfficeCalendar.from_document(document)


def test_facts_go_to_a_database_and_back() -> None:
    facts = [
        DayFact(date(2018, 2, 14), DayKind.REDUZIDO, "Cinzas", "Decreto 1", date(2018, 1, 30), opens_late=True),
        SuspensionFact(date(2018, 12, 20), date(2019, 1, 6), "recesso", "Lei 1", date(2018, 12, 1)),
        ExtensionFact(date(2018, 5, 24), date(2018, 5, 31), date(2018, 6, 4), "Decreto 3", date(2018, 5, 25)),
    ]
    for fact in facts:
        assert fact_from_document(json.loads(json.dumps(fact_to_document(fact)))) == fact
    for document in (None, {}, {"type": "x", "row": []}, {"type": "suspension", "row": ["2018-02-30"] * 5}):
        with pytest.raises(CalendarDocumentInvalid):
            fact_from_document(document)
