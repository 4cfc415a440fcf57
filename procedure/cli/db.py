"""``posturas db``: create and update the tables, check them, print the grants."""

from __future__ import annotations

import argparse

from procedure.cli import output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``posturas db``."""
    parser.add_argument("action", choices=("upgrade", "check", "grants"), metavar="upgrade|check|grants", help=_ACTIONS)
    parser.add_argument("--role", metavar="PAPEL", help="grants: o papel do PostgreSQL com que o sistema se conecta")


_ACTIONS = (
    "upgrade cria as tabelas ou as leva à versão deste programa; check confere tabelas, gatilhos, prazos e chaves; "
    "grants imprime o SQL dos privilégios mínimos"
)


def run(args: argparse.Namespace) -> int:
    """Run the action asked for."""
    if args.action == "upgrade":
        return _upgrade(args)
    return _check(args) if args.action == "check" else _grants(args)


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
