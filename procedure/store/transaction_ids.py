"""The id of the transaction that wrote a row, as a column's type and as its default."""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction
from sqlalchemy.types import UserDefinedType


class Xid8(UserDefinedType[str]):
    """PostgreSQL's 64-bit transaction id."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """The name in DDL."""
        return "xid8"


class CurrentTransaction(GenericFunction[str]):
    """The id of the running transaction; 0 on SQLite, which has one writer and needs none."""

    name = "pg_current_xact_id"
    inherit_cache = True


@compiles(CurrentTransaction, "sqlite")
def _no_transaction_id(_element: CurrentTransaction, _compiler: Any, **_: Any) -> str:
    return "0"
