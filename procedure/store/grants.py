"""The least that the application's role needs on PostgreSQL, as SQL to be run by the tables' owner."""

from __future__ import annotations

import re
from collections.abc import Iterator

from legalbasis import InputError
from procedure.store.schema import VERSION_TABLE
from procedure.store.tables import metadata

READ = ("SELECT",)
APPEND = ("SELECT", "INSERT")
CHANGE = ("SELECT", "INSERT", "UPDATE")
PRUNE = ("SELECT", "INSERT", "UPDATE", "DELETE")

PRIVILEGES: dict[str, tuple[str, ...]] = {
    "posturas_cases": CHANGE,
    "posturas_acts": APPEND,
    "posturas_deadlines": CHANGE,
    "posturas_inscriptions": CHANGE,
    "posturas_counters": CHANGE,
    "posturas_persons": CHANGE,
    "posturas_outbox": ("SELECT", "INSERT", "DELETE"),
    "posturas_calendars": APPEND,
    "posturas_rulebooks": APPEND,
    "posturas_unit_values": APPEND,
    "posturas_index_values": APPEND,
    "posturas_law_ends": APPEND,
    "posturas_law_starts": APPEND,
    "posturas_options": APPEND,
    "posturas_calendar_facts": APPEND,
    "posturas_sweep_runs": PRUNE,
    "posturas_sweep_failures": PRUNE,
    "posturas_settings": READ,
    "posturas_api_keys": READ,  # made and revoked by posturas key, as the tables' owner
    "posturas_reads": APPEND,
    VERSION_TABLE: READ,
}


def statements(role: str) -> Iterator[str]:
    """The GRANT statements for the role. They add and take nothing away. Raises InputError ``papel_invalido``."""
    if not re.fullmatch(r"[^\W\d][\w$ .@-]{0,62}", role):
        raise InputError(
            f"“{role[:40]}” não é nome de papel do PostgreSQL.",
            code="papel_invalido",
            field="role",
            remedy="Dê o nome do papel (role) com que o sistema se conecta, sem aspas.",
        )
    for name in (*metadata.tables, VERSION_TABLE):
        yield f'GRANT {", ".join(PRIVILEGES[name])} ON {name} TO "{role}";'
