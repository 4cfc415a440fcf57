"""``posturas divida-ativa register|forecast|export|protesto``: the book, what prescribes, what goes elsewhere."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from procedure.cli import output
from procedure.cli.document import issued_on
from procedure.cli.scope import Scope, database, now, position_in

if TYPE_CHECKING:
    from procedure.store.archive import Archive

ACTIONS = ("register", "forecast", "export", "protesto")
HELP = (
    "register imprime o livro, folha por folha; forecast lista o que prescreve; export leva as inscrições "
    "autenticadas a outro sistema; protesto remessa e protesto retorno trocam arquivos com a CRA"
)
DEFAULT_WITHIN = "180d"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of these actions."""
    parser.add_argument("--on", metavar="DATA", help="show: o valor nesse dia; forecast, export: o dia de hoje")
    parser.add_argument("--livro", type=int, metavar="N", help="register: só este livro")
    within = f"forecast: até daqui a quantos dias (padrão: {DEFAULT_WITHIN})"
    parser.add_argument("--within", metavar="PRAZO", help=within)
    parser.add_argument("--xml", action="store_true", help="protesto remessa: em XML, um arquivo por município")
    parser.add_argument("--date", metavar="DATA", help="protesto remessa: a data do movimento (padrão: hoje)")
    parser.add_argument("--all-eligible", action="store_true", help="protesto remessa: todas as que podem ir")
    parser.add_argument("--actor", metavar="QUEM", help="protesto: quem remete ou recebe (padrão: divida_ativa)")
    parser.add_argument("--dry-run", action="store_true", help="protesto: diz o que faria, e não grava nada")


def run(args: argparse.Namespace, given: list[str]) -> int:
    """Run one of these actions. 0 done, 1 some could not be."""
    if args.action != "protesto" and given:
        raise _usage(f"posturas divida-ativa {args.action} não recebe número.")
    with database(args) as scope:
        return _RUN[args.action](args, scope) if args.action != "protesto" else _protest(args, scope, given)


def _usage(message: str) -> Exception:
    from procedure.cli.main import UsageError

    return UsageError(message, remedy="Veja: posturas divida-ativa --help")


def today(text: str | None, scope: Scope) -> date:
    """The day given, else today where the municipality is."""
    return issued_on(text, scope)


def _register(args: argparse.Namespace, scope: Scope) -> int:
    from procedure.cli.collection_text import book_page
    from procedure.services.as_of import looking_back
    from procedure.services.register_book import entries, pages
    from procedure.store.archive import reading

    municipality = scope.one()
    listed: list[dict[str, Any]] = []
    if municipality is not None:
        with reading(scope.engine) as archive:
            repo = looking_back(archive, position_in(args, municipality))
            listed = list(entries(repo, municipality, args.livro))
    if args.json:
        output.document(listed)
    else:
        printed = [book_page(livro, folha, found) for livro, folha, found in pages(listed)]
        output.text("\n\n".join(printed) or "O livro não tem inscrições.")
    return 0


def _forecast(args: argparse.Namespace, scope: Scope) -> int:
    from procedure.cli.collection_text import forecast_table
    from procedure.services.as_of import looking_back
    from procedure.services.forecasting import forecast
    from procedure.store.archive import reading

    within = _days(args.within or DEFAULT_WITHIN)
    municipality = scope.one()
    lines: list[dict[str, Any]] = []
    if municipality is not None:
        with reading(scope.engine) as archive:
            repo = looking_back(archive, position_in(args, municipality))
            on = today(args.on or (args.as_of or "")[:10], scope)
            lines = forecast(repo, municipality, on, within)
    if args.json:
        output.document(lines)
    else:
        output.text(forecast_table(lines, within))
    return 0


def _days(text: str) -> int:
    number = text.removesuffix("d")
    if not (number.isascii() and number.isdecimal() and len(number) < 6):
        raise _usage(f"--within é um número de dias, como {DEFAULT_WITHIN}, não “{text[:20]}”.")
    return int(number)


def _export(args: argparse.Namespace, scope: Scope) -> int:
    from procedure.services.context import Contexts
    from procedure.services.exporting import csv_lines, exported, json_lines
    from procedure.store.archive import reading
    from procedure.store.registered import registered_numbers

    if not args.out:
        raise _usage("diga o arquivo: --out ARQUIVO.jsonl ou ARQUIVO.csv.")
    form = args.format or ("csv" if args.out.lower().endswith(".csv") else "jsonl")
    if form not in ("csv", "jsonl"):
        raise _usage(f"--format é jsonl ou csv, não “{form[:20]}”.")
    municipality, on = scope.one(), today(args.on, scope)
    left_out: list[str] = []
    count = 0

    def rows(archive: Archive) -> Iterator[dict[str, Any]]:
        nonlocal count
        contexts = Contexts(archive)
        for number in registered_numbers(archive, str(municipality), without=("quitado", "cancelado")):
            found = exported(archive, contexts, str(municipality), number, on)
            if found is None:
                left_out.append(number)
                continue
            count += 1
            yield found

    with reading(scope.engine) as archive, _written(Path(args.out)) as file:
        listed = rows(archive) if municipality is not None else iter(())
        file.writelines((csv_lines if form == "csv" else json_lines)(listed))
    if args.json:
        output.document({"exported": count, "file": args.out, "not_authenticated": left_out})
    else:
        output.text(f"{count} inscrição(ões) em {args.out}.")
        if left_out:
            output.message(f"Por autenticar, e por isso de fora: {', '.join(left_out)}.")
    return 0


@contextmanager
def _written(path: Path) -> Iterator[Any]:
    """A file that only its owner reads, since it has personal data; in place only when whole."""
    part = path.with_name(f"{path.name}.parcial")
    try:
        with open(part, "w", encoding="utf-8", newline="", opener=_private) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise _usage(f"não foi possível gravar {path}: {error.strerror}.") from error


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


_RUN = {"register": _register, "forecast": _forecast, "export": _export}


# ---------------------------------------------------------------- protest


def _protest(args: argparse.Namespace, scope: Scope, given: list[str]) -> int:
    what, *rest = given or [""]
    if what == "remessa":
        return _send(args, scope, rest)
    if what == "retorno":
        return _bring(args, scope, rest)
    raise _usage("diga remessa ou retorno: posturas divida-ativa protesto remessa --out PASTA NÚMERO…")


class _Nothing(Exception):
    """Undoes a unit of work that was only to be told."""


def _send(args: argparse.Namespace, scope: Scope, numbers: list[str]) -> int:
    from procedure.services.protest.sending import Sender, Sent, send
    from procedure.store.counters import take
    from procedure.store.engine import session_scope
    from procedure.store.registered import plainly_inscribed
    from procedure.store.repository import SqlRepository

    if bool(numbers) == args.all_eligible:
        raise _usage("diga os números, ou --all-eligible.")
    if not args.out:
        raise _usage("diga a pasta: --out PASTA.")
    municipality = scope.one()
    if municipality is None:
        raise _usage("o banco não guarda nenhum município.")
    sender = Sender(municipality, args.actor or "divida_ativa", today(args.date, scope), now(), xml=args.xml)
    sent = Sent()
    try:
        with session_scope(scope.engine) as session:
            repo = SqlRepository(session)
            sent = send(
                repo, numbers or plainly_inscribed(repo, municipality), sender,
                lambda name, year: take(repo.connection, municipality, name, year, 1), session.begin_nested,
            )  # fmt: skip
            if args.dry_run:
                raise _Nothing
            kept = _files(Path(args.out), sent.files)
        for part, path in kept:
            part.replace(path)
    except _Nothing:
        pass
    if args.json:
        output.document(sent.to_dict())
    else:
        _tell_sent(sent, args)
    return 1 if sent.refused else 0


def _files(folder: Path, files: list[tuple[str, bytes]]) -> list[tuple[Path, Path]]:
    """Each file on the disk under a passing name, to be named once the acts are committed."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = []
    for name, content in files:
        part = folder / f"{name}.parcial"
        with open(part, "wb", opener=_private) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        kept.append((part, folder / name))
    return kept


def _tell_sent(sent: Any, args: argparse.Namespace) -> None:
    if sent.titles:
        would = "iria" if args.dry_run else "foi"
        files = ", ".join(name for name, _ in sent.files)
        output.text(f"Remessa {sent.number} {would} com {len(sent.titles)} título(s): {files}, em {args.out}.")
    else:
        output.text("Nenhum título a remeter.")
    for objection in sent.refused:
        output.message(f"{objection.title}: {objection.reason} ({objection.code})")


def _bring(args: argparse.Namespace, scope: Scope, files: list[str]) -> int:
    from procedure.services.protest.answering import Brought, Receiver, bring
    from procedure.services.protest.retorno import read_return
    from procedure.store.engine import session_scope
    from procedure.store.repository import SqlRepository

    if len(files) != 1:
        raise _usage("diga um arquivo: posturas divida-ativa protesto retorno ARQUIVO.")
    municipality = scope.one()
    if municipality is None:
        raise _usage("o banco não guarda nenhum município.")
    try:
        content = sys.stdin.buffer.read() if files[0] == "-" else Path(files[0]).read_bytes()
    except OSError as error:
        raise _usage(f"não foi possível ler {files[0]}: {error.strerror}.") from error
    receiver = Receiver(municipality, args.actor or "divida_ativa", Path(files[0]).name, now())
    brought = Brought()
    try:
        with session_scope(scope.engine) as session:
            brought = bring(SqlRepository(session), read_return(content), receiver, session.begin_nested)
            if args.dry_run:
                raise _Nothing
    except _Nothing:
        pass
    if args.json:
        output.document(brought.to_dict())
    else:
        _tell_brought(brought)
    return 1 if brought.failed else 0


def _tell_brought(brought: Any) -> None:
    from procedure.cli.plain import amount_br

    for line in brought.recorded:
        output.text(f"{line['title']}: {line['occurrence_text']}; retirada do protesto gravada no auto {line['auto']}.")
    for line in brought.known:
        output.text(f"{line['title']}: {line['occurrence_text']}; já estava gravado.")
    for line in brought.told:
        output.text(f"{line['title']}: {line['occurrence_text']}; nada a gravar.")
    for line in brought.paid:
        paid = f"{line['title']}: {line['occurrence_text']}, {amount_br(line['balance'])}"
        output.text(f"{paid}: a tesouraria lança o que receber.")
    for line in brought.failed:
        output.message(f"{line['title']}: {line['occurrence_text']}; {line['message']} ({line['code']})")
