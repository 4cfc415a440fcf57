"""The numbers of the register, without what each inscription holds: what a batch goes through."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from procedure.domain.amounts import amount
from procedure.domain.vocabulary import InscriptionStatus
from procedure.store.archive import Archive
from procedure.store.repository import SqlRepository
from procedure.store.tables import inscriptions


def registered_numbers(repo: SqlRepository, municipality: str, *, without: Sequence[str] = ()) -> list[str]:
    """The numbers ``N/AAAA`` in the order of the register, but those whose status is in ``without``."""
    query = select(inscriptions.c.number, inscriptions.c.year).where(inscriptions.c.municipality == municipality)
    if without:
        query = query.where(inscriptions.c.status.not_in(without))
    found = repo.connection.execute(query.order_by(inscriptions.c.year, inscriptions.c.number))
    return [f"{row.number}/{row.year}" for row in found]


def plainly_inscribed(repo: SqlRepository, municipality: str) -> list[str]:
    """The numbers of what is in plain collection and authenticated: what may go to protest."""
    query = select(inscriptions.c.number, inscriptions.c.year, inscriptions.c.beside).where(
        inscriptions.c.municipality == municipality, inscriptions.c.status == InscriptionStatus.INSCRITO.value
    )
    found = repo.connection.execute(query.order_by(inscriptions.c.year, inscriptions.c.number))
    return [f"{row.number}/{row.year}" for row in found if "authentication" in json.loads(row.beside)]


def inscriptions_of_person(archive: Archive, municipality: str, doc: str) -> list[dict[str, Any]]:
    """The inscriptions of a CPF, or of a CNPJ and its branches, with the debtor's ``name``
    (None when erased) and the ``saldo``, what is still owed.
    """
    key = archive.person_key_of(municipality, doc)
    autos = archive.autos_of_person(municipality, key) if key else []
    held = archive.load(municipality, autos, lock=False)
    found = []
    for case in held.values():
        if case.inscription is None:
            continue
        row = archive.inscriptions(municipality, number=case.inscription.label)[0]
        debtor = archive.person(municipality, row["termo"]["debtor"]["person"], row["termo"]["debtor"]["version"])
        found.append({**row, "name": (debtor or {}).get("name"), "saldo": amount(case.saldo)})
    return found
