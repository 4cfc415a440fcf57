"""What the services ask of a store. ``procedure.store`` does it over SQLAlchemy; ``procedure.testing`` in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Protocol

from penalties.index_series import IndexSeries
from procedure.domain.case import Case, RecordedAct


@dataclass(frozen=True, slots=True)
class SuppliedUnitValue:
    """A unit value that the municipality supplied: from ``start`` on, ``value`` reais, by ``act``."""

    unit: str
    start: date
    value: Decimal
    act: str


@dataclass(frozen=True, slots=True)
class SuppliedEnd:
    """The first day on which a law is no longer in force, by ``act``."""

    law: str
    day: date
    act: str


@dataclass(frozen=True, slots=True)
class SuppliedStart:
    """The first day on which a law was in force, by ``act``."""

    law: str
    day: date
    act: str


@dataclass(slots=True)
class MunicipalData:
    """What a municipality added to the shipped data, each with its act."""

    municipality: str
    unit_values: dict[str, list[SuppliedUnitValue]] = field(default_factory=dict)  # by law id
    ends: dict[str, SuppliedEnd] = field(default_factory=dict)  # by law id
    starts: dict[str, SuppliedStart] = field(default_factory=dict)  # by law id
    options: dict[str, dict[str, str]] = field(default_factory=dict)  # law id -> switch or setting -> value
    calendar_facts: list[dict[str, Any]] = field(default_factory=list)  # documents of calendars facts
    option_acts: dict[str, dict[str, str]] = field(default_factory=dict)  # law id -> option -> the act that says it
    series: dict[str, IndexSeries] = field(default_factory=dict)  # by name: those that the options need


@dataclass(frozen=True, slots=True)
class PersonRef:
    """A person as payloads name it. ``digest`` is keyed (HMAC) over the canonical fields of that version."""

    id: str
    version: int
    digest: str
    key: str | None  # keyed digest of CPF or CNPJ root: under it antecedents are looked for


class Repository(Protocol):
    """One unit of work over one host session. Nothing here commits."""

    def municipal_data(self, municipality: str) -> MunicipalData:
        """What the municipality supplied; empty when nothing."""
        ...

    def load(
        self, municipality: str, autos: Sequence[str], *, lock: bool, skip_locked: bool = False
    ) -> dict[str, Case]:
        """The cases with all their deadlines and inscription. Locks in key order. Absent ones are left out."""
        ...

    def auto_of_key(self, municipality: str, key: str) -> str | None:
        """The auto in which an act with this idempotence key is recorded."""
        ...

    def acts(self, municipality: str, auto: str) -> list[RecordedAct]:
        """The recorded acts of a case by seq."""
        ...

    def autos_of_person(self, municipality: str, person_key: str) -> list[str]:
        """All autos of a person, in key order."""
        ...

    def autos_reissuing(self, municipality: str, auto: str) -> list[str]:
        """The autos drawn up again in the place of this one, against whomever, in key order."""
        ...

    def due_autos(self, municipality: str, before_epoch: int, after_auto: str, limit: int) -> list[str]:
        """Autos, in key order after ``after_auto``, with an open deadline whose expiry epoch is below
        ``before_epoch``.
        """
        ...

    def claim_due(
        self, municipality: str, before_epoch: int, after_auto: str, limit: int, skip_locked: bool = True
    ) -> list[str]:
        """As ``due_autos``, with the case rows locked; those held by another worker are passed over if
        ``skip_locked``.
        """
        ...

    def municipalities(self) -> list[str]:
        """The municipalities that have cases, in order."""
        ...

    def take_numbers(self, municipality: str, year: int, count: int) -> int:
        """Lock the counter and take ``count`` inscription numbers; the first is returned."""
        ...

    def save(self, cases: Sequence[Case]) -> None:
        """Write new acts (already sealed), deadlines, inscriptions, outbox and case rows set-wise.

        Raises StaleCase when a case row's version is not the one that was loaded; clears what was pending.
        """
        ...

    def put_person(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """Store a person (a new version when the fields changed) and return how payloads name it."""
        ...

    def person_key_of(self, municipality: str, doc: str) -> str | None:
        """The keyed digest under which the autos of a document are looked for (the CNPJ root for branches)."""
        ...

    def person(self, municipality: str, person_id: str, version: int) -> dict[str, Any] | None:
        """The fields of that version, or None when erased."""
        ...

    def has_calendar(self, version: str) -> bool:
        """Whether the days of that version are kept already."""
        ...

    def keep_calendar(self, version: str, document: dict[str, Any]) -> None:
        """Keep the days of a calendar version, once."""
        ...

    def calendar_document(self, version: str) -> dict[str, Any] | None:
        """The kept days of a calendar version."""
        ...

    def keep_rulebook(self, version: str, law: str, text: str) -> None:
        """Keep the text of a rulebook version, once."""
        ...

    def rulebook_text(self, version: str) -> str | None:
        """The kept text of a rulebook version."""
        ...

    def stream_autos(self, municipality: str) -> Iterator[str]:
        """All autos in key order, in bounded memory."""
        ...

    def search_autos(
        self, municipality: str, *, states: Iterable[str] = (), due_until: date | None = None, limit: int | None = None
    ) -> list[Case]:
        """Cases for listings, by auto."""
        ...

    def inscriptions(self, municipality: str, *, number: str | None = None) -> list[dict[str, Any]]:
        """Inscriptions by (year, number): the row's columns and the parsed termo."""
        ...
