"""``posturas rulebook``: the laws as encoded, their check and picture, and what the municipality supplies to them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from legalbasis import InputError
from procedure.cli import output
from procedure.cli.scope import now

if TYPE_CHECKING:
    from procedure.domain.rulebook_check import CheckReport

_LAW = "a lei, como es-3204708/lei-1522-2005"
_ACT = "o ato que o diz, como “Decreto 12/2013”"


class FileInaccessible(InputError):
    """Não foi possível ler ou gravar o arquivo."""

    code = "arquivo_inacessivel"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-commands of ``posturas rulebook``."""
    actions = _actions(parser, "action")
    _action(actions, "list", "lista as leis codificadas")
    show = _action(actions, "show", "mostra uma lei: vigência, chaves, linhas, prazos, competências e infrações")
    show.add_argument("--law", metavar="LEI", required=True, help=_LAW)
    show.add_argument(
        "--article", metavar="ARTIGO", help="só este dispositivo: o que pune, desde quando, ou por que não"
    )
    check = _action(actions, "check", "prova a lei e lista os seus silêncios; código 1 se há defeitos")
    check.add_argument("file", nargs="?", metavar="ARQUIVO", help="um arquivo TOML (senão, as leis codificadas)")
    check.add_argument("--law", metavar="LEI", help=_LAW)
    diagram = _action(actions, "diagram", "desenha os estados e os atos da lei")
    diagram.add_argument("--law", metavar="LEI", required=True, help=_LAW)
    diagram.add_argument("--format", choices=("mermaid", "svg"), default="mermaid", help="mermaid (padrão) ou svg")
    diagram.add_argument("--out", metavar="ARQUIVO", help="grava no arquivo em vez de imprimir")
    _add_supplies(actions)


def _add_supplies(actions: Any) -> None:
    unit = _actions(_action(actions, "unit", "valores das unidades fiscais, que o município informa"), "what")
    put = _action(unit, "set", "guarda o valor de uma unidade a partir de um dia")
    put.add_argument("--unit", metavar="UNIDADE", required=True, help="a unidade, como VRSGP")
    put.add_argument("--from", dest="start", metavar="DATA", required=True, help="o primeiro dia do valor")
    put.add_argument("--value", metavar="VALOR", required=True, help="quantos reais vale")
    listed = _action(unit, "list", "lista as unidades da lei e os valores guardados")
    end = _action(actions, "set-end", "guarda o primeiro dia em que a lei já não vigorava")
    end.add_argument("--date", metavar="DATA", required=True, help="o primeiro dia fora da vigência")
    option = _actions(_action(actions, "option", "leituras da lei e dados da dívida ativa"), "what")
    choose = _action(option, "set", "guarda uma leitura da lei ou um dado da dívida ativa")
    choose.add_argument("--option", metavar="NOME", required=True, help="a chave de leitura ou o dado")
    choose.add_argument("--value", metavar="VALOR", required=True, help="o valor")
    for action in (put, listed, end, choose):
        action.add_argument("--law", metavar="LEI", required=True, help=_LAW)
    for action in (put, end, choose):
        action.add_argument("--act", metavar="ATO", required=True, help=_ACT)


def _actions(parser: argparse.ArgumentParser, name: str) -> Any:
    return parser.add_subparsers(dest=name, required=True, metavar="AÇÃO", title="ações", prog=parser.prog)


def _action(actions: Any, name: str, text: str) -> argparse.ArgumentParser:
    action: argparse.ArgumentParser = actions.add_parser(name, add_help=False, help=text, description=text)
    action._positionals.title, action._optionals.title = "argumentos", "opções"
    action.add_argument("-h", "--help", action="help", help="mostra esta ajuda")
    # SUPPRESS: the option may come before or after the action without the latter undoing the former.
    action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="um documento JSON")
    action.add_argument("--db", metavar="URL", default=argparse.SUPPRESS, help="banco de dados (ou POSTURAS_DB)")
    return action


def run(args: argparse.Namespace) -> int:
    """Run the action asked for; raises PosturasError on bad input."""
    name = f"{args.action} {args.what}" if args.action in ("unit", "option") else args.action
    return _RUN[name](args)


def _list(args: argparse.Namespace) -> int:
    from procedure.cli.rulebook_text import law_line, law_row
    from procedure.domain.rulebook_reader import shipped_laws, shipped_rulebook

    books = [shipped_rulebook(law) for law in shipped_laws()]
    if args.json:
        output.document([law_row(book) for book in books])
    else:
        output.text("\n".join(law_line(book) for book in books))
    return 0


def _show(args: argparse.Namespace) -> int:
    from procedure.cli import rulebook_text
    from procedure.domain.rulebook_reader import shipped_rulebook

    book = shipped_rulebook(args.law)
    if args.article is not None:
        found = rulebook_text.provision_document(book, args.article)
        if args.json:
            output.document(found)
        else:
            output.text(rulebook_text.describe_provision(book, found))
    elif args.json:
        output.document(rulebook_text.law_document(book))
    else:
        output.text(rulebook_text.describe_law(book))
    return 0


def _check(args: argparse.Namespace) -> int:
    from procedure.cli.rulebook_text import check_document, describe_check

    reports = [_checked(text, place) for text, place in _texts(args)]
    if args.json:
        output.document([check_document(report) for report in reports])
    else:
        output.text("\n\n".join(describe_check(report) for report in reports))
    return 1 if any(report.defects for report in reports) else 0


def _checked(text: str, place: str) -> CheckReport:
    from procedure.domain.rulebook_check import check_rulebook

    return check_rulebook(text, file=place)


def _texts(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    from procedure.domain.rulebook_check import shipped_text
    from procedure.domain.rulebook_reader import shipped_laws

    if args.file is not None:
        if args.law is not None:
            from procedure.cli.main import UsageError

            raise UsageError("diga --law ou o arquivo, não os dois.", remedy="Veja: posturas rulebook check --help")
        yield _read(Path(args.file)), args.file
        return
    for law in (args.law,) if args.law is not None else shipped_laws():
        yield shipped_text(law), f"procedure/rulebooks/{law}.toml"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileInaccessible(f"não foi possível ler o arquivo: {error.strerror}.", place=str(path)) from error
    except UnicodeDecodeError as error:
        raise FileInaccessible("o arquivo não está em UTF-8.", place=str(path), remedy="Grave-o em UTF-8.") from error


def _diagram(args: argparse.Namespace) -> int:
    from procedure.domain.diagram import mermaid, svg
    from procedure.domain.rulebook_reader import shipped_rulebook

    drawn = (svg if args.format == "svg" else mermaid)(shipped_rulebook(args.law))
    if args.out is not None:
        try:
            Path(args.out).write_text(drawn, encoding="utf-8")
        except OSError as error:
            raise FileInaccessible(f"não foi possível gravar: {error.strerror}.", place=args.out) from error
    if args.json:
        output.document({"law": args.law, "format": args.format, "file": args.out, "diagram": drawn})
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
    from procedure.domain.rulebook_reader import shipped_rulebook

    book = shipped_rulebook(args.law)
    rows = units_document(book, supplied(args.db, book.id))
    if args.json:
        output.document(rows)
    else:
        output.text(describe_units(book, rows))
    return 0


_RUN: dict[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "show": _show,
    "check": _check,
    "diagram": _diagram,
    "set-end": _set_end,
    "unit set": _unit_set,
    "unit list": _unit_list,
    "option set": _option_set,
}
