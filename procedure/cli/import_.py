"""``posturas import``: what an ERP exports, one act per line, in any order."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from procedure.cli import output
from procedure.cli.progress import progress
from procedure.cli.scope import now

if TYPE_CHECKING:
    from procedure.services.importing.staging import Rejection, Staging
    from procedure.store.importing import Report

SHOWN = 20
_STEP = 1 << 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``posturas import``."""
    parser.add_argument(
        "file",
        metavar="ARQUIVO",
        help="JSON Lines, ou CSV com cabeçalho (listas separadas por |, itens numerados: goods.1.description); "
        "- é a entrada padrão",
    )
    parser.add_argument("--encoding", metavar="NOME", default="utf-8", help="utf-8 (padrão), latin-1 ou cp1252")
    parser.add_argument(
        "--municipality", metavar="IBGE", help="município dos atos que não dizem o seu; outro é rejeitado"
    )
    parser.add_argument("--strict", action="store_true", help="se uma linha for rejeitada, não aplica nenhuma")
    parser.add_argument("--dry-run", action="store_true", help="diz o que faria e o que desfaria, sem gravar nada")
    parser.add_argument("--rejected", metavar="ARQUIVO", help="grava aqui as linhas rejeitadas, como vieram")


def run(args: argparse.Namespace) -> int:
    """Import the file. 0 done, 1 some lines were rejected, 2 bad file or database."""
    from procedure.domain.act_input import municipality_code
    from procedure.services.importing.lines import encoding_named, open_acts
    from procedure.store.engine import open_engine
    from procedure.store.importing import import_acts
    from procedure.store.schema import require_schema

    encoding_named(args.encoding)
    named = municipality_code(args.municipality) if args.municipality is not None else None
    engine = open_engine(args.db)
    try:
        require_schema(engine)
        with open_acts(args.file) as file, _target(args) as target, _staged(args, file, named, engine) as staging:
            with progress(len(staging.items), "atos") as bar:
                report = import_acts(
                    engine, staging, recorded_at=now(), strict=args.strict, dry_run=args.dry_run, progress=bar.advance
                )
            if target is not None:
                _write_rejected(target, file, report, staging)
    finally:
        engine.dispose()
    if args.json:
        output.document(report.to_dict())
    else:
        output.text("\n".join(describe(report, strict=args.strict)))
    return 1 if report.rejected else 0


@contextmanager
def _staged(args: argparse.Namespace, file: IO[bytes], municipality: str | None, engine: Any) -> Iterator[Staging]:
    """The whole file, read and checked line by line."""
    from procedure.services.importing.lines import LineReader
    from procedure.services.importing.staging import Staging, stage
    from procedure.store.importing import inscription_finder

    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    with closing(Staging(find=inscription_finder(engine))) as staging, progress(size, "leitura (bytes)") as bar:
        shown = 0
        for place in stage(LineReader(file, args.encoding), staging, municipality=municipality, name=args.file):
            if place - shown >= _STEP:
                bar.advance(place - shown)
                shown = place
        yield staging


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


@contextmanager
def _target(args: argparse.Namespace) -> Iterator[IO[bytes] | None]:
    """The file of ``--rejected``, opened before anything is applied; only its owner reads it: it has personal data."""
    from procedure.cli.main import UsageError
    from procedure.services.importing.errors import FileUnreadable

    if not args.rejected:
        yield None
        return
    path = Path(args.rejected)
    try:
        if args.file != "-" and path.exists() and path.samefile(args.file):
            raise UsageError("--rejected não pode ser o próprio arquivo importado.")
        target = open(path, "wb", opener=_private)  # noqa: SIM115  # closed below
    except (OSError, ValueError) as error:
        raise FileUnreadable(
            f"não foi possível gravar o arquivo {path}.", remedy="Escolha outro em --rejected."
        ) from error
    with target:
        yield target


def _write_rejected(target: IO[bytes], file: IO[bytes], report: Report, staging: Staging) -> None:
    """The rejected lines as they came, with the header when the file is a CSV, to be mended and sent again."""
    wanted = {
        line for item in report.rejected for line in range(item.line, staging.last_lines.get(item.line, item.line) + 1)
    } | ({staging.header_line} if staging.is_table and report.rejected else set())
    file.seek(0)
    _copy_lines(file, target, wanted)


def _copy_lines(file: IO[bytes], target: IO[bytes], wanted: set[int]) -> None:
    number, starts = 0, True
    while chunk := file.readline(_STEP):
        number += starts
        starts = chunk.endswith(b"\n")
        if number in wanted:
            target.write(chunk if starts or len(chunk) == _STEP else chunk + b"\n")


def describe(report: Report, *, strict: bool) -> Iterator[str]:
    """The answer for people: counts, the first rejections, how many more there are."""
    yield f"Linhas lidas        {report.read}"
    yield f"Atos aplicados      {report.applied}"
    yield f"Já conhecidos       {report.already_known}"
    yield f"Rejeitados          {len(report.rejected)}"
    yield f"Processos movidos   {report.cases}"
    if report.dry_run:
        yield "Ensaio: nada foi gravado."
    if not report.read:
        yield "O arquivo não tem atos."
    yield from _undone(report.undone)
    if report.rejected and strict and not report.dry_run:
        yield "Nada foi aplicado: com --strict, uma rejeição basta."
    yield from _rejections(report.rejected)


def _undone(items: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What acts that came late undid, case by case."""
    from procedure.cli.plain import day_br
    from procedure.cli.reach_text import describe_reach
    from procedure.domain.labels import act_label

    for item in islice(items, SHOWN):
        yield f"  linha {item['line']}, auto {item['auto']}: {act_label(item['act'])}, de {day_br(item['date'])}"
        yield from (f"  {line}" for line in describe_reach(item))
    if len(items) > SHOWN:
        yield f"  e mais {len(items) - SHOWN} que desfazem atos; --json diz todos."


def _rejections(rejected: Sequence[Rejection]) -> Iterator[str]:
    for item in islice(rejected, SHOWN):
        auto = f", auto {item.auto}" if item.auto else ""
        # A message that opens with the value it refuses does not say of which field it is.
        field = f"{item.field}: " if item.field and item.message.startswith("“") else ""
        yield f"  linha {item.line}{auto}: {field}{item.message} [{item.code}]"
    if len(rejected) > SHOWN:
        yield f"  e mais {len(rejected) - SHOWN}; --rejected ARQUIVO grava as linhas, --json diz todas."
