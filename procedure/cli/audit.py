"""``posturas audit``: who forgave or erased what, with which second person and on what ground."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from procedure.cli import output
from procedure.cli.scope import add_municipality, database

if TYPE_CHECKING:
    from datetime import date


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``posturas audit``."""
    add_municipality(parser)
    parser.add_argument("--from", dest="first", metavar="DATA", help="só os atos desta data em diante")
    parser.add_argument("--until", dest="last", metavar="DATA", help="só os atos até esta data")


def run(args: argparse.Namespace) -> int:
    """List them. 0 done, 2 bad input or database."""
    from procedure.services.auditing import audit
    from procedure.store.archive import reading

    first, last = _day(args.first, "--from"), _day(args.last, "--until")
    with database(args) as scope:
        municipality = scope.one()
        with reading(scope.engine) as archive:
            doc = audit(archive, municipality or "", first=first, last=last)
    if args.json:
        output.document(doc)
    else:
        output.text("\n".join(describe(doc)))
    return 0


def _day(text: str | None, option: str) -> date | None:
    from procedure.domain.moment import Moment, zone

    return Moment.parse(text, zone("UTC"), field=option).day if text else None


def describe(doc: Mapping[str, Any]) -> Iterator[str]:
    """The same for people."""
    from procedure.cli.plain import amount_br, day_br
    from procedure.domain.labels import act_label, ground_label
    from procedure.domain.vocabulary import Act

    if not doc["acts"]:
        yield "Nenhum ato que perdoe ou apague."
        return
    for item in doc["acts"]:
        of_what, money = item["annulled"], amount_br(item["amount"])
        what = f" de “{act_label(of_what['act'])}” (ato {of_what['seq']})" if of_what else ""
        what = what or (" de todo o auto" if item["act"] == Act.ANULACAO else "")
        fell = "" if item["stands"] else " (desfeito: não se soma)"
        yield f"{day_br(item['date'])}  auto {item['auto']}: {act_label(item['act'])}{what}, {money}{fell}"
        ground = ground_label(item["ground"] or "sem fundamento")
        yield f"    {item['actor']} e {item['second_person'] or 'ninguém'}; {ground}"
    for title, name in (("Por pessoa", "by_person"), ("Por fundamento", "by_ground")):
        yield f"{title}:"
        yield from (f"    {ground_label(i['name'])}: {i['acts']} ato(s), {amount_br(i['amount'])}" for i in doc[name])
    yield f"Total: {amount_br(doc['total'])}"
