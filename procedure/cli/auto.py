"""``posturas auto``: shows a case, lists cases, records an act."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from procedure.cli import auto_pictures, auto_replay, document, output
from procedure.cli.scope import Scope, add_municipality, database, day_of, now, position_in

if TYPE_CHECKING:
    from procedure.services.listing import Filter

ACTIONS = ("show", "list", "timeline", "ics", "act", "document", "replay")
ACTIONS_HELP = (
    "show AUTO mostra o processo; list lista os autos; timeline AUTO conta-o dia a dia (--html ARQUIVO: uma página); "
    "ics AUTO --out ARQUIVO.ics leva os prazos em aberto a uma agenda; act ARQUIVO (ou - para a entrada padrão) "
    "registra um ato, ou act --act ATO --auto AUTO campo=valor…; document AUTO --kind TIPO --out ARQUIVO.pdf imprime "
    "um documento; replay [AUTO…] --rulebook ARQUIVO diz como o processo (ou todos) teria corrido sob outro texto da "
    "lei, sem gravar"
)
USAGE = """posturas auto show AUTO [--history] [--as-of DATA] [--known-at QUANDO]
     posturas auto list [--state ESTADO] [--due-within 15d | --due-until DATA] [--as-of DATA] [--known-at QUANDO]
                        [--pending TAREFA] [--unmask]
     posturas auto timeline AUTO [--html ARQUIVO.html]
     posturas auto ics AUTO --out ARQUIVO.ics
     posturas auto act ARQUIVO|- [--dry-run]
     posturas auto act --act ATO --auto AUTO --date DATA --actor QUEM --role QUALIDADE [campo=valor …]
     posturas auto document AUTO --kind TIPO --out ARQUIVO.pdf [--format pdf|json]
     posturas auto document AUTO --kind todos --out PASTA
     posturas auto replay [AUTO …] --rulebook ARQUIVO.toml [--as-of DATA]"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``posturas auto``."""
    parser.usage = USAGE  # set here since parse_intermixed_args would cut it out of an English one
    # Fields may stand after the options: ``auto act --act defesa --auto 17/2013 by.name=…``.
    parser.parse_args = parser.parse_intermixed_args  # type: ignore[method-assign]  # argparse offers no setting for it
    parser.add_argument("action", choices=ACTIONS, metavar="|".join(ACTIONS), help=ACTIONS_HELP)
    parser.add_argument("targets", nargs="*", metavar="AUTO | ARQUIVO | campo=valor", help="o que a ação pede")
    add_municipality(parser)
    parser.add_argument("--unmask", action="store_true", help="list: mostra o CPF inteiro (o show sempre mostra)")
    parser.add_argument("--history", action="store_true", help="show: também os prazos desfeitos ou substituídos")
    parser.add_argument("--html", metavar="ARQUIVO", help="timeline: escreve a página neste arquivo")
    parser.add_argument("--state", action="append", metavar="ESTADO", help="list: só nestes estados (pode repetir)")
    parser.add_argument("--due-within", metavar="15d", help="list: com prazo a vencer nos próximos dias, desde --as-of")
    parser.add_argument("--due-until", metavar="DATA", help="list: com prazo a vencer até esta data")
    as_of = "show, list: como estava em direito nesta data, concluído o que já acabara; com prazo a vencer, desde ela"
    parser.add_argument("--as-of", metavar="DATA", help=as_of)
    parser.add_argument("--rulebook", metavar="ARQUIVO", help="replay: o outro texto da lei (TOML)")
    known_at = "show, list: só o que estava lançado até este momento (uma data vale inteira)"
    parser.add_argument("--known-at", metavar="QUANDO", help=known_at)
    for name, text in ACT_OPTIONS.items():
        parser.add_argument(f"--{name}", metavar=name.upper(), help=f"act: {text}")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="campo=valor",
        help="act: um campo do ato, como infrator.name=…; repita para listas",
    )
    parser.add_argument("--dry-run", action="store_true", help="act: diz o que faria e o que desfaria, sem gravar nada")
    parser.add_argument("--pending", metavar="TAREFA", help="list: só os que esperam isto, como recalcular_multa")
    document.add_options(parser)


ACT_OPTIONS = {
    "act": "o ato",
    "auto": "o número do auto",
    "date": "a data do ato, AAAA-MM-DD ou AAAA-MM-DDTHH:MM",
    "actor": "quem o praticou",
    "role": "em que qualidade",
    "office": "a repartição",
    "key": "a chave de idempotência",
    "law": "a lei, quando o município tem mais de uma",
}


def run(args: argparse.Namespace) -> int:
    """Run the action asked for."""
    own = {"document": document.run, "replay": auto_replay.run}
    pictures = {"timeline": auto_pictures.timeline, "ics": auto_pictures.ics}
    actions = {"show": _show, "list": _list, "act": _act, **own, **pictures}
    return actions[args.action](args)


def _usage(message: str) -> Exception:
    from procedure.cli.main import UsageError

    return UsageError(message, remedy="Veja: posturas auto --help")


def _show(args: argparse.Namespace) -> int:
    from procedure.cli.auto_text import describe
    from procedure.services.as_of import looking_back
    from procedure.services.showing import show_case
    from procedure.store.archive import reading

    if len(args.targets) != 1:
        raise _usage("diga um auto: posturas auto show AUTO.")
    with database(args) as scope:
        municipality = scope.one()
        with reading(scope.engine) as archive:
            position = position_in(args, municipality)
            repo = looking_back(archive, position)
            doc = show_case(repo, municipality, args.targets[0], history=args.history)
            doc.update(as_of=args.as_of, known_at=args.known_at)
    if args.json:
        output.document(doc)
    else:
        output.text(describe(doc))
    return 0


def _list(args: argparse.Namespace) -> int:
    from procedure.services.as_of import looking_back
    from procedure.services.listing import list_autos
    from procedure.store.archive import reading

    if args.targets:
        raise _usage("posturas auto list não recebe argumento.")
    with database(args) as scope:
        chosen = _filter(args, scope)
        municipality = scope.one()
        lines: list[dict[str, Any]] = []
        if municipality is not None:
            with reading(scope.engine) as archive:
                repo = looking_back(archive, position_in(args, municipality))
                lines = list_autos(repo, municipality, chosen, unmask=args.unmask, pending=args.pending)
    if args.json:
        output.document(lines)
    else:
        output.text(_table(lines))
    return 0


def _filter(args: argparse.Namespace, scope: Scope) -> Filter:
    from procedure.services.listing import Filter

    states = tuple(_state(name) for name in args.state or ())
    if args.due_within and args.due_until:
        raise _usage("diga --due-within ou --due-until, não os dois.")
    as_of = day_of(args.as_of, "--as-of") if args.as_of else None
    if args.due_until:
        return Filter(states, as_of, day_of(args.due_until, "--due-until"))
    if args.due_within:
        start = as_of or _today(scope)
        return Filter(states, start, start + timedelta(days=_days(args.due_within)))
    return Filter(states)


def _state(name: str) -> str:
    from procedure.domain.vocabulary import State

    if name not in list(State):
        raise _usage(f"não há o estado “{name[:40]}”; os estados são: {', '.join(State)}.")
    return name


def _days(text: str) -> int:
    from calendars import Term, TermUnit

    term = Term.parse(text)
    if term.unit is not TermUnit.DAYS:
        raise _usage("--due-within é em dias, como 15d.")
    return term.amount


def _today(scope: Scope) -> date:
    """Today in the municipality's zone."""
    from procedure.services.context import zone_of

    municipality = scope.one()
    return now().astimezone(zone_of(municipality)).date() if municipality else now().date()


def _table(lines: Sequence[dict[str, Any]]) -> str:
    from procedure.cli.plain import amount_br, article_br, day_br, doc_br
    from procedure.domain.labels import deadline_label, state_label

    if not lines:
        return "Nenhum auto."
    shown = []
    for line in lines:
        coming = line["next_deadline"]
        due = f"{deadline_label(coming['kind'])}: {day_br(coming['due'])}" if coming else "—"
        doc = line.get("doc") or line["doc_masked"]
        person = " ".join(filter(None, (line["infrator"], doc_br(doc) if doc else None))) or "dados apagados"
        articles = ", ".join(article_br(a) for a in line["articles"])
        shown.append((line["auto"], state_label(line["state"]), due, amount_br(line["saldo"]), articles, person))
    widths = [max(len(row[i]) for row in shown) for i in range(5)]
    rows = ("  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[5]]) for row in shown)
    return "\n".join([*rows, f"{len(shown)} auto(s)."])


def _act(args: argparse.Namespace) -> int:
    from procedure.cli.auto_act import act_of, describe, record

    with database(args) as scope:
        data = act_of(args, scope)
        doc = record(scope, data, now(), rehearse=args.dry_run)
    if args.json:
        output.document(doc)
    else:
        output.text(describe(doc))
    return 0
