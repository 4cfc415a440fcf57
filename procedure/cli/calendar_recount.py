"""``posturas calendar recompute``, and what ``calendar import`` tells of the terms that its days change."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from procedure.cli import output
from procedure.cli.plain import day_br
from procedure.cli.progress import progress
from procedure.cli.scope import Scope, add_municipality, database, now
from procedure.domain.labels import deadline_label, state_label

if TYPE_CHECKING:
    from procedure.store.recounting import RecountReport

SHOWN = 20  # lines of each list in the text for people; --json has all that was kept
EFFECTS = {"prorroga": "prorroga", "encurta": "encurta", "mesmo_dia": "mesmo fim, outros dias pelo meio"}
REASONS = {
    "encurta": "encurta: fica como está até que alguém decida (--shorten)",
    "ja_teria_acabado": "já teria acabado: fica como está, pois prazo nenhum acaba no passado",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``calendar recompute``."""
    add_municipality(parser)
    parser.add_argument("--dry-run", action="store_true", help="só diz o que mudaria; não grava nada")
    parser.add_argument("--auto", action="append", default=[], metavar="AUTO", help="só este auto (pode repetir)")
    parser.add_argument(
        "--shorten", action="store_true", help="também os prazos que encurtam (sem isto, só os que se prorrogam)"
    )
    parser.add_argument("--actor", metavar="QUEM", help="com --shorten: quem decidiu encurtar; fica no ato")


def run(args: argparse.Namespace) -> int:
    """Recount each municipality. 0 done, 1 some cases failed or it was interrupted, 2 bad input."""
    from procedure.cli.main import UsageError
    from procedure.cli.sweep import _signals
    from procedure.services.recount import Wish
    from procedure.store.recounting import count_cases, recount_terms

    if bool(args.actor) != args.shorten:
        raise UsageError("--shorten e --actor vêm juntos.", remedy="Veja: posturas calendar recompute --help")
    wish = Wish(not args.dry_run, now(), shorten=args.shorten, decided_by=args.actor, autos=tuple(args.auto))
    with database(args) as scope, _signals() as stop:
        _require_known(scope, args.auto)
        reports = []
        for code in scope.municipalities:
            with progress(count_cases(scope.engine, code, wish), f"recontagem {code}") as bar:
                reports.append(recount_terms(scope.engine, code, wish, progress=bar.advance, stop=stop))
    if args.json:
        documents = [document(report, dry_run=args.dry_run) for report in reports]
        output.document(documents[0] if len(documents) == 1 else {"runs": documents})
    else:
        lines = [line for report in reports for line in describe(report, dry_run=args.dry_run)]
        output.text("\n".join(lines) or "Nada a recontar.")
    return 1 if any(r.failures or r.interrupted for r in reports) else 0


def _require_known(scope: Scope, autos: Sequence[str]) -> None:
    from procedure.domain.errors import UnknownAuto
    from procedure.store.archive import reading

    if not autos:
        return
    municipality = scope.one()
    with reading(scope.engine) as archive:
        known = archive.load(municipality, autos, lock=False) if municipality else {}
    missing = [auto for auto in autos if auto not in known]
    if missing:
        raise UnknownAuto(f"não existe o auto {missing[0][:60]}.", field="--auto")


def document(report: RecountReport, *, dry_run: bool) -> dict[str, Any]:
    """The report as one JSON object."""
    return {
        "municipality": report.municipality,
        "dry_run": dry_run,
        "examined": report.examined,
        "moved": report.applied,
        "kept": report.kept,
        "by_kind": dict(sorted(report.by_kind.items())),
        "concluded": report.concluded_count,
        "moves": report.moves,
        "concluded_terms": report.concluded,
        "left_out": report.left_out,
        "failed": [
            {"auto": auto, "code": code, "message": message}
            for auto, (code, message) in sorted(report.failures.items())
        ],
        "interrupted": report.interrupted,
    }


def describe(report: RecountReport, *, dry_run: bool) -> Iterator[str]:
    """The same for people."""
    what = "Recontagem simulada (nada gravado)" if dry_run else "Recontagem"
    yield f"{what} do município {report.municipality}"
    moving = [m for m in report.moves if m["reason"] is None]
    kept = [m for m in report.moves if m["reason"] is not None]
    yield f"  prazos abertos que {'mudariam' if dry_run else 'mudaram'} de dia: {report.applied}"
    yield from _listed(moving, report.applied)
    yield f"  prazos abertos que ficam como estão: {report.kept}"
    yield from _listed(kept, report.kept)
    yield f"  prazos já concluídos que teriam acabado de outro modo: {report.concluded_count}"
    yield from _listed(report.concluded, report.concluded_count)
    if report.concluded_count:
        yield "  Nestes nada se mudou: decida em cada um. Ou fica como está, ou se anula a ciência de que o prazo"
        yield "  correu e se lança de novo, com as mesmas datas: o prazo se conta então pelos dias de agora."
    for auto, (code, message) in sorted(report.failures.items()):
        yield f"    auto {auto}: {message} [{code}]"
    if report.interrupted:
        yield "  Interrompida: o que foi gravado vale, e a próxima continua daí."


def _listed(items: Sequence[Mapping[str, Any]], count: int) -> Iterator[str]:
    for item in items[:SHOWN]:
        yield f"    {_line(item)}"
    if count > SHOWN:
        yield f"    … e mais {count - min(SHOWN, len(items))} (todos em --json)"


def _line(item: Mapping[str, Any]) -> str:
    before, after = day_br(item["expires_from"]), day_br(item["expires_to"])
    if before == after:
        before, after = day_br(item["from"]), day_br(item["to"])
    said = [f"auto {item['auto']}: {deadline_label(item['kind'])}, de {before} para {after}", EFFECTS[item["effect"]]]
    said += [_decree(decree) for decree in item["decrees"]]
    if item.get("reason"):
        said.append(REASONS[item["reason"]])
    if "state" in item:
        said.append(f"hoje {state_label(item['state'])}")
        said += [f"{f['act']} de {day_br(f['date'])}: de {f['was']} a {f['would_be']}" for f in item["filings"]]
        if item["inscription"]:
            said.append(f"inscrição {item['inscription']}")
    return "; ".join(said)


def _decree(decree: Mapping[str, Any]) -> str:
    days = ", ".join(
        day_br(first) if first == last else f"{day_br(first)} a {day_br(last)}" for first, last in decree["days"]
    )
    act = decree["act"] or "sem ato citado"
    published = f", publicado em {day_br(decree['published_on'])}" if decree["published_on"] else ""
    return f"{act}{published} ({decree['description']}: {days})"
