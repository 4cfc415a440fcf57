"""From which event a term runs, by method of notice: the date of the receipt is not always that of the law."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from calendars.errors import NoticeDateMissing, UnknownNoticeMethod, shown
from calendars.office import OfficeCalendar


class NoticeEvent(StrEnum):
    """The event that starts a term."""

    RECEIPT = "receipt"
    JUNTADA = "juntada"
    PUBLICATION_NEXT_EXPEDIENTE = "publication_next_expediente"
    PUBLICATION = "publication"


METHODS = ("pessoal", "postal", "edital")
_LABELS = {
    NoticeEvent.RECEIPT: "do recebimento",
    NoticeEvent.JUNTADA: "da juntada",
    NoticeEvent.PUBLICATION: "da publicação",
    NoticeEvent.PUBLICATION_NEXT_EXPEDIENTE: "da publicação",
}


def notice_start(
    method: str,
    rule_data: Mapping[str, str],
    *,
    received: date | datetime | None,
    juntada: date | datetime | None,
    publication: date | None,
    calendar: OfficeCalendar,
) -> date | datetime:
    """The date, or moment, of the event that starts a term.

    ``rule_data`` says, per method (``pessoal``, ``postal``, ``edital``), which event of NoticeEvent starts it: under
    a juntada rule the receipt is ignored. Raises UnknownNoticeMethod, NoticeDateMissing.
    """
    event = notice_event(method, rule_data)
    given: date | datetime | None = {
        NoticeEvent.RECEIPT: received,
        NoticeEvent.JUNTADA: juntada,
        NoticeEvent.PUBLICATION: publication,
        NoticeEvent.PUBLICATION_NEXT_EXPEDIENTE: publication,
    }[event]
    if given is None:
        raise NoticeDateMissing(
            f"falta a data {_LABELS[event]}, de que corre o prazo quando a ciência é {method}.",
            field={"receipt": "received", "juntada": "juntada"}.get(event.value, "publication"),
        )
    return from_event(event, given, calendar)


def notice_event(method: str, rule_data: Mapping[str, str]) -> NoticeEvent:
    """The event that starts a term under ``method``. Raises UnknownNoticeMethod."""
    if method not in rule_data:
        raise UnknownNoticeMethod(
            f"a lei não prevê ciência “{shown(method)}”.", remedy=f"Use: {', '.join(rule_data)}.", field="method"
        )
    return NoticeEvent(rule_data[method])


def from_event(event: NoticeEvent, given: date | datetime, calendar: OfficeCalendar) -> date | datetime:
    """The day of notice that ``event``, which happened on ``given``, makes."""
    if event is NoticeEvent.PUBLICATION_NEXT_EXPEDIENTE:
        day = given.date() if isinstance(given, datetime) else given
        return calendar.next_expediente(day, inclusive=False)
    return given
