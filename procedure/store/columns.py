"""The columns of which the tables are made."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Date, ForeignKeyConstraint, Integer, Text

WORD = Text().with_variant(Text(collation="C"), "postgresql")
"""A code, name of the vocabulary, key or number: compared by code point."""

LONG_TEXTS = {"toast_tuple_target": 8160}
"""A row that fits in a page is kept as it is: compressing texts of some kilobytes takes longer than writing them."""

UPDATED_OFTEN = {"fillfactor": 70, **LONG_TEXTS}
"""Room in each page for the next version of a row (HOT updates)."""


def municipality() -> Column[str]:
    """The first column of every key."""
    return Column("municipality", WORD, nullable=False)


def word(name: str, *, null: bool = False) -> Column[str]:
    """A code, name, key or number."""
    return Column(name, WORD, nullable=null)


def long_text(name: str, *, null: bool = False) -> Column[str]:
    """Text for people, or JSON."""
    return Column(name, Text, nullable=null)


def integer(name: str, *, null: bool = False) -> Column[int]:
    """A number that the caller gives."""
    return Column(name, Integer, nullable=null, autoincrement=False)


def big(name: str, *, null: bool = False) -> Column[int]:
    """Centavos, or a count without a bound."""
    return Column(name, BigInteger, nullable=null, autoincrement=False)


def day(name: str, *, null: bool = False) -> Column[Any]:
    """A day."""
    return Column(name, Date, nullable=null)


def of_case(table: str) -> ForeignKeyConstraint:
    """The foreign key to the case, municipality included."""
    return ForeignKeyConstraint(
        ["municipality", "auto"],
        ["posturas_cases.municipality", "posturas_cases.auto"],
        name=f"fk_{table}_case",
    )
