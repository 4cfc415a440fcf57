"""What every request shares: the database, the clock, the keys already verified, the writers' turn."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from calendars.days import Fact
from procedure.http.errors import KeyRequired
from procedure.http.settings import Settings
from procedure.services.context import zone_of
from procedure.store.access import Access, authenticate, note_read
from procedure.store.archive import Archive, reading
from procedure.store.engine import session_scope
from procedure.store.errors import DatabaseBusy, ExpiryAlreadyRecorded, KeyAlreadyUsed, StaleCase
from procedure.store.supplied import municipal_data

if TYPE_CHECKING:
    from procedure.services.ports import MunicipalData

Clock = Callable[[], datetime]
Done = TypeVar("Done")
ATTEMPTS = 5
PAUSE_MS = 20
KEPT = 10_000
_BETWEEN = (DatabaseBusy, StaleCase, KeyAlreadyUsed, ExpiryAlreadyRecorded)
"""Another transaction came between: nothing was written, and the second try sees what it wrote."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Something read from the database, and until when it may be used without asking again (monotonic ns)."""

    value: Any
    until: int


class Service:
    """One per application; safe for its threads."""

    def __init__(self, engine: Any, clock: Clock, settings: Settings) -> None:
        self.engine = engine
        self.clock = clock
        self.settings = settings
        one_writer = engine.dialect.name == "sqlite"
        self._turn: Any = threading.Lock() if one_writer else nullcontext()
        self._keys: dict[bytes, Kept] = {}
        self._days: dict[str, Kept] = {}

    # ------------------------------------------------------------- keys

    def access(self, token: str) -> Access:
        """What the key may do, as the database has it now. Raises KeyRequired."""
        with session_scope(self.engine, read_only=True) as session:
            found = authenticate(session.connection(), token, self.clock())
        if found is None:
            self._keys.pop(_digest(token), None)
            raise KeyRequired()
        self._keep(self._keys, _digest(token), found, self.settings.key_seconds)
        return found

    def known_access(self, token: str) -> Access | None:
        """What the key could do some seconds ago; None where the database must be asked."""
        found: Access | None = self._fresh(self._keys, _digest(token))
        return found

    def stood(self, token: str) -> bool:
        """Whether the key stood the last time that it was asked about here: it is no guess."""
        return _digest(token) in self._keys

    # ------------------------------------------------------------- the municipality's own data

    def known_days(self, municipality: str) -> list[Fact] | None:
        """The municipality's own calendar facts of some seconds ago; None where the database must be asked."""
        found: list[Fact] | None = self._fresh(self._days, municipality)
        return found

    def days(self, municipality: str) -> list[Fact]:
        """The municipality's own calendar facts."""
        from calendars.fact_documents import fact_from_document

        facts = [fact_from_document(document) for document in self.supplied(municipality).calendar_facts]
        self._keep(self._days, municipality, facts, self.settings.days_seconds)
        return facts

    def supplied(self, municipality: str) -> MunicipalData:
        """What the municipality supplied."""
        with session_scope(self.engine, read_only=True) as session:
            return municipal_data(session.connection(), municipality)

    @staticmethod
    def _fresh(kept: dict[Any, Kept], name: Any) -> Any:
        found = kept.get(name)
        return found.value if found is not None and time.monotonic_ns() < found.until else None

    @staticmethod
    def _keep(kept: dict[Any, Kept], name: Any, value: Any, seconds: int) -> None:
        if len(kept) >= KEPT:
            kept.clear()
        kept[name] = Kept(value, time.monotonic_ns() + seconds * 1_000_000_000)

    # ------------------------------------------------------------- reading and writing

    @contextmanager
    def reading(self) -> Iterator[Archive]:
        """One consistent picture of the record; nothing is written."""
        with reading(self.engine) as archive:
            yield archive

    def write(self, work: Callable[[], Done]) -> Done:
        """Do ``work``, a transaction of its own, again where another came between. On SQLite one writer at a time."""
        for attempt in range(1, ATTEMPTS):
            try:
                with self._turn:
                    return work()
            except _BETWEEN:
                threading.Event().wait(PAUSE_MS * attempt / 1_000)
        with self._turn:
            return work()

    def note(self, access: Access, municipality: str, what: str, number: str) -> None:
        """Record that the key was shown personal data. What cannot be recorded is not shown."""
        at = self.clock()

        def work() -> None:
            with session_scope(self.engine) as session:
                note_read(session.connection(), access, municipality, what, number, at)

        self.write(work)

    def today(self, municipality: str) -> date:
        """Today where the municipality is."""
        return self.clock().astimezone(zone_of(municipality)).date()


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
