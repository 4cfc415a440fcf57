"""The quick part of verifying: the cases whose stored rows are, column by column, those that their acts give.

A page's rows come as the driver reads them. The acts are chained, hashed and replayed; what that gives is written out
as it would be stored and compared with what is stored. Whatever is not plainly equal is left to the slow part, which
says what is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Date, Table

from legalbasis import PosturasError
from procedure.domain.case import GENESIS, Case, RecordedAct
from procedure.domain.chain import act_hash, canonical
from procedure.domain.facts_text import BETWEEN
from procedure.domain.fold import fold
from procedure.domain.vocabulary import Act
from procedure.services.verifying import DAMAGED, Proven, person_references
from procedure.store import rows
from procedure.store.persons import digest_of
from procedure.store.tables import acts, cases, deadlines, inscriptions, persons

_NAMES_A_PERSON = '"digest"'
_PERSONS_STAND = ("witnesses", "signature", "responsavel", "infrator", "copy_to", "by")  # from the last, as it is read
_decode = json.JSONDecoder().raw_decode


@dataclass(slots=True)
class _Rows:
    """The rows of one auto."""

    case: tuple[Any, ...] | None = None
    acts: list[tuple[Any, ...]] = field(default_factory=list)
    deadlines: list[tuple[Any, ...]] = field(default_factory=list)
    inscriptions: list[tuple[Any, ...]] = field(default_factory=list)


def prove(connection: Connection, municipality: str, autos: Sequence[str]) -> dict[str, Proven]:
    """Those of the autos that hold. ``autos`` are all that have any row between the first and the last, in order."""
    try:
        found = _read(connection, municipality, autos)
    except connection.dialect.loaded_dbapi.Error:
        if connection.dialect.name != "sqlite":  # its texts may be no text at all; elsewhere the database is in trouble
            raise
        return {}
    proven: dict[str, Proven] = {}
    for auto in autos:
        try:
            held = _replayed(municipality, auto, found[auto])
        except (*DAMAGED, PosturasError):
            continue
        if held is not None:
            proven[auto] = held
    return proven


def _read(connection: Connection, municipality: str, autos: Sequence[str]) -> dict[str, _Rows]:
    found = {auto: _Rows() for auto in autos}
    between = (municipality, autos[0], autos[-1])
    for row in _rows(connection, cases, (*rows.CASE_KEY, *rows.CASE_VALUES), "auto", between):
        found[row[1]].case = row
    for row in _rows(connection, acts, rows.ACT_COLUMNS, "auto, seq", between):
        found[row[1]].acts.append(row)
    columns = rows.DEADLINE_KEY + rows.DEADLINE_VALUES
    for row in _rows(connection, deadlines, columns, "auto, number, kind", between):
        found[row[1]].deadlines.append(row)
    for row in _rows(connection, inscriptions, rows.INSCRIPTION_COLUMNS, "auto, seq", between):
        found[row[3]].inscriptions.append(row)
    return found


def _rows(
    connection: Connection, table: Table, columns: Sequence[str], order: str, between: tuple[str, str, str]
) -> Iterator[tuple[Any, ...]]:
    """The rows as the driver gives them, days as ISO text."""
    postgresql = connection.dialect.name == "postgresql"
    place = "%s" if postgresql else "?"
    names = [
        f'"{name}"::text' if postgresql and isinstance(table.c[name].type, Date) else f'"{name}"' for name in columns
    ]
    cursor = connection.connection.cursor()
    try:
        cursor.execute(
            f"SELECT {', '.join(names)} FROM {table.name} "
            f"WHERE municipality = {place} AND auto >= {place} AND auto <= {place} ORDER BY {order}",
            between,
        )
        yield from cursor.fetchall()
    finally:
        cursor.close()


def proven_people(
    connection: Connection, secret: bytes, municipality: str, named: Mapping[tuple[str, int], str]
) -> set[tuple[str, int]]:
    """Those of the persons' versions whose stored fields have the digest that acts name them by."""
    cursor = connection.connection.cursor()
    try:
        cursor.execute(*_asking(connection, municipality, list(named)))
        found = cursor.fetchall()
    finally:
        cursor.close()
    return {(who, version) for who, version, text in found if text and digest_of(secret, text) == named[who, version]}


def _asking(connection: Connection, municipality: str, keys: Sequence[tuple[str, int]]) -> tuple[str, tuple[Any, ...]]:
    if connection.dialect.name == "postgresql":
        asked = "unnest(%s::text[], %s::int[]) AS j(id, version) JOIN"
        given: tuple[Any, ...] = ([who for who, _ in keys], [version for _, version in keys])
        matches = "p.id = j.id AND p.version = j.version AND p.municipality = %s"
    else:  # CROSS: the keys are the outer loop, each found by the primary key
        asked, given = "json_each(?) AS j CROSS JOIN", (json.dumps(keys),)
        matches = "p.id = j.value->>0 AND p.version = j.value->>1 AND p.municipality = ?"
    query = f"SELECT p.id, p.version, p.fields FROM {asked} {persons.name} AS p ON {matches}"
    return query, (*given, municipality)


def _replayed(municipality: str, auto: str, stored: _Rows) -> Proven | None:
    """What the case's acts give, if that is what is stored; else None."""
    if stored.case is None or not stored.acts:
        return None
    case = Case(municipality, auto, law=stored.case[2], timezone=stored.case[5], rulebook_version=stored.acts[0][13])
    head, apt = GENESIS, 0
    proven = Proven(len(stored.acts))
    for number, row in enumerate(stored.acts, 1):
        act = _act(row, case.timezone)
        if act.seq != number or act.prev_hash != head or act_hash(municipality, auto, act) != act.hash:
            return None
        if str(act.at) != row[4] or act.at.epoch != row[5] or act.payload["from"] != case.state:
            return None
        fold(case, act)
        head = act.hash
        apt += act.kind == Act.INSCRICAO and act.payload.get("outcome") == "apta"
        if named := act.payload_text.count(_NAMES_A_PERSON):
            proven.persons.extend((number, reference) for reference in _persons(act.payload, named))
    case.last_hash, case.new_acts = head, []
    return proven if _is_stored(case, stored, apt) else None


def _persons(payload: dict[str, Any], named: int) -> list[Mapping[str, Any]]:
    """Every reference to a person, in the order of ``person_references``; ``named``: how often the text may name one.

    Found where they are wont to stand, as long as those are all.
    """
    found: list[Any] = []
    for place in _PERSONS_STAND:
        held = payload.get(place)
        if place == "signature" and type(held) is dict:
            held = held.get("witnesses")
        found += reversed(held) if type(held) is list else [] if held is None else [held]
    if len(found) == named and all(map(_is_reference, found)):
        return found
    return list(person_references(payload))


def _is_reference(value: Any) -> bool:
    return (
        type(value) is dict and "digest" in value and type(value.get("person")) is str
        and type(value.get("version")) is int and not any(isinstance(item, dict | list) for item in value.values())
    )  # fmt: skip


def _act(row: tuple[Any, ...], timezone: str) -> RecordedAct:
    (_, _, seq, kind, at, _, recorded_at, actor, role, office, payload, key, deadline) = row[:13]
    (rulebook_version, calendar_version, prev_hash, own_hash) = row[13:]
    said, end = _decode(payload)
    if end != len(payload):
        raise ValueError("the payload goes on after its end")
    return RecordedAct(
        kind, rows.moment(at, timezone), recorded_at, actor, role, said, seq, office, key,
        rulebook_version, calendar_version, deadline, prev_hash, own_hash, payload,
    )  # fmt: skip


def _is_stored(case: Case, stored: _Rows, apt: int) -> bool:
    assert stored.case is not None  # the caller asks only where there is a row
    if rows.plain_case_values(case) != stored.case[2:-1] or len(case.deadlines) != len(stored.deadlines):
        return False
    if canonical(case.facts) != stored.case[-1].replace(BETWEEN, ","):
        return False
    given = sorted(case.deadlines, key=lambda item: (item.number, item.kind))
    for item, row in zip(given, stored.deadlines, strict=True):
        if (item.number, item.kind) != row[2:4] or rows.deadline_values(item) != row[4:]:
            return False
    if case.inscription is None:
        return not stored.inscriptions and not apt
    written = [rows.inscription_row(case, case.inscription)]
    return apt == 1 and stored.inscriptions == written
