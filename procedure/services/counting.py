"""One deadline of a law, counted outside any case: the library twin of ``posturas prazo``."""

from __future__ import annotations

from datetime import date, datetime

from calendars import Count, Term, count, law_counting, load_calendar
from calendars.notice import from_event, notice_event


def count_deadline(law: str, start: date | datetime, term: str, *, method: str | None = None) -> Count:
    """Count ``term`` (``15d``, ``48h``, ``2m``, ``1a``) from ``start`` as ``law`` counts, step by step.

    ``start`` is the event that starts the term (with ``method`` ``edital``, the publication). The days are the shipped
    calendar's. Raises UnknownLaw, InvalidTerm, CalendarOutOfRange.
    """
    rules = law_counting(law)
    calendar = load_calendar(rules.calendar)
    basis = rules.citations
    begins = start
    if method is not None:
        begins = from_event(notice_event(method, rules.notice), start, calendar)
        basis = (rules.notice_citations[method], *basis)
    return count(calendar, rules.rule, Term.parse(term), begins, places=rules.places, legal_basis=basis, explain=True)
