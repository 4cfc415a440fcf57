"""``posturas auto replay``: how cases would have gone under another text of their law. Nothing is written."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from procedure.cli import output
from procedure.cli.progress import progress
from procedure.cli.scope import database, now

if TYPE_CHECKING:
    from procedure.domain.rulebook import Rulebook

LISTED = 1_000  # of many autos, how many that differ are told; the counts are of all


def run(args: argparse.Namespace) -> int:
    """Replay the autos named, or all. 0 when done, whatever differs; 2 on bad input."""
    from procedure.cli.main import UsageError

    if not args.rulebook:
        raise UsageError("diga o outro texto: posturas auto replay AUTO --rulebook ARQUIVO.toml")
    book = read_book(Path(args.rulebook))
    with database(args) as scope:
        municipality = scope.one()
        told = Told()
        for doc in _compared(scope, municipality, book, args) if municipality else ():
            told.add(doc, keep=bool(args.targets))
    if args.json:
        output.document(told.autos[0] if len(args.targets) == 1 else told.document())
    else:
        output.text("\n\n".join(_text(told, whole=bool(args.targets))))
    return 0


@dataclass(slots=True)
class Told:
    """How many were replayed and how many differ; of these at most ``LISTED`` are kept (all of those named)."""

    examined: int = 0
    differing: int = 0
    autos: list[dict[str, Any]] = field(default_factory=list)

    def add(self, doc: dict[str, Any], *, keep: bool) -> None:
        """Count one in."""
        self.examined += 1
        self.differing += not doc["same"]
        if keep or (not doc["same"] and len(self.autos) < LISTED):
            self.autos.append(doc)

    def document(self) -> dict[str, Any]:
        """The same as one JSON object."""
        counts = {"examined": self.examined, "same": self.examined - self.differing, "differing": self.differing}
        return {**counts, "autos": self.autos}


def read_book(path: Path) -> Rulebook:
    """The law of a file, proved first. Raises TomlDefects with every defect, InputError when it cannot be read."""
    from legalbasis import TomlDefects
    from procedure.cli.rulebook_author import read_text
    from procedure.domain.rulebook_check import check_rulebook
    from procedure.domain.rulebook_reader import read_rulebook

    text = read_text(path)
    defects = check_rulebook(text, file=str(path)).defects
    if defects:
        raise TomlDefects(list(defects))
    return read_rulebook(text, file=str(path))


def _compared(scope: Any, municipality: str, book: Rulebook, args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from procedure.domain.moment import Moment
    from procedure.services.context import zone_of
    from procedure.services.replaying import compare, relive, replay
    from procedure.store.archive import reading

    tz = zone_of(municipality)
    as_of = Moment.parse(args.as_of, tz, field="--as-of") if args.as_of else Moment.of_clock(now(), tz)
    with reading(scope.engine) as archive:
        wanted = args.targets or archive.stream_autos(municipality)
        with progress(None if args.targets else archive.count_autos(municipality), "reencenação") as bar:
            for auto in wanted:
                case = archive.load(municipality, [auto], lock=False).get(auto)
                bar.advance()
                if case is None or case.law != book.id:
                    _require_named(args.targets, auto, case is None, book)
                    continue
                acts = archive.acts(municipality, auto)
                yield compare(case, relive(archive, case, acts, as_of), replay(archive, case, acts, book, as_of))


def _require_named(targets: Sequence[str], auto: str, missing: bool, book: Rulebook) -> None:
    from procedure.domain.errors import UnknownAuto
    from procedure.services.migrating import OtherLaw

    if not targets:
        return
    if missing:
        raise UnknownAuto(f"não existe o auto {auto[:60]}.", field="auto", remedy="Veja: posturas auto list")
    raise OtherLaw(f"o auto {auto} não é da lei {book.id}.", field="--rulebook")


def _text(told: Told, *, whole: bool) -> Iterator[str]:
    yield from ("\n".join(_one(doc)) for doc in told.autos)
    if not whole:
        counts = f"{told.examined} auto(s) reencenado(s): {told.differing} seria(m) outro(s) sob este texto"
        yield f"{counts}. Nada foi gravado."


def _one(doc: Mapping[str, Any]) -> Iterator[str]:
    from procedure.cli.plain import day_br
    from procedure.domain.labels import act_label

    yield f"AUTO {doc['auto']}"
    if doc["same"]:
        yield "  Sob este texto teria corrido do mesmo modo."
    if doc["divergence"]:
        told = doc["divergence"]
        side = told["own"] or told["other"]
        yield f"  Primeira diferença: ato {told['position']}, {act_label(side['act'])} de {day_br(side['date'])}"
        for name in told["differs_in"]:
            own, other = ((told[which] or {}).get(name) for which in ("own", "other"))
            yield f"    {name}: {_plain(own)} → {_plain(other)}"
        yield f"    {told['reason']}"
    for refused in doc["refused"]:
        yield f"  Recusaria {act_label(refused['act'])} de {day_br(refused['date'])}: {refused['message']}"
    yield from _ends(doc["own"], doc["other"])


def _ends(own: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> Iterator[str]:
    from procedure.cli.plain import amount_br, day_br
    from procedure.domain.labels import deadline_label, state_label

    for label, end in (("hoje", own), ("sob o outro texto", other)):
        if end is None:
            yield f"  {label}: não existiria"
            continue
        fine = amount_br(end["amounts"]["arbitrada"])
        terms = [f"{deadline_label(d['kind'])} até {day_br(d['expires_on'])}" for d in end["deadlines"]]
        inscribed = f"; inscrição de {day_br(end['inscription']['date'])}" if end["inscription"] else ""
        said = f"{state_label(end['state'])}; multa {fine}; saldo {amount_br(end['amounts']['saldo'])}{inscribed}"
        yield f"  {label}: {said}; prazos: {', '.join(terms) or 'nenhum'}"


def _plain(value: Any) -> str:
    if value is None:
        return "—"
    if isinstance(value, list):
        return ", ".join(" ".join(map(str, v)) if isinstance(v, list) else str(v) for v in value) or "—"
    return str(value)
