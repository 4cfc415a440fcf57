"""``posturas rulebook migrate``: the cases of a law pass to a new text of it, each told before anything is done."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from procedure.cli import output
from procedure.cli.progress import progress
from procedure.cli.scope import database, now

if TYPE_CHECKING:
    from procedure.domain.rulebook import Rulebook
    from procedure.store.migrating import MigrationReport

SHOWN = 20
SIDES = {"added": "passa a haver", "removed": "deixa de haver", "changed": "muda"}


def add_options(parser: argparse.ArgumentParser, law_help: str) -> None:
    """The options of ``rulebook migrate``."""
    parser.add_argument("--law", metavar="LEI", required=True, help=law_help)
    parser.add_argument(
        "--rulebook", metavar="ARQUIVO", help="o novo texto (TOML); sem ele, o que este programa já traz da lei"
    )
    parser.add_argument("--dry-run", action="store_true", help="só diz o que mudaria em cada processo; não grava nada")


def run(args: argparse.Namespace) -> int:
    """Pass the cases, or tell. 0 done, 1 some failed or it was interrupted, 2 bad input."""
    from procedure.cli.sweep import _signals
    from procedure.store.migrating import migrate

    book = _book(args)
    args.municipality = book.municipality
    with database(args) as scope, _signals() as stop, progress(None, f"passagem {book.municipality}") as bar:
        report = migrate(
            scope.engine, book.municipality, book, now=now(), write=not args.dry_run, progress=bar.advance, stop=stop
        )
    if args.json:
        output.document(document(report, book, dry_run=args.dry_run))
    else:
        output.text("\n".join(_text(report, book, dry_run=args.dry_run)))
    return 1 if report.failures or report.interrupted else 0


def _book(args: argparse.Namespace) -> Rulebook:
    from procedure.cli.auto_replay import read_book
    from procedure.domain.rulebooks import rulebook_of
    from procedure.services.migrating import OtherLaw

    current = rulebook_of(args.law)
    if not args.rulebook:
        return current
    book = read_book(Path(args.rulebook))
    if book.id != current.id:
        raise OtherLaw(f"o arquivo é da lei {book.id}.", field="--rulebook")
    return book


def document(report: MigrationReport, book: Rulebook, *, dry_run: bool) -> dict[str, Any]:
    """The report as one JSON object."""
    return {
        "municipality": report.municipality,
        "law": book.id,
        "rulebook_version": book.version,
        "first_day": book.life.procedure_from.isoformat(),
        "dry_run": dry_run,
        "examined": report.examined,
        "migrated": report.migrated,
        "stay": report.stay,
        "cases": report.cases,
        "left_out": report.migrated + report.stay - len(report.cases),
        "failed": [
            {"auto": auto, "code": code, "message": message}
            for auto, (code, message) in sorted(report.failures.items())
        ],
        "interrupted": report.interrupted,
    }


def _text(report: MigrationReport, book: Rulebook, *, dry_run: bool) -> Iterator[str]:
    from procedure.cli.plain import day_br

    what = "Passagem simulada (nada gravado)" if dry_run else "Passagem"
    first = day_br(book.life.procedure_from.isoformat())
    yield f"{what} à {book.norm}, texto {book.version}, processo desde {first}"
    yield f"  processos que {'passariam' if dry_run else 'passaram'}: {report.migrated}; ficam: {report.stay}"
    for case in report.cases[:SHOWN]:
        yield from _case(case)
    if len(report.cases) > SHOWN:
        yield f"  … e mais {report.migrated + report.stay - SHOWN} (todos em --json)"
    for auto, (code, message) in sorted(report.failures.items()):
        yield f"    auto {auto}: {message} [{code}]"
    if report.interrupted:
        yield "  Interrompida: o que foi gravado vale, e a próxima continua daí."


def _case(case: Mapping[str, Any]) -> Iterator[str]:
    from procedure.cli.plain import amount_br, day_br
    from procedure.domain.labels import act_label, deadline_label, state_label

    yield f"  auto {case['auto']}, {state_label(case['state'])}"
    if case["reason"]:
        yield f"    fica: {case['reason']}"
        return
    for term in case["running"]:
        yield f"    {deadline_label(term['kind'])}: segue até {day_br(term['expires_on'])}, pela regra em que começou"
    for act in case["acts_since"]:
        yield f"    feito pelo texto anterior já na vigência do novo: {act_label(act['act'])} de {day_br(act['date'])}"
    for change in case["changes"]:
        yield f"    {SIDES[change['kind']]}: {change['section']}, {change['key']}{_what(change)}"
    for side, names in case["acts"].items():
        if names:
            yield f"    agora {SIDES[side]}: {', '.join(act_label(name) for name in names)}"
    fine = case["sanction"]
    if fine["amount"] and fine["under_new"] and fine["amount"] != fine["under_new"]:
        told = "menor" if fine["milder"] else "maior"
        now_is, new_is = amount_br(fine["amount"]), amount_br(fine["under_new"])
        applied = "aplica-se" if fine["applied"] else "não se aplica"
        yield f"    multa de {now_is} (texto do fato); pelo novo texto, {told}: {new_is} ({applied}; {fine['reading']})"


def _what(change: Mapping[str, Any]) -> str:
    if change["kind"] != "changed":
        return ""
    pairs = (f"{name}: {change['before'][name]} → {change['after'][name]}" for name in change["after"])
    return f" ({'; '.join(pairs)})"
