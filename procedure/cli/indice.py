"""``posturas indice``: the monthly series by which a debt is updated, as the municipality supplies them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from legalbasis import InputError
from procedure.cli import output
from procedure.cli.scope import add_municipality, database, now

MOST_BYTES = 2_000_000


class IndexFileUnreadable(InputError):
    """O arquivo do índice não pode ser lido."""

    code = "arquivo_do_indice_ilegivel"
    default_remedy = "Um CSV em UTF-8 ou latin-1, cada linha com mês e percentual: “01/2015;0,89”."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``posturas indice``."""
    parser.add_argument(
        "action",
        choices=("import", "list", "show"),
        metavar="import|list|show",
        help="import ARQUIVO guarda os meses de uma série; list diz quais há; show NOME mostra uma, mês a mês",
    )
    parser.add_argument("target", nargs="?", metavar="ARQUIVO|NOME", help="o CSV, ou - ; show: o nome da série")
    parser.add_argument("--name", metavar="NOME", help="import: o nome da série, como IPCA-E ou Selic")
    parser.add_argument("--source", metavar="TEXTO", help="import: de onde vieram os números")
    add_municipality(parser)


def run(args: argparse.Namespace) -> int:
    """Run the action asked for."""
    with database(args) as scope:
        municipality = scope.one()
        if args.action == "import":
            return _import(args, scope.engine, municipality)
        if args.action == "show":
            return _show(args, scope.engine, municipality)
        return _list(args, scope.engine, municipality)


def _usage(message: str) -> Exception:
    from procedure.cli.main import UsageError

    return UsageError(message, remedy="Veja: posturas indice --help")


def _import(args: argparse.Namespace, engine: Any, municipality: str | None) -> int:
    from penalties.index_series import month_br, month_iso, read_percents
    from procedure.store.engine import session_scope
    from procedure.store.supplied import set_index_values

    if not args.target or not (args.name or "").strip() or not (args.source or "").strip():
        raise _usage("diga o arquivo, --name e --source.")
    if municipality is None:
        raise _usage("o banco ainda não guarda nenhum município: diga --municipality IBGE.")
    name, source = args.name.strip(), " ".join(args.source.split())
    if not name.isprintable() or len(name) > 40:
        raise _usage("--name deve ter até 40 caracteres imprimíveis.")
    percents = read_percents(_text(args.target), place=args.target)
    with session_scope(engine) as session:
        new, revised = set_index_values(
            session, municipality, name, percents, source, recorded_at=now().isoformat(timespec="seconds")
        )
    first, last = min(percents), max(percents)
    told = {
        "series": name, "source": source, "months": len(percents), "new": new, "revised": revised,
        "first": month_iso(first), "last": month_iso(last),
    }  # fmt: skip
    if args.json:
        output.document(told)
    else:
        output.text(
            f"{name}: {len(percents)} mês(es), de {month_br(first)} a {month_br(last)}; novos: {new}, "
            f"corrigidos: {revised} ({source})."
        )
    return 0


def _text(place: str) -> str:
    """The file's text: UTF-8, with or without BOM; else latin-1. Raises IndexFileUnreadable."""
    try:
        content = sys.stdin.buffer.read(MOST_BYTES + 1) if place == "-" else Path(place).read_bytes()
    except OSError as error:
        raise IndexFileUnreadable(f"{place}: {error.strerror}.") from error
    if len(content) > MOST_BYTES or b"\x00" in content:
        raise IndexFileUnreadable(f"{place}: não é um CSV de série mensal.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _list(args: argparse.Namespace, engine: Any, municipality: str | None) -> int:
    from penalties.index_series import month_br, month_iso
    from procedure.store.engine import session_scope
    from procedure.store.supplied import index_names, index_series

    with session_scope(engine, read_only=True) as session:
        names = index_names(session.connection(), municipality) if municipality else []
        found = [index_series(session.connection(), str(municipality), name) for name in names]
    series = [one for one in found if one is not None]
    if args.json:
        output.document(
            [
                {
                    "series": one.name, "source": one.source, "months": len(one.percents),
                    "first": month_iso(min(one.percents)), "last": month_iso(max(one.percents)),
                }
                for one in series
            ]
        )  # fmt: skip
        return 0
    lines = [
        f"{one.name}: {len(one.percents)} mês(es), de {month_br(min(one.percents))} a {month_br(max(one.percents))} "
        f"({one.source})"
        for one in series
    ]
    output.text("\n".join(lines) or "Nenhuma série: posturas indice import ARQUIVO --name NOME --source FONTE")
    return 0


def _show(args: argparse.Namespace, engine: Any, municipality: str | None) -> int:
    from penalties.index_series import IndexValueUnknown, month_br, month_iso
    from penalties.money import decimal_br, decimal_text
    from procedure.store.engine import session_scope
    from procedure.store.supplied import index_series

    if not args.target:
        raise _usage("diga a série: posturas indice show NOME.")
    with session_scope(engine, read_only=True) as session:
        found = index_series(session.connection(), municipality, args.target) if municipality else None
    if found is None:
        raise IndexValueUnknown(
            f"não há a série {args.target[:40]}.", field="series", remedy="Veja as que há: posturas indice list"
        )
    months = sorted(found.percents.items())
    if args.json:
        shown = [{"month": month_iso(month), "percent": decimal_text(value)} for month, value in months]
        output.document({"series": found.name, "source": found.source, "months": shown})
        return 0
    lines = [f"{month_br(month)}  {decimal_br(value)}%" for month, value in months]
    output.text("\n".join([f"{found.name} ({found.source})", *lines]))
    return 0
