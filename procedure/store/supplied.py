"""What a municipality supplies beside the shipped data. Correcting is one more row that supersedes; nothing is deleted.

Instants (``recorded_at``, ISO 8601) come from the caller, as everywhere in the library.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Table, func, select

from penalties.index_series import IndexSeries, Month, month_iso
from procedure.domain.chain import canonical
from procedure.domain.update_rule import series_named
from procedure.services.ports import MunicipalData, SuppliedEnd, SuppliedStart, SuppliedUnitValue
from procedure.store.tables import calendar_facts, index_values, law_ends, law_starts, options, unit_values

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def set_unit_value(
    session: Session, municipality: str, law: str, supplied: SuppliedUnitValue, *, recorded_at: str
) -> bool:
    """Record the value of a unit from a day on. False when that is already what is recorded."""
    values = {"value": format(supplied.value, "f"), "act": supplied.act}
    key = {"municipality": municipality, "law": law, "unit": supplied.unit, "start": supplied.start}
    return _revise(session.connection(), unit_values, key, values, recorded_at)


def set_law_end(session: Session, municipality: str, end: SuppliedEnd, *, recorded_at: str) -> bool:
    """Record the first day on which a law is no longer in force. False when that is already what is recorded."""
    key = {"municipality": municipality, "law": end.law}
    return _revise(session.connection(), law_ends, key, {"day": end.day, "act": end.act}, recorded_at)


def set_law_start(session: Session, municipality: str, start: SuppliedStart, *, recorded_at: str) -> bool:
    """Record the first day on which a law was in force. False when that is already what is recorded."""
    key = {"municipality": municipality, "law": start.law}
    return _revise(session.connection(), law_starts, key, {"day": start.day, "act": start.act}, recorded_at)


def set_option(
    session: Session, municipality: str, law: str, name: str, value: str, *, act: str, recorded_at: str
) -> bool:
    """Record a switch or setting of a law. False when that is already what is recorded."""
    key = {"municipality": municipality, "law": law, "name": name}
    return _revise(session.connection(), options, key, {"value": value, "act": act}, recorded_at)


def _revise(
    connection: Connection, table: Table, key: dict[str, Any], values: dict[str, Any], recorded_at: str
) -> bool:
    same_key: list[ColumnElement[bool]] = [table.c[name] == value for name, value in key.items()]
    last = connection.execute(select(table).where(*same_key).order_by(table.c.revision.desc()).limit(1)).one_or_none()
    if last is not None and all(last._mapping[name] == value for name, value in values.items()):
        return False
    revision = last.revision + 1 if last is not None else 1
    connection.execute(table.insert().values(**key, **values, revision=revision, recorded_at=recorded_at))
    return True


def import_facts(
    session: Session,
    municipality: str,
    facts: Sequence[dict[str, Any]],
    source: str,
    *,
    recorded_at: str | None = None,
) -> int:
    """Add calendar facts, each a document with its act, in order; known ones are passed over. Returns how many.

    ``source`` is the file's name. A later fact on the same day supersedes when the calendar is built.
    """
    connection = session.connection()
    here = calendar_facts.c.municipality == municipality
    known = set(connection.scalars(select(calendar_facts.c.digest).where(here)))
    number = connection.scalar(select(func.max(calendar_facts.c.number)).where(here)) or 0
    added = []
    for fact in facts:
        document = canonical(fact)
        digest = hashlib.sha256(document.encode()).hexdigest()
        if digest in known:
            continue
        known.add(digest)
        number += 1
        row = {"number": number, "digest": digest, "document": document, "source": source}
        added.append({"municipality": municipality, "recorded_at": recorded_at, **row})
    if added:
        connection.execute(calendar_facts.insert(), added)
    return len(added)


def municipal_data(
    connection: Connection, municipality: str, *, known_at: datetime | None = None
) -> MunicipalData:
    """The newest revision of everything the municipality supplied; of what was recorded by ``known_at``, if given."""
    data = MunicipalData(municipality)
    newest: dict[tuple[str, str, date], SuppliedUnitValue] = {}
    for row in _rows(connection, unit_values, municipality, known_at):
        value = SuppliedUnitValue(row.unit, row.start, Decimal(row.value), row.act)
        newest[row.law, row.unit, row.start] = value
    for (law, _, _), value in sorted(newest.items()):
        data.unit_values.setdefault(law, []).append(value)
    for row in _rows(connection, law_ends, municipality, known_at):
        data.ends[row.law] = SuppliedEnd(row.law, row.day, row.act)
    for row in _rows(connection, law_starts, municipality, known_at):
        data.starts[row.law] = SuppliedStart(row.law, row.day, row.act)
    for row in _rows(connection, options, municipality, known_at):
        data.options.setdefault(row.law, {})[row.name] = row.value
        data.option_acts.setdefault(row.law, {})[row.name] = row.act
    needed = {name for settings in data.options.values() for name in series_named(settings)}
    data.series = {name: series for name in sorted(needed) if (series := index_series(connection, municipality, name))}
    query = select(calendar_facts).where(calendar_facts.c.municipality == municipality)
    facts = connection.execute(query.order_by(calendar_facts.c.number))
    data.calendar_facts.extend(json.loads(row.document) for row in facts if _known(row, known_at))
    return data


def set_index_values(
    session: Session,
    municipality: str,
    series: str,
    percents: Mapping[Month, Decimal],
    source: str,
    *,
    recorded_at: str,
) -> tuple[int, int]:
    """Keep the months of a series; a month with another value is revised. (months new, months revised)."""
    connection = session.connection()
    known = _newest(connection, municipality, series)
    rows, revised = [], 0
    for month, percent in sorted(percents.items()):
        key, text = month_iso(month), format(percent, "f")
        former = known.get(key)
        if former is not None and former.percent == text:
            continue
        revised += former is not None
        revision = former.revision + 1 if former is not None else 1
        rows.append({"month": key, "percent": text, "revision": revision})
    same = {"municipality": municipality, "series": series, "source": source, "recorded_at": recorded_at}
    if rows:
        connection.execute(index_values.insert(), [{**same, **row} for row in rows])
    return len(rows) - revised, revised


def index_series(connection: Connection, municipality: str, name: str) -> IndexSeries | None:
    """A series as it now stands, with its latest source; None when no month of it was supplied."""
    newest = _newest(connection, municipality, name)
    if not newest:
        return None
    percents = {(int(key[:4]), int(key[5:])): Decimal(row.percent) for key, row in newest.items()}
    return IndexSeries(name, percents, max(newest.values(), key=lambda row: (row.recorded_at, row.month)).source)


def index_names(connection: Connection, municipality: str) -> list[str]:
    """The series that the municipality supplied, in order."""
    query = select(index_values.c.series).where(index_values.c.municipality == municipality).distinct()
    return list(connection.scalars(query.order_by(index_values.c.series)))


def _newest(connection: Connection, municipality: str, name: str) -> dict[str, Any]:
    here = (index_values.c.municipality == municipality) & (index_values.c.series == name)
    query = select(index_values).where(here).order_by(index_values.c.month, index_values.c.revision)
    return {row.month: row for row in connection.execute(query)}


def _rows(connection: Connection, table: Table, municipality: str, known_at: datetime | None) -> list[Any]:
    query = select(table).where(table.c.municipality == municipality)
    found = connection.execute(query.order_by(table.c.law, table.c.revision))
    return [row for row in found if _known(row, known_at)]


def _known(row: Any, known_at: datetime | None) -> bool:
    """Whether it was recorded by then; what does not say when it was counts as always known."""
    return known_at is None or row.recorded_at is None or datetime.fromisoformat(row.recorded_at) <= known_at
