"""Alembic's environment: on the connection it is handed, in its transaction, with a version table of its own."""

from __future__ import annotations

from typing import Any

from alembic import context

from procedure.store.schema import VERSION_TABLE
from procedure.store.tables import metadata


def _ours(_object: Any, name: str | None, kind: str, _reflected: bool, _compare_to: Any) -> bool:
    """A host's tables stand beside ours: leave them alone."""
    return kind != "table" or (name or "").startswith("posturas_")


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    include_object=_ours,
)
with context.begin_transaction():
    context.run_migrations()
