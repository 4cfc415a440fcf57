"""``posturas auto timeline`` and ``posturas auto ics``: a case told day by day, and its open terms for an agenda."""

from __future__ import annotations

import argparse

from procedure.cli import output
from procedure.cli.scope import database


def timeline(args: argparse.Namespace) -> int:
    """The case day by day: on screen, as JSON, or as a page in ``--html``."""
    from procedure.services.timeline import timeline as timeline_of
    from procedure.store.archive import reading

    auto = _auto(args, "posturas auto timeline AUTO")
    with database(args) as scope:
        municipality = scope.one()
        with reading(scope.engine) as archive:
            doc = timeline_of(archive, municipality, auto)
    if args.html:
        from procedure.pages.timeline_page import timeline_page

        output.page(timeline_page(doc), args.html)
    if args.json:
        output.document(doc)
    elif not args.html:
        from procedure.cli.timeline_text import describe

        output.text(describe(doc))
    return 0


def ics(args: argparse.Namespace) -> int:
    """The open terms of the case as an iCalendar file in ``--out``."""
    from procedure.cli.agenda import write_agenda
    from procedure.domain.errors import UnknownAuto
    from procedure.store.archive import reading

    auto = _auto(args, "posturas auto ics AUTO --out ARQUIVO.ics")
    if not args.out:
        raise _usage("diga o arquivo: --out ARQUIVO.ics.")
    with database(args) as scope:
        municipality = scope.one()
        with reading(scope.engine) as archive:
            if municipality is None or not archive.load(municipality, [auto], lock=False):
                raise UnknownAuto(f"não existe o auto {auto[:60]}.", field="auto")
            write_agenda(args, archive, municipality, f"Prazos do auto {auto}", auto=auto)
    return 0


def _auto(args: argparse.Namespace, usage: str) -> str:
    if len(args.targets) != 1:
        raise _usage(f"diga um auto: {usage}.")
    auto: str = args.targets[0]
    return auto


def _usage(message: str) -> Exception:
    from procedure.cli.main import UsageError

    return UsageError(message, remedy="Veja: posturas auto --help")
