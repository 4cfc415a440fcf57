"""``posturas prazo``: one deadline explained, or many (``--batch``, JSON Lines in and out, same order)."""

from __future__ import annotations

import argparse

from legalbasis import PosturasError
from procedure.cli import output
from procedure.cli.prazo_batch import run_batch
from procedure.cli.prazo_text import describe


class PrazoUsage(PosturasError):
    """Faltam dados para contar o prazo."""

    code = "uso_do_prazo"
    default_remedy = "Veja: posturas prazo --help"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``posturas prazo``."""
    parser.add_argument("--law", metavar="LEI", help="a lei que rege o prazo, como es-3204708/lei-1522-2005")
    parser.add_argument(
        "--start",
        metavar="DATA",
        help="o evento que dá início ao prazo: AAAA-MM-DD ou AAAA-MM-DDTHH:MM "
        "(quando a lei manda contar da juntada, a data da juntada; no edital, a da publicação)",
    )
    parser.add_argument("--term", metavar="PRAZO", help="o prazo: 15d (dias), 48h (horas), 2m (meses), 1a (anos)")
    parser.add_argument("--method", metavar="MEIO", help="o meio da ciência: pessoal, postal ou edital")
    parser.add_argument(
        "--batch", metavar="ARQUIVO", help="conta os prazos de um arquivo JSON Lines (- lê a entrada padrão)"
    )
    parser.add_argument("--draw", action="store_true", help="desenha também os meses do prazo, dia por dia")


def run(args: argparse.Namespace) -> int:
    """Count and print. 0 done, 1 some lines of the batch failed; raises PosturasError on bad input."""
    single = ("law", "start", "term")
    if args.draw and (args.json or args.batch is not None):
        raise PrazoUsage("--draw desenha um prazo na tela: não vem com --json nem com --batch.")
    if args.batch is not None:
        given = [name for name in (*single, "method") if getattr(args, name) is not None]
        if given:
            raise PrazoUsage(f"com --batch, estes dados vêm no arquivo: {', '.join('--' + n for n in given)}.")
        return run_batch(args.batch)
    missing = [f"--{name}" for name in single if getattr(args, name) is None]
    if missing:
        raise PrazoUsage(f"faltam argumentos: {', '.join(missing)}.")
    return _one(args)


def _one(args: argparse.Namespace) -> int:
    from calendars.laws import law_counting
    from calendars.shipped import load_calendar
    from calendars.term import Term, parse_start
    from calendars.under_law import count_under_law
    from procedure.cli.office_days import with_supplied
    from procedure.services.term_document import term_document

    law = law_counting(args.law)
    term, start = Term.parse(args.term), parse_start(args.start)
    office = with_supplied(args, load_calendar(law.calendar), law.municipality)
    counted = count_under_law(law.law, term, start, method=args.method, calendar=office)
    if args.json:
        output.document(term_document(law, counted, term, start=args.start, method=args.method))
    else:
        output.text(describe(law, counted, start, args.method))
    if args.draw:
        from procedure.cli.drawing import screen_width, show
        from procedure.cli.prazo_draw import draw_deadline

        show([(), *draw_deadline(law, counted, start, args.method, screen_width())])
    return 0
