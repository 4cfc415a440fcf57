"""The office's year as the JSON of ``posturas calendar show``: each day that is not normal, with its act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calendars.days import WEEKDAYS, DayFact, DayKind
from calendars.errors import CalendarOutOfRange

if TYPE_CHECKING:
    from calendars.office import OfficeCalendar


def require_year(calendar: OfficeCalendar, year: int) -> None:
    """The year is one that the calendar knows. Raises CalendarOutOfRange."""
    if not calendar.first_day.year <= year <= calendar.last_day.year:
        raise CalendarOutOfRange(
            f"o calendário {calendar.id} vai de {calendar.first_day.year} a {calendar.last_day.year}.",
            remedy="Peça um ano dentro do calendário.",
        )


def year_document(calendar: OfficeCalendar, municipality: str, year: int) -> dict[str, Any]:
    """The contract's object."""
    return {
        "municipality": municipality,
        "calendar": calendar.id,
        "year": year,
        "version": calendar.version,
        "days": [day_row(day) for day in calendar.exceptions(year)],
    }


def day_row(day: DayFact) -> dict[str, Any]:
    """A day as the output shows it."""
    return {
        "date": day.day.isoformat(),
        "weekday": WEEKDAYS[day.day.weekday()],
        "kind": day.kind.value,
        "nature": day.nature.value if day.kind is DayKind.FECHADO else None,
        "description": day.description,
        "act": day.act,
        "published_on": day.published_on.isoformat() if day.published_on else None,
        "opens": f"{day.opens:%H:%M}" if day.opens else None,
        "closes": f"{day.closes:%H:%M}" if day.closes else None,
        "verified": day.verified,
    }
