"""What a Secretário asks of the database after the sample has gone by, as one JSON-able document."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from penalties.money import amount_text
from procedure.cli.demo_sample import Sample
from procedure.cli.demo_tracks import side_tracks
from procedure.domain.amounts import amount
from procedure.domain.case import Case
from procedure.domain.rulebook_reader import shipped_rulebook
from procedure.domain.vocabulary import ENDED_INSCRIPTION, State
from procedure.services.showing import show_case
from procedure.store.engine import session_scope
from procedure.store.listing import counts_by_state, open_deadlines
from procedure.store.repository import SqlRepository

AHEAD = 15  # the days of deadlines shown after the last day


def report(engine: Any, sample: Sample) -> dict[str, Any]:
    """Counts by state, deadlines ahead, inscriptions with their total, the cases told in full."""
    first, last = sample.last_day + timedelta(days=1), sample.last_day + timedelta(days=AHEAD)
    with session_scope(engine, read_only=True) as session:
        repo = SqlRepository(session)
        inscriptions = _inscriptions(repo, sample.municipality)
        book = shipped_rulebook(sample.law)
        return {
            "title": sample.title,
            "municipality": sample.municipality,
            "name": f"{book.municipality_name}/{book.uf}",
            "law": sample.law,
            "first_day": sample.days()[0].isoformat(),
            "last_day": sample.last_day.isoformat(),
            "units": [
                {"unit": u.unit, "from": u.start.isoformat(), "value": amount_text(u.value), "act": u.act}
                for u in sample.units
            ],
            "states": _states(counts_by_state(session, sample.municipality)),
            "deadlines": {
                "from": first.isoformat(),
                "to": last.isoformat(),
                "items": _ahead(session, sample.municipality, first, last),
            },
            "inscriptions": {"items": inscriptions, **_standing(inscriptions)},
            "tracks": side_tracks(repo, sample.municipality, sample.last_day, last),
            "stories": [
                {"auto": s.auto, "title": s.title, "case": show_case(repo, sample.municipality, s.auto)}
                for s in sample.stories
            ],
        }


def verified(engine: Any, sample: Sample) -> dict[str, Any]:
    """What ``posturas verify --deep`` answers of the database."""
    from procedure.services.recomputing import Recomputer
    from procedure.services.verifying import verify
    from procedure.store.archive import reading

    with reading(engine) as archive:
        found = verify(archive, sample.municipality, deeper=Recomputer(archive, sample.municipality))
    return {
        "ok": not found.defects,
        "cases": found.cases,
        "acts": found.acts,
        "defects": [{"auto": d.auto, "seq": d.seq, "code": d.code, "what": d.what} for d in found.defects],
    }


def _states(counts: dict[str, int]) -> dict[str, int]:
    """The counts in the order in which a case meets the states."""
    return {state.value: counts[state.value] for state in State if state.value in counts}


def _ahead(session: Any, municipality: str, first: date, last: date) -> list[dict[str, Any]]:
    return [
        {
            "due": item.due.isoformat(),
            "auto": item.auto,
            "kind": item.kind,
            "state": item.state,
            "article": item.article,
        }
        for item in open_deadlines(session, municipality, first, last)
    ]


def _inscriptions(repo: SqlRepository, municipality: str) -> list[dict[str, Any]]:
    rows = repo.inscriptions(municipality)
    cases = repo.load(municipality, sorted(row["auto"] for row in rows), lock=False)
    return [_inscription(repo, row, cases[row["auto"]]) for row in rows]


def _inscription(repo: SqlRepository, row: dict[str, Any], case: Case) -> dict[str, Any]:
    debtor = row["termo"]["debtor"]
    person = repo.person(case.municipality, debtor["person"], debtor["version"]) or {}
    owed = 0 if row["status"] in ENDED_INSCRIPTION else case.saldo
    return {
        "number": f"{row['number']}/{row['year']}",
        "date": row["termo"]["date"],
        "auto": row["auto"],
        "debtor": person.get("name"),
        "original_amount": amount(row["original_amount"]),
        "charges": amount(row["charges"]),
        "total": row["termo"]["total"],
        "owed": amount(owed),
        "status": row["status"],
    }


def _standing(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many inscriptions stand, and what is still owed under them."""
    standing = [item for item in items if item["status"] not in ENDED_INSCRIPTION]
    owed = sum(_centavos(item["owed"]) for item in standing)
    return {"standing": len(standing), "standing_owed": amount(owed)}


def _centavos(text: str) -> int:
    return int(text.replace(".", ""))
