"""The proof of the sweeps: one row per run, the cases that failed, and the digest of the chain's heads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, delete, func, select, text, update

from procedure.domain.chain import canonical
from procedure.domain.moment import Moment
from procedure.store.counters import take
from procedure.store.events import mark, unchanged_since
from procedure.store.selecting import among
from procedure.store.tables import sweep_failures, sweep_runs

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

RUNNING = "em_andamento"
DONE = "concluida"
INTERRUPTED = "interrompida"
KEEP_RUNS = 400
PAGE = 5_000


@dataclass(slots=True)
class Totals:
    """What a run did, or one chunk of it; ``by_kind`` counts the expired deadlines by kind."""

    examined: int = 0
    expired: int = 0
    inscribed: int = 0
    surcharged: int = 0
    returned_to_origin: int = 0
    failed: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)


def start_run(
    session: Session, municipality: str, *, as_of: Moment, started_at: str, actor: str, workers: int = 1
) -> int:
    """Record that a sweep begins and return its run id, 1 for the municipality's first.

    ``started_at`` is the instant, ISO 8601 with offset. The caller commits, so that a killed run leaves its row behind.
    """
    connection = session.connection()
    last = connection.scalar(select(func.max(sweep_runs.c.started_at)).where(sweep_runs.c.municipality == municipality))
    run_id = take(connection, municipality, "varredura", 0, 1)
    values = {
        "as_of": str(as_of),
        "as_of_epoch": as_of.epoch,
        "started_at": started_at,
        "actor": actor,
        "workers": workers,
        "status": RUNNING,
        "days_since_last": _days(last, started_at) if last else None,
        **_columns(Totals()),
    }
    connection.execute(sweep_runs.insert().values(municipality=municipality, run_id=run_id, **values))
    return run_id


def _days(first: str, last: str) -> int:
    return (datetime.fromisoformat(last).date() - datetime.fromisoformat(first).date()).days


def _columns(totals: Totals) -> dict[str, Any]:
    return {
        "examined": totals.examined,
        "expired": totals.expired,
        "inscribed": totals.inscribed,
        "surcharged": totals.surcharged,
        "returned_to_origin": totals.returned_to_origin,
        "failed": totals.failed,
        "by_kind": canonical(totals.by_kind),
    }


def finish_run(
    session: Session,
    municipality: str,
    run_id: int,
    totals: Totals,
    *,
    finished_at: str,
    milliseconds: int,
    status: str = DONE,
    known: tuple[str, str] | None = None,
) -> None:
    """Record what the run did; one that ended keeps the digest of the heads, ``known`` with its mark or taken now."""
    this = (sweep_runs.c.municipality == municipality) & (sweep_runs.c.run_id == run_id)
    values: dict[str, Any] = {"finished_at": finished_at, "milliseconds": milliseconds, "status": status}
    if status == DONE:
        values["head"], values["event_mark"] = known or _kept_heads(session, municipality)
    session.connection().execute(update(sweep_runs).where(this).values(**values, **_columns(totals)))


def _kept_heads(session: Session, municipality: str) -> tuple[str, str]:
    """The digest of the heads and where the events stood then; the last run's while nothing was recorded since.

    Taking it reads every case, which an idle night need not pay.
    """
    here = (sweep_runs.c.municipality == municipality) & sweep_runs.c.event_mark.is_not(None)
    columns = select(sweep_runs.c.head, sweep_runs.c.event_mark)
    last = session.connection().execute(columns.where(here).order_by(sweep_runs.c.run_id.desc()).limit(1)).first()
    if last is not None and unchanged_since(session, municipality, last.event_mark):
        return last.head, last.event_mark
    stands = mark(session, municipality)  # before the digest: what is committed meanwhile makes the next one anew
    return heads(session, municipality), stands


def record_failures(session: Session, municipality: str, run_id: int, failures: Mapping[str, tuple[str, str]]) -> None:
    """Record the cases set aside, as auto → (error code, message); the last error of an auto is kept.

    Messages must hold no personal data.
    """
    if not failures:
        return
    connection = session.connection()
    these = among(connection, sweep_failures, municipality, list(failures))
    connection.execute(delete(sweep_failures).where(these, sweep_failures.c.run_id == run_id))
    connection.execute(
        sweep_failures.insert(),
        [
            {"municipality": municipality, "run_id": run_id, "auto": auto, "code": code, "message": message}
            for auto, (code, message) in sorted(failures.items())
        ],
    )


def failures(session: Session, municipality: str, run_id: int) -> list[tuple[str, str, str]]:
    """The cases set aside in a run as (auto, code, message), by auto."""
    query = (
        select(sweep_failures.c.auto, sweep_failures.c.code, sweep_failures.c.message)
        .where(sweep_failures.c.municipality == municipality, sweep_failures.c.run_id == run_id)
        .order_by(sweep_failures.c.auto)
    )
    return [(row.auto, row.code, row.message) for row in session.connection().execute(query)]


def runs(session: Session, municipality: str, *, limit: int | None = None) -> list[Row[Any]]:
    """The runs kept, the newest first."""
    query = select(sweep_runs).where(sweep_runs.c.municipality == municipality)
    return list(session.connection().execute(query.order_by(sweep_runs.c.run_id.desc()).limit(limit)))


def prune_runs(session: Session, municipality: str, *, keep: int = KEEP_RUNS) -> int:
    """Keep the newest ``keep`` runs and their failures; returns how many runs went."""
    connection = session.connection()
    here = sweep_runs.c.municipality == municipality
    newest = select(sweep_runs.c.run_id).where(here).order_by(sweep_runs.c.run_id.desc()).offset(keep).limit(1)
    last_gone = connection.scalar(newest)
    if last_gone is None:
        return 0
    gone = (sweep_failures.c.municipality == municipality) & (sweep_failures.c.run_id <= last_gone)
    connection.execute(delete(sweep_failures).where(gone))  # not left to CASCADE: a host's SQLite may have the keys off
    return connection.execute(delete(sweep_runs).where(here, sweep_runs.c.run_id <= last_gone)).rowcount


def heads(session: Session, municipality: str) -> str:
    """One digest (SHA-256, hex) over every case's ``[auto, last seq, last hash]`` in key order, in bounded memory.

    Two records with the same digest hold the same chains; kept elsewhere, it shows a record that was rewritten whole.
    """
    digest = hashlib.sha256()
    for lines in head_lines(session, municipality):
        digest.update(f"{lines}\n".encode())
    return digest.hexdigest()


_LINES = {  # the database writes the lines, as ``canonical`` would: row by row in Python takes several times longer
    "sqlite": """
        SELECT group_concat('[' || json_quote(auto) || ',' || last_seq || ',' || json_quote(last_hash) || ']',
        char(10)), max(auto) FROM (SELECT auto, last_seq, last_hash FROM posturas_cases
        WHERE municipality = :place AND auto > :after AND (:until = '' OR auto <= :until) ORDER BY auto LIMIT :page)
    """,
    "postgresql": """
        SELECT string_agg('[' || to_json(auto) || ',' || last_seq || ',' || to_json(last_hash) || ']', chr(10)
        ORDER BY auto), max(auto) FROM (SELECT auto, last_seq, last_hash FROM posturas_cases
        WHERE municipality = :place AND auto > :after AND (:until = '' OR auto <= :until) ORDER BY auto LIMIT :page)
        page
    """,
}


def head_lines(session: Session, municipality: str, after: str = "", until: str = "") -> Iterator[str]:
    """``[auto,last seq,last hash]`` of each case after the one auto and up to the other, a page of lines at a time."""
    connection = session.connection()
    query = text(_LINES[connection.dialect.name])
    last: str | None = after
    while last is not None:
        given = {"place": municipality, "after": last, "until": until, "page": PAGE}
        lines, last = connection.execute(query, given).one()
        if lines is not None:
            yield lines
