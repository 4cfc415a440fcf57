"""``posturas agenda``: the open terms of the municipality, or of one of its offices, as an iCalendar file."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from procedure.cli import output
from procedure.cli.scope import add_municipality, database

if TYPE_CHECKING:
    from procedure.services.agenda import Appointment
    from procedure.store.archive import Archive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``posturas agenda``."""
    parser.add_argument("--out", metavar="ARQUIVO", required=True, help="o arquivo .ics que a agenda importa ou assina")
    parser.add_argument("--office", metavar="REPARTIÇÃO", help="só os prazos abertos por atos desta repartição")
    add_municipality(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file."""
    from procedure.cli.calendar import MunicipalityMissing
    from procedure.services.agenda import place_of
    from procedure.store.archive import reading

    with database(args) as scope:
        municipality = scope.one()
        if municipality is None:
            raise MunicipalityMissing()
        with reading(scope.engine) as archive:
            name = " – ".join(filter(None, ("Prazos em aberto", place_of(municipality), args.office)))
            write_agenda(args, archive, municipality, name, office=args.office)
    return 0


def write_agenda(
    args: argparse.Namespace,
    archive: Archive,
    municipality: str,
    name: str,
    *,
    auto: str | None = None,
    office: str | None = None,
) -> None:
    """Write the open terms into ``--out``, whole or not at all, and say how many."""
    from procedure.documents.files import write_parts
    from procedure.pages.agenda import calendar_file
    from procedure.services.agenda import appointments
    from procedure.store.agenda import open_terms

    count = Counted()
    terms = open_terms(archive, municipality, auto=auto, office=office)
    size = write_parts(Path(args.out), calendar_file(name, count.each(appointments(archive, municipality, terms))))
    if args.json:
        output.document({"file": args.out, "deadlines": count.seen, "bytes": size})
    else:
        output.text(f"{count.seen} prazo(s) em aberto: {args.out}")


class Counted:
    """Counts what goes by."""

    def __init__(self) -> None:
        self.seen = 0

    def each(self, entries: Iterable[Appointment]) -> Iterator[Appointment]:
        """The same entries."""
        for entry in entries:
            self.seen += 1
            yield entry
