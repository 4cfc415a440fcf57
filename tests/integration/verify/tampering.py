"""What somebody with the database's password can do to the record, and the means to do it thoroughly."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, text

from procedure.domain.case import GENESIS, Case
from procedure.domain.chain import act_hash, canonical
from procedure.domain.fold import fold
from procedure.store import rows, triggers
from procedure.store.archive import reading
from procedure.store.engine import session_scope
from tests.integration.cli.scenes import IBGE, Cli, opened


def unguard(connection: Connection) -> None:
    """Take the triggers of the acts away."""
    if connection.dialect.name == "postgresql":
        for name in triggers.POSTGRESQL:
            connection.execute(text(f"DROP TRIGGER {name} ON posturas_acts"))
    else:
        for name in triggers.SQLITE:
            connection.execute(text(f"DROP TRIGGER {name}"))


def run_sql(cli: Cli, *statements: str, **values: Any) -> None:
    """Run the statements without the triggers; each must change something."""
    with opened(cli.url) as engine, engine.begin() as connection:
        unguard(connection)
        for statement in statements:
            assert connection.execute(text(statement), values).rowcount > 0, statement


def forge(cli: Cli, auto: str, seq: int, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the payload of an act and rewrite the rest of the chain, the case and its deadlines to agree with it.

    A forgery that only the rules of the law, or a head kept elsewhere, can show.
    """
    with opened(cli.url) as engine:
        with reading(engine) as archive:
            acts = archive.acts(IBGE, auto)
            stored = archive.load(IBGE, [auto], lock=False)[auto]
        case = Case(IBGE, auto, law=stored.law, timezone=stored.timezone, rulebook_version=acts[0].rulebook_version)
        head = GENESIS
        for act in acts:
            if act.seq == seq:
                change(act.payload)
            act.payload_text = canonical(act.payload)
            act.prev_hash = head
            head = act.hash = act_hash(IBGE, auto, act)
            fold(case, act)
        case.last_hash = head
        with session_scope(engine) as session:
            connection = session.connection()
            unguard(connection)
            for act in acts:
                _update(
                    connection,
                    "posturas_acts",
                    {"payload": act.payload_text, "prev_hash": act.prev_hash, "hash": act.hash},
                    {"auto": auto, "seq": act.seq},
                )
            _update(
                connection,
                "posturas_cases",
                dict(zip(rows.CASE_VALUES, rows.case_values(case), strict=True)),
                {"auto": auto},
            )
            for item in case.deadlines:
                values = dict(zip(rows.DEADLINE_VALUES, rows.deadline_values(item), strict=True))
                _update(connection, "posturas_deadlines", values, {"auto": auto, "number": item.number})
            if case.inscription is not None:
                termo = {"termo": json.dumps(case.inscription.termo)}
                _update(connection, "posturas_inscriptions", termo, {"auto": auto})


def _update(connection: Connection, table: str, values: dict[str, Any], key: dict[str, Any]) -> None:
    settings = ", ".join(f'"{name}" = :{name}' for name in values)
    where = " AND ".join(f'"{name}" = :key_{name}' for name in key)
    statement = text(f"UPDATE {table} SET {settings} WHERE {where}")
    connection.execute(statement, {**values, **{f"key_{name}": value for name, value in key.items()}})
