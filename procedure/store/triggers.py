"""Triggers that keep ``posturas_acts`` append-only, created with the table on both databases.

The rows of ``posturas_reads`` cannot be changed either, but leave when their time is over (``posturas key audit``).

On SQLite a REPLACE reaches the DELETE trigger only with ``PRAGMA recursive_triggers=ON`` (``procedure.store.sqlite``).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import DDL, event

from procedure.store.tables import acts, reads

REFUSAL = "posturas_acts is append-only"

SQLITE = {
    "posturas_acts_no_update": (
        "CREATE TRIGGER posturas_acts_no_update BEFORE UPDATE ON posturas_acts "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    ),
    "posturas_acts_no_delete": (
        "CREATE TRIGGER posturas_acts_no_delete BEFORE DELETE ON posturas_acts "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    ),
}

POSTGRESQL_FUNCTION = (
    "CREATE FUNCTION posturas_acts_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
    f"BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$"
)

POSTGRESQL = {
    "posturas_acts_no_change": (
        "CREATE TRIGGER posturas_acts_no_change BEFORE UPDATE OR DELETE ON posturas_acts "
        "FOR EACH ROW EXECUTE FUNCTION posturas_acts_append_only()"
    ),
    "posturas_acts_no_truncate": (
        "CREATE TRIGGER posturas_acts_no_truncate BEFORE TRUNCATE ON posturas_acts "
        "FOR EACH STATEMENT EXECUTE FUNCTION posturas_acts_append_only()"
    ),
}


READS_REFUSAL = "posturas_reads cannot be changed"

READS_SQLITE = {
    "posturas_reads_no_update": (
        "CREATE TRIGGER posturas_reads_no_update BEFORE UPDATE ON posturas_reads "
        f"BEGIN SELECT RAISE(ABORT, '{READS_REFUSAL}'); END"
    ),
}

READS_POSTGRESQL_FUNCTION = (
    "CREATE FUNCTION posturas_reads_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$ "
    f"BEGIN RAISE EXCEPTION '{READS_REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$"
)

READS_POSTGRESQL = {
    "posturas_reads_no_update": (
        "CREATE TRIGGER posturas_reads_no_update BEFORE UPDATE ON posturas_reads "
        "FOR EACH ROW EXECUTE FUNCTION posturas_reads_unchanged()"
    ),
}


def _attach() -> None:
    ddl: Any = DDL  # its constructor has no annotations
    for statement in READS_SQLITE.values():
        event.listen(reads, "after_create", ddl(statement).execute_if(dialect="sqlite"))
    for statement in (READS_POSTGRESQL_FUNCTION, *READS_POSTGRESQL.values()):
        event.listen(reads, "after_create", ddl(statement).execute_if(dialect="postgresql"))
    for statement in SQLITE.values():
        event.listen(acts, "after_create", ddl(statement).execute_if(dialect="sqlite"))
    for statement in (POSTGRESQL_FUNCTION, *POSTGRESQL.values()):
        event.listen(acts, "after_create", ddl(statement).execute_if(dialect="postgresql"))


_attach()
