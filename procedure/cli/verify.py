"""``posturas verify``: is the record what its acts say? Chains, replay, terms, register; with ``--deep`` the rules."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from procedure.cli import output
from procedure.cli.progress import progress
from procedure.cli.scope import Scope, add_municipality, database

if TYPE_CHECKING:
    from procedure.services.verifying import Verified


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``posturas verify``."""
    parser.add_argument("--auto", metavar="AUTO", help="confere só este auto")
    parser.add_argument(
        "--deep", action="store_true", help="também conta de novo cada prazo e refaz cada multa, acréscimo e Termo"
    )
    parser.add_argument(
        "--head", action="store_true", help="imprime o resumo da cadeia de cada município, para guardar em outro lugar"
    )
    add_municipality(parser)


def run(args: argparse.Namespace) -> int:
    """Verify and print. 0 all holds, 1 something does not, 2 bad input."""
    with database(args) as scope:
        if args.auto is not None:
            scope.one()
        found = [_verify(args, scope, code) for code in scope.municipalities]
        if args.auto is not None:
            _require_known(args.auto, [result for result, _ in found])
    defects = sum(len(result.defects) for result, _ in found)
    if args.json:
        from procedure.services.verified_document import verified_document

        output.document(verified_document(found, deep=args.deep))
    else:
        output.text("\n".join(_lines(found)) or "Não há processos no banco: nada a conferir.")
    return 1 if defects else 0


def _verify(args: argparse.Namespace, scope: Scope, municipality: str) -> tuple[Verified, str | None]:
    from procedure.services.recomputing import Recomputer
    from procedure.services.verifying import verify
    from procedure.store.archive import reading
    from procedure.store.sweeps import heads
    from procedure.store.verifying import verify_record

    with reading(scope.engine) as archive:
        total = 1 if args.auto is not None else archive.count_autos(municipality)
        deeper = Recomputer(archive, municipality) if args.deep else None
        with progress(total, f"conferência {municipality}") as bar:
            if deeper is None and args.auto is None:
                result = verify_record(archive, municipality, progress=bar.advance)
            else:
                result = verify(archive, municipality, auto=args.auto, deeper=deeper, progress=bar.advance)
        return result, heads(archive.session, municipality) if args.head else None


def _require_known(auto: str, results: Sequence[Verified]) -> None:
    from procedure.domain.errors import UnknownAuto

    known = any(r.acts or any(d.code != "processo_ausente" for d in r.defects) for r in results)
    if not known:
        raise UnknownAuto(
            f"não existe o auto {auto[:60]}.", field="auto", remedy="Veja os que existem: posturas auto list"
        )


def _lines(found: Sequence[tuple[Verified, str | None]]) -> Iterator[str]:
    for result, head in found:
        told = f"{len(result.defects)} defeito(s)" if result.defects else "tudo confere"
        yield f"Município {result.municipality}: {result.cases} processo(s), {result.acts} ato(s): {told}."
        if result.erased_persons:
            yield f"  pessoas apagadas (passam): {len(result.erased_persons)}"
        for defect in result.defects:
            where = f"auto {defect.auto}" if defect.auto else "registro"
            act = f", ato {defect.seq}" if defect.seq is not None else ""
            yield f"  {where}{act}: {defect.what} [{defect.code}]"
        if head is not None:
            yield f"  resumo da cadeia: {head}"
