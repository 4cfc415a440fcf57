"""The office's calendar as a command sees it: the shipped days, and those the municipality put in ``--db``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from procedure.cli import output

if TYPE_CHECKING:
    from calendars.office import OfficeCalendar


def with_supplied(args: argparse.Namespace, calendar: OfficeCalendar, municipality: str) -> OfficeCalendar:
    """The calendar with the days kept in ``--db``, saying on stderr that they count; as it is when there are none."""
    from procedure.store.quick_days import supplied_days

    documents = supplied_days(args.db, municipality)
    if not documents:
        return calendar
    from calendars.fact_documents import fact_from_document

    output.message(f"Com {len(documents)} fato(s) de calendário informados pelo município em {_named(args.db)}.")
    return calendar.with_facts([fact_from_document(document) for document in documents])


def _named(url: str) -> str:
    """The database without a password."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rsplit('@', 1)[-1]}"
