"""``posturas auto document``: the papers of a case, as PDF or as the JSON of the same object."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from procedure.cli import output
from procedure.cli.scope import Scope, database, day_of, now

if TYPE_CHECKING:
    from procedure.documents.batch import Outcome
    from procedure.domain.document_kinds import DocumentKind
    from procedure.services.documenting.casefile import Request
    from procedure.services.documenting.papers import Paper
    from procedure.store.archive import Archive

EVERY = "todos"
OPTIONS = {
    "kind": "document: o documento, como auto_de_infracao ou decisao; “todos” imprime os que o processo já tem",
    "out": "document: o arquivo PDF, ou a pasta quando são vários; ics: o arquivo .ics",
    "format": "document: pdf (padrão) ou json, o mesmo objeto que o PDF imprime",
    "issued": "document: a data que o documento traz quando ele é expedido agora (padrão: hoje)",
    "seq": "document: o número do ato, quando o processo tem mais de um (padrão: o último)",
    "prazo": "document: só o prazo deste tipo, como defesa",
    "about": "document: do que o edital dá ciência: notificacao_preliminar, auto, decisao ou pagamento",
    "due": "document: o vencimento da guia",
    "payment-code": "document: a linha digitável da guia, que o banco fornece",
    "pix": "document: o PIX copia e cola da guia",
    "depositary": "document: quem fica com as coisas apreendidas em depósito",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the papers."""
    for name, text in OPTIONS.items():
        parser.add_argument(f"--{name}", metavar=name.upper(), help=text)


def run(args: argparse.Namespace) -> int:
    """Print the paper asked for, or all of them. 0 done, 1 some could not be printed."""
    if len(args.targets) != 1:
        raise _usage("diga um auto: posturas auto document AUTO --kind TIPO --out ARQUIVO.pdf.")
    if not args.kind:
        raise _usage(f"diga o documento com --kind: {', '.join(_kinds())}; ou {EVERY}.")
    as_json = output_format(args) == "json"
    if not as_json and not args.out:
        raise _usage("diga o arquivo: --out ARQUIVO.pdf.")
    with database(args) as scope:
        return _every(args, scope) if args.kind == EVERY else _one(args, scope, as_json=as_json)


def _usage(message: str) -> Exception:
    from procedure.cli.main import UsageError

    return UsageError(message, remedy="Veja: posturas auto --help")


def output_format(args: argparse.Namespace) -> str:
    """``pdf`` or ``json``."""
    if args.format not in (None, "pdf", "json"):
        raise _usage(f"--format é pdf ou json, não “{args.format[:20]}”.")
    return args.format or "pdf"


def _kinds() -> list[str]:
    from procedure.services.documenting.building import KINDS_OF_CASE

    return [kind.value for kind in KINDS_OF_CASE]


def _kind(name: str) -> DocumentKind:
    from procedure.domain.document_kinds import DocumentKind

    if name not in _kinds():
        raise _usage(f"não há o documento “{name[:40]}”; os documentos são: {', '.join(_kinds())}.")
    return DocumentKind(name)


def request_of(args: argparse.Namespace, scope: Scope) -> Request:
    """What was asked, with today in the municipality's zone where no day was given."""
    from procedure.services.documenting.casefile import Request

    seq = args.seq
    if seq is not None and not (seq.isascii() and seq.isdecimal() and len(seq) < 10):
        raise _usage(f"--seq é o número de um ato, não “{seq[:20]}”.")
    return Request(
        issued_on=issued_on(args.issued, scope),
        seq=int(seq) if seq else None,
        term=args.prazo,
        about=args.about,
        payment_code=args.payment_code,
        pix=args.pix,
        due=day_of(args.due, "--due") if args.due else None,
        depositary=args.depositary,
    )


def issued_on(text: str | None, scope: Scope) -> date:
    """The day printed on what is issued now: the one given, else today where the municipality is."""
    from procedure.services.context import zone_of

    if text:
        return day_of(text, "--issued")
    municipality = scope.one()
    return now().astimezone(zone_of(municipality)).date() if municipality else now().date()


def _one(args: argparse.Namespace, scope: Scope, *, as_json: bool) -> int:
    from procedure.services.documenting.building import paper_of_case
    from procedure.store.archive import reading

    kind = _kind(args.kind)
    with reading(scope.engine) as archive:
        paper = paper_of_case(archive, scope.one(), args.targets[0], kind, request_of(args, scope))
    deliver(args, paper, as_json=as_json)
    return 0


def deliver(args: argparse.Namespace, paper: Paper, *, as_json: bool) -> None:
    """The paper as a file, or as JSON on stdout or in a file, and the word of it."""
    from procedure.services.documenting.pieces import to_json

    if as_json and not args.out:
        output.document(to_json(paper))
        return
    written = _write(paper, Path(args.out), as_json=as_json)
    if args.json:
        output.document({"kind": paper.kind, "title": paper.title, "file": args.out, "bytes": written})
    else:
        output.message(f"{paper.title}: {args.out}")


def _write(paper: Paper, file: Path, *, as_json: bool) -> int:
    from procedure.documents.batch import write_pdf
    from procedure.documents.files import write_whole
    from procedure.documents.typesetting import Typesetter
    from procedure.services.documenting.pieces import to_json

    if as_json:
        text = json.dumps(to_json(paper), ensure_ascii=False, indent=2)
        return write_whole(file, f"{text}\n".encode())
    with Typesetter() as typesetter:
        return write_pdf(paper, file, typesetter)


def _every(args: argparse.Namespace, scope: Scope) -> int:
    from procedure.documents.batch import print_many
    from procedure.store.archive import reading

    if not args.out:
        raise _usage("diga a pasta: --out PASTA.")
    with reading(scope.engine) as archive:
        papers = papers_of(archive, scope.one(), args.targets[0], request_of(args, scope))
        outcome = print_many(papers, Path(args.out), lambda: None)
    return report(args, outcome)


def papers_of(archive: Archive, municipality: str | None, auto: str, request: Request) -> Iterator[tuple[str, Paper]]:
    """Every paper that the case has come to, each under the case's name. Raises UnknownAuto."""
    from procedure.services.documenting.building import papers_that_can_be_printed
    from procedure.services.documenting.casefile import CaseFile

    CaseFile(archive, municipality, auto, request)  # an unknown auto is an error, not an empty folder
    for _, paper in papers_that_can_be_printed(archive, str(municipality), auto, request):
        yield auto, paper


def report(args: argparse.Namespace, outcome: Outcome) -> int:
    """Say what was printed and what was not. 0 all, 1 some failed."""
    if args.json:
        output.document(report_document(outcome))
    else:
        for name, error in outcome.failed:
            output.message(f"{name}: {error}")
        output.text(f"{len(outcome.printed)} documento(s) em {args.out}; {len(outcome.failed)} não impresso(s).")
    return 1 if outcome.failed else 0


def report_document(outcome: Outcome) -> dict[str, Any]:
    """The outcome of a batch as the JSON document."""
    return {
        "printed": [{"name": item.name, "file": str(item.file)} for item in outcome.printed],
        "failed": [{"name": name, "error": error.to_dict()} for name, error in outcome.failed],
    }
