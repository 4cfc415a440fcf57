"""Words of a rulebook that the engine reads by name, where a wrong one would pass unseen until a case met it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from penalties import ProgressionKind, WindowAnchor
from procedure.domain.deadlines import HALF
from procedure.domain.ex_officio import OUTCOMES_OF_OFFICE
from procedure.domain.machine_check import Machine, Note, tables_of, words
from procedure.domain.outcomes import DISCOUNT_FACTS
from procedure.domain.requirements import REQUIREMENT_NAMES, WHEN
from procedure.domain.rulebook import SAME_PERSON, SAME_PROPERTY
from procedure.domain.rulebook_reader import FIXED_BY_ACT
from procedure.domain.rulebook_silences import sub
from procedure.domain.vocabulary import MAIN_TRACK, Act, Track

Table = Mapping[str, Any]

DECISION = "decision"
SAME = (SAME_PERSON, SAME_PROPERTY)
GROUPS = ("valor_proprio", "multa_sem_valor", "silente", "por_capitulo", "sem_multa")
PLACES = ("reparticao", "bancario")
_UNFILLED = re.compile(r"\?[A-Z_]+")


def check_words(data: Table, machine: Machine, note: Note) -> None:
    """Note every word that nothing in the engine answers to."""
    for key, value, known in _asked(data, machine):
        if value is not None and value not in known:
            note(key, f"“{value}” não é um destes: {', '.join(sorted(known))}")
    for index, table in _deadlines(data):
        if table.get("default_term") is not None and table.get("term") != FIXED_BY_ACT:
            note(f"deadline[{index}].default_term", f"só com term = “{FIXED_BY_ACT}”")
    for key, value in _texts(data, ""):
        if _UNFILLED.fullmatch(value):
            note(key, f"“{value}” está por preencher")
    _agreed(data, machine, note)
    if not data.get("infraction"):
        note("infraction", "a lei não tem nenhuma infração")


def _agreed(data: Table, machine: Machine, note: Note) -> None:
    """What goes up by itself has the outcomes of it; a law that counts by property asks every auto for the property."""
    by_decision = {act for act, rule in machine.outcomes.items() if rule.get("by") == DECISION}
    upward = sub(data, "ex_officio").get("act")
    if by_decision != ({upward} if upward else set()):
        note("ex_officio" if upward else "outcomes", f"[ex_officio] e by = “{DECISION}” vão juntos, no mesmo ato")
    elif upward:
        missing = [v for v in OUTCOMES_OF_OFFICE if v not in words(machine.outcomes[upward], "values")]
        if missing:
            note(f"outcomes.{upward}.values", f"falta {', '.join(missing)}: também se livra em parte, e de todo")
    asked = {(table.get("act"), table.get("element")) for _, table in tables_of(data, "content")}
    if sub(data, "reincidencia").get("same") == SAME_PROPERTY and (Act.LAVRATURA, "property") not in asked:
        note("reincidencia.same", "conta-se por imóvel: falta em [[content]] o elemento “property” da lavratura")


def _asked(data: Table, machine: Machine) -> Iterator[tuple[str, object, tuple[str, ...]]]:
    """Each value with its key and what it may be."""
    for index, table in tables_of(data, "track_row"):
        for name in words(table, "requires"):
            yield f"track_row[{index}].requires", name, tuple(REQUIREMENT_NAMES)
        yield f"track_row[{index}].when", table.get("when"), tuple(WHEN)
    kinds = tuple(str(table.get("kind")) for _, table in _deadlines(data))
    for index, table in _deadlines(data):
        key = f"deadline[{index}]"
        yield f"{key}.again", table.get("again"), (HALF,)
        yield f"{key}.track", table.get("track"), (MAIN_TRACK, *Track)
        for name in (*words(table, "places"), *words(table, "alternative_places")):
            yield f"{key}.places", name, PLACES
    for index, table in tables_of(data, "discount"):
        yield f"discount[{index}].within", table.get("within"), (*kinds, *machine.states())
        yield f"discount[{index}].when", table.get("when"), tuple(DISCOUNT_FACTS)
    acts = tuple(machine.acts())
    yield "ex_officio.act", sub(data, "ex_officio").get("act"), acts
    for name, key in (("fine", "fixed_by"), ("gate", "proof_of_notice")):
        for act in words(sub(data, name), key):
            yield f"{name}.{key}", act, acts
    for index, table in tables_of(data, "infraction"):
        yield f"infraction[{index}].group", table.get("group"), GROUPS
    repeated = sub(data, "reincidencia")
    yield "reincidencia.progressao", repeated.get("progressao"), tuple(ProgressionKind)
    yield "reincidencia.same", repeated.get("same"), SAME
    yield "reincidencia.window.from", sub(repeated, "window").get("from"), tuple(WindowAnchor)


def _texts(value: object, key: str) -> Iterator[tuple[str, str]]:
    """Every text of the file, with its key; the names of keys too."""
    if isinstance(value, Mapping):
        for name, inside in value.items():
            place = f"{key}.{name}" if key else str(name)
            yield place, str(name)
            yield from _texts(inside, place)
    elif isinstance(value, list):
        for index, inside in enumerate(value):
            yield from _texts(inside, f"{key}[{index}]" if isinstance(inside, Mapping) else key)
    elif isinstance(value, str):
        yield key, value


def _deadlines(data: Table) -> list[tuple[int, Table]]:
    return tables_of(data, "deadline")
