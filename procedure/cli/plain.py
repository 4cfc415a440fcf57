"""Persons and addresses as people write them; with them, what ``procedure.domain.wording`` writes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from procedure.domain import taxpayer
from procedure.domain.wording import amount_br, article_br, day_br, moment_br, weekday_br

__all__ = [
    "WIDTH", "address_br", "amount_br", "article_br", "day_br", "doc_br", "folded", "is_masked", "moment_br",
    "person_br", "weekday_br",
]  # fmt: skip

WIDTH = 80


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
