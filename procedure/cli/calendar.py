"""``posturas calendar show|import``: the office's days, and the municipality's own facts."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from calendars.days import KIND_LABELS, WEEKDAYS, DayFact, DayKind, ExtensionFact, Fact, SuspensionFact
from calendars.errors import CalendarOutOfRange
from calendars.files import parse_calendar_csv, parse_calendar_toml
from calendars.office import OfficeCalendar
from calendars.shipped import calendar_of_municipality
from legalbasis import InputError
from procedure.cli import output
from procedure.cli.scope import add_municipality, database, now


class MunicipalityMissing(InputError):
    """Não se sabe de que município são os dias."""

    code = "municipio_nao_informado"
    default_remedy = "O banco ainda não guarda nenhum município: diga --municipality IBGE."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-commands of ``posturas calendar``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="AÇÃO", title="ações", prog=parser.prog)
    show = _action(parser, actions, "show", "mostra os dias do ano que não são de expediente normal")
    show.add_argument("--municipality", metavar="IBGE", required=True, help="código do município, de 7 algarismos")
    show.add_argument("--year", metavar="ANO", type=int, required=True, help="o ano")
    text = "guarda no banco dias do município (TOML ou CSV), com o ato de cada um"
    read = _action(parser, actions, "import", text)
    read.add_argument("file", metavar="ARQUIVO", help="TOML, ou CSV date;kind;description;act;published_on")
    add_municipality(read)
    read.add_argument("--encoding", metavar="CODIFICAÇÃO", default="utf-8", help="utf-8 (padrão) ou latin-1, para CSV")


def _action(parser: argparse.ArgumentParser, actions: Any, name: str, text: str) -> argparse.ArgumentParser:
    action: argparse.ArgumentParser = actions.add_parser(
        name,
        add_help=False,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        formatter_class=parser.formatter_class,
    )
    action._positionals.title, action._optionals.title = "argumentos", "opções"
    action.add_argument("-h", "--help", action="help", help="mostra esta ajuda")
    # SUPPRESS: the option may come before or after the action without the latter undoing the former.
    action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="um documento JSON")
    action.add_argument("--db", metavar="URL", default=argparse.SUPPRESS, help="banco de dados (ou POSTURAS_DB)")
    return action


def run(args: argparse.Namespace) -> int:
    """Run the action asked for; raises PosturasError on bad input."""
    return _show(args) if args.action == "show" else _import(args)


def _show(args: argparse.Namespace) -> int:
    calendar = calendar_of_municipality(args.municipality)
    if not calendar.first_day.year <= args.year <= calendar.last_day.year:
        raise CalendarOutOfRange(
            f"o calendário {calendar.id} vai de {calendar.first_day.year} a {calendar.last_day.year}.",
            remedy="Peça um ano dentro do calendário.",
        )
    days = calendar.exceptions(args.year)
    if args.json:
        output.document(
            {
                "municipality": args.municipality,
                "calendar": calendar.id,
                "year": args.year,
                "version": calendar.version,
                "days": [_row(day) for day in days],
            }
        )
    else:
        output.text(_text(calendar, args.year, days))
    return 0


def _row(day: DayFact) -> dict[str, Any]:
    return {
        "date": day.day.isoformat(),
        "weekday": WEEKDAYS[day.day.weekday()],
        "kind": day.kind.value,
        "nature": day.nature.value if day.kind is DayKind.FECHADO else None,
        "description": day.description,
        "act": day.act,
        "published_on": day.published_on.isoformat() if day.published_on else None,
        "opens": f"{day.opens:%H:%M}" if day.opens else None,
        "closes": f"{day.closes:%H:%M}" if day.closes else None,
        "verified": day.verified,
    }


def _text(calendar: OfficeCalendar, year: int, days: list[DayFact]) -> str:
    off = ", ".join(WEEKDAYS[d] for d in sorted(calendar.weekly_off))
    lines = [f"{year}, calendário {calendar.id}: sem expediente toda semana em {off}; além disso:"]
    for day in days:
        kind = KIND_LABELS[day.kind]
        weekday = WEEKDAYS[day.day.weekday()].removesuffix("-feira")
        note = "" if day.verified else "  (a confirmar)"
        act = f"  [{day.act}]" if day.act else ""
        lines.append(f"  {day.day:%d/%m}  {weekday:<8} {kind:<19} {day.description}{act}{note}")
    lines.append(f"Versão {calendar.version[:12]}")
    return "\n".join(lines)


def read_facts(path: Path, encoding: str) -> list[Fact]:
    """The dated facts of a file, TOML or CSV by its ending. Raises with every defect at once."""
    return parse_calendar_toml(path) if path.suffix.lower() == ".toml" else parse_calendar_csv(path, encoding)


def _import(args: argparse.Namespace) -> int:
    facts = read_facts(Path(args.file), args.encoding)
    stored = store_facts(args, facts)
    if args.json:
        output.document({"read": len(facts), "stored": stored, "days": [fact_row(fact) for fact in facts]})
    else:
        output.text(f"Fatos lidos: {len(facts)}; novos, guardados com o seu ato: {stored}.")
    return 0


def store_facts(args: argparse.Namespace, facts: list[Fact]) -> int:
    """Store facts beside the shipped data, each once; how many were new.

    Raises MunicipalityMissing, SeveralMunicipalities, CalendarOutOfRange for a day that the calendar does not know (it
    is refused before it is stored, not on every later reading), and the store's own errors.
    """
    from calendars.fact_documents import fact_to_document
    from procedure.store.engine import session_scope
    from procedure.store.supplied import import_facts

    with database(args) as scope:
        municipality = scope.one()
        if municipality is None:
            raise MunicipalityMissing()
        calendar_of_municipality(municipality).with_facts(facts)
        documents = [fact_to_document(fact) for fact in facts]
        recorded_at = now().isoformat(timespec="seconds")
        with session_scope(scope.engine) as session:
            return import_facts(session, municipality, documents, Path(args.file).name, recorded_at=recorded_at)


def fact_row(fact: Fact) -> dict[str, Any]:
    """A fact as the output shows it."""
    if isinstance(fact, DayFact):
        return _row(fact)
    if isinstance(fact, SuspensionFact):
        return {"from": fact.first.isoformat(), "to": fact.last.isoformat(), "kind": "suspenso", "act": fact.act}
    assert isinstance(fact, ExtensionFact)
    return {
        "window_from": fact.window_from.isoformat(),
        "window_to": fact.window_to.isoformat(),
        "to": fact.to.isoformat(),
        "kind": "prorrogacao",
        "act": fact.act,
    }
