"""``posturas rulebook``: the laws as encoded, their check and picture, and what the municipality supplies to them.

What who encodes a law does beside that (``new``, ``diff``, ``test``, ``schema``) is in ``rulebook_author``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from legalbasis import InputError
from procedure.cli import output, rulebook_migrate
from procedure.cli.actions import add_action
from procedure.cli.rulebook_author import AUTHOR_ACTIONS, add_author_actions, read_text, write_text
from procedure.cli.scope import now

if TYPE_CHECKING:
    from procedure.domain.rulebook_check import CheckReport

ADDS_RULEBOOKS = True  # the laws of --rulebooks are added here: a defect in one must not keep `check` from telling it
_LAW = "a lei, como es-3204708/lei-1522-2005"
_ACT = "o ato que o diz, como “Decreto 12/2013”"


class TrackUnknown(InputError):
    """A lei não tem esta trilha."""

    code = "trilha_desconhecida"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-commands of ``posturas rulebook``."""
    actions = _actions(parser, "action")
    add_action(actions, "list", "lista as leis codificadas")
    show = add_action(actions, "show", "mostra uma lei: vigência, chaves, linhas, prazos, competências e infrações")
    show.add_argument("--law", metavar="LEI", required=True, help=_LAW)
    show.add_argument(
        "--article", metavar="ARTIGO", help="só este dispositivo: o que pune, desde quando, ou por que não"
    )
    check = add_action(actions, "check", "prova a lei e lista os seus silêncios; código 1 se há defeitos")
    check.add_argument(
        "file", nargs="?", metavar="ARQUIVO", help="um arquivo TOML, ou uma pasta deles (senão, as leis codificadas)"
    )
    check.add_argument("--law", metavar="LEI", help=_LAW)
    diagram = add_action(actions, "diagram", "desenha os estados e os atos da lei, de uma trilha por vez")
    diagram.add_argument("--law", metavar="LEI", required=True, help=_LAW)
    diagram.add_argument(
        "--track",
        metavar="TRILHA",
        default="principal",
        help="principal (padrão), obrigacao, apreensao, licenca ou registro",
    )
    diagram.add_argument("--format", choices=("mermaid", "svg"), default="mermaid", help="mermaid (padrão) ou svg")
    diagram.add_argument("--out", metavar="ARQUIVO", help="grava no arquivo em vez de imprimir")
    text = "passa os processos a um novo texto da lei, dizendo em cada um o que muda e por quê"
    rulebook_migrate.add_options(add_action(actions, "migrate", text), _LAW)
    add_author_actions(actions)
    _add_supplies(actions)


def _add_supplies(actions: Any) -> None:
    unit = _actions(add_action(actions, "unit", "valores das unidades fiscais, que o município informa"), "what")
    put = add_action(unit, "set", "guarda o valor de uma unidade a partir de um dia")
    put.add_argument("--unit", metavar="UNIDADE", required=True, help="a unidade, como VRSGP")
    put.add_argument("--from", dest="start", metavar="DATA", required=True, help="o primeiro dia do valor")
    put.add_argument("--value", metavar="VALOR", required=True, help="quantos reais vale")
    listed = add_action(unit, "list", "lista as unidades da lei e os valores guardados")
    start = add_action(actions, "set-start", "guarda o primeiro dia em que a lei vigorou, se ela não o diz")
    start.add_argument("--date", metavar="DATA", required=True, help="o primeiro dia da vigência")
    end = add_action(actions, "set-end", "guarda o primeiro dia em que a lei já não vigorava")
    end.add_argument("--date", metavar="DATA", required=True, help="o primeiro dia fora da vigência")
    option = _actions(add_action(actions, "option", "leituras da lei e dados da dívida ativa"), "what")
    choose = add_action(option, "set", "guarda uma leitura da lei ou um dado da dívida ativa")
    choose.add_argument("--option", metavar="NOME", required=True, help="a chave de leitura ou o dado")
    choose.add_argument("--value", metavar="VALOR", required=True, help="o valor")
    for action in (put, listed, start, end, choose):
        action.add_argument("--law", metavar="LEI", required=True, help=_LAW)
    for action in (put, start, end, choose):
        action.add_argument("--act", metavar="ATO", required=True, help=_ACT)


def _actions(parser: argparse.ArgumentParser, name: str) -> Any:
    return parser.add_subparsers(dest=name, required=True, metavar="AÇÃO", title="ações", prog=parser.prog)


def run(args: argparse.Namespace) -> int:
    """Run the action asked for; raises PosturasError on bad input."""
    name = f"{args.action} {args.what}" if args.action in ("unit", "option") else args.action
    if args.rulebooks and args.action not in _READ_FILES:
        from procedure.domain.rulebooks import add_rulebooks

        add_rulebooks(args.rulebooks)
    return _RUN[name](args)


def _list(args: argparse.Namespace) -> int:
    from procedure.cli.rulebook_text import law_line
    from procedure.domain.rulebooks import known_laws, rulebook_of
    from procedure.services.law_document import law_row

    books = [rulebook_of(law) for law in known_laws()]
    if args.json:
        output.document([law_row(book) for book in books])
    else:
        output.text("\n".join(law_line(book) for book in books))
    return 0


def _show(args: argparse.Namespace) -> int:
    from procedure.cli import rulebook_text
    from procedure.domain.rulebooks import rulebook_of
    from procedure.services.law_document import law_document, provision_document

    book = rulebook_of(args.law)
    if args.article is not None:
        found = provision_document(book, args.article)
        if args.json:
            output.document(found)
        else:
            output.text(rulebook_text.describe_provision(book, found))
    else:
        from procedure.cli.multa import supplied

        data = supplied(args.db, book.id)
        if args.json:
            output.document(law_document(book, data))
        else:
            output.text(rulebook_text.describe_law(book, data))
    return 0


def _check(args: argparse.Namespace) -> int:
    from procedure.cli.rulebook_check_text import check_document, describe_check

    reports = [_checked(text, place) for text, place in _texts(args)]
    if args.json:
        output.document([check_document(report) for report in reports])
    else:
        output.text("\n\n".join(describe_check(report) for report in reports))
    return 1 if any(report.defects for report in reports) else 0


def _checked(text: str, place: str) -> CheckReport:
    from procedure.domain.rulebook_check import check_rulebook

    return check_rulebook(text, file=place, in_place=True)


def _texts(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The texts to check, with their places: the file or folder named, else the law named, else all that are known."""
    from procedure.domain.rulebook_check import shipped_text
    from procedure.domain.rulebook_reader import shipped_laws
    from procedure.domain.rulebooks import law_files

    if args.file is not None:
        if args.law is not None:
            from procedure.cli.main import UsageError

            raise UsageError("diga --law ou o arquivo, não os dois.", remedy="Veja: posturas rulebook check --help")
        path = Path(args.file)
        yield from ((read_text(p), str(p)) for p in (law_files(path) if path.is_dir() else [path]))
        return
    added = law_files(Path(args.rulebooks)) if args.rulebooks else []
    mine = {f"{p.parent.name}/{p.stem}": p for p in added}
    for law in [args.law] if args.law is not None else [*shipped_laws(), *mine]:
        if law in mine:
            yield read_text(mine[law]), str(mine[law])
        else:
            yield shipped_text(law), f"procedure/rulebooks/{law}.toml"


def _diagram(args: argparse.Namespace) -> int:
    from procedure.domain.diagram import mermaid, svg, tracks_of
    from procedure.domain.rulebooks import rulebook_of

    book = rulebook_of(args.law)
    if args.track not in tracks_of(book):
        raise TrackUnknown(
            f"a {book.norm} não tem a trilha “{args.track}”.",
            field="track",
            remedy=f"Tem: {', '.join(tracks_of(book))}.",
        )
    drawn = (svg if args.format == "svg" else mermaid)(book, args.track)
    if args.out is not None:
        write_text(Path(args.out), drawn)
    if args.json:
        drawing = {"format": args.format, "file": args.out, "diagram": drawn}
        output.document({"law": args.law, "track": args.track, **drawing})
    else:
        output.text(f"Diagrama gravado em {args.out}." if args.out is not None else drawn.rstrip("\n"))
    return 0


@contextmanager
def _session(args: argparse.Namespace, *, read_only: bool = False) -> Iterator[Any]:
    from procedure.store.engine import open_engine, session_scope
    from procedure.store.schema import require_schema

    engine = open_engine(args.db)
    try:
        require_schema(engine)
        with session_scope(engine, read_only=read_only) as session:
            yield session
    finally:
        engine.dispose()


def _unit_set(args: argparse.Namespace) -> int:
    from calendars.term import parse_day
    from penalties.money import money_br
    from procedure.cli.multa import rate
    from procedure.store.host import supply_unit_value

    start, value = parse_day(args.start, field="from"), rate(args.value, field="value")
    with _session(args) as session:
        new = supply_unit_value(session, args.law, args.unit, start=start, value=value, act=args.act, recorded_at=now())
    kept = {"law": args.law, "unit": args.unit, "from": start.isoformat(), "value": format(value, "f"), "act": args.act}
    return _said(args, new, kept, f"{args.unit} = {money_br(value)} desde {start:%d/%m/%Y} ({args.act})")


def _set_start(args: argparse.Namespace) -> int:
    from calendars.term import parse_day
    from procedure.store.host import supply_law_start

    day = parse_day(args.date, field="date")
    with _session(args) as session:
        new = supply_law_start(session, args.law, day=day, act=args.act, recorded_at=now())
    kept = {"law": args.law, "date": day.isoformat(), "act": args.act}
    return _said(args, new, kept, f"{args.law} vigora desde {day:%d/%m/%Y} ({args.act})")


def _set_end(args: argparse.Namespace) -> int:
    from calendars.term import parse_day
    from procedure.store.host import supply_law_end

    day = parse_day(args.date, field="date")
    with _session(args) as session:
        new = supply_law_end(session, args.law, day=day, act=args.act, recorded_at=now())
    kept = {"law": args.law, "date": day.isoformat(), "act": args.act}
    return _said(args, new, kept, f"{args.law} não vigora desde {day:%d/%m/%Y} ({args.act})")


def _option_set(args: argparse.Namespace) -> int:
    from procedure.store.host import supply_option

    with _session(args) as session:
        new = supply_option(session, args.law, args.option, args.value, act=args.act, recorded_at=now())
    kept = {"law": args.law, "option": args.option, "value": args.value.strip(), "act": args.act}
    return _said(args, new, kept, f"{args.option} = {args.value.strip()} ({args.act})")


def _said(args: argparse.Namespace, new: bool, kept: dict[str, str], text: str) -> int:
    if args.json:
        output.document({**kept, "changed": new})
    else:
        output.text(f"Guardado: {text}." if new else f"Já constava: {text}.")
    return 0


def _unit_list(args: argparse.Namespace) -> int:
    from procedure.cli.multa import supplied
    from procedure.cli.rulebook_text import describe_units, units_document
    from procedure.domain.rulebooks import rulebook_of

    book = rulebook_of(args.law)
    rows = units_document(book, supplied(args.db, book.id))
    if args.json:
        output.document(rows)
    else:
        output.text(describe_units(book, rows))
    return 0


_READ_FILES = ("check", "new", "diff", "test", "schema")  # these add what they need, and only that
_RUN: dict[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "show": _show,
    "check": _check,
    "diagram": _diagram,
    "migrate": rulebook_migrate.run,
    **AUTHOR_ACTIONS,
    "set-start": _set_start,
    "set-end": _set_end,
    "unit set": _unit_set,
    "unit list": _unit_list,
    "option set": _option_set,
}
