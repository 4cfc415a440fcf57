"""The tables of the record, their triggers, and the key under which persons are digested."""

from __future__ import annotations

import secrets
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
LONG_TEXTS = {"toast_tuple_target": 8160}
UPDATED_OFTEN = {"fillfactor": 70, **LONG_TEXTS}


class Xid8(sa.types.UserDefinedType[str]):
    """PostgreSQL's 64-bit transaction id."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """The name in DDL."""
        return "xid8"


def _postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _municipality() -> sa.Column[str]:
    return sa.Column("municipality", WORD, nullable=False)


def _word(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, WORD, nullable=null)


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null)


def _int(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=null, autoincrement=False)


def _big(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=null, autoincrement=False)


def _day(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Date, nullable=null)


def _of_case(table: str) -> sa.ForeignKeyConstraint:
    there = ["posturas_cases.municipality", "posturas_cases.auto"]
    return sa.ForeignKeyConstraint(["municipality", "auto"], there, name=f"fk_{table}_case")


def upgrade() -> None:
    """Create everything; the database had nothing of ours."""
    _create_cases()
    _create_acts()
    _create_deadlines()
    _create_register()
    _create_persons()
    _create_outbox()
    _create_kept_versions()
    _create_supplied()
    _create_sweeps()
    _create_settings()
    _create_triggers()


def _create_cases() -> None:
    op.create_table(
        "posturas_cases",
        _municipality(),
        _word("auto"),
        _word("law"),
        _word("rulebook_version"),
        _word("state", null=True),
        _word("timezone"),
        _int("version"),
        _int("last_seq"),
        _word("last_hash"),
        _word("last_at"),
        _word("person_id", null=True),
        _word("person_key", null=True),
        _day("fact_date", null=True),
        *(_big(name) for name in ("arbitrada", "acrescimo", "diaria", "custos", "pago")),
        _text("facts"),
        sa.PrimaryKeyConstraint("municipality", "auto", name="pk_posturas_cases"),
        sa.Index("ix_posturas_cases_state", "municipality", "state", "auto"),
        sa.Index("ix_posturas_cases_person", "municipality", "person_key", "auto"),
        postgresql_with=UPDATED_OFTEN,
    )


def _create_acts() -> None:
    op.create_table(
        "posturas_acts",
        _municipality(),
        _word("auto"),
        _int("seq"),
        _word("kind"),
        _word("at"),
        _big("at_epoch"),
        _word("recorded_at"),
        _text("actor"),
        _word("role"),
        _text("office", null=True),
        _text("payload"),
        _word("key", null=True),
        _word("deadline", null=True),
        _word("rulebook_version"),
        _word("calendar_version"),
        _word("prev_hash"),
        _word("hash"),
        sa.PrimaryKeyConstraint("municipality", "auto", "seq", name="pk_posturas_acts"),
        sa.UniqueConstraint("municipality", "key", name="uq_posturas_acts_key"),
        _of_case("posturas_acts"),
        sa.CheckConstraint("seq > 0", name="ck_posturas_acts_seq"),
        sa.Index(
            "uq_posturas_acts_deadline",
            "municipality",
            "auto",
            "deadline",
            "kind",
            unique=True,
            sqlite_where=sa.text("deadline IS NOT NULL"),
            postgresql_where=sa.text("deadline IS NOT NULL"),
        ),
        postgresql_with=LONG_TEXTS,
    )


def _create_deadlines() -> None:
    op.create_table(
        "posturas_deadlines",
        _municipality(),
        _word("auto"),
        _int("number"),
        _word("kind"),
        _word("status"),
        _word("term"),
        _word("counting"),
        _day("starts_on"),
        _day("first_counted", null=True),
        _day("last_counted", null=True),
        _day("due"),
        _word("due_at"),
        _day("expires_on"),
        _word("expires_at"),
        _big("expires_epoch"),
        _word("article"),
        _word("calendar_version"),
        _text("alternatives"),
        _word("expiry_act"),
        _word("track"),
        sa.Column("internal", sa.Boolean, nullable=False),
        _int("supersedes", null=True),
        _int("closed_by", null=True),
        sa.Column("undone", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("municipality", "auto", "number", "kind", name="pk_posturas_deadlines"),
        _of_case("posturas_deadlines"),
        sa.Index(
            "ix_posturas_deadlines_open",
            "municipality",
            "expires_epoch",
            "auto",
            sqlite_where=sa.text("status = 'aberto'"),
            postgresql_where=sa.text("status = 'aberto'"),
        ),
        postgresql_with=UPDATED_OFTEN,
    )


def _create_register() -> None:
    op.create_table(
        "posturas_inscriptions",
        _municipality(),
        _int("year"),
        _int("number"),
        _word("auto"),
        _int("seq"),
        _day("day"),
        _int("livro"),
        _int("folha"),
        _big("original_amount"),
        _big("charges"),
        _word("status"),
        *(_day(name, null=True) for name in ("exigivel_em", "prescribes_on", "warns_on")),
        _text("termo"),
        _text("beside"),
        sa.PrimaryKeyConstraint("municipality", "year", "number", name="pk_posturas_inscriptions"),
        sa.UniqueConstraint("municipality", "auto", "seq", name="uq_posturas_inscriptions_act"),
        _of_case("posturas_inscriptions"),
        sa.CheckConstraint("number > 0", name="ck_posturas_inscriptions_number"),
        sa.Index("ix_posturas_inscriptions_warns", "municipality", "warns_on"),
        postgresql_with=UPDATED_OFTEN,
    )
    op.create_table(
        "posturas_counters",
        _municipality(),
        _word("name"),
        _int("year"),
        _big("value"),
        sa.PrimaryKeyConstraint("municipality", "name", "year", name="pk_posturas_counters"),
    )


def _create_persons() -> None:
    op.create_table(
        "posturas_persons",
        _municipality(),
        _word("id"),
        _int("version"),
        _word("digest"),
        _word("person_key", null=True),
        _word("kind", null=True),
        _text("name", null=True),
        _word("doc", null=True),
        _text("fields", null=True),
        _word("erased_at", null=True),
        sa.PrimaryKeyConstraint("municipality", "id", "version", name="pk_posturas_persons"),
        sa.Index("ix_posturas_persons_key", "municipality", "person_key"),
    )


def _create_outbox() -> None:
    op.create_table(
        "posturas_outbox",
        _municipality(),
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), nullable=False),
        _word("auto"),
        _int("seq"),
        _text("event"),
        sa.Column(
            "xid",
            Xid8() if _postgresql() else sa.BigInteger(),
            nullable=False,
            server_default=sa.text("pg_current_xact_id()" if _postgresql() else "0"),
        ),
        sa.PrimaryKeyConstraint("municipality", "xid", "id", name="pk_posturas_outbox"),
        postgresql_with=LONG_TEXTS,
    )


def _create_kept_versions() -> None:
    op.create_table(
        "posturas_calendars",
        _word("version"),
        _text("document"),
        sa.PrimaryKeyConstraint("version", name="pk_posturas_calendars"),
    )
    op.create_table(
        "posturas_rulebooks",
        _word("version"),
        _word("law"),
        _text("content"),
        sa.PrimaryKeyConstraint("version", name="pk_posturas_rulebooks"),
    )


def _create_supplied() -> None:
    op.create_table(
        "posturas_unit_values",
        _municipality(),
        _word("law"),
        _word("unit"),
        _day("start"),
        _int("revision"),
        _word("value"),
        _text("act"),
        _word("recorded_at"),
        sa.PrimaryKeyConstraint("municipality", "law", "unit", "start", "revision", name="pk_posturas_unit_values"),
    )
    op.create_table(
        "posturas_index_values",
        _municipality(),
        _word("series"),
        _word("month"),
        _int("revision"),
        _word("percent"),
        _text("source"),
        _word("recorded_at"),
        sa.PrimaryKeyConstraint("municipality", "series", "month", "revision", name="pk_posturas_index_values"),
    )
    for name in ("posturas_law_ends", "posturas_law_starts"):
        op.create_table(
            name,
            _municipality(),
            _word("law"),
            _int("revision"),
            _day("day"),
            _text("act"),
            _word("recorded_at"),
            sa.PrimaryKeyConstraint("municipality", "law", "revision", name=f"pk_{name}"),
        )
    op.create_table(
        "posturas_options",
        _municipality(),
        _word("law"),
        _word("name"),
        _int("revision"),
        _text("value"),
        _text("act"),
        _word("recorded_at"),
        sa.PrimaryKeyConstraint("municipality", "law", "name", "revision", name="pk_posturas_options"),
    )
    op.create_table(
        "posturas_calendar_facts",
        _municipality(),
        _int("number"),
        _word("digest"),
        _text("document"),
        _text("source"),
        _word("recorded_at", null=True),
        sa.PrimaryKeyConstraint("municipality", "number", name="pk_posturas_calendar_facts"),
        sa.UniqueConstraint("municipality", "digest", name="uq_posturas_calendar_facts_digest"),
    )


def _create_sweeps() -> None:
    op.create_table(
        "posturas_sweep_runs",
        _municipality(),
        _int("run_id"),
        _word("as_of"),
        _big("as_of_epoch"),
        _word("started_at"),
        _word("finished_at", null=True),
        _text("actor"),
        _int("workers"),
        _word("status"),
        *(_int(name) for name in ("examined", "expired", "inscribed", "surcharged", "returned_to_origin", "failed")),
        _text("by_kind"),
        _big("milliseconds", null=True),
        _int("days_since_last", null=True),
        _word("head", null=True),
        _word("event_mark", null=True),
        sa.PrimaryKeyConstraint("municipality", "run_id", name="pk_posturas_sweep_runs"),
    )
    op.create_table(
        "posturas_sweep_failures",
        _municipality(),
        _int("run_id"),
        _word("auto"),
        _word("code"),
        _text("message"),
        sa.PrimaryKeyConstraint("municipality", "run_id", "auto", name="pk_posturas_sweep_failures"),
        sa.ForeignKeyConstraint(
            ["municipality", "run_id"],
            ["posturas_sweep_runs.municipality", "posturas_sweep_runs.run_id"],
            name="fk_posturas_sweep_failures_run",
            ondelete="CASCADE",
        ),
    )


def _create_settings() -> None:
    op.create_table(
        "posturas_settings",
        _municipality(),
        _word("name"),
        _text("value"),
        sa.PrimaryKeyConstraint("municipality", "name", name="pk_posturas_settings"),
    )
    op.bulk_insert(
        sa.table("posturas_settings", sa.column("municipality"), sa.column("name"), sa.column("value")),
        [{"municipality": "", "name": "person_key", "value": secrets.token_hex(32)}],
    )


def _create_triggers() -> None:
    if not _postgresql():
        for name, event in (("posturas_acts_no_update", "UPDATE"), ("posturas_acts_no_delete", "DELETE")):
            op.execute(
                f"CREATE TRIGGER {name} BEFORE {event} ON posturas_acts "
                "BEGIN SELECT RAISE(ABORT, 'posturas_acts is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION posturas_acts_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'posturas_acts is append-only' USING ERRCODE = 'restrict_violation'; END $$"
    )
    op.execute(
        "CREATE TRIGGER posturas_acts_no_change BEFORE UPDATE OR DELETE ON posturas_acts "
        "FOR EACH ROW EXECUTE FUNCTION posturas_acts_append_only()"
    )
    op.execute(
        "CREATE TRIGGER posturas_acts_no_truncate BEFORE TRUNCATE ON posturas_acts "
        "FOR EACH STATEMENT EXECUTE FUNCTION posturas_acts_append_only()"
    )
