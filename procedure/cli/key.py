"""``posturas key create|list|revoke|audit``: who may ask over HTTP, and what personal data each was shown."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from legalbasis import InputError
from procedure.cli import output
from procedure.cli.actions import add_action
from procedure.cli.scope import add_municipality, database, day_of, now
from procedure.domain.key_roles import READING, SWEEPING, UNMASKING, WORDS

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from procedure.store.access import Key

LISTED = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-commands of ``posturas key``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="AÇÃO", title="ações", prog=parser.prog)
    made = add_action(actions, "create", "faz uma chave e a mostra: é a única vez, o banco só guarda o seu hash")
    made.add_argument(
        "--municipality", metavar="IBGE", action="append", required=True, help="o município da chave (pode repetir)"
    )
    text = (
        f"o que a chave pode: os papéis em que registra atos; {READING} para só ler; {UNMASKING} para ver inteiros "
        f"documentos, nomes e endereços; {SWEEPING} para a varredura. Há: {', '.join(WORDS)}"
    )
    made.add_argument("--role", metavar="PAPEL[,PAPEL]", action="append", required=True, help=text)
    made.add_argument("--name", metavar="TEXTO", required=True, help="de que sistema ou repartição é")
    made.add_argument("--expires", metavar="DATA", help="o último dia em que vale; sem isto, vale até ser revogada")
    add_municipality(add_action(actions, "list", "lista as chaves, sem o segredo"))
    ended = add_action(actions, "revoke", "revoga a chave: o pedido seguinte já é recusado")
    ended.add_argument("id", metavar="ID", help="o que vem entre psk_ e o segredo; key list o mostra")
    _add_audit(add_action(actions, "audit", "diz que chave viu dados pessoais de que auto, e quando"))


def _add_audit(parser: argparse.ArgumentParser) -> None:
    add_municipality(parser)
    parser.add_argument("--from", dest="first", metavar="DATA", help="só as leituras desta data em diante")
    parser.add_argument("--until", dest="last", metavar="DATA", help="só as leituras até esta data")
    parser.add_argument("--number", metavar="NÚMERO", help="só as deste auto ou desta inscrição")
    parser.add_argument("--key", metavar="ID", help="só as desta chave")
    parser.add_argument(
        "--limit", metavar="N", type=int, default=LISTED, help="as últimas N, da mais nova à mais velha (%(default)s)"
    )
    parser.add_argument(
        "--prune-before", metavar="DATA", help="em vez de listar, apaga as anteriores à data: o prazo de guarda acabou"
    )


def run(args: argparse.Namespace) -> int:
    """Run the action asked for. Raises PosturasError."""
    actions = {"create": _create, "list": _list, "revoke": _revoke, "audit": _audit}
    return actions[args.action](args)


@contextmanager
def _opened(args: argparse.Namespace) -> Iterator[Any]:
    from procedure.store.engine import open_engine
    from procedure.store.schema import require_schema

    engine = open_engine(args.db)
    try:
        require_schema(engine)
        yield engine
    finally:
        engine.dispose()


def _create(args: argparse.Namespace) -> int:
    from procedure.domain.act_input import municipality_code
    from procedure.services.context import laws_of, zone_of
    from procedure.store.access import create_key
    from procedure.store.engine import session_scope

    places = [municipality_code(place) for place in args.municipality]
    for place in places:
        laws_of(place)
    expires = _after(day_of(args.expires, "--expires"), zone_of(places[0])) if args.expires else None
    with _opened(args) as engine, session_scope(engine) as session:
        key, token = create_key(
            session.connection(),
            name=args.name,
            municipalities=places,
            roles=",".join(args.role).split(","),
            created_at=now(),
            expires_at=expires,
        )
    if args.json:
        output.document({**key.to_dict(), "token": token})
        return 0
    output.text(token)
    output.message(f"Chave {key.key_id} ({key.name}): guarde-a agora, ela não será mostrada de novo.")
    return 0


def _after(day: date, zone: ZoneInfo) -> datetime:
    """The first instant after a day there. Raises InputError where the calendar ends."""
    try:
        return datetime.combine(day + timedelta(days=1), datetime.min.time(), zone)
    except OverflowError as error:
        raise InputError("a data não cabe no calendário.", code="data_invalida", field="date") from error


def _list(args: argparse.Namespace) -> int:
    from procedure.domain.act_input import municipality_code
    from procedure.store.access import list_keys
    from procedure.store.engine import session_scope

    place = municipality_code(args.municipality) if args.municipality is not None else None
    with _opened(args) as engine, session_scope(engine, read_only=True) as session:
        found = list_keys(session.connection(), place)
    if args.json:
        output.document([key.to_dict() for key in found])
    else:
        output.text("\n".join(map(_line, found)) or "Nenhuma chave.")
    return 0


def _line(key: Key) -> str:
    if key.revoked_at:
        end = f"revogada em {_day_br(key, key.revoked_at)}"
    elif key.expires_at:
        end = f"vale até {_day_br(key, key.expires_at, back=1)}"
    else:
        end = "vale até ser revogada"
    return f"{key.key_id}  {key.name}: {', '.join(key.roles)}; {', '.join(key.municipalities)}; {end}"


def _day_br(key: Key, instant: str, *, back: int = 0) -> str:
    """The day of an instant, less some seconds, where the key's first municipality is."""
    from procedure.services.context import zone_of

    moment = datetime.fromisoformat(instant) - timedelta(seconds=back)
    try:
        return f"{moment.astimezone(zone_of(key.municipalities[0])):%d/%m/%Y}"
    except InputError:  # its law came from --rulebooks, which this call does not give
        return f"{moment:%d/%m/%Y}"


def _revoke(args: argparse.Namespace) -> int:
    from procedure.store.access import revoke_key
    from procedure.store.engine import session_scope

    with _opened(args) as engine, session_scope(engine) as session:
        key = revoke_key(session.connection(), args.id, now())
    if args.json:
        output.document(key.to_dict())
    else:
        output.text(f"Chave {key.key_id} ({key.name}) revogada.")
    return 0


def _audit(args: argparse.Namespace) -> int:
    from procedure.services.context import zone_of
    from procedure.store.access import list_reads, prune_reads
    from procedure.store.engine import session_scope

    if not 1 <= args.limit <= 1_000_000:
        raise InputError("--limit vai de 1 a 1000000.", code="limite_invalido", field="limit")
    with database(args) as scope:
        place = scope.one()
        if place is None:
            from procedure.cli.main import UsageError

            raise UsageError("o banco ainda não guarda nenhum município: diga --municipality IBGE.")
        zone = zone_of(place)
        if args.prune_before:
            _require_no_filter(args)
            start = datetime.combine(day_of(args.prune_before, "--prune-before"), datetime.min.time(), zone)
            if start > now() + timedelta(days=1):  # tomorrow says “today's too”; a year mistyped would empty the record
                raise InputError("--prune-before é um dia ainda por vir.", code="data_invalida", field="prune_before")
            with session_scope(scope.engine) as session:
                gone = prune_reads(session.connection(), place, start)
            return _tell_pruned(args, place, gone)
        first = day_of(args.first, "--from") if args.first else None
        last = day_of(args.last, "--until") if args.last else None
        with session_scope(scope.engine, read_only=True) as session:
            found = list_reads(
                session.connection(),
                place,
                first=datetime.combine(first, datetime.min.time(), zone) if first else None,
                before=_after(last, zone) if last else None,
                number=args.number,
                key_id=args.key,
                limit=args.limit,
            )
    return _tell_reads(args, place, found, zone)


def _require_no_filter(args: argparse.Namespace) -> None:
    """What chooses the reads to list would seem to choose those to delete, which are all."""
    from procedure.cli.main import UsageError

    if any(value is not None for value in (args.first, args.last, args.number, args.key)):
        raise UsageError(
            "--prune-before apaga as leituras de todas as chaves e de todos os autos: não vai com --from, --until, "
            "--number ou --key.",
            remedy="Tire-os, ou tire --prune-before para listar.",
        )


def _tell_pruned(args: argparse.Namespace, place: str, gone: int) -> int:
    if args.json:
        output.document({"municipality": place, "deleted": gone})
    else:
        output.text(f"Apagados {gone} registros de leitura do município {place}.")
    return 0


def _tell_reads(args: argparse.Namespace, place: str, found: Sequence[dict[str, Any]], zone: ZoneInfo) -> int:
    if args.json:
        output.document({"municipality": place, "reads": list(found)})
        return 0
    lines = []
    for item in found:
        at = datetime.fromisoformat(item["at"]).astimezone(zone)
        lines.append(f"{at:%d/%m/%Y %H:%M:%S}  chave {item['key']}: {item['what']} {item['number']}")
    output.text("\n".join(lines) or "Nenhuma leitura de dados pessoais.")
    return 0
