"""Every rule of each law is used by at least one legal case: rows, rows of side tracks, terms, fines, readings.

The cases run over the memory of ``procedure.testing``; what they used is read from the acts that they left.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pytest

from procedure.domain.case import RecordedAct
from procedure.domain.rulebook_reader import shipped_rulebook
from procedure.domain.vocabulary import MAIN_TRACK
from tests.cases.municipalities import MUNICIPALITIES, Municipality
from tests.cases.office import Office, read_cases
from tests.cases.places import Memory

EVERY = pytest.mark.parametrize("municipality", MUNICIPALITIES, ids=lambda m: m.name)
Move = tuple[str, str | None, str, str | None]  # track, from, act, outcome

NOT_USED: dict[str, dict[str, str]] = {
    "sao_gabriel": {
        "principal: vencido --desfazimento/decurso_pagamento-> aguardando_pagamento": (
            "ao decurso segue-se sempre o acréscimo, que ainda não se desfaz"
        ),
    },
    "ibia": {},
    "cruzilia": {},
}
"""What no case can use, with the reason."""


@dataclass
class Used:
    """What the cases of a law used."""

    moves: set[Move] = field(default_factory=set)
    terms: set[str] = field(default_factory=set)
    fines: set[tuple[str, str]] = field(default_factory=set)
    readings: set[tuple[str, str]] = field(default_factory=set)

    def add_auto(self, acts: list[RecordedAct], main_acts: set[str]) -> None:
        """Count what the acts of one auto did, in their order."""
        tracks: dict[str, str] = {}
        for act in acts:
            payload = act.payload
            outcome = payload["outcome"]
            own_track = act.kind == "desfazimento" and bool(payload.get("tracks"))  # undoes in that track alone
            if act.kind in main_acts and not own_track:
                self.moves.add((MAIN_TRACK, payload["from"], act.kind, outcome))
            for track, target in payload.get("tracks", {}).items():
                own = None if act.kind in main_acts and not own_track else outcome
                self.moves.add((track, tracks.get(track), act.kind, own))
                tracks[track] = target
            self.terms |= {opened["kind"] for opened in payload["opens"]}
            for line in _lines(payload):
                self.fines.add((line["penalty_id"], line["unit"]))


def _lines(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for place in (payload, payload.get("daily") or {}):
        yield from (place.get("assessment") or {}).get("lines", ())


@lru_cache(maxsize=8)
def law(municipality: Municipality) -> dict[str, Any]:
    """The law's file, as it is written."""
    return tomllib.loads(shipped_rulebook(municipality.law).text)


@lru_cache(maxsize=8)
def used(municipality: Municipality) -> Used:
    """What the cases of the municipality use, run in memory."""
    found = Used()
    main_acts = {row["act"] for row in law(municipality)["row"]}
    for case in read_cases():
        if case.municipality is not municipality:
            continue
        place = Memory()
        Office(place, case).run()
        for auto in place.repository.stream_autos(municipality.code):
            found.add_auto(place.repository.acts(municipality.code, auto), main_acts)
        chosen = {name: switch["default"] for name, switch in law(municipality)["switches"].items()}
        found.readings |= set({**chosen, **case.data.get("options", {})}.items())
    return found


def moves_of(row: dict[str, Any], track: str) -> dict[str, set[Move]]:
    """The moves a written row stands for, by what names it and each of its outcomes."""
    origins = row.get("from") or [None]
    return {
        f"{track}: {', '.join(row.get('from', ['início']))} --{row['act']}/{outcome or ''}-> {row['to']}": {
            (track, origin, row["act"], outcome) for origin in origins
        }
        for outcome in row.get("outcome") or [None]
    }


def unused(municipality: Municipality, names: set[str]) -> set[str]:
    """What is not used and not excused; an excuse for what is used, or for nothing, is told too."""
    excused = {name for name in NOT_USED[municipality.name] if name in names}
    return names - excused


@EVERY
def test_every_row_is_used_by_a_case(municipality: Municipality) -> None:
    written = [moves_of(row, MAIN_TRACK) for row in law(municipality)["row"]]
    written += [moves_of(row, row["track"]) for row in law(municipality)["track_row"]]
    done = used(municipality).moves
    missing = {name for rows in written for name, moves in rows.items() if not moves & done}
    assert unused(municipality, missing) == set()


@EVERY
def test_every_term_is_opened_by_a_case(municipality: Municipality) -> None:
    kinds = {deadline["kind"] for deadline in law(municipality)["deadline"]}
    assert unused(municipality, kinds - used(municipality).terms) == set()


@EVERY
def test_every_fine_is_imposed_by_a_case(municipality: Municipality) -> None:
    fines = {(penalty["id"], penalty["unit"]) for penalty in law(municipality)["penalty"]}
    missing = {f"{name} em {unit}" for name, unit in fines - used(municipality).fines}
    assert unused(municipality, missing) == set()


@EVERY
def test_every_scope_and_every_other_reading_is_taken_by_a_case(municipality: Municipality) -> None:
    switches = law(municipality)["switches"]
    values = {(name, value) for name, switch in switches.items() for value in switch["values"]}
    missing = {f"{name} = {value}" for name, value in values - used(municipality).readings}
    assert unused(municipality, missing) == set()


def test_what_is_excused_is_a_rule_that_no_case_uses() -> None:
    for municipality in MUNICIPALITIES:
        rules = {name for row in law(municipality)["row"] for name in moves_of(row, MAIN_TRACK)}
        rules |= {name for row in law(municipality)["track_row"] for name in moves_of(row, row["track"])}
        assert set(NOT_USED[municipality.name]) <= rules
