"""Set-based writes: one statement per table and chunk.

PostgreSQL gets the rows as one array per column, unnested; SQLite gets ``executemany`` on the driver's own cursor. Both
run on the connection and in the transaction of the caller. Rows are tuples of plain values, dates as ISO text.

A driver quotes an array value by value in Python, which takes several times longer than the statement. So many rows go
as one text per column, joined by a separator, which the server splits into the array; a value that holds the separator
sends its chunk the driver's way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import BigInteger, Boolean, Connection, Date, Integer, Table
from sqlalchemy.exc import IntegrityError

from procedure.store.errors import ExpiryAlreadyRecorded, InscriptionConflict, KeyAlreadyUsed, StoreError

CHUNK = 5_000
WORTH_JOINING = 50
SEPARATOR = "\x1f"
NULL = "\x1e"

Row = tuple[Any, ...]
Form = Literal["values", "arrays", "joined"]
FORMS: tuple[Form, ...] = ("arrays", "joined")  # of PostgreSQL

_ARRAYS = {BigInteger: "bigint", Integer: "integer", Boolean: "boolean", Date: "date"}

_CONSTRAINTS: tuple[tuple[str, str, type[StoreError]], ...] = (
    ("uq_posturas_acts_key", "posturas_acts.key", KeyAlreadyUsed),
    ("uq_posturas_acts_deadline", "posturas_acts.deadline", ExpiryAlreadyRecorded),
    ("uq_posturas_inscriptions_act", "posturas_inscriptions.auto", InscriptionConflict),
)


def insert_rows(
    connection: Connection, table: Table, columns: tuple[str, ...], rows: Sequence[Row], *, conflict: str = ""
) -> int:
    """Insert the rows and return how many were written; ``conflict`` is the text of an ON CONFLICT clause, if any.

    Raises KeyAlreadyUsed, ExpiryAlreadyRecorded or InscriptionConflict when a unique key of the record refuses.
    """
    return _run(connection, lambda form: _insert_sql(form, table, columns, conflict), rows)


def update_rows(
    connection: Connection,
    table: Table,
    columns: tuple[str, ...],
    match: tuple[str, ...],
    rows: Sequence[Row],
    *,
    extra: str = "",
) -> int:
    """Set ``columns`` where ``match`` equals, each row holding first the new values, then the matched ones.

    ``extra`` is one more assignment, the same for all rows. Returns how many rows were changed.
    """
    return _run(connection, lambda form: _update_sql(form, table, columns, match, extra), rows)


def _run(connection: Connection, statement: Callable[[Form], str], rows: Sequence[Row]) -> int:
    written = 0
    for chunk in _chunks(rows):
        form, parameters = _parameters(connection, chunk)
        try:
            result = connection.exec_driver_sql(
                statement(form), parameters, execution_options={"preserve_rowcount": True}
            )
        except IntegrityError as error:
            raise _typed(error) from error
        written += result.rowcount
    return written


def _parameters(connection: Connection, chunk: list[Row]) -> tuple[Form, Any]:
    if connection.dialect.name != "postgresql":
        return "values", chunk
    columns = list(zip(*chunk, strict=True))
    if len(chunk) < WORTH_JOINING:
        return "arrays", tuple(map(list, columns))
    return joined_or_arrays(columns)


def execute_with(connection: Connection, statement: Callable[[Form], str], *parts: Sequence[Row]) -> int:
    """Execute one statement of PostgreSQL over several sets of rows, each column of each an array in their order.

    ``statement`` writes it with ``array``. Returns how many rows were written. Raises as ``insert_rows``.
    """
    form, parameters = joined_or_arrays([column for rows in parts for column in zip(*rows, strict=True)])
    try:
        result = connection.exec_driver_sql(
            statement(form), parameters, execution_options={"preserve_rowcount": True}
        )
    except IntegrityError as error:
        raise _typed(error) from error
    return result.rowcount


def joined_or_arrays(columns: Sequence[Sequence[Any]]) -> tuple[Form, tuple[Any, ...]]:
    """The columns as parameters of PostgreSQL, to be written with ``array``, and in which form they are."""
    try:
        return "joined", tuple(map(_joined, columns))
    except _HoldsSeparator:
        return "arrays", tuple(map(list, columns))


def array(form: Form, kind: str) -> str:
    """A parameter as an array of that type."""
    return f"string_to_array(%s, E'\\x1f', E'\\x1e')::{kind}[]" if form == "joined" else f"%s::{kind}[]"


class _HoldsSeparator(Exception):
    pass


def _joined(values: Sequence[Any]) -> str:
    nulls = values.count(None)
    try:
        text = SEPARATOR.join(values)
    except TypeError:  # not texts alone
        text = SEPARATOR.join([NULL if value is None else str(value) for value in values])
    if text.count(SEPARATOR) != len(values) - 1 or text.count(NULL) != nulls:
        raise _HoldsSeparator
    return text


def _chunks(rows: Sequence[Row]) -> Iterator[list[Row]]:
    for start in range(0, len(rows), CHUNK):
        yield list(rows[start : start + CHUNK])


def _typed(error: IntegrityError) -> Exception:
    message = str(error.orig)
    for name, column, kind in _CONSTRAINTS:
        if name in message or column in message:
            return kind()
    return error


def _array(form: Form, table: Table, column: str) -> str:
    kind = table.c[column].type
    return array(form, next((name for python, name in _ARRAYS.items() if isinstance(kind, python)), "text"))


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


@lru_cache(maxsize=128)
def _insert_sql(form: Form, table: Table, columns: tuple[str, ...], conflict: str) -> str:
    head = f"INSERT INTO {table.name} ({_quoted(columns)})"
    if form != "values":
        arrays = ", ".join(_array(form, table, name) for name in columns)
        return f"{head} SELECT * FROM unnest({arrays}) {conflict}"
    return f"{head} VALUES ({', '.join('?' * len(columns))}) {conflict}"


@lru_cache(maxsize=128)
def _update_sql(form: Form, table: Table, columns: tuple[str, ...], match: tuple[str, ...], extra: str) -> str:
    added = [extra] if extra else []
    if form == "values":
        assignments = ", ".join([*(f'"{name}" = ?' for name in columns), *added])
        condition = " AND ".join(f'"{name}" = ?' for name in match)
        return f"UPDATE {table.name} SET {assignments} WHERE {condition}"
    names = [f"c{index}" for index in range(len(columns) + len(match))]
    arrays = ", ".join(_array(form, table, name) for name in columns + match)
    assignments = ", ".join([*(f'"{name}" = u.{alias}' for name, alias in zip(columns, names, strict=False)), *added])
    pairs = zip(match, names[len(columns) :], strict=True)
    condition = " AND ".join(f'{table.name}."{name}" = u.{alias}' for name, alias in pairs)
    return f"UPDATE {table.name} SET {assignments} FROM unnest({arrays}) AS u({', '.join(names)}) WHERE {condition}"
