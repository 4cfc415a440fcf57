"""Dates, moments, amounts and addresses as people write them, from the texts of the contract."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from calendars.days import WEEKDAYS
from legalbasis import Provision
from penalties.money import money_br
from procedure.domain import taxpayer

WIDTH = 80


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


def address_br(person: Mapping[str, Any]) -> str:
    """The address on one line, the reason why it is not known, or that it is missing."""
    address = person.get("address")
    if not address:
        reason = person.get("address_unknown")
        return f"não conhecido ({reason})" if reason else "não informado"
    street = ", ".join(filter(None, (address.get("street"), address.get("number"))))
    city = "/".join(filter(None, (address.get("city"), address.get("uf"))))
    cep = f"CEP {address['cep']}" if address.get("cep") else None
    return " – ".join(filter(None, (street, address.get("district"), city, cep)))


def person_br(person: Mapping[str, Any] | None) -> str:
    """Name and document, or that the data were erased."""
    if person is None:
        return "não identificado"
    if person.get("erased"):
        return "dados pessoais apagados"
    doc = person.get("doc")
    if not doc:
        return f"{person['name']} (sem CPF ou CNPJ)"
    kind = "CPF" if is_masked(doc) or taxpayer.kind_of(doc) == "pf" else "CNPJ"
    return f"{person['name']}, {kind} {doc_br(doc)}"


def is_masked(doc: str) -> bool:
    """Whether it is a CPF with digits hidden."""
    return "*" in doc


def doc_br(doc: str) -> str:
    """CPF or CNPJ with its points and bars; a masked one has them already (and, with them, a CNPJ's length)."""
    return doc if is_masked(doc) else taxpayer.punctuate(doc)


def folded(text: str, indent: str = "  ") -> Iterator[str]:
    """The text in lines that fit the page, each indented."""
    yield from textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent) or [indent]
