"""Alembic migrations, shipped in the wheel as ``procedure.migrations``."""
