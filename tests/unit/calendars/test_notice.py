"""From which event a term runs."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from calendars import Term, count, law_counting, load_calendar, notice_start
from calendars.errors import NoticeDateMissing, UnknownNoticeMethod

SAO_GABRIEL = law_counting("es-3204708/lei-1522-2005")
IBIA = law_counting("mg-3129509/lei-1355-1990")
CALENDAR = load_calendar("es-3204708")
DATES: dict[str, Any] = {
    "received": date(2013, 3, 1),
    "juntada": date(2013, 3, 8),
    "publication": date(2013, 3, 15),
    "calendar": CALENDAR,
}


def test_the_juntada_counts_not_the_receipt() -> None:
    for method in ("pessoal", "postal"):
        assert notice_start(method, SAO_GABRIEL.notice, **DATES) == date(2013, 3, 8)
        assert notice_start(method, IBIA.notice, **DATES) == date(2013, 3, 1)


def test_the_hour_is_that_of_the_event_that_starts_the_term() -> None:
    joined = datetime(2013, 4, 24, 9, 35)  # the municipality's clock
    dates = {**DATES, "received": datetime(2013, 4, 23, 14), "juntada": joined}  # the same
    assert notice_start("pessoal", SAO_GABRIEL.notice, **dates) == joined


def test_an_edital_counts_from_the_first_day_of_expediente_after_its_publication() -> None:
    start = notice_start("edital", SAO_GABRIEL.notice, **DATES)  # published on a Friday
    assert start == date(2013, 3, 18)
    assert count(CALENDAR, SAO_GABRIEL.rule, Term.parse("15d"), start).first_counted == date(2013, 3, 19)
    assert notice_start("edital", IBIA.notice, **DATES) == date(2013, 3, 15)


def test_without_the_date_of_the_event_nothing_is_guessed() -> None:
    with pytest.raises(NoticeDateMissing) as caught:
        notice_start("postal", SAO_GABRIEL.notice, **{**DATES, "juntada": None})
    assert caught.value.field == "juntada"


def test_a_method_that_the_law_lacks_is_refused() -> None:
    with pytest.raises(UnknownNoticeMethod, match="pessoal"):
        notice_start("telefone", SAO_GABRIEL.notice, **DATES)
