"""The record over a host's SQLAlchemy session: ``procedure.services.ports.Repository``.

Nothing here begins, commits or rolls back; every statement runs on the session's connection. After an error the caller
rolls its transaction (or savepoint) back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Select, exists, func, select
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from legalbasis import InputError
from procedure.domain.case import Case, RecordedAct
from procedure.domain.chain import canonical
from procedure.domain.vocabulary import DeadlineStatus
from procedure.services.ports import MunicipalData, PersonRef
from procedure.store import persons, rows, supplied
from procedure.store.counters import take
from procedure.store.saving import save_cases
from procedure.store.selecting import among
from procedure.store.subscribers import telling
from procedure.store.tables import acts, calendars, cases, deadlines, inscriptions, rulebooks

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

CHUNK = 5_000
PAGE = 1_000
INSCRIPTION_COUNTER = "inscricao"

_CASE = [cases.c[name] for name in (*rows.CASE_KEY, "version", *rows.CASE_VALUES)]
_DEADLINE = [deadlines.c[name] for name in (*rows.DEADLINE_KEY, *rows.DEADLINE_VALUES)]


class SqlRepository:
    """One unit of work over one host session, on SQLite or PostgreSQL."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._secret: bytes | None = None

    @property
    def connection(self) -> Connection:
        """The session's connection, in its transaction."""
        return self.session.connection()

    @property
    def _postgresql(self) -> bool:
        return self.connection.dialect.name == "postgresql"

    def municipal_data(self, municipality: str) -> MunicipalData:
        """What the municipality supplied, the newest revision of each; empty when nothing."""
        return supplied.municipal_data(self.connection, municipality)

    def load(
        self, municipality: str, autos: Sequence[str], *, lock: bool, skip_locked: bool = False
    ) -> dict[str, Case]:
        """The cases with all their deadlines and last inscription, in key order: three statements per 5,000 autos.

        ``lock`` takes the rows FOR UPDATE in key order on PostgreSQL (SQLite's writer holds the database already);
        ``skip_locked`` leaves out those that another transaction holds. Absent ones are left out.
        """
        wanted = sorted(set(autos))
        found: dict[str, Case] = {}
        for start in range(0, len(wanted), CHUNK):
            self._load_chunk(municipality, wanted[start : start + CHUNK], found, lock, skip_locked)
        return found

    def _load_chunk(
        self, municipality: str, autos: list[str], found: dict[str, Case], lock: bool, skip_locked: bool
    ) -> None:
        connection = self.connection
        query = select(*_CASE).where(among(connection, cases, municipality, autos)).order_by(cases.c.auto)
        if lock:
            query = query.with_for_update(skip_locked=skip_locked)
        loaded = {row[1]: rows.case_of(row) for row in connection.execute(query).all()}
        if not loaded:
            return
        names = list(loaded)
        query = select(*_DEADLINE).where(among(connection, deadlines, municipality, names))
        for row in connection.execute(query.order_by(deadlines.c.auto, deadlines.c.number, deadlines.c.kind)).all():
            case = loaded[row[1]]
            case.deadlines.append(rows.deadline_of(row, case.timezone))
        query = select(inscriptions).where(among(connection, inscriptions, municipality, names))
        for row in connection.execute(query.order_by(inscriptions.c.auto, inscriptions.c.seq)):
            loaded[row.auto].inscription = rows.inscription_of(row)
        found.update(loaded)

    def auto_of_key(self, municipality: str, key: str) -> str | None:
        """The auto in which an act with this idempotence key is recorded."""
        query = select(acts.c.auto).where(acts.c.municipality == municipality, acts.c.key == key)
        auto: str | None = self.connection.scalar(query)
        return auto

    def acts(self, municipality: str, auto: str) -> list[RecordedAct]:
        """The recorded acts of a case by seq; none when there is no such case."""
        of_case = (cases.c.municipality == municipality) & (cases.c.auto == auto)
        timezone = self.connection.scalar(select(cases.c.timezone).where(of_case))
        if timezone is None:
            return []
        query = select(acts).where(acts.c.municipality == municipality, acts.c.auto == auto).order_by(acts.c.seq)
        return [rows.act_of(row, timezone) for row in self.connection.execute(query)]

    def autos_of_person(self, municipality: str, person_key: str) -> list[str]:
        """All autos of a person, in key order."""
        query = select(cases.c.auto).where(cases.c.municipality == municipality, cases.c.person_key == person_key)
        return list(self.connection.scalars(query.order_by(cases.c.auto)))

    def autos_reissuing(self, municipality: str, auto: str) -> list[str]:
        """The autos drawn up again in the place of this one, in key order: their facts, as stored, name it."""
        named = cases.c.facts.contains(f"{canonical('reissues')}:{canonical(auto)}", autoescape=True)
        query = select(cases.c.auto).where(cases.c.municipality == municipality, named)
        return list(self.connection.scalars(query.order_by(cases.c.auto)))

    def due_autos(self, municipality: str, before_epoch: int, after_auto: str, limit: int) -> list[str]:
        """Autos, in key order after ``after_auto``, with an open deadline whose expiry is below ``before_epoch``."""
        query = _due(municipality, before_epoch).where(deadlines.c.auto > after_auto)
        return list(self.connection.scalars(query.distinct().order_by(deadlines.c.auto).limit(limit)))

    def count_due(self, municipality: str, before_epoch: int) -> int:
        """How many autos ``due_autos`` would give in all."""
        due = _due(municipality, before_epoch).distinct().subquery()
        return self.connection.scalar(select(func.count()).select_from(due)) or 0

    def claim_due(
        self, municipality: str, before_epoch: int, after_auto: str, limit: int, skip_locked: bool = True
    ) -> list[str]:
        """As ``due_autos``, but the case rows are locked, those held by another worker passed over if ``skip_locked``.

        May return fewer than ``limit``; only an empty list means that nothing is left. The deadlines may have changed
        while waiting: load the cases and look at their status.
        """
        while due := self.due_autos(municipality, before_epoch, after_auto, limit):
            if not self._postgresql:
                return due
            query = select(cases.c.auto).where(among(self.connection, cases, municipality, due))
            query = query.order_by(cases.c.auto).with_for_update(skip_locked=skip_locked)
            if claimed := list(self.connection.scalars(query)):
                return claimed
            after_auto = due[-1]  # all of these are another worker's
        return []

    def municipalities(self) -> list[str]:
        """The municipalities that have cases, in order: one index probe for each."""
        found: list[str] = []
        query = select(cases.c.municipality).order_by(cases.c.municipality).limit(1)
        place = self.connection.scalar(query)
        while place is not None:
            found.append(place)
            place = self.connection.scalar(query.where(cases.c.municipality > place))
        return found

    def take_numbers(self, municipality: str, year: int, count: int) -> int:
        """Lock the counter and take ``count`` inscription numbers; the first is returned."""
        return take(self.connection, municipality, INSCRIPTION_COUNTER, year, count)

    def save(self, cases: Sequence[Case]) -> None:
        """Write new acts (already sealed), deadlines, inscriptions, outbox and case rows set-wise; tell subscribers.

        Raises StaleCase, KeyAlreadyUsed, ExpiryAlreadyRecorded, InscriptionConflict, TextNotStorable.
        """
        if cases:
            with telling(self.session, cases):
                save_cases(self.connection, cases)

    def put_person(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """Store a person (a new version when the fields changed) and return how payloads name it."""
        return persons.put(self.connection, self._key(), municipality, fields)

    def person(self, municipality: str, person_id: str, version: int) -> dict[str, Any] | None:
        """The fields of that version, or None when erased. Raises PersonNotFound."""
        return persons.fields_of(self.connection, municipality, person_id, version)

    def erase_person(self, municipality: str, person_id: str, erased_at: str) -> int:
        """Empty every version of the person's fields; see ``persons.erase``."""
        return persons.erase(self.connection, municipality, person_id, erased_at)

    def person_key_of(self, municipality: str, doc: str) -> str | None:
        """The key under which a CPF or CNPJ's cases are found; None when it is neither."""
        return persons.person_key(self._key(), municipality, persons.normalised_doc({"doc": doc}))

    def person_digest(self, fields: dict[str, Any]) -> str:
        """The keyed digest of the fields, to be compared with what a payload holds."""
        return persons.keyed(self._key(), fields)

    def _key(self) -> bytes:
        if self._secret is None:
            self._secret = persons.secret(self.connection)
        return self._secret

    def has_calendar(self, version: str) -> bool:
        """Whether the days of that version are kept already."""
        return self.connection.scalar(select(calendars.c.version).where(calendars.c.version == version)) is not None

    def keep_calendar(self, version: str, document: dict[str, Any]) -> None:
        """Keep the days of a calendar version, once."""
        if not self.has_calendar(version):
            self._keep(calendars, {"version": version, "document": canonical(document)})

    def calendar_document(self, version: str) -> dict[str, Any] | None:
        """The kept days of a calendar version."""
        text = self.connection.scalar(select(calendars.c.document).where(calendars.c.version == version))
        document: dict[str, Any] | None = json.loads(text) if text is not None else None
        return document

    def keep_rulebook(self, version: str, law: str, text: str) -> None:
        """Keep the text of a rulebook version, once."""
        if self.rulebook_text(version) is None:
            self._keep(rulebooks, {"version": version, "law": law, "content": text})

    def rulebook_text(self, version: str) -> str | None:
        """The kept text of a rulebook version."""
        text: str | None = self.connection.scalar(select(rulebooks.c.content).where(rulebooks.c.version == version))
        return text

    def _keep(self, table: Any, values: dict[str, str]) -> None:
        insert = postgresql_insert if self._postgresql else sqlite_insert
        self.connection.execute(insert(table).values(values).on_conflict_do_nothing())

    def stream_autos(self, municipality: str) -> Iterator[str]:
        """All autos in key order, a page at a time: a commit between two autos does no harm."""
        after = ""
        query = select(cases.c.auto).where(cases.c.municipality == municipality).order_by(cases.c.auto).limit(PAGE)
        while page := list(self.connection.scalars(query.where(cases.c.auto > after))):
            yield from page
            after = page[-1]

    def search_autos(
        self,
        municipality: str,
        *,
        states: Iterable[str] = (),
        due_until: date | None = None,
        limit: int | None = None,
        due_from: date | None = None,
        person_key: str | None = None,
    ) -> list[Case]:
        """Cases for listings, by auto. The due range is that of an open deadline of law."""
        query: Select[Any] = select(cases.c.auto).where(cases.c.municipality == municipality)
        wanted = list(states)
        if wanted:
            query = query.where(cases.c.state.in_(wanted))
        if person_key is not None:
            query = query.where(cases.c.person_key == person_key)
        if due_until is not None or due_from is not None:
            query = query.where(exists().where(*due_between(due_from, due_until)))
        autos = list(self.connection.scalars(query.order_by(cases.c.auto).limit(limit)))
        return list(self.load(municipality, autos, lock=False).values())

    def inscriptions(self, municipality: str, *, number: str | None = None) -> list[dict[str, Any]]:
        """Inscriptions by (year, number): the row, termo and beside parsed. InputError ``numero_invalido``."""
        query = select(inscriptions).where(inscriptions.c.municipality == municipality)
        if number is not None:
            sequence, year = _parse_number(number)
            query = query.where(inscriptions.c.year == year, inscriptions.c.number == sequence)
        query = query.order_by(inscriptions.c.year, inscriptions.c.number)
        found = self.connection.execute(query)
        return [{**r._mapping, "termo": json.loads(r.termo), "beside": json.loads(r.beside)} for r in found]


def _due(municipality: str, before_epoch: int) -> Select[Any]:
    return select(deadlines.c.auto).where(
        deadlines.c.municipality == municipality,
        deadlines.c.status == DeadlineStatus.ABERTO.value,
        deadlines.c.expires_epoch < before_epoch,
    )


def due_between(first: date | None, last: date | None) -> list[ColumnElement[bool]]:
    """That a deadline of the case is open, of law, and falls due from ``first`` to ``last``."""
    conditions: list[ColumnElement[bool]] = [
        deadlines.c.municipality == cases.c.municipality,
        deadlines.c.auto == cases.c.auto,
        deadlines.c.status == DeadlineStatus.ABERTO.value,
        deadlines.c.internal.is_(False),
    ]
    if first is not None:
        conditions.append(deadlines.c.due >= first)
    if last is not None:
        conditions.append(deadlines.c.due <= last)
    return conditions


def _parse_number(number: str) -> tuple[int, int]:
    sequence, _, year = number.partition("/")
    if not (sequence.isdecimal() and year.isdecimal() and len(year) == 4 and len(sequence) < 10):
        raise InputError(
            f"“{number[:40]}” não é número de inscrição.",
            code="numero_invalido",
            field="inscription",
            remedy="Escreva o número como N/AAAA, por exemplo 1/2013.",
        )
    return int(sequence), int(year)
