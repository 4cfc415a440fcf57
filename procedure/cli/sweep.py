"""``posturas sweep``: the cron job. Every deadline that has passed gets its legal consequence, once."""

from __future__ import annotations

import argparse
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from procedure.cli import output
from procedure.cli.progress import progress
from procedure.cli.scope import Scope, add_municipality, database, now
from procedure.domain.labels import deadline_label

if TYPE_CHECKING:
    from procedure.store.sweep_run import Order, Report

TOTALS = ("examined", "expired", "inscribed", "surcharged", "returned_to_origin")
KEEP_RUNS = 400
WARNED_DAYS = 180
NARROWEST = 22  # columns of the labels when none is longer, so that two reports are alike


class Stop:
    """Set by SIGTERM or Ctrl-C: the chunk being written is finished, then the sweep ends."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self) -> bool:
        """Whether to stop."""
        return self.asked

    def ask(self, *_: Any) -> None:
        """The signal's handler."""
        self.asked = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``posturas sweep``."""
    parser.add_argument(
        "--as-of",
        required=True,
        metavar="QUANDO",
        help="conclui os prazos que acabaram antes deste momento: AAAA-MM-DD (00:00 do município) ou AAAA-MM-DDTHH:MM",
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processos ao mesmo tempo (PostgreSQL)")
    parser.add_argument("--dry-run", action="store_true", help="diz o que faria; não grava nada")
    parser.add_argument("--limit", type=int, metavar="N", help="examina no máximo N processos de cada município")
    parser.add_argument(
        "--keep-runs",
        type=int,
        default=KEEP_RUNS,
        metavar="N",
        help="guarda a prova das últimas N varreduras (padrão: %(default)s)",
    )
    add_municipality(parser)


def run(args: argparse.Namespace) -> int:
    """Sweep each municipality. 0 done, 1 some cases failed or the sweep was interrupted, 2 bad input."""
    _require_positive(args)
    with database(args) as scope, _signals() as stop:
        orders = [_order(args, code) for code in scope.municipalities]
        _say_workers(args, scope)
        _say_future(args, orders)
        reports = [_sweep(args, scope, order, stop) for order in orders if not stop()]
        flagged = sum(_prescribing(scope, order) for order in orders)
    if args.json:
        output.document({**document(reports, args.as_of), "prescribing": flagged})
    else:
        output.text(describe(reports, args.dry_run))
        if flagged:
            told = f"Inscrições que prescrevem em até {WARNED_DAYS} dias: {flagged}"
            output.text(f"{told} (posturas divida-ativa forecast).")
    interrupted = stop() or any(r.interrupted for r in reports)
    if interrupted:
        output.message("Varredura interrompida: o que foi gravado vale, e a próxima continua daí.")
    return 1 if interrupted or any(r.failures for r in reports) else 0


def _prescribing(scope: Scope, order: Order) -> int:
    """How many inscriptions prescribe soon after the sweep's day, or already have: told every night, never written off.

    By the earliest of the theses that warn (spec 04).
    """
    from procedure.store.archive import reading

    with reading(scope.engine) as archive:
        return archive.count_warned(order.municipality, order.as_of.day + timedelta(days=WARNED_DAYS))


def _require_positive(args: argparse.Namespace) -> None:
    from procedure.cli.main import UsageError

    for name in ("workers", "limit", "keep_runs"):
        value = getattr(args, name)
        if value is not None and value < 1:
            raise UsageError(f"--{name.replace('_', '-')} deve ser 1 ou mais.", remedy="Veja: posturas sweep --help")


def _order(args: argparse.Namespace, municipality: str) -> Order:
    from procedure.domain.moment import Moment
    from procedure.services.context import zone_of
    from procedure.store.sweep_run import Order

    return Order(
        municipality,
        Moment.parse(args.as_of, zone_of(municipality), field="--as-of"),
        now(),
        workers=args.workers,
        dry_run=args.dry_run,
        limit=args.limit,
        keep_runs=args.keep_runs,
    )


def _say_workers(args: argparse.Namespace, scope: Scope) -> None:
    if args.workers == 1:
        return
    if scope.engine.dialect.name == "sqlite":
        output.message("O SQLite só tem um gravador por vez: a varredura usa um processo.")
    elif args.dry_run or args.limit is not None:
        output.message("Com --dry-run ou --limit a varredura usa um processo.")


def _say_future(args: argparse.Namespace, orders: Sequence[Order]) -> None:
    if not args.dry_run and any(order.as_of.instant > order.recorded_at for order in orders):
        output.message(
            "Atenção: --as-of está no futuro; os prazos concluídos até lá ficam gravados e não se desfazem. "
            "Para só ver, use --dry-run."
        )


def _sweep(args: argparse.Namespace, scope: Scope, order: Order, stop: Stop) -> Report:
    from procedure.store.engine import session_scope
    from procedure.store.repository import SqlRepository
    from procedure.store.sweeping import short_turns, sweep

    with session_scope(scope.engine, read_only=True) as session:
        due = SqlRepository(session).count_due(order.municipality, order.as_of.epoch)
    total = due if order.limit is None else min(due, order.limit)
    with progress(total, f"varredura {order.municipality}") as bar, short_turns():
        return sweep(args.db, order, progress=bar.advance, stop=stop)


@contextmanager
def _signals() -> Iterator[Stop]:
    """While the sweep runs, SIGTERM and Ctrl-C ask it to stop; afterwards the handlers are as they were."""
    stop = Stop()
    former = {number: signal.signal(number, stop.ask) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def document(reports: Sequence[Report], as_of: str) -> dict[str, Any]:
    """The contract's object; with several municipalities the sums, and ``runs`` with one object each."""
    runs = [r.to_dict() for r in reports]
    if len(runs) == 1:
        return runs[0]
    kinds: Counter[str] = Counter()
    for report in reports:
        kinds.update(report.by_kind)
    return {
        "run_id": None,
        "as_of": as_of,
        **{name: sum(run[name] for run in runs) for name in TOTALS[:2]},
        "by_kind": dict(sorted(kinds.items())),
        **{name: sum(run[name] for run in runs) for name in TOTALS[2:]},
        "failed": [failed for run in runs for failed in run["failed"]],
        "seconds": sum(report.milliseconds for report in reports) / 1000,
        "runs": runs,
    }


def describe(reports: Sequence[Report], dry_run: bool) -> str:
    """The same for people."""
    if not reports:
        return "Não há processos no banco: nada a varrer."
    return "\n".join(line for report in reports for line in _lines(report, dry_run))


def _lines(report: Report, dry_run: bool) -> Iterator[str]:
    from procedure.cli.plain import moment_br

    totals = report.totals
    which = "Simulação (nada gravado)" if dry_run else f"Varredura nº {report.run_id}"
    yield f"{which} do município {report.municipality}, posição de {moment_br(report.as_of)}"
    kinds = [(f"  {deadline_label(kind)}", count) for kind, count in sorted(report.by_kind.items())]
    rows = [
        ("processos examinados", totals.examined),
        ("prazos concluídos", totals.expired),
        *kinds,
        ("acréscimos lançados", totals.surcharged),
        ("inscrições", totals.inscribed),
        ("devolvidos à origem", totals.returned_to_origin),
        *([("postos de lado", len(report.failures))] if report.failures else []),
    ]
    width = max(NARROWEST, *(len(label) for label, _ in rows))
    for label, count in rows:
        yield f"  {label:<{width}}  {count}"
    if report.failures:
        for auto, (code, message) in sorted(report.failures.items()):
            yield f"    auto {auto}: {message} [{code}]"
