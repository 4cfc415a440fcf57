"""The tables of the record, for SQLite and PostgreSQL alike.

Keys begin with the municipality and foreign keys carry it, so that a PostgreSQL cluster can distribute them by it;
the tables with no municipality (calendars, rulebooks) hold what is the same for all. Amounts are centavos. Key columns
compare by code point on both databases (collation "C" on PostgreSQL), so that "key order" is one order.
``migrations/versions`` builds the same schema, and a test compares the two.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from procedure.store.transaction_ids import CurrentTransaction, Xid8

metadata = MetaData()

WORD = Text().with_variant(Text(collation="C"), "postgresql")
"""A code, name of the vocabulary, key or number: compared by code point."""

LONG_TEXTS = {"toast_tuple_target": 8160}
"""A row that fits in a page is kept as it is: compressing texts of some kilobytes takes longer than writing them."""

UPDATED_OFTEN = {"fillfactor": 70, **LONG_TEXTS}
"""Room in each page for the next version of a row (HOT updates)."""


def _municipality() -> Column[str]:
    return Column("municipality", WORD, nullable=False)


def _word(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, WORD, nullable=null)


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _int(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=null, autoincrement=False)


def _big(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=null, autoincrement=False)


def _day(name: str, *, null: bool = False) -> Column[Any]:
    return Column(name, Date, nullable=null)


def _of_case(table: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["municipality", "auto"],
        ["posturas_cases.municipality", "posturas_cases.auto"],
        name=f"fk_{table}_case",
    )


cases = Table(
    "posturas_cases",
    metadata,
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
    PrimaryKeyConstraint("municipality", "auto", name="pk_posturas_cases"),
    Index("ix_posturas_cases_state", "municipality", "state", "auto"),
    Index("ix_posturas_cases_person", "municipality", "person_key", "auto"),
    postgresql_with=UPDATED_OFTEN,
)

acts = Table(
    "posturas_acts",
    metadata,
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
    PrimaryKeyConstraint("municipality", "auto", "seq", name="pk_posturas_acts"),
    UniqueConstraint("municipality", "key", name="uq_posturas_acts_key"),
    _of_case("posturas_acts"),
    CheckConstraint("seq > 0", name="ck_posturas_acts_seq"),
    Index(
        "uq_posturas_acts_deadline",
        "municipality",
        "auto",
        "deadline",
        "kind",
        unique=True,
        sqlite_where=text("deadline IS NOT NULL"),
        postgresql_where=text("deadline IS NOT NULL"),
    ),
    postgresql_with=LONG_TEXTS,
)

deadlines = Table(
    "posturas_deadlines",
    metadata,
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
    Column("internal", Boolean, nullable=False),
    _int("supersedes", null=True),
    _int("closed_by", null=True),
    Column("undone", Boolean, nullable=False),
    PrimaryKeyConstraint("municipality", "auto", "number", "kind", name="pk_posturas_deadlines"),
    _of_case("posturas_deadlines"),
    Index(
        "ix_posturas_deadlines_open",
        "municipality",
        "expires_epoch",
        "auto",
        sqlite_where=text("status = 'aberto'"),
        postgresql_where=text("status = 'aberto'"),
    ),
    postgresql_with=UPDATED_OFTEN,
)

inscriptions = Table(
    "posturas_inscriptions",
    metadata,
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
    PrimaryKeyConstraint("municipality", "year", "number", name="pk_posturas_inscriptions"),
    UniqueConstraint("municipality", "auto", "seq", name="uq_posturas_inscriptions_act"),
    _of_case("posturas_inscriptions"),
    CheckConstraint("number > 0", name="ck_posturas_inscriptions_number"),
    Index("ix_posturas_inscriptions_warns", "municipality", "warns_on"),
    postgresql_with=UPDATED_OFTEN,
)

counters = Table(
    "posturas_counters",
    metadata,
    _municipality(),
    _word("name"),
    _int("year"),
    _big("value"),
    PrimaryKeyConstraint("municipality", "name", "year", name="pk_posturas_counters"),
)

persons = Table(
    "posturas_persons",
    metadata,
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
    PrimaryKeyConstraint("municipality", "id", "version", name="pk_posturas_persons"),
    Index("ix_posturas_persons_key", "municipality", "person_key"),
)

outbox = Table(
    "posturas_outbox",
    metadata,
    _municipality(),
    Column("id", BigInteger, Identity(always=False), nullable=False),
    _word("auto"),
    _int("seq"),
    _text("event"),
    Column(
        "xid",
        BigInteger().with_variant(Xid8(), "postgresql"),
        nullable=False,
        server_default=CurrentTransaction(),
    ),
    PrimaryKeyConstraint("municipality", "xid", "id", name="pk_posturas_outbox"),
    postgresql_with=LONG_TEXTS,
)

calendars = Table(
    "posturas_calendars",
    metadata,
    _word("version"),
    _text("document"),
    PrimaryKeyConstraint("version", name="pk_posturas_calendars"),
)

rulebooks = Table(
    "posturas_rulebooks",
    metadata,
    _word("version"),
    _word("law"),
    _text("content"),
    PrimaryKeyConstraint("version", name="pk_posturas_rulebooks"),
)

unit_values = Table(
    "posturas_unit_values",
    metadata,
    _municipality(),
    _word("law"),
    _word("unit"),
    _day("start"),
    _int("revision"),
    _word("value"),
    _text("act"),
    _word("recorded_at"),
    PrimaryKeyConstraint("municipality", "law", "unit", "start", "revision", name="pk_posturas_unit_values"),
)

index_values = Table(
    "posturas_index_values",
    metadata,
    _municipality(),
    _word("series"),
    _word("month"),
    _int("revision"),
    _word("percent"),
    _text("source"),
    _word("recorded_at"),
    PrimaryKeyConstraint("municipality", "series", "month", "revision", name="pk_posturas_index_values"),
)
"""The change of an index in each month (``AAAA-MM``), in per cent, as the municipality supplied it."""


def _law_days(name: str) -> Table:
    return Table(
        name,
        metadata,
        _municipality(),
        _word("law"),
        _int("revision"),
        _day("day"),
        _text("act"),
        _word("recorded_at"),
        PrimaryKeyConstraint("municipality", "law", "revision", name=f"pk_{name}"),
    )


law_ends = _law_days("posturas_law_ends")
law_starts = _law_days("posturas_law_starts")

options = Table(
    "posturas_options",
    metadata,
    _municipality(),
    _word("law"),
    _word("name"),
    _int("revision"),
    _text("value"),
    _text("act"),
    _word("recorded_at"),
    PrimaryKeyConstraint("municipality", "law", "name", "revision", name="pk_posturas_options"),
)

calendar_facts = Table(
    "posturas_calendar_facts",
    metadata,
    _municipality(),
    _int("number"),
    _word("digest"),
    _text("document"),
    _text("source"),
    _word("recorded_at", null=True),
    PrimaryKeyConstraint("municipality", "number", name="pk_posturas_calendar_facts"),
    UniqueConstraint("municipality", "digest", name="uq_posturas_calendar_facts_digest"),
)

sweep_runs = Table(
    "posturas_sweep_runs",
    metadata,
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
    PrimaryKeyConstraint("municipality", "run_id", name="pk_posturas_sweep_runs"),
)

sweep_failures = Table(
    "posturas_sweep_failures",
    metadata,
    _municipality(),
    _int("run_id"),
    _word("auto"),
    _word("code"),
    _text("message"),
    PrimaryKeyConstraint("municipality", "run_id", "auto", name="pk_posturas_sweep_failures"),
    ForeignKeyConstraint(
        ["municipality", "run_id"],
        ["posturas_sweep_runs.municipality", "posturas_sweep_runs.run_id"],
        name="fk_posturas_sweep_failures_run",
        ondelete="CASCADE",
    ),
)

settings = Table(
    "posturas_settings",
    metadata,
    _municipality(),
    _word("name"),
    _text("value"),
    PrimaryKeyConstraint("municipality", "name", name="pk_posturas_settings"),
)
"""Settings of the installation (municipality ``""``) and of each municipality."""
