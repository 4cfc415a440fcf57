"""``posturas calendar show|import|recompute``: the office's days, drawn or as data, and those of the municipality."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calendars.days import DayFact, ExtensionFact, Fact, SuspensionFact
from calendars.files import parse_calendar_csv, parse_calendar_toml
from calendars.laws import LawCounting, law_counting, law_ids
from calendars.office import OfficeCalendar
from calendars.shipped import calendar_of_municipality
from legalbasis import InputError, PosturasError
from procedure.cli import calendar_recount, output
from procedure.cli.actions import add_action
from procedure.cli.drawing import Line, Piece, screen_width, show
from procedure.cli.office_days import with_supplied
from procedure.cli.scope import add_municipality, database, now
from procedure.services.calendar_document import day_row, require_year, year_document

if TYPE_CHECKING:
    from procedure.store.recounting import RecountReport


class MunicipalityMissing(InputError):
    """Não se sabe de que município são os dias."""

    code = "municipio_nao_informado"
    default_remedy = "O banco ainda não guarda nenhum município: diga --municipality IBGE."


class CalendarUsage(PosturasError):
    """Não se sabe o que desenhar: um ano, ou um prazo."""

    code = "uso_do_calendario"
    default_remedy = "Diga --year ANO, ou --start DATA e --term PRAZO. Veja: posturas calendar show --help"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-commands of ``posturas calendar``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="AÇÃO", title="ações", prog=parser.prog)
    text = "desenha o ano da repartição, ou os meses de um prazo, e diz por que cada dia não é normal"
    drawn = add_action(actions, "show", text)
    drawn.add_argument("--municipality", metavar="IBGE", required=True, help="código do município, de 7 algarismos")
    drawn.add_argument("--year", metavar="ANO", type=int, help="o ano")
    drawn.add_argument("--start", metavar="DATA", help="em vez do ano, um prazo: o evento que lhe dá início")
    drawn.add_argument("--term", metavar="PRAZO", help="o prazo: 15d (dias), 48h (horas), 2m (meses), 1a (anos)")
    drawn.add_argument("--method", metavar="MEIO", help="o meio da ciência: pessoal, postal ou edital")
    drawn.add_argument("--law", metavar="LEI", help="a lei que rege o prazo; pode faltar se o município tem uma só")
    drawn.add_argument("--html", metavar="ARQUIVO", help="escreve o desenho como página neste arquivo")
    text = "guarda no banco dias do município (TOML ou CSV), com o ato de cada um"
    read = add_action(actions, "import", text)
    read.add_argument("file", metavar="ARQUIVO", help="TOML, ou CSV date;kind;description;act;published_on")
    add_municipality(read)
    read.add_argument("--encoding", metavar="CODIFICAÇÃO", default="utf-8", help="utf-8 (padrão) ou latin-1, para CSV")
    read.add_argument("--dry-run", action="store_true", help="só confere e diz que prazos mudariam; não guarda nada")
    text = "reconta os prazos abertos pelos dias de agora, por atos que citam o decreto, e lista os já concluídos"
    calendar_recount.add_options(add_action(actions, "recompute", text))


def run(args: argparse.Namespace) -> int:
    """Run the action asked for; raises PosturasError on bad input."""
    actions = {"show": _show, "import": _import, "recompute": calendar_recount.run}
    return actions[args.action](args)


def _show(args: argparse.Namespace) -> int:
    calendar = with_supplied(args, calendar_of_municipality(args.municipality), args.municipality)
    of_a_deadline = [f"--{n}" for n in ("start", "term", "method", "law") if getattr(args, n) is not None]
    if args.year is None:
        return _show_deadline(args, calendar)
    if of_a_deadline:
        raise CalendarUsage(f"--year não vem com {', '.join(of_a_deadline)}: desenha-se um ano ou um prazo.")
    require_year(calendar, args.year)
    if args.html:
        from procedure.pages.calendar_page import year_page

        place = " · ".join(_places(args.municipality))
        output.page(year_page(calendar, args.year, place), args.html)
    if args.json:
        output.document(year_document(calendar, args.municipality, args.year))
    elif not args.html:
        show(_year(args, calendar))
    return 0


def _places(municipality: str) -> list[str]:
    return sorted({law.place_name for law in _laws(municipality)})


def _year(args: argparse.Namespace, calendar: OfficeCalendar) -> list[Line]:
    from procedure.cli.calendar_draw import draw_year

    title = " · ".join([str(args.year), *_places(args.municipality), f"calendário {calendar.id}"])
    version = f"Versão {calendar.version[:12]}"
    return [(Piece(title),), (), *draw_year(calendar, args.year, screen_width()), (Piece(version),)]


def _show_deadline(args: argparse.Namespace, calendar: OfficeCalendar) -> int:
    """The deadline drawn, then explained. The same as ``posturas prazo --draw``, the drawing first."""
    from calendars.term import Term, parse_start
    from calendars.under_law import count_under_law
    from procedure.cli.prazo_draw import draw_deadline
    from procedure.cli.prazo_text import describe

    if args.start is None or args.term is None:
        raise CalendarUsage()
    if args.json:
        raise CalendarUsage(
            "o prazo em JSON é de outro comando.",
            remedy="Use: posturas prazo --law LEI --start DATA --term PRAZO --json",
        )
    law = _law(args)
    start = parse_start(args.start)
    counted = count_under_law(law.law, Term.parse(args.term), start, method=args.method, calendar=calendar)
    if args.html:
        from procedure.pages.calendar_page import term_page

        ends = law.expires_on(counted)
        output.page(term_page(counted, place=law.place_name, law=law.name, expires_on=ends), args.html)
        return 0
    show([*draw_deadline(law, counted, start, args.method, screen_width()), ()])
    output.text(describe(law, counted, start, args.method))
    return 0


def _laws(municipality: str) -> list[LawCounting]:
    return [law for law in map(law_counting, law_ids()) if law.municipality == municipality]


def _law(args: argparse.Namespace) -> LawCounting:
    known = _laws(args.municipality)
    if args.law is None and len(known) == 1:
        return known[0]
    remedy = f"As leis do município são: {', '.join(law.law for law in known) or 'nenhuma'}."
    if args.law is None:
        raise CalendarUsage("não se sabe por que lei contar o prazo: diga --law.", remedy=remedy)
    law = law_counting(args.law)
    if law not in known:
        raise CalendarUsage(f"a lei {law.law} não é do município {args.municipality}.", remedy=remedy)
    return law


def read_facts(path: Path, encoding: str) -> list[Fact]:
    """The dated facts of a file, TOML or CSV by its ending. Raises with every defect at once."""
    return parse_calendar_toml(path) if path.suffix.lower() == ".toml" else parse_calendar_csv(path, encoding)


def _import(args: argparse.Namespace) -> int:
    facts = read_facts(Path(args.file), args.encoding)
    stored, report = store_facts(args, facts)
    if args.json:
        terms = calendar_recount.document(report, dry_run=True)
        days = [fact_row(fact) for fact in facts]
        output.document({"read": len(facts), "stored": stored, "days": days, "terms": terms})
        return 0
    verb = "novos, que seriam guardados" if args.dry_run else "novos, guardados com o seu ato"
    output.text(f"Fatos lidos: {len(facts)}; {verb}: {stored}.")
    if report.applied or report.kept or report.concluded_count:
        output.text("\n".join(calendar_recount.describe(report, dry_run=True)))
        output.text("Para recontar os prazos abertos: posturas calendar recompute")
    return 0


def store_facts(args: argparse.Namespace, facts: list[Fact]) -> tuple[int, RecountReport]:
    """Store facts beside the shipped data, each once; how many were new, and the terms that they change.

    Raises MunicipalityMissing, SeveralMunicipalities, CalendarOutOfRange for a day that the calendar does not know (it
    is refused before it is stored, not on every later reading), and the store's own errors.
    """
    from calendars.fact_documents import fact_to_document
    from procedure.services.recount import Wish
    from procedure.store.engine import session_scope
    from procedure.store.outdated import TermsArchive
    from procedure.store.recounting import tell
    from procedure.store.supplied import import_facts

    with database(args) as scope:
        municipality = scope.one()
        if municipality is None:
            raise MunicipalityMissing()
        calendar_of_municipality(municipality).with_facts(facts)
        documents = [fact_to_document(fact) for fact in facts]
        recorded_at = now().isoformat(timespec="seconds")
        with session_scope(scope.engine) as session:
            name = Path(args.file).name
            stored = import_facts(session, municipality, documents, name, recorded_at=recorded_at)
            report = tell(TermsArchive(session), municipality, Wish(False, now()))
            if args.dry_run:
                session.rollback()
            return stored, report


def fact_row(fact: Fact) -> dict[str, Any]:
    """A fact as the output shows it."""
    if isinstance(fact, DayFact):
        return day_row(fact)
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
