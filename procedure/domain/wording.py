"""Dates, moments, amounts and articles as people write them, from the texts of the contract."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from calendars.days import WEEKDAYS
from legalbasis import Provision
from penalties.money import money_br


def day_br(text: str | None) -> str:
    """``2013-03-25`` or a date-time as ``25/03/2013``."""
    return f"{date.fromisoformat(text[:10]):%d/%m/%Y}" if text else "—"


def weekday_br(text: str) -> str:
    """``segunda-feira, 25/03/2013``."""
    day = date.fromisoformat(text[:10])
    return f"{WEEKDAYS[day.weekday()]}, {day:%d/%m/%Y}"


def moment_br(text: str | None) -> str:
    """A date, or a date-time as ``25/03/2013, às 22:00``."""
    if not text or len(text) == 10:
        return day_br(text)
    moment = datetime.fromisoformat(text)
    return f"{moment:%d/%m/%Y}, às {moment:%H:%M}"


def amount_br(text: str) -> str:
    """``1234.50`` as ``R$ 1.234,50``."""
    return money_br(Decimal(text))


def article_br(provision: str | None) -> str:
    """``64-I`` as ``art. 64-I``."""
    return Provision.parse(provision).label() if provision else "—"


def cited_br(provision: str, norm: str | None) -> str:
    """An article of the case's law by itself; of another law (``norm``), with its name before."""
    return f"{norm}, {article_br(provision)}" if norm else article_br(provision)
