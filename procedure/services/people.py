"""Joining the persons back to what names them, with documents masked unless they were asked for (spec 04, LGPD)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from procedure.domain import taxpayer
from procedure.services.ports import Repository


def person_document(repo: Repository, municipality: str, reference: Mapping[str, Any] | None, *, unmask: bool) -> Any:
    """``{name, doc, kind, address, …}`` of the person a payload names; every key null when erased; None when none."""
    if not reference:
        return None
    fields = repo.person(municipality, reference["person"], reference["version"])
    return person_of(fields, unmask=unmask)


def person_of(fields: Mapping[str, Any] | None, *, unmask: bool) -> dict[str, Any]:
    """The person's document from its stored fields; None (erased) gives nulls and ``erased``."""
    known = fields or {}
    doc = known.get("doc")
    return {
        "name": known.get("name") if unmask else masked_name(known.get("name")),
        "doc": doc if unmask or not doc else masked(doc),
        "kind": known.get("kind"),
        "address": known.get("address"),
        "address_unknown": known.get("address_unknown"),
        "erased": fields is None,
    }


def masked_name(name: str | None) -> str | None:
    """A name with the CPF that a one-man firm's has in it masked."""
    return taxpayer.mask_in(name) if name else name


def masked(doc: str) -> str:
    """A CPF with its first and last digits hidden; a CNPJ, public by law, as it is."""
    return taxpayer.mask(doc) if taxpayer.kind_of(doc) == "pf" else doc
