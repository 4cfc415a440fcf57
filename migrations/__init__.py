"""Alembic's scripts for the tables of Posturas, shipped as ``procedure.migrations``."""
