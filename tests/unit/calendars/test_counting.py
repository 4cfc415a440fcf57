"""Right answers and the traps of real software, in days, months and years."""

from __future__ import annotations

from datetime import date

import pytest

from calendars import (
    RULES,
    CalendarOutOfRange,
    CountingRule,
    DayFact,
    DayKind,
    Nature,
    OfficeCalendar,
    SuspensionFact,
    Term,
    Timeliness,
    count,
    due_date,
    law_counting,
    load_calendar,
    weekends_calendar,
)

ART_35_B, LEI_9784, CPC = RULES["art-35-b"], RULES["lei-9784"], RULES["cpc-2015"]
SAO_GABRIEL = load_calendar("es-3204708")
CINZAS = date(2018, 2, 14)


def due(rule: CountingRule, term: str, start: date, calendar: OfficeCalendar | None = None) -> date:
    """The due date, by both ways of the package."""
    calendar = calendar or weekends_calendar()
    counted = count(calendar, rule, Term.parse(term), start).due
    if calendar.last_day.year < 2100:  # tables of two centuries are not built for one date
        assert due_date(calendar, rule, Term.parse(term), start) == counted
    return counted


def reduced(day: date, *, late: bool, early: bool) -> DayFact:
    return DayFact(day, DayKind.REDUZIDO, "expediente reduzido", opens_late=late, closes_early=early)


def test_friday_08_03_2013_fifteen_days() -> None:
    counted = count(SAO_GABRIEL, ART_35_B, Term.parse("15d"), date(2013, 3, 8))
    assert counted.starts_on == date(2013, 3, 8)
    assert counted.first_counted == date(2013, 3, 11)
    assert counted.due == counted.last_counted == date(2013, 3, 25)
    assert counted.due_at.isoformat() == "2013-03-25T23:59:59-03:00"
    assert counted.alternatives == ()


def test_saturday_09_03_2013_is_not_silently_decided() -> None:
    counted = count(SAO_GABRIEL, ART_35_B, Term.parse("15d"), date(2013, 3, 9))
    assert counted.starts_on == date(2013, 3, 11)
    assert counted.first_counted == date(2013, 3, 12)
    assert counted.due == date(2013, 3, 26)
    assert [(a.due, a.reading) for a in counted.alternatives] == [(date(2013, 3, 25), "start_on_closed=first_counted")]
    assert counted.alternatives[0].sources
    assert counted.latest_due == date(2013, 3, 26)


def test_start_plus_n_days_is_wrong() -> None:
    # Friday + 3 days is Monday; the term begins only on Monday.
    assert due(ART_35_B, "3d", date(2013, 3, 8)) == date(2013, 3, 13)


def test_the_start_rolls_too_on_the_eve_of_a_holiday() -> None:
    # 01/11/2012 is a Thursday, the 2nd a holiday: day 1 is Monday 5.
    closed = weekends_calendar(closed=[date(2012, 11, 2)])
    assert due(ART_35_B, "8d", date(2012, 11, 1), closed) == date(2012, 11, 12)


def test_the_end_rolls_as_often_as_needed() -> None:
    # Christmas on a Monday, then a recess of three days: from Saturday 23 to Friday 29.
    closed = weekends_calendar(closed=[date(2023, 12, d) for d in (25, 26, 27, 28)])
    assert due(ART_35_B, "2d", date(2023, 12, 21), closed) == date(2023, 12, 29)


def test_a_calendar_day_term_is_no_count_of_working_days() -> None:
    assert due(ART_35_B, "15d", date(2013, 3, 8)) == date(2013, 3, 25)
    assert due(CPC, "15d", date(2013, 3, 8)) == date(2013, 3, 29)  # three whole weeks from the 11th


def test_31_01_2023_and_one_month() -> None:
    assert due(ART_35_B, "1m", date(2023, 1, 31), SAO_GABRIEL) == date(2023, 3, 1)
    assert due(LEI_9784, "1m", date(2023, 1, 31), SAO_GABRIEL) == date(2023, 2, 28)
    assert due(ART_35_B.with_(months="last_day"), "1m", date(2023, 1, 31), SAO_GABRIEL) == date(2023, 2, 28)


def test_months_count_from_the_deemed_day() -> None:
    # Saturday 28/01/2023 is deemed Monday 30; February has no 30: 01/03.
    assert due(ART_35_B, "1m", date(2023, 1, 28)) == date(2023, 3, 1)
    assert due(LEI_9784, "1m", date(2023, 1, 28)) == date(2023, 2, 28)
    assert due(ART_35_B, "1a", date(2024, 2, 29)) == date(2025, 3, 3)  # 01/03/2025 is a Saturday


def test_quarta_feira_de_cinzas_that_opens_at_noon_and_closes_as_usual() -> None:
    calendar = weekends_calendar(reduced=[reduced(CINZAS, late=True, early=False)])
    start = date(2018, 2, 5)
    assert due(LEI_9784, "9d", start, calendar) == CINZAS
    assert due(ART_35_B, "9d", start, calendar) == date(2018, 2, 15)
    early = weekends_calendar(reduced=[reduced(CINZAS, late=False, early=True)])
    assert due(LEI_9784, "9d", start, early) == date(2018, 2, 15)


@pytest.mark.parametrize(
    ("value", "as_excluded", "as_day_1", "as_due"),
    [
        # Cinzas (opens late, closes early) as the excluded day, as day 1, as the due day, of a term of 2 days.
        ("closed", date(2018, 2, 19), date(2018, 2, 16), date(2018, 2, 15)),
        ("closed_at_end", date(2018, 2, 16), date(2018, 2, 15), date(2018, 2, 15)),
        ("early_closing_at_end", date(2018, 2, 16), date(2018, 2, 15), date(2018, 2, 15)),
        ("open", date(2018, 2, 16), date(2018, 2, 15), date(2018, 2, 14)),
    ],
)
def test_a_reduced_day_at_each_end(value: str, as_excluded: date, as_day_1: date, as_due: date) -> None:
    rule = ART_35_B.with_(reduced=value)
    calendar = weekends_calendar(reduced=[reduced(CINZAS, late=True, early=True)])
    assert due(rule, "2d", CINZAS, calendar) == as_excluded
    assert due(rule, "2d", date(2018, 2, 13), calendar) == as_day_1
    assert due(rule, "2d", date(2018, 2, 12), calendar) == as_due


def test_a_reduced_day_inside_the_term_counts_also_among_working_days() -> None:
    calendar = weekends_calendar(reduced=[reduced(CINZAS, late=True, early=True)])
    assert due(CPC, "4d", date(2018, 2, 12), calendar) == date(2018, 2, 16)


def test_early_closing_looks_only_at_the_closing() -> None:
    rule = ART_35_B.with_(reduced="early_closing_at_end")
    late = weekends_calendar(reduced=[reduced(CINZAS, late=True, early=False)])
    assert due(rule, "2d", date(2018, 2, 12), late) == CINZAS


@pytest.mark.parametrize(
    ("changes", "start", "term", "expected"),
    [
        # 10/03/2023 is a Friday, the 11th a Saturday.
        ({"start_on": "expediente"}, date(2023, 3, 11), "3d", date(2023, 3, 16)),
        ({"start_on": "any"}, date(2023, 3, 11), "3d", date(2023, 3, 15)),
        ({"start_on_closed": "first_counted"}, date(2023, 3, 11), "3d", date(2023, 3, 15)),
        ({"first_day": "next_day"}, date(2023, 3, 10), "3d", date(2023, 3, 13)),
        ({"first_day": "next_expediente"}, date(2023, 3, 10), "3d", date(2023, 3, 15)),
        ({"end_on": "any"}, date(2023, 3, 13), "5d", date(2023, 3, 18)),
        ({"end_on": "expediente"}, date(2023, 3, 13), "5d", date(2023, 3, 20)),
        ({"days": "uteis"}, date(2023, 3, 10), "6d", date(2023, 3, 20)),
        ({"days": "corridos"}, date(2023, 3, 10), "6d", date(2023, 3, 20)),
        ({"days": "uteis", "first_day": "next_day"}, date(2023, 3, 10), "2d", date(2023, 3, 14)),
    ],
)
def test_each_value_of_a_parameter_changes_the_date_as_it_says(
    changes: dict[str, str], start: date, term: str, expected: date
) -> None:
    assert due(ART_35_B.with_(**changes), term, start) == expected


def test_a_suspension_keeps_what_has_run_and_resumes_as_day_1() -> None:
    # Day 1 is Thursday 13/12/2018; the weekend of 15 and 16 runs; suspended from Monday 17 to Friday 21.
    week = weekends_calendar(suspended=[SuspensionFact(date(2018, 12, 17), date(2018, 12, 21))])
    start = date(2018, 12, 12)
    # Balance after 4 days: resumes on Monday 24, or (next_day) on Saturday 22.
    assert due(ART_35_B, "4d", start, week) == date(2018, 12, 24)  # ends on Sunday 16, rolls over the suspension
    assert due(ART_35_B, "5d", start, week) == date(2018, 12, 24)
    assert due(ART_35_B, "6d", start, week) == date(2018, 12, 25)
    assert due(ART_35_B.with_(resume="next_day"), "7d", start, week) == date(2018, 12, 24)
    assert due(ART_35_B.with_(resume="next_day"), "8d", start, week) == date(2018, 12, 25)


def test_a_weekend_that_a_suspension_names_is_fechado() -> None:
    # "fechado" wins over "suspenso": a suspension that begins on Saturday 15 takes nothing from Monday 17's.
    from_saturday = weekends_calendar(suspended=[SuspensionFact(date(2018, 12, 15), date(2018, 12, 21))])
    assert due(ART_35_B, "5d", date(2018, 12, 12), from_saturday) == date(2018, 12, 24)
    assert due(ART_35_B, "6d", date(2018, 12, 12), from_saturday) == date(2018, 12, 25)


def test_suspended_days_are_no_end() -> None:
    calendar = weekends_calendar(suspended=[SuspensionFact(date(2018, 12, 17), date(2018, 12, 21))])
    assert count(calendar, ART_35_B, Term.parse("2d"), date(2018, 12, 18)).starts_on == date(2018, 12, 24)
    assert due(ART_35_B, "2d", date(2018, 12, 18), calendar) == date(2018, 12, 26)
    # Day 1 of next_day is the next day that is not suspended: Saturday 22, for it is "fechado".
    nine = count(calendar, LEI_9784, Term.parse("3d"), date(2018, 12, 20))
    assert nine.first_counted == date(2018, 12, 22)
    assert nine.due == date(2018, 12, 24)
    # A term that ends on its last day before the suspension does not roll; one whose roll meets it passes over it.
    assert due(ART_35_B, "2d", date(2018, 12, 13), calendar) == date(2018, 12, 24)


def test_a_month_moves_by_the_calendar_days_of_the_suspension_inside_it() -> None:
    # 10/12/2018 + 1 month = 10/01/2019; 14 days of suspension (weekend among them): 24/01, a Thursday.
    calendar = weekends_calendar(suspended=[SuspensionFact(date(2018, 12, 20), date(2019, 1, 2))])
    assert due(ART_35_B, "1m", date(2018, 12, 10), calendar) == date(2019, 1, 24)
    # Suspended across the end (05 to 14/01): 6 days inside keep their balance, which runs after it: 20/01, a Sunday.
    across = weekends_calendar(suspended=[SuspensionFact(date(2019, 1, 5), date(2019, 1, 14))])
    assert count(across, ART_35_B, Term.parse("1m"), date(2018, 12, 10)).last_counted == date(2019, 1, 20)


def test_lists_may_overlap_and_the_stronger_kind_wins() -> None:
    day = date(2018, 6, 13)  # a Wednesday
    facts = [
        reduced(day, late=True, early=True),
        SuspensionFact(day, day),
        DayFact(day, DayKind.FECHADO, "fechado"),
    ]
    bare = weekends_calendar()
    assert bare.with_facts(facts[:1]).kind(day) is DayKind.REDUZIDO
    assert bare.with_facts(facts[:2]).kind(day) is DayKind.SUSPENSO
    assert bare.with_facts(facts).kind(day) is DayKind.FECHADO
    assert bare.with_facts(facts[::-1]).kind(day) is DayKind.FECHADO
    saturday = date(2018, 6, 16)
    assert bare.with_facts([SuspensionFact(saturday, saturday)]).kind(saturday) is DayKind.FECHADO


def test_readings_that_agree_are_one_entry_joined_and_entries_go_by_date() -> None:
    # Thursday 29/03/2018, Good Friday closed: lei-9784 begins on the Friday, the others on Monday 02/04.
    counted = count(load_calendar("mg-3129509"), LEI_9784, Term.parse("20d"), date(2018, 3, 29))
    assert counted.due == date(2018, 4, 18)
    assert [(a.due, a.reading) for a in counted.alternatives] == [
        (date(2018, 4, 23), "start_on=expediente; first_day=next_expediente")
    ]
    # Saturday: under start_on=expediente Monday is excluded, under first_day=next_expediente it is day 1.
    saturday = count(weekends_calendar(), LEI_9784, Term.parse("10d"), date(2023, 3, 4))
    assert saturday.due == date(2023, 3, 14)
    assert [(a.due, a.reading) for a in saturday.alternatives] == [
        (date(2023, 3, 15), "first_day=next_expediente"),
        (date(2023, 3, 16), "start_on=expediente"),
    ]
    assert saturday.latest_due == date(2023, 3, 16)


def test_when_the_options_choose_a_reading_the_shipped_one_is_the_alternative() -> None:
    counted = count(SAO_GABRIEL, ART_35_B.with_(start_on_closed="first_counted"), Term.parse("15d"), date(2013, 3, 9))
    assert counted.due == date(2013, 3, 25)
    assert [(a.due, a.reading) for a in counted.alternatives] == [(date(2013, 3, 26), "start_on_closed=deemed_next")]


def test_espera_says_which_date_the_engine_waits_for() -> None:
    ibia, sao_gabriel = law_counting("mg-3129509/lei-1355-1990"), law_counting("es-3204708/lei-1522-2005")
    counted = count(load_calendar(ibia.calendar), ibia.rule, Term.parse("20d"), date(2018, 3, 29))
    assert ibia.expires_on(counted) == date(2018, 4, 23)
    earlier = count(SAO_GABRIEL, sao_gabriel.rule, Term.parse("15d"), date(2013, 3, 9))
    assert sao_gabriel.expires_on(earlier) == date(2013, 3, 26)


def test_an_act_between_two_readings_is_controvertido_not_late() -> None:
    counted = count(SAO_GABRIEL, ART_35_B, Term.parse("15d"), date(2013, 3, 9))  # 26/03, other reading 25/03
    assert counted.filing(date(2013, 3, 25)) is Timeliness.TEMPESTIVA
    assert counted.filing(date(2013, 3, 26)) is Timeliness.CONTROVERTIDA
    assert counted.filing(date(2013, 3, 27)) is Timeliness.INTEMPESTIVA
    assert counted.payment(date(2013, 3, 26)) is Timeliness.CONTROVERTIDA


def test_payment_through_banks_is_another_reading() -> None:
    # Carnival Monday and Tuesday 2018 are open at the city hall, closed at the banks; Cinzas opens at noon.
    law = law_counting("es-3204708/lei-1522-2005")
    term, start = Term.parse("10d"), date(2018, 2, 2)
    counted = count(SAO_GABRIEL, law.rule, term, start, places=law.places, alternative_places=law.payment_places)
    assert counted.first_counted == date(2018, 2, 5)
    assert counted.due == date(2018, 2, 14)
    assert [(a.due, a.reading) for a in counted.alternatives] == [
        (date(2018, 2, 12), "first_day=next_day"),
        (date(2018, 2, 15), "places=reparticao+bancario"),
    ]
    at_banks = count(SAO_GABRIEL, law.rule, term, start, places=("reparticao", "bancario"))
    assert at_banks.due == date(2018, 2, 15)
    december = count(SAO_GABRIEL, law.rule, Term.parse("5d"), date(2018, 12, 26), places=("bancario",))
    assert december.due == date(2019, 1, 2)  # 31/12 has no attendance, 01/01 is a holiday
    local = SAO_GABRIEL.with_facts(
        [
            DayFact(date(2018, 6, 13), DayKind.FECHADO, "feriado", "Lei 1"),
            DayFact(date(2018, 6, 14), DayKind.FECHADO, "ponto", "Decreto 1", nature=Nature.PONTO_FACULTATIVO),
        ]
    )
    assert not local.at("bancario").is_normal(date(2018, 6, 13))
    assert local.at("bancario").is_normal(date(2018, 6, 14))


def test_days_suspended_at_the_office_are_no_end_at_the_bank_either() -> None:
    suspended = SAO_GABRIEL.with_facts([SuspensionFact(date(2018, 12, 17), date(2018, 12, 19), "recesso", "Lei 1")])
    counted = count(suspended, ART_35_B, Term.parse("2d"), date(2018, 12, 13), places=("bancario",))
    assert counted.last_counted == date(2018, 12, 15)
    assert counted.due == date(2018, 12, 20)
    assert count(suspended, ART_35_B, Term.parse("2d"), date(2018, 12, 17), places=("bancario",)).starts_on == date(
        2018, 12, 20
    )


def test_years_beyond_the_calendar_are_an_error_never_a_guess() -> None:
    for term, start in (("15d", date(2004, 12, 31)), ("15d", date(2031, 1, 1)), ("15d", date(2030, 12, 20))):
        for way in (due_date, count):
            with pytest.raises(CalendarOutOfRange, match="es-3204708"):
                way(SAO_GABRIEL, ART_35_B, Term.parse(term), start)
    for term in ("999999999d", "999999999m", "999999999a", "999999999h"):
        with pytest.raises(CalendarOutOfRange):
            count(SAO_GABRIEL, ART_35_B, Term.parse(term), date(2013, 3, 8))
        with pytest.raises(CalendarOutOfRange):
            due_date(SAO_GABRIEL, ART_35_B, Term.parse(term), date(2013, 3, 8))


def test_steps_say_which_day_was_skipped_and_why() -> None:
    counted = count(SAO_GABRIEL, ART_35_B, Term.parse("15d"), date(2013, 10, 25), explain=True)
    # Friday 25/10; ends on Saturday 09/11? No: day 1 Monday 28, the 15th day is Monday 11/11.
    assert [(s.kind.value, s.first) for s in counted.steps] == [
        ("excluido", date(2013, 10, 25)),
        ("pulado", date(2013, 10, 26)),
        ("pulado", date(2013, 10, 27)),
        ("primeiro_dia", date(2013, 10, 28)),
        ("ultimo_dia", date(2013, 11, 11)),
        ("vencimento", date(2013, 11, 11)),
    ]
    rolled = count(SAO_GABRIEL, ART_35_B, Term.parse("4d"), date(2013, 11, 11), explain=True)  # ends on 15/11, Friday
    skipped = [s for s in rolled.steps if s.kind.value == "adiado"]
    assert (skipped[0].first, skipped[0].citation) == (date(2013, 11, 15), "Lei 662/1949, art. 1º")
    assert "Proclamação da República" in skipped[0].reason
    assert rolled.due == date(2013, 11, 18)
    assert count(SAO_GABRIEL, ART_35_B, Term.parse("4d"), date(2013, 11, 11)).steps == ()


def test_suspended_and_uncounted_days_are_told() -> None:
    calendar = SAO_GABRIEL.with_facts([SuspensionFact(date(2018, 12, 20), date(2019, 1, 6), "recesso", "Lei 9/2018")])
    counted = count(calendar, ART_35_B, Term.parse("15d"), date(2018, 12, 17), explain=True)
    told = [s for s in counted.steps if s.kind.value == "suspenso"]
    assert told[0].first == date(2018, 12, 20)
    assert told[-1].last == date(2019, 1, 6)
    assert "Lei 9/2018" in {s.citation for s in told}
    working = count(SAO_GABRIEL, CPC, Term.parse("10d"), date(2013, 11, 11), explain=True)
    assert {s.reason for s in working.steps if s.kind.value == "nao_conta"} == {
        "sem expediente: sábado",
        "sem expediente: domingo",
        "sem expediente: Proclamação da República",
    }
