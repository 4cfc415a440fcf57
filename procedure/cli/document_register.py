"""``posturas divida-ativa cda|termo|certidao|verify``: the papers of the register, one or a batch, and their codes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from procedure.cli import output
from procedure.cli.document import deliver, issued_on, output_format, report
from procedure.cli.progress import progress
from procedure.cli.scope import Scope, database

if TYPE_CHECKING:
    from procedure.domain.document_kinds import DocumentKind
    from procedure.services.documenting.casefile import Request

ACTIONS = ("cda", "termo", "certidao", "verify")
HELP = (
    "cda NÚMERO… e termo NÚMERO… imprimem a certidão e o Termo (--batch: de todas as inscrições em aberto); "
    "certidao --doc imprime a certidão negativa, ou positiva, de uma pessoa; verify CÓDIGO confere uma certidão"
)
OPTIONS = {
    "out": "o arquivo PDF, ou a pasta quando são vários",
    "format": "pdf (padrão) ou json, o mesmo objeto que o PDF imprime",
    "issued": "a data da certidão (padrão: hoje)",
    "doc": "certidao: o CPF ou o CNPJ",
    "name": "certidao: o nome da pessoa, quando não há inscrição que o diga",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the papers of the register."""
    for name, text in OPTIONS.items():
        parser.add_argument(f"--{name}", metavar=name.upper(), help=text)
    parser.add_argument("--batch", action="store_true", help="cda, termo: todas as inscrições em aberto")


def run(args: argparse.Namespace, numbers: list[str]) -> int:
    """Run one of these actions. 0 done, 1 some could not be printed."""
    with database(args) as scope:
        if args.action == "verify":
            return _verify(args, scope, numbers)
        if args.action == "certidao":
            return _certificate(args, scope)
        return _papers(args, scope, numbers)


def _usage(message: str) -> Exception:
    from procedure.cli.main import UsageError

    return UsageError(message, remedy="Veja: posturas divida-ativa --help")


def _papers(args: argparse.Namespace, scope: Scope, numbers: list[str]) -> int:
    from procedure.domain.document_kinds import DocumentKind
    from procedure.services.documenting.building import paper_of_inscription
    from procedure.services.documenting.casefile import Request
    from procedure.services.register import UnknownInscription
    from procedure.store.archive import reading

    kind = DocumentKind.CDA if args.action == "cda" else DocumentKind.TERMO_INSCRICAO
    if bool(numbers) == args.batch:
        raise _usage(f"diga os números, ou --batch: posturas divida-ativa {args.action} N/AAAA --out ARQUIVO.pdf.")
    as_json = output_format(args) == "json"
    if not args.out and not (as_json and len(numbers) == 1):
        raise _usage("diga o arquivo, ou a pasta quando são vários: --out.")
    request = Request(issued_on(args.issued, scope))
    municipality = scope.one()
    if len(numbers) != 1:
        return _batch(args, scope, numbers, kind, request)
    if municipality is None:
        raise UnknownInscription(f"não existe a inscrição {numbers[0][:40]}.", field="inscription")
    with reading(scope.engine) as archive:
        paper = paper_of_inscription(archive, municipality, numbers[0], kind, request)
    deliver(args, paper, as_json=as_json)
    return 0


def _batch(args: argparse.Namespace, scope: Scope, numbers: list[str], kind: DocumentKind, request: Request) -> int:
    from procedure.documents.batch import Outcome, print_many
    from procedure.services.documenting.building import papers_of_inscriptions
    from procedure.services.documenting.debts import ENDED
    from procedure.store.archive import reading
    from procedure.store.registered import registered_numbers

    municipality = scope.one()
    if municipality is None:
        return report(args, Outcome())
    with reading(scope.engine) as archive:
        chosen = numbers or registered_numbers(archive, municipality, without=ENDED)
        with progress(len(chosen), "documentos") as shown:
            papers = papers_of_inscriptions(archive, municipality, chosen, kind, request)
            outcome = print_many(papers, Path(args.out), shown.advance)
    return report(args, outcome)


def _certificate(args: argparse.Namespace, scope: Scope) -> int:
    from procedure.domain import taxpayer
    from procedure.services.documenting.casefile import Request
    from procedure.services.documenting.certificates import clearance
    from procedure.store.archive import reading
    from procedure.store.registered import inscriptions_of_person

    as_json = output_format(args) == "json"
    if not args.doc:
        raise _usage("diga o CPF ou o CNPJ: posturas divida-ativa certidao --doc NÚMERO --out ARQUIVO.pdf.")
    if not args.out and not as_json:
        raise _usage("diga o arquivo: --out ARQUIVO.pdf.")
    municipality = scope.one()
    if municipality is None:
        raise _usage("o banco ainda não guarda nenhum município: diga --municipality IBGE.")
    doc = taxpayer.normalise(args.doc)
    with reading(scope.engine) as archive:
        rows = inscriptions_of_person(archive, municipality, doc)
        paper = clearance(archive, municipality, doc, rows, Request(issued_on(args.issued, scope)), args.name)
    deliver(args, paper, as_json=as_json)
    return 0


def _verify(args: argparse.Namespace, scope: Scope, codes: list[str]) -> int:
    from procedure.services.documenting.verification import verify_code
    from procedure.store.archive import reading

    if len(codes) != 1:
        raise _usage("diga um código: posturas divida-ativa verify CÓDIGO.")
    municipality = scope.one()
    with reading(scope.engine) as archive:
        found = verify_code(archive, municipality or "", codes[0])
    said = {name: found[name] for name in ("number", "date", "livro", "folha", "auto", "status", "total", "paid")}
    if args.json:
        output.document({"valid": True, **said})
    else:
        output.text(_told(said))
    return 0


def _told(said: dict[str, object]) -> str:
    from procedure.cli.plain import amount_br, day_br
    from procedure.domain.labels import INSCRIPTION_STATUSES

    status = INSCRIPTION_STATUSES.get(str(said["status"]), str(said["status"]))
    return (
        f"O código confere: inscrição {said['number']}, de {day_br(str(said['date']))}, livro {said['livro']}, "
        f"folha {said['folha']}, auto {said['auto']}, {amount_br(str(said['total']))}. Situação hoje: {status}."
    )
