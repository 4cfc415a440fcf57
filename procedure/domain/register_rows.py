"""The rows of the register that general law gives to every municipality, read from data and added to each law.

``procedure/rulebooks/registro.toml`` holds them, each with the norm that it rests on. A law's own row or competence
for the same thing holds instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from legalbasis import Citation, Provision, Status, TomlDefects, TomlTable, load_toml
from procedure.domain.rulebook import Competence, Row
from procedure.domain.vocabulary import MAIN_TRACK, Act, Role, State, Track, TrackState

_FILE = "registro.toml"
_SAME = "="


@dataclass(frozen=True, slots=True)
class RegisterRows:
    """What general law says of the register: rows of the main track, those of ``registro``, who may do each act."""

    main: tuple[Row, ...]
    track: tuple[Row, ...]
    competences: Mapping[str, Competence]


@lru_cache(maxsize=1)
def register_rows() -> RegisterRows:
    """The rows that ship. Raises TomlDefects."""
    text = resources.files("procedure.rulebooks").joinpath(_FILE).read_text(encoding="utf-8")
    root = load_toml(text, file=_FILE)
    norms = _norms(root.table("norms"))
    main = tuple(row for t in root.tables("row") for row in _rows(t, norms, MAIN_TRACK, State))
    track = tuple(row for t in root.tables("track_row") for row in _rows(t, norms, Track.REGISTRO.value, TrackState))
    competences: dict[str, Competence] = {}
    for t in root.tables("competence"):
        competences.update(_competence(t, norms))
    root.close()
    if root.defects:
        raise TomlDefects(root.defects)
    return RegisterRows(main, track, competences)


def with_register_rows(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows of a law's main track and, where it inscribes debts, those of the register."""
    states = {row.target for row in rows}
    if State.INSCRITO not in states:
        return rows
    own = {(row.origin, row.act, row.outcome) for row in rows}
    more = [r for r in register_rows().main if r.origin in states and (r.origin, r.act, r.outcome) not in own]
    return (*rows, *more)


def with_register_track(rows: tuple[Row, ...], tracks: Mapping[str, tuple[Row, ...]]) -> dict[str, tuple[Row, ...]]:
    """The side tracks of a law and, where it inscribes debts, that of the register."""
    if not any(row.target == State.INSCRITO for row in rows):
        return dict(tracks)
    mine = tracks.get(Track.REGISTRO, ())
    own = {(row.origin, row.act, row.outcome) for row in mine}
    more = [r for r in register_rows().track if (r.origin, r.act, r.outcome) not in own]
    return {**tracks, Track.REGISTRO.value: (*mine, *more)}


def with_register_competences(rows: tuple[Row, ...], own: Mapping[str, Competence]) -> dict[str, Competence]:
    """Who may do each act of a law, its register's acts too."""
    if not any(row.target == State.INSCRITO for row in rows):
        return dict(own)
    return {**register_rows().competences, **own}


def _norms(table: TomlTable) -> dict[str, tuple[str, str]]:
    found = {}
    for name in list(table.keys()):
        norm = table.table(name)
        found[name] = (norm.str("urn"), norm.str("norm"))
        norm.close()
    table.close()
    return found


def _cite(t: TomlTable, norms: Mapping[str, tuple[str, str]]) -> Citation:
    urn, norm = norms[t.str("of")]
    provision = t.str("article")
    Provision.parse(provision)
    return Citation(urn, norm, provision, t.enum("status", Status, Status.TEXTO))


def _rows(
    t: TomlTable, norms: Mapping[str, tuple[str, str]], track: str, words: type[State] | type[TrackState]
) -> list[Row]:
    origins: list[str | None] = list(t.strings("from", ())) or [None]
    act, target = Act(t.str("act")).value, t.str("to")
    outcomes, requires, citation = t.strings("outcome", ()), t.strings("requires", ()), _cite(t, norms)
    t.close()
    for state in (*(o for o in origins if o), *(() if target == _SAME else (target,))):
        words(state)
    return [
        Row(o, act, w, (o or "") if target == _SAME else target, (), (), requires, None, citation, track)
        for o in origins
        for w in (outcomes or (None,))
    ]


def _competence(t: TomlTable, norms: Mapping[str, tuple[str, str]]) -> dict[str, Competence]:
    competence = Competence(tuple(Role(r).value for r in t.strings("roles")), _cite(t, norms))
    acts = [Act(a).value for a in t.strings("acts")]
    t.close()
    return dict.fromkeys(acts, competence)
