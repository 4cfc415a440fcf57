"""``posturas divida-ativa``: the register of inscriptions and each Termo de Inscrição."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from procedure.cli import collection, document_register, output
from procedure.cli.scope import add_municipality, database, position_in

NUMBERS_AFTER_OPTIONS = True
"""The numbers may come after the options: ``protesto remessa --out PASTA 1/2013 2/2013``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``posturas divida-ativa``."""
    actions = ("list", "show", *document_register.ACTIONS, *collection.ACTIONS)
    parser.add_argument(
        "action",
        choices=actions,
        metavar="|".join(actions),
        help=(
            "list lista as inscrições; show NÚMERO mostra o Termo de Inscrição e o que veio depois; "
            f"{document_register.HELP}; {collection.HELP}"
        ),
    )
    parser.add_argument("numbers", nargs="*", metavar="NÚMERO", help="o número, como 1/2013; verify: o código")
    parser.add_argument("--unmask", action="store_true", help="list: mostra o CPF inteiro")
    as_of = "list, register, forecast: como estava em direito nesta data"
    known_at = "list, register, forecast: só o que estava lançado até este momento"
    parser.add_argument("--as-of", metavar="DATA", help=as_of)
    parser.add_argument("--known-at", metavar="QUANDO", help=known_at)
    document_register.add_options(parser)
    collection.add_options(parser)
    add_municipality(parser)


def run(args: argparse.Namespace) -> int:
    """Run the action asked for."""
    from procedure.cli.main import UsageError

    remedy = "Veja: posturas divida-ativa --help"
    if args.action in document_register.ACTIONS:
        return document_register.run(args, args.numbers)
    if args.action in collection.ACTIONS:
        return collection.run(args, args.numbers)
    if args.action == "show":
        if len(args.numbers) != 1:
            raise UsageError("diga o número: posturas divida-ativa show N/AAAA.", remedy=remedy)
        return _show(args)
    if args.numbers:
        raise UsageError("posturas divida-ativa list não recebe número.", remedy=remedy)
    return _list(args)


def _list(args: argparse.Namespace) -> int:
    from procedure.services.as_of import looking_back
    from procedure.services.register import list_inscriptions
    from procedure.store.archive import reading

    lines: list[dict[str, Any]] = []
    with database(args) as scope:
        municipality = scope.one()
        if municipality is not None:
            with reading(scope.engine) as archive:
                repo = looking_back(archive, position_in(args, municipality))
                lines = list_inscriptions(repo, municipality, unmask=args.unmask)
    if args.json:
        output.document(lines)
    else:
        output.text(_table(lines))
    return 0


def _show(args: argparse.Namespace) -> int:
    from procedure.cli.collection_text import after_inscription
    from procedure.cli.termo_text import describe
    from procedure.services.register_showing import show_inscription
    from procedure.store.archive import reading

    with database(args) as scope:
        municipality = scope.one()
        with reading(scope.engine) as archive:
            on = collection.today(args.on, scope) if args.on else None
            termo = show_inscription(archive, municipality, args.numbers[0], on)
    if args.json:
        output.document(termo)
    else:
        output.text("\n\n".join([describe(termo), *after_inscription(termo)]))
    return 0


def _table(lines: Sequence[dict[str, Any]]) -> str:
    from decimal import Decimal

    from procedure.cli.plain import amount_br, day_br, doc_br
    from procedure.domain.labels import INSCRIPTION_STATUSES
    from procedure.domain.vocabulary import ENDED_INSCRIPTION

    if not lines:
        return "Nenhuma inscrição em dívida ativa."
    shown = []
    for line in lines:
        doc = line.get("doc") or line["doc_masked"]
        person = " ".join(filter(None, (line["debtor"], doc_br(doc) if doc else None)))
        place = f"livro {line['livro']}, folha {line['folha']}"
        status = INSCRIPTION_STATUSES.get(line["status"], line["status"])
        row = (line["number"], day_br(line["date"]), place, f"auto {line['auto']}", amount_br(line["total"]), status)
        until = f"prescreve em {day_br(line['prescribes_on'])}" if line["prescribes_on"] else "sem prazo que corra"
        shown.append((*row, until, person or "dados apagados"))
    widths = [max(len(row[i]) for row in shown) for i in range(len(shown[0]) - 1)]
    rows = ("  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[-1]]) for row in shown)
    standing = [Decimal(line["total"]) for line in lines if line["status"] not in ENDED_INSCRIPTION]
    total = amount_br(str(sum(standing, Decimal("0.00"))))
    after = " (sem abater o que se pagou depois)" if standing else ""
    return "\n".join(
        [*rows, f"{len(lines)} inscrição(ões); em aberto: {len(standing)}, no total inscrito de {total}{after}."]
    )
