"""What a Secretário asks beside the fines: things near the end of their term, choices to make, daily fines running."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from procedure.domain.amounts import amount
from procedure.domain.case import Case
from procedure.domain.track_fold import accrued
from procedure.domain.vocabulary import DeadlineStatus, Track, TrackState
from procedure.services.showing_tracks import daily_document, goods_document, obligation_document, pending_choices
from procedure.store.repository import SqlRepository

HELD = (TrackState.APREENDIDO, TrackState.NAO_RECLAMADO, TrackState.EM_HASTA_PUBLICA)


def side_tracks(repo: SqlRepository, municipality: str, today: date, until: date) -> dict[str, Any]:
    """The side tracks of the municipality as ``today`` ends; ``until``: the last day that is near."""
    cases = list(repo.load(municipality, sorted(repo.stream_autos(municipality)), lock=False).values())
    cases.sort(key=lambda case: case.auto)
    running = [case for case in cases if (case.facts.get("daily") or {"ended": ""})["ended"] is None]
    return {
        "goods": [_held(case) for case in cases if _near(case, until)],
        "held": sum(_track(case, Track.APREENSAO) in HELD for case in cases),
        "choices": [_choice(case) for case in cases if pending_choices(case)],
        "daily_fines": [{"auto": case.auto, "state": case.state, **(daily_document(case) or {})} for case in running],
        "accrued": amount(sum(accrued(case.facts) for case in running)),
        "states": {track.value: _counts(cases, track) for track in Track if track is not Track.REGISTRO},
    }


def _track(case: Case, track: Track) -> str | None:
    found: str | None = case.facts.get("tracks", {}).get(track)
    return found


def _near(case: Case, until: date) -> bool:
    """Whether somebody has to do something about the things: their term ends by ``until``, or ended unclaimed."""
    state = _track(case, Track.APREENSAO)
    if state != TrackState.APREENDIDO:
        return state in HELD
    term = case.deadline("retirada")
    return term is not None and term.status is DeadlineStatus.ABERTO and term.due <= until


def _held(case: Case) -> dict[str, Any]:
    term = case.deadline("retirada")
    found = goods_document(case) or {}
    return {
        "auto": case.auto,
        "state": _track(case, Track.APREENSAO),
        "items": found.get("items", []),
        "expenses": found.get("expenses"),
        "term": term.due.isoformat() if term else None,
    }


def _choice(case: Case) -> dict[str, Any]:
    return {"auto": case.auto, "pending": pending_choices(case), **(obligation_document(case) or {})}


def _counts(cases: Sequence[Case], track: Track) -> dict[str, int]:
    """How many cases are in each state of the track, in the order of the states."""
    found = [_track(case, track) for case in cases]
    return {state.value: found.count(state.value) for state in TrackState if state.value in found}
