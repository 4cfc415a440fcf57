"""``posturas multa``: one fine explained line by line. Its library twin is ``procedure.assess_fine``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from legalbasis import InputError
from procedure.cli import output

if TYPE_CHECKING:
    from decimal import Decimal

    from procedure.services.fining import Question
    from procedure.services.ports import MunicipalData


class SwitchMisspelt(InputError):
    """A chave de leitura não está escrita como NOME=VALOR."""

    code = "chave_mal_escrita"
    default_remedy = "Escreva como --switch sem_cominacao=art_245."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``posturas multa``."""
    parser.add_argument("--law", metavar="LEI", required=True, help="a lei, como es-3204708/lei-1522-2005")
    parser.add_argument("--article", metavar="ARTIGO", required=True, help="o dispositivo infringido, como 64-I")
    parser.add_argument(
        "--fact-date", metavar="DATA", required=True, help="o dia do fato: AAAA-MM-DD, ou AAAA-MM-DDTHH:MM"
    )
    parser.add_argument("--grau", metavar="GRAU", help="minimo, medio ou maximo, onde a multa vai por grau")
    parser.add_argument("--quantidade", metavar="N", help="quantos dias ou estabelecimentos, ou quanto dentro da faixa")
    parser.add_argument("--reincidente", action="store_true", help="o infrator é reincidente")
    parser.add_argument(
        "--unit-value", metavar="VALOR", help="o valor da unidade fiscal em reais (senão, o que o banco de dados tiver)"
    )
    parser.add_argument(
        "--unit-day", metavar="DATA", help="o dia de que se toma o valor da unidade, quando a leitura não é o do fato"
    )
    parser.add_argument("--penalty-article", metavar="ARTIGO", help="o artigo da penalidade que o auto imprime")
    parser.add_argument("--subject", metavar="QUEM", help="quem infringiu, onde a lei distingue: condutor")
    parser.add_argument(
        "--switch", metavar="NOME=VALOR", action="append", default=[], help="outra leitura da lei (pode repetir-se)"
    )


def run(args: argparse.Namespace) -> int:
    """Assess and print; raises PosturasError on bad input or where the law gives no answer."""
    from procedure.cli.multa_text import describe
    from procedure.services.fine_document import fine_document
    from procedure.services.fining import assess_fine

    question = _question(args)
    fine = assess_fine(question, supplied(args.db, question.law))
    if args.json:
        output.document(fine_document(fine))
    else:
        output.text(describe(fine))
    return 0


def _question(args: argparse.Namespace) -> Question:
    from calendars.term import parse_day, parse_start
    from penalties.money import check_rate, parse_quantity
    from procedure.services.fining import Question

    return Question(
        law=args.law,
        article=args.article,
        fact=parse_start(args.fact_date, field="fact_date"),
        grau=args.grau,
        quantidade=parse_quantity(args.quantidade, field="quantidade") if args.quantidade is not None else None,
        reincidente=args.reincidente,
        unit_value=check_rate(rate(args.unit_value), field="unit_value") if args.unit_value is not None else None,
        unit_day=parse_day(args.unit_day, field="unit_day") if args.unit_day is not None else None,
        penalty_article=args.penalty_article,
        subject=args.subject,
        switches=switches(args.switch),
    )


def rate(text: str, *, field: str = "unit_value") -> Decimal:
    """A unit's value as typed: ``30.00``, ``1.0641`` or ``30,00``. Raises NotANumber."""
    from decimal import Decimal

    from penalties.errors import NotANumber

    # Decimal itself would also read 1_0, 1e3 and the digits of every script.
    if not re.match(r"-?[0-9]+([.,][0-9]+)?\Z", text.strip()):
        raise NotANumber(f"“{text[:24]}” não é um valor.", field=field)
    return Decimal(text.strip().replace(",", "."))


def switches(pairs: Iterable[str]) -> dict[str, str]:
    """``NOME=VALOR`` pairs as a mapping. Raises SwitchMisspelt."""
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise SwitchMisspelt(f"“{pair[:60]}” não está escrito como NOME=VALOR.", field="switch")
        found[name.strip()] = value.strip()
    return found


def supplied(url: str, law: str) -> MunicipalData | None:
    """What the municipality supplied, if the database is there; None if it is not (nothing heavy is then loaded)."""
    if not _exists(url):
        return None
    from procedure.domain.rulebooks import rulebook_of
    from procedure.store.engine import open_engine, session_scope
    from procedure.store.repository import SqlRepository

    municipality = rulebook_of(law).municipality
    engine = open_engine(url)
    try:
        with session_scope(engine, read_only=True) as session:
            return SqlRepository(session).municipal_data(municipality)
    finally:
        engine.dispose()


def _exists(url: str) -> bool:
    """Whether the URL names a database: any server, or a SQLite file that is there."""
    if not url.startswith("sqlite"):
        return bool(url)
    path = url.partition("///")[2].partition("?")[0]
    return bool(path) and Path(path).is_file()
