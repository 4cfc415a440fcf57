"""This backend's own history. The tables of Posturas, in the same database, are none of its business."""

from alembic import context
from revenue.tables import Base


def include_name(name, kind, _parents) -> bool:
    """Leave the other history alone when comparing: `alembic revision --autogenerate` would drop its tables."""
    return not (kind == "table" and name.startswith("posturas_"))


with context.config.attributes["engine"].begin() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata, include_name=include_name)
    with context.begin_transaction():
        context.run_migrations()
