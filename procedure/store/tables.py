"""The tables of the record, for SQLite and PostgreSQL alike.

Keys begin with the municipality and foreign keys carry it, so that a PostgreSQL cluster can distribute them by it;
the tables with no municipality (calendars, rulebooks) hold what is the same for all. Amounts are centavos. Key columns
compare by code point on both databases (collation "C" on PostgreSQL), so that "key order" is one order.
``migrations/versions`` builds the same schema, and a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Identity,
    Index,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

from procedure.store.columns import (
    LONG_TEXTS,
    UPDATED_OFTEN,
    big,
    day,
    integer,
    long_text,
    municipality,
    of_case,
    word,
)
from procedure.store.transaction_ids import CurrentTransaction, Xid8

metadata = MetaData()

cases = Table(
    "posturas_cases",
    metadata,
    municipality(),
    word("auto"),
    word("law"),
    word("rulebook_version"),
    word("state", null=True),
    word("timezone"),
    integer("version"),
    integer("last_seq"),
    word("last_hash"),
    word("last_at"),
    word("person_id", null=True),
    word("person_key", null=True),
    day("fact_date", null=True),
    *(big(name) for name in ("arbitrada", "acrescimo", "diaria", "custos", "pago")),
    long_text("facts"),
    PrimaryKeyConstraint("municipality", "auto", name="pk_posturas_cases"),
    Index("ix_posturas_cases_state", "municipality", "state", "auto"),
    Index("ix_posturas_cases_person", "municipality", "person_key", "auto"),
    postgresql_with=UPDATED_OFTEN,
)

acts = Table(
    "posturas_acts",
    metadata,
    municipality(),
    word("auto"),
    integer("seq"),
    word("kind"),
    word("at"),
    big("at_epoch"),
    word("recorded_at"),
    long_text("actor"),
    word("role"),
    long_text("office", null=True),
    long_text("payload"),
    word("key", null=True),
    word("deadline", null=True),
    word("rulebook_version"),
    word("calendar_version"),
    word("prev_hash"),
    word("hash"),
    PrimaryKeyConstraint("municipality", "auto", "seq", name="pk_posturas_acts"),
    UniqueConstraint("municipality", "key", name="uq_posturas_acts_key"),
    of_case("posturas_acts"),
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
    municipality(),
    word("auto"),
    integer("number"),
    word("kind"),
    word("status"),
    word("term"),
    word("counting"),
    day("starts_on"),
    day("first_counted", null=True),
    day("last_counted", null=True),
    day("due"),
    word("due_at"),
    day("expires_on"),
    word("expires_at"),
    big("expires_epoch"),
    word("article"),
    word("calendar_version"),
    long_text("alternatives"),
    word("expiry_act"),
    word("track"),
    Column("internal", Boolean, nullable=False),
    integer("supersedes", null=True),
    integer("closed_by", null=True),
    Column("undone", Boolean, nullable=False),
    PrimaryKeyConstraint("municipality", "auto", "number", "kind", name="pk_posturas_deadlines"),
    of_case("posturas_deadlines"),
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
    municipality(),
    integer("year"),
    integer("number"),
    word("auto"),
    integer("seq"),
    day("day"),
    integer("livro"),
    integer("folha"),
    big("original_amount"),
    big("charges"),
    word("status"),
    *(day(name, null=True) for name in ("exigivel_em", "prescribes_on", "warns_on")),
    long_text("termo"),
    long_text("beside"),
    PrimaryKeyConstraint("municipality", "year", "number", name="pk_posturas_inscriptions"),
    UniqueConstraint("municipality", "auto", "seq", name="uq_posturas_inscriptions_act"),
    of_case("posturas_inscriptions"),
    CheckConstraint("number > 0", name="ck_posturas_inscriptions_number"),
    Index("ix_posturas_inscriptions_warns", "municipality", "warns_on"),
    postgresql_with=UPDATED_OFTEN,
)

counters = Table(
    "posturas_counters",
    metadata,
    municipality(),
    word("name"),
    integer("year"),
    big("value"),
    PrimaryKeyConstraint("municipality", "name", "year", name="pk_posturas_counters"),
)

persons = Table(
    "posturas_persons",
    metadata,
    municipality(),
    word("id"),
    integer("version"),
    word("digest"),
    word("person_key", null=True),
    word("kind", null=True),
    long_text("name", null=True),
    word("doc", null=True),
    long_text("fields", null=True),
    word("erased_at", null=True),
    PrimaryKeyConstraint("municipality", "id", "version", name="pk_posturas_persons"),
    Index("ix_posturas_persons_key", "municipality", "person_key"),
)

outbox = Table(
    "posturas_outbox",
    metadata,
    municipality(),
    Column("id", BigInteger, Identity(always=False), nullable=False),
    word("auto"),
    integer("seq"),
    long_text("event"),
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
    word("version"),
    long_text("document"),
    PrimaryKeyConstraint("version", name="pk_posturas_calendars"),
)

rulebooks = Table(
    "posturas_rulebooks",
    metadata,
    word("version"),
    word("law"),
    long_text("content"),
    PrimaryKeyConstraint("version", name="pk_posturas_rulebooks"),
)

unit_values = Table(
    "posturas_unit_values",
    metadata,
    municipality(),
    word("law"),
    word("unit"),
    day("start"),
    integer("revision"),
    word("value"),
    long_text("act"),
    word("recorded_at"),
    PrimaryKeyConstraint("municipality", "law", "unit", "start", "revision", name="pk_posturas_unit_values"),
)

index_values = Table(
    "posturas_index_values",
    metadata,
    municipality(),
    word("series"),
    word("month"),
    integer("revision"),
    word("percent"),
    long_text("source"),
    word("recorded_at"),
    PrimaryKeyConstraint("municipality", "series", "month", "revision", name="pk_posturas_index_values"),
)
"""The change of an index in each month (``AAAA-MM``), in per cent, as the municipality supplied it."""


def _law_days(name: str) -> Table:
    return Table(
        name,
        metadata,
        municipality(),
        word("law"),
        integer("revision"),
        day("day"),
        long_text("act"),
        word("recorded_at"),
        PrimaryKeyConstraint("municipality", "law", "revision", name=f"pk_{name}"),
    )


law_ends = _law_days("posturas_law_ends")
law_starts = _law_days("posturas_law_starts")

options = Table(
    "posturas_options",
    metadata,
    municipality(),
    word("law"),
    word("name"),
    integer("revision"),
    long_text("value"),
    long_text("act"),
    word("recorded_at"),
    PrimaryKeyConstraint("municipality", "law", "name", "revision", name="pk_posturas_options"),
)

calendar_facts = Table(
    "posturas_calendar_facts",
    metadata,
    municipality(),
    integer("number"),
    word("digest"),
    long_text("document"),
    long_text("source"),
    word("recorded_at", null=True),
    PrimaryKeyConstraint("municipality", "number", name="pk_posturas_calendar_facts"),
    UniqueConstraint("municipality", "digest", name="uq_posturas_calendar_facts_digest"),
)

sweep_runs = Table(
    "posturas_sweep_runs",
    metadata,
    municipality(),
    integer("run_id"),
    word("as_of"),
    big("as_of_epoch"),
    word("started_at"),
    word("finished_at", null=True),
    long_text("actor"),
    integer("workers"),
    word("status"),
    *(integer(name) for name in ("examined", "expired", "inscribed", "surcharged", "returned_to_origin", "failed")),
    long_text("by_kind"),
    big("milliseconds", null=True),
    integer("days_since_last", null=True),
    word("head", null=True),
    word("event_mark", null=True),
    PrimaryKeyConstraint("municipality", "run_id", name="pk_posturas_sweep_runs"),
)

sweep_failures = Table(
    "posturas_sweep_failures",
    metadata,
    municipality(),
    integer("run_id"),
    word("auto"),
    word("code"),
    long_text("message"),
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
    municipality(),
    word("name"),
    long_text("value"),
    PrimaryKeyConstraint("municipality", "name", name="pk_posturas_settings"),
)
"""Settings of the installation (municipality ``""``) and of each municipality."""

api_keys = Table(
    "posturas_api_keys",
    metadata,
    municipality(),
    word("id"),
    long_text("name"),
    word("digest"),
    word("roles"),
    word("created_at"),
    word("expires_at", null=True),
    word("revoked_at", null=True),
    PrimaryKeyConstraint("municipality", "id", name="pk_posturas_api_keys"),
    Index("ix_posturas_api_keys_id", "id"),
)
"""Who may ask over HTTP: one row for each municipality of a key, found by the id that comes with the request."""

reads = Table(
    "posturas_reads",
    metadata,
    municipality(),
    Column("id", BigInteger, Identity(always=False), nullable=False),
    word("key_id"),
    word("what"),
    word("number"),
    word("at"),
    PrimaryKeyConstraint("municipality", "id", name="pk_posturas_reads"),
    Index("ix_posturas_reads_at", "municipality", "at"),
)
"""Which key was shown personal data, of what, when: numbers only, never the data. ``at`` is UTC, to the second."""
