"""``posturas painel``: the week's panel of a municipality, as a page or as data."""

from __future__ import annotations

import argparse
from datetime import date

from procedure.cli import output
from procedure.cli.scope import Scope, add_municipality, database, day_of, now


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``posturas painel``."""
    parser.add_argument("--out", metavar="ARQUIVO", help="o arquivo .html a escrever; pode faltar com --json")
    parser.add_argument("--as-of", metavar="DATA", help="o dia de que se contam os prazos (padrão: hoje)")
    add_municipality(parser)


def run(args: argparse.Namespace) -> int:
    """Write the page, print the data, or both."""
    from procedure.cli.main import UsageError
    from procedure.services.panel import panel
    from procedure.store.archive import reading
    from procedure.store.panel import PanelArchive

    if not (args.out or args.json):
        raise UsageError("diga o arquivo: posturas painel --out ARQUIVO.html.", remedy="Ou peça os dados, com --json.")
    with database(args) as scope:
        municipality = _municipality(scope)
        with reading(scope.engine) as archive:
            doc = panel(PanelArchive(archive.session), municipality, _as_of(args, municipality))
    if args.out:
        from procedure.pages.panel_page import panel_page

        output.page(panel_page(doc), args.out)
    if args.json:
        output.document(doc)
    return 0


def _municipality(scope: Scope) -> str:
    from procedure.cli.calendar import MunicipalityMissing

    municipality = scope.one()
    if municipality is None:
        raise MunicipalityMissing()
    return municipality


def _as_of(args: argparse.Namespace, municipality: str) -> date:
    from procedure.services.context import zone_of

    if args.as_of:
        return day_of(args.as_of, "--as-of")
    return now().astimezone(zone_of(municipality)).date()
