"""The samples walk every row of every machine of the three laws, and day by day or at once end in the same record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from procedure.cli.demo_play import supply
from procedure.cli.demo_sample import NAMES, Sample, load_sample
from procedure.domain.case import Case
from procedure.domain.moment import Moment
from procedure.domain.register_guards import REGISTER_ACTS
from procedure.domain.register_rows import register_rows
from procedure.domain.rulebook_reader import shipped_rulebook
from procedure.domain.vocabulary import MAIN_TRACK, Act
from procedure.services.context import zone_of
from procedure.services.record import Recorder
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository
from procedure.store.sweep_run import Order
from procedure.store.sweeping import sweep_with
from tests.acceptance.conftest import repository, url_of

Walked = tuple[str, str | None, str, str | None]  # track, state, act, outcome

ANNULLED_FROM = {"notificado", "lavrado", "aguardando_defesa", "inscrito"}  # the same act from any state: these

COLLECTING = set(REGISTER_ACTS) - {Act.CANCELAMENTO}  # which names its auto in the samples

_CURED = "who cured it owes nothing and gets no bill to pay"
_ANSWERED = "an obligation begun has answered the term to begin: the row is there for a reading that reopens it"
# Rows that a sample does not walk, and why.
NOT_WALKED: dict[str, dict[Walked, str]] = {
    "sao-gabriel-da-palha": {
        (MAIN_TRACK, "julgado", "intimacao_pagamento", None):
            "needs the switch revelia = intimacao_direta, which is not the default",
        (MAIN_TRACK, "regularizado", "pagamento", "credito"): _CURED,
        (MAIN_TRACK, "regularizado", "restituicao", None): _CURED,
        ("obrigacao", "iniciada", "decurso_inicio_obrigacao", None): _ANSWERED,
    },
    "ibia": {
        (MAIN_TRACK, "regularizado", "pagamento", "credito"): _CURED,
        ("obrigacao", "iniciada", "decurso_inicio_obrigacao", None): _ANSWERED,
        ("obrigacao", "imposta", "decurso_multa_diaria", None):
            "the law's own 5 days to begin always run, and when they end the obligation is no longer only imposed",
    },
    "cruzilia": {
        (MAIN_TRACK, "regularizado", "pagamento", "credito"): _CURED,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_sample_walks_every_row_of_every_machine(demo: dict[str, Any], demo_folder: Path, name: str) -> None:
    sample = load_sample(name)
    with repository(url_of(demo_folder)) as repo:
        autos = sorted(repo.stream_autos(sample.municipality))
        walked = {step for auto in autos for step in _walked(repo, sample, auto)}
    left = {row for row in _rows(sample) - walked if row[2] != "anulacao" or row[1] in ANNULLED_FROM}
    left = {row for row in left if row[2] != "recalculo_multa"}  # what it mends is no part of a sample's ordinary life
    assert left == set(NOT_WALKED[name])


def _rows(sample: Sample) -> set[Walked]:
    """The rows of the law itself: those of general law, the same for every law, have cases of their own."""
    book = shipped_rulebook(sample.law)
    rows = [*book.rows, *(row for track in book.track_rows.values() for row in track)]
    general = {id(row) for row in (*register_rows().main, *register_rows().track)}
    return {(row.track, row.origin, row.act, row.outcome) for row in rows if id(row) not in general}


def _walked(repo: SqlRepository, sample: Sample, auto: str) -> Iterator[Walked]:
    """The rows that the acts of one process went by; of acts that move side tracks, theirs too."""
    book = shipped_rulebook(sample.law)
    states: dict[str, str] = {}
    for act in repo.acts(sample.municipality, auto):
        yield MAIN_TRACK, act.payload["from"], act.kind, act.payload["outcome"]
        for track, state in act.payload.get("tracks", {}).items():
            tells = any(row.outcome for row in book.track_rows[track] if row.act == act.kind)
            yield track, states.get(track), act.kind, act.payload["outcome"] if tells else None
            states[track] = state


@pytest.mark.parametrize("name", NAMES)
def test_imported_at_once_or_day_by_day_the_record_says_the_same(
    demo: dict[str, Any], demo_folder: Path, upgraded_url: str, name: str
) -> None:
    """Confluence: all acts and one sweep leave what the nights left, but for what was typed in late and undone.

    The acts of the register name inscriptions, which the nights brought: the debts they collect are left out.
    """
    sample = load_sample(name)
    engine = open_engine(upgraded_url)
    _record_at_once(engine, sample)
    zone = zone_of(sample.municipality)
    night = Moment.of_day(sample.last_day + timedelta(days=1), zone)
    sweep_with(engine, Order(sample.municipality, night, datetime(2014, 7, 1, 3, tzinfo=zone)))
    engine.dispose()
    by_nights = _outline(url_of(demo_folder), sample)
    at_once = _outline(upgraded_url, sample)
    assert len(by_nights) > 20
    assert {auto: at_once[auto] for auto in by_nights} == by_nights


def _record_at_once(engine: Any, sample: Sample) -> None:
    supply(engine, sample)
    recorded_at = datetime(2014, 7, 1, 2, tzinfo=zone_of(sample.municipality))
    with session_scope(engine) as session:
        recorder = Recorder(SqlRepository(session))
        for act in sorted(sample.acts, key=lambda act: act["date"][:10]):
            if "auto" not in act:
                continue  # it collects inscriptions, which only the sweep brings
            recorder.record({k: v for k, v in act.items() if k != "recorded_at"}, recorded_at=recorded_at)


def _outline(url: str, sample: Sample) -> dict[str, Any]:
    """Of each case: states, amounts, days of daily fine, deadlines that run, the inscription's day and amount."""
    with repository(url) as repo:
        autos = sorted(repo.stream_autos(sample.municipality))
        kinds = {auto: {act.kind for act in repo.acts(sample.municipality, auto)} for auto in autos}
        cases = repo.load(sample.municipality, [auto for auto in autos if not kinds[auto] & COLLECTING], lock=False)
    return {auto: _told(case) for auto, case in cases.items()}


def _told(case: Case) -> tuple[Any, ...]:
    daily = case.facts.get("daily") or {}
    inscription = case.inscription
    return (
        case.state, case.facts.get("tracks"), case.arbitrada, case.acrescimo, case.diaria, case.custos, case.pago,
        (daily.get("from"), daily.get("days"), daily.get("ended")),
        [(d.kind, d.due) for d in case.open_deadlines()],
        inscription and (inscription.day, inscription.original_amount, inscription.charges),
    )  # fmt: skip
