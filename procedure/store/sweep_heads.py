"""The digest of the chain's heads, taken behind the lanes of a sweep.

A sweep goes through the autos in key order, so that the heads before the last page that is over stand. Reading them
while the next pages are decided and written costs less than going through every case afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from procedure.store.engine import session_scope
from procedure.store.events import mark, recorded_since
from procedure.store.sweeps import head_lines

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

Settled = Callable[[str], str | None]


class HeadsBehind:
    """Takes the digest of a municipality's heads up to where the sweep has gone. Made before the sweep begins."""

    def __init__(self, engine: Engine, municipality: str) -> None:
        self._engine, self._municipality = engine, municipality
        self._digest = sha256()
        self._complete = False
        with session_scope(engine, read_only=True) as session:
            self._began = mark(session, municipality)

    def follow(self, settled: Settled) -> None:
        """Take in every head, waiting for ``settled``: the auto up to which the heads stand, "" when all do, None when
        the sweep has failed or nothing was due: then the last run's digest may still do.
        """
        after = ""
        while (until := settled(after)) is not None:
            with session_scope(self._engine, read_only=True) as session:
                for lines in head_lines(session, self._municipality, after, until):
                    self._digest.update(f"{lines}\n".encode())
            if not until:
                self._complete = True
                return
            after = until

    def digest(self, session: Session, acts: int) -> tuple[str, str] | None:
        """The digest and where the events stand; None when anything but the sweep's own ``acts`` was recorded
        meanwhile, since it may have changed a head that was already taken in.
        """
        stands = mark(session, self._municipality)
        if not self._complete or recorded_since(session, self._municipality, self._began, stands) != acts:
            return None
        return self._digest.hexdigest(), stands
