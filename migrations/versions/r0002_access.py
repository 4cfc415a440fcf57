"""The keys of the HTTP interface, and which key was shown whose data."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def _word(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, WORD, nullable=null)


def upgrade() -> None:
    """Add the two tables; the others stay as they are."""
    op.create_table(
        "posturas_api_keys",
        _word("municipality"),
        _word("id"),
        sa.Column("name", sa.Text, nullable=False),
        _word("digest"),
        _word("roles"),
        _word("created_at"),
        _word("expires_at", null=True),
        _word("revoked_at", null=True),
        sa.PrimaryKeyConstraint("municipality", "id", name="pk_posturas_api_keys"),
        sa.Index("ix_posturas_api_keys_id", "id"),
    )
    op.create_table(
        "posturas_reads",
        _word("municipality"),
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), nullable=False),
        _word("key_id"),
        _word("what"),
        _word("number"),
        _word("at"),
        sa.PrimaryKeyConstraint("municipality", "id", name="pk_posturas_reads"),
        sa.Index("ix_posturas_reads_at", "municipality", "at"),
    )
    _create_triggers()


def _create_triggers() -> None:
    if op.get_bind().dialect.name != "postgresql":
        op.execute(
            "CREATE TRIGGER posturas_reads_no_update BEFORE UPDATE ON posturas_reads "
            "BEGIN SELECT RAISE(ABORT, 'posturas_reads cannot be changed'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION posturas_reads_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'posturas_reads cannot be changed' USING ERRCODE = 'restrict_violation'; END $$"
    )
    op.execute(
        "CREATE TRIGGER posturas_reads_no_update BEFORE UPDATE ON posturas_reads "
        "FOR EACH ROW EXECUTE FUNCTION posturas_reads_unchanged()"
    )
