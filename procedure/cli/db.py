"""``posturas db``: create, update and check the tables, prune events, print the grants and the script for a cluster."""

from __future__ import annotations

import argparse

from procedure.cli import output
from procedure.cli.scope import add_municipality, database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``posturas db``."""
    parser.add_argument("action", choices=ACTIONS, metavar="|".join(ACTIONS), help=_ACTIONS)
    parser.add_argument(
        "--role", metavar="PAPEL", help="grants e citus-sql: o papel do PostgreSQL com que o sistema se conecta"
    )
    parser.add_argument(
        "--keep", type=int, metavar="N", help="prune-events: quantos dos eventos mais novos de cada município ficam"
    )
    add_municipality(parser)


MOST_KEPT = 10**12
ACTIONS = ("upgrade", "check", "prune-events", "grants", "citus-sql")
_ACTIONS = (
    "upgrade cria as tabelas ou as leva à versão deste programa; check confere tabelas, gatilhos, prazos e chaves; "
    "prune-events apaga os eventos antigos, que todos os leitores já leram; "
    "grants imprime o SQL dos privilégios mínimos; citus-sql imprime o SQL que distribui as tabelas por município"
)


def run(args: argparse.Namespace) -> int:
    """Run the action asked for."""
    if args.action == "upgrade":
        return _upgrade(args)
    if args.action == "check":
        return _check(args)
    if args.action == "prune-events":
        return _prune(args)
    return _grants(args) if args.action == "grants" else _citus(args)


def _upgrade(args: argparse.Namespace) -> int:
    from procedure.store.engine import open_engine
    from procedure.store.schema import upgrade

    engine = open_engine(args.db, create=True)
    try:
        before, after = upgrade(engine)
    finally:
        engine.dispose()
    if args.json:
        output.document({"before": before, "after": after, "changed": before != after})
    elif before is None:
        output.text(f"Tabelas criadas (revisão {after}).")
    elif before == after:
        output.text(f"As tabelas já estão na revisão {after}; nada a fazer.")
    else:
        output.text(f"Tabelas atualizadas da revisão {before} para a {after}.")
    return 0


def _check(args: argparse.Namespace) -> int:
    from procedure.store.checking import CHECKS, check
    from procedure.store.engine import open_engine

    engine = open_engine(args.db)
    try:
        findings = check(engine)
    finally:
        engine.dispose()
    if args.json:
        problems = [{"check": item.check, "message": item.message, "remedy": item.remedy} for item in findings]
        output.document({"ok": not findings, "checks": list(CHECKS), "problems": problems})
        return 1 if findings else 0
    for item in findings:
        output.text(f"{item.check}: {item.message}\n  o que fazer: {item.remedy}")
    if not findings:
        output.text("O banco está em ordem: tabelas, gatilhos, prazos e chaves.")
    return 1 if findings else 0


def _prune(args: argparse.Namespace) -> int:
    from procedure.cli.main import UsageError
    from procedure.store.engine import session_scope
    from procedure.store.events import keep_newest

    if args.keep is None:
        raise UsageError("falta --keep N.", remedy="Exemplo: posturas db prune-events --keep 100000")
    if not 0 <= args.keep <= MOST_KEPT:
        raise UsageError(f"--keep vai de 0 a {MOST_KEPT}.", remedy="Exemplo: posturas db prune-events --keep 100000")
    gone: dict[str, int] = {}
    with database(args) as scope:
        for municipality in scope.municipalities:
            with session_scope(scope.engine) as session:
                gone[municipality] = keep_newest(session, municipality, args.keep)
    if args.json:
        output.document({"kept": args.keep, "pruned": [{"municipality": m, "events": n} for m, n in gone.items()]})
    for municipality, events in gone.items() if not args.json else ():
        output.text(f"Município {municipality}: {events} evento(s) apagado(s).")
    return 0


def _grants(args: argparse.Namespace) -> int:
    from procedure.cli.main import UsageError
    from procedure.store.grants import statements

    if not args.role:
        raise UsageError("falta --role PAPEL.", remedy="Exemplo: posturas db grants --role erp")
    lines = list(statements(args.role))
    if args.json:
        output.document({"role": args.role, "statements": lines})
    else:
        output.text("\n".join(lines))
    return 0


def _citus(args: argparse.Namespace) -> int:
    from procedure.store.citus import statements

    lines = list(statements(args.role))
    if args.json:
        output.document({"role": args.role, "statements": lines})
        return 0
    output.text("\n".join(lines))
    if not args.role:
        output.message(
            "Sem os gatilhos, só os privilégios impedem alterar os atos: com --role PAPEL o roteiro também os concede."
        )
    return 0
