"""What cron and the operator run: `flask --app revenue migrate`, `sweep`, `receivables`."""

import json
from datetime import UTC, datetime
from pathlib import Path

import click
from alembic import command
from alembic.config import Config
from flask import Blueprint, current_app

from procedure import sweep_cases, upgrade_schema
from revenue.receivables import read_some

night = Blueprint("night", __name__, cli_group=None)


def history(engine) -> Config:
    """This backend's Alembic history; that of Posturas is inside its package, with a version table of its own."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["engine"] = engine
    return config


@night.cli.command("migrate")
def migrate() -> None:
    """Cria ou atualiza as tabelas do Posturas e as da receita."""
    engine = current_app.extensions["revenue"]["engine"]
    upgrade_schema(engine)
    command.upgrade(history(engine), "head")
    click.echo("Tabelas em dia.")


@night.cli.command("sweep")
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), required=True, help="o dia, à 0h, do qual se olha")
def sweep(as_of: datetime) -> None:
    """Conclui os prazos vencidos antes do dia. Sai com 1 se algum auto ficou de fora."""
    place, day = current_app.extensions["revenue"], as_of.date()
    with place["sessions"].begin() as session:
        swept = sweep_cases(session, place["municipality"], as_of=day, recorded_at=datetime.now(UTC))
    click.echo(json.dumps({"as_of": str(day), "vencidos": swept.expired, "inscritos": swept.inscribed}))
    for auto, (code, message) in swept.failures.items():
        click.echo(f"{auto}: {code}: {message}", err=True)
    raise SystemExit(1 if swept.failures else 0)


@night.cli.command("receivables")
def receivables() -> None:
    """Lê os eventos novos do Posturas e lança os créditos das inscrições."""
    place, total = current_app.extensions["revenue"], 0
    while True:
        with place["sessions"].begin() as session:
            read = read_some(session, place["municipality"], now=datetime.now(UTC))
        total += read
        if not read:
            break
    click.echo(json.dumps({"eventos": total}))
