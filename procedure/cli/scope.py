"""What the database commands share: the database with its tables, the municipality meant, the reading of the clock."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from legalbasis import PosturasError


class SeveralMunicipalities(PosturasError):
    """O banco guarda mais de um município: diga qual."""

    code = "municipio_a_escolher"


def add_municipality(parser: argparse.ArgumentParser) -> None:
    """The option ``--municipality``."""
    parser.add_argument(
        "--municipality",
        metavar="IBGE",
        help="código do município, de 7 algarismos; pode faltar quando o banco guarda um só",
    )


def now() -> datetime:
    """The instant, aware: the one place where a command reads the clock."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Scope:
    """An open database at this program's schema, and the municipalities that the command is about."""

    engine: Any  # an Engine of SQLAlchemy, which only the store imports
    municipalities: tuple[str, ...]

    def one(self) -> str | None:
        """The municipality meant; None when the database holds none. Raises SeveralMunicipalities."""
        if len(self.municipalities) > 1:
            raise SeveralMunicipalities(
                remedy=f"Acrescente --municipality e um destes: {', '.join(self.municipalities)}."
            )
        return self.municipalities[0] if self.municipalities else None


def position_in(args: argparse.Namespace, municipality: str | None) -> Any:
    """The position of ``--as-of`` and ``--known-at`` (``procedure.services.as_of``). Raises InputError."""
    from procedure.services.as_of import Position, position_of
    from procedure.services.context import zone_of

    if municipality is None or not (args.as_of or args.known_at):
        return Position()
    return position_of(str(zone_of(municipality)), args.as_of, args.known_at)


@contextmanager
def database(args: argparse.Namespace) -> Iterator[Scope]:
    """Open ``--db``. Raises SchemaMissing and the other StoreErrors; InvalidField for a code that is not IBGE's."""
    from procedure.domain.act_input import municipality_code
    from procedure.store.engine import open_engine, session_scope
    from procedure.store.repository import SqlRepository
    from procedure.store.schema import require_schema

    named = municipality_code(args.municipality) if args.municipality is not None else None
    engine = open_engine(args.db)
    try:
        require_schema(engine)
        if named is not None:
            yield Scope(engine, (named,))
            return
        with session_scope(engine, read_only=True) as session:
            found = tuple(SqlRepository(session).municipalities())
        yield Scope(engine, found)
    finally:
        engine.dispose()


def day_of(text: str, option: str) -> date:
    """The day that an option gives. Raises the error of a moment, which names the option."""
    from procedure.domain.moment import Moment, zone

    return Moment.parse(text, zone("UTC"), field=option).day
