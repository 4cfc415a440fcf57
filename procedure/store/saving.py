"""Writing cases: rows under their optimistic lock first, then acts, deadlines, inscriptions and events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import Connection, select

from procedure.domain.case import Case
from procedure.store import rows
from procedure.store.bulk import Row, insert_rows, update_rows
from procedure.store.counters import take
from procedure.store.errors import InscriptionConflict, StaleCase
from procedure.store.selecting import among
from procedure.store.tables import acts, cases, deadlines, inscriptions, outbox

_SAME_INSCRIPTION = (
    "ON CONFLICT (municipality, year, number) DO UPDATE SET livro = excluded.livro, folha = excluded.folha, "
    "status = excluded.status, original_amount = excluded.original_amount, charges = excluded.charges, "
    "exigivel_em = excluded.exigivel_em, prescribes_on = excluded.prescribes_on, warns_on = excluded.warns_on, "
    "termo = excluded.termo, beside = excluded.beside "
    "WHERE posturas_inscriptions.auto = excluded.auto AND posturas_inscriptions.seq = excluded.seq"
)


def save_cases(connection: Connection, pending: Sequence[Case]) -> None:
    """Write what is pending in the cases and clear it. See ``Repository.save``. On any error the caller rolls back."""
    _save_rows(connection, pending)
    _save_acts(connection, pending)
    _save_deadlines(connection, pending)
    _save_inscriptions(connection, pending)
    for case in pending:
        case.version += 1
        case.new_acts = []
        for item in case.deadlines:
            item.stored, item.dirty = True, False
        case.former = []
        if case.inscription is not None:
            case.inscription.dirty = False


def _save_rows(connection: Connection, pending: Sequence[Case]) -> None:
    new = [case for case in pending if case.version == 0]
    known = [case for case in pending if case.version > 0]
    if new:
        values = [(case.municipality, rows.storable(case.auto), 1, *rows.case_values(case)) for case in new]
        columns = (*rows.CASE_KEY, "version", *rows.CASE_VALUES)
        written = insert_rows(
            connection, cases, columns, values, conflict="ON CONFLICT (municipality, auto) DO NOTHING"
        )
        if written != len(new):
            raise _stale(connection, new)
    if known:
        values = [(*rows.case_values(case), case.municipality, case.auto, case.version) for case in known]
        match = (*rows.CASE_KEY, "version")
        written = update_rows(connection, cases, rows.CASE_VALUES, match, values, extra="version = version + 1")
        if written != len(known):
            raise _stale(connection, known)


def _stale(connection: Connection, pending: Sequence[Case]) -> StaleCase:
    """Which rows are not at the version that this unit of work gave them (the others are already written)."""
    municipality = pending[0].municipality
    expected = {case.auto: case for case in pending if case.municipality == municipality}
    columns = (cases.c.auto, cases.c.version, cases.c.last_hash)
    query = select(*columns).where(among(connection, cases, municipality, list(expected)))
    written = {
        row.auto for row in connection.execute(query) if _is_written(expected[row.auto], row.version, row.last_hash)
    }
    return StaleCase(municipality, sorted(set(expected) - written) or sorted(expected))


def _is_written(case: Case, version: int, last_hash: str) -> bool:
    return bool(version == case.version + 1 and last_hash == case.last_hash)


def _save_acts(connection: Connection, pending: Sequence[Case]) -> None:
    recorded = [(case, act, str(act.at)) for case in pending for act in case.new_acts]
    if not recorded:
        return
    insert_rows(connection, acts, rows.ACT_COLUMNS, [rows.act_row(*item) for item in recorded])
    events: list[Row] = [
        (case.municipality, case.auto, act.seq, rows.event_text(case, act, at)) for case, act, at in recorded
    ]
    save_events(connection, events)


def save_events(connection: Connection, events: list[Row]) -> None:
    """Write events (municipality, auto, seq, text) to the outbox, in that order."""
    columns = ("municipality", "auto", "seq", "event")
    if connection.dialect.name == "postgresql":
        insert_rows(connection, outbox, columns, events)
    else:
        insert_rows(connection, outbox, ("id", *columns), _numbered(connection, events))


def _numbered(connection: Connection, events: list[Row]) -> list[Row]:
    """Give events their ids where no identity column does: per municipality, never reused, not even after pruning."""
    counts = Counter(event[0] for event in events)
    following = {place: take(connection, place, "outbox", 0, counts[place]) for place in sorted(counts)}
    numbered = []
    for event in events:
        numbered.append((following[event[0]], *event))
        following[event[0]] += 1
    return numbered


def _save_deadlines(connection: Connection, pending: Sequence[Case]) -> None:
    new: list[Row] = []
    changed: list[Row] = []
    for case in pending:
        for item in case.deadlines:
            key = (case.municipality, case.auto, item.number, item.kind)
            if not item.stored:
                new.append((*key, *rows.deadline_values(item)))
            elif item.dirty:
                changed.append((*rows.deadline_values(item), *key))
    if new:
        insert_rows(connection, deadlines, rows.DEADLINE_KEY + rows.DEADLINE_VALUES, new)
    if changed:
        update_rows(connection, deadlines, rows.DEADLINE_VALUES, rows.DEADLINE_KEY, changed)


def _save_inscriptions(connection: Connection, pending: Sequence[Case]) -> None:
    changed = [
        rows.inscription_row(case, item)
        for case in pending
        for item in (*case.former, case.inscription)
        if item is not None and item.dirty
    ]
    if changed and insert_rows(
        connection, inscriptions, rows.INSCRIPTION_COLUMNS, changed, conflict=_SAME_INSCRIPTION
    ) != len(changed):
        raise InscriptionConflict(place=f"município {pending[0].municipality}")
