"""One deadline as a law counts it, outside any case: its rule, its calendar, its rules of notice."""

from __future__ import annotations

from datetime import date, datetime

from calendars.counting import Count, count
from calendars.laws import law_counting
from calendars.notice import from_event, notice_event
from calendars.office import OfficeCalendar
from calendars.shipped import load_calendar
from calendars.term import Term


def count_under_law(
    law_id: str,
    term: Term,
    start: date | datetime,
    *,
    method: str | None = None,
    calendar: OfficeCalendar | None = None,
    explain: bool = True,
) -> Count:
    """Count ``term`` from the event ``start`` (with ``method`` ``edital``, the publication) as the law counts.

    ``calendar`` replaces the shipped one (a municipality's own days). Raises UnknownLaw, UnknownNoticeMethod,
    CalendarOutOfRange, NotEncoded for a start older than the wording that is encoded.
    """
    law = law_counting(law_id)
    office = calendar or load_calendar(law.calendar)
    basis = law.citations
    if method is not None:
        start = from_event(notice_event(method, law.notice), start, office)
        basis = (law.notice_citations[method], *basis)
    law.require(start.date() if isinstance(start, datetime) else start)
    return law.restate(count(office, law.rule, term, start, places=law.places, legal_basis=basis, explain=explain))
