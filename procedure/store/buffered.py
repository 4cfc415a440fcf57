"""The record a chunk at a time: what many acts ask is read set-wise, kept, and written once at the end.

Recording works on copies of the kept cases; ``save`` keeps what it changed. So an act that is refused leaves nothing
behind, with no savepoint. Nothing reaches the database before ``flush`` but counters and versions of law and calendar.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import any_, bindparam, func, select, tuple_
from sqlalchemy.dialects.postgresql import ARRAY

from legalbasis import PosturasError
from procedure.domain.act_input import ActInput
from procedure.domain.case import Case, RecordedAct
from procedure.domain.chain import canonical
from procedure.domain.vocabulary import Act
from procedure.services.persons import person_references
from procedure.services.ports import PersonRef
from procedure.store import persons as people
from procedure.store import rows
from procedure.store.bulk import insert_rows
from procedure.store.columns import WORD
from procedure.store.errors import StaleCase
from procedure.store.repository import SqlRepository
from procedure.store.selecting import among
from procedure.store.tables import acts, cases, persons

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

PAIRS = 5_000
_PERSON_COLUMNS = ("municipality", "id", "version", "digest", "person_key", "kind", "name", "doc", "fields")
Key = tuple[str, str]
_Named = tuple[str, str, str | None]


class BufferedRepository(SqlRepository):
    """A repository over one transaction that reads ahead and writes at the end. ``prefetch``, record, ``flush``."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._cases: dict[Key, Case | None] = {}
        self._pending: dict[Key, list[RecordedAct]] = {}
        self._keys: dict[Key, tuple[str, RecordedAct | None] | None] = {}
        self._of_person: dict[Key, set[str]] = {}
        self._newest: dict[Key, tuple[int, str] | None] = {}  # person: last version, its digest
        self._fields: dict[tuple[str, str, int], dict[str, Any] | None] = {}
        self._new_people: dict[tuple[str, str, int], tuple[Any, ...]] = {}
        self._names: dict[Key, _Named] = {}
        self._draft: dict[tuple[str, str, int], tuple[Any, ...]] = {}

    def prefetch(self, acts: Sequence[ActInput]) -> None:
        """Read, set-wise, everything that recording these acts will ask; locks their cases in key order."""
        for municipality in sorted({act.municipality for act in acts}):
            theirs = [act for act in acts if act.municipality == municipality]
            self._read_cases(municipality, theirs)  # locks them: what is read below cannot change any more
            self._read_keys(municipality, theirs)
            self._read_people(municipality, theirs)

    def _read_keys(self, municipality: str, theirs: Sequence[ActInput]) -> None:
        wanted = sorted({act.key for act in theirs if act.key is not None})
        self._keys.update(dict.fromkeys((municipality, key) for key in wanted))
        query = select(acts, cases.c.timezone).join_from(
            acts, cases, (cases.c.municipality == acts.c.municipality) & (cases.c.auto == acts.c.auto)
        )
        matches = self._among(acts.c.key, wanted)
        for row in self.connection.execute(query.where(acts.c.municipality == municipality, matches)):
            self._keys[municipality, row.key] = (row.auto, rows.act_of(row, row.timezone))

    def _read_people(self, municipality: str, theirs: Sequence[ActInput]) -> None:
        collector = _Collector(self._named)
        for act in theirs:
            if self._keys.get((municipality, str(act.key))) is None:
                collector.collect(act)
        wanted = sorted(collector.ids - {identity for place, identity in self._newest if place == municipality})
        self._newest.update(dict.fromkeys((municipality, identity) for identity in wanted))
        asked = self._values(wanted)
        own = (persons.c.municipality == municipality) & (persons.c.id == asked.c.value)
        inner = persons.alias()
        last = (
            select(func.max(inner.c.version))
            .where(inner.c.municipality == municipality, inner.c.id == asked.c.value)
            .scalar_subquery()
        )
        query = select(persons.c.id, persons.c.version, persons.c.digest, persons.c.erased_at)
        for row in self.connection.execute(query.select_from(asked.join(persons, own & (persons.c.version == last)))):
            self._newest[municipality, row.id] = (row.version, "" if row.erased_at else row.digest)

    def _read_cases(self, municipality: str, theirs: Sequence[ActInput]) -> None:
        autos = {act.auto for act in theirs}
        autos.update(str(act.fields["linked_auto"]) for act in theirs if act.fields.get("linked_auto"))
        judged = sorted({act.auto for act in theirs if act.kind is Act.JULGAMENTO})
        person_keys = {
            key
            for act in theirs
            if act.kind is Act.LAVRATURA
            for key in [self.person_key_of(municipality, act.fields["infrator"].get("doc") or "")]
            if key
        }
        of_judged = select(cases.c.person_key).where(among(self.connection, cases, municipality, judged))
        person_keys.update(key for key in self.connection.scalars(of_judged) if key)
        self._of_person.update({(municipality, key): set() for key in person_keys})
        query = select(cases.c.person_key, cases.c.auto).where(
            cases.c.municipality == municipality, self._among(cases.c.person_key, sorted(person_keys))
        )
        for row in self.connection.execute(query):
            self._of_person[municipality, row.person_key].add(row.auto)
            autos.add(row.auto)
        self.load(municipality, sorted(autos), lock=False)
        if judged:
            self._read_documents(municipality, autos)

    def _read_documents(self, municipality: str, autos: Iterable[str]) -> None:
        """The persons of the cases, whose documents antecedents compare."""
        found = [self._cases.get((municipality, auto)) for auto in autos]
        named = [case.facts["infrator"] for case in found if case and case.facts.get("infrator")]
        pairs = sorted({(ref["person"], ref["version"]) for ref in named})
        for start in range(0, len(pairs), PAIRS):
            wanted = tuple_(persons.c.id, persons.c.version).in_(pairs[start : start + PAIRS])
            query = select(persons.c.id, persons.c.version, persons.c.fields)
            for row in self.connection.execute(query.where(persons.c.municipality == municipality, wanted)):
                fields = json.loads(row.fields) if row.fields is not None else None
                self._fields[municipality, row.id, row.version] = fields

    def _values(self, values: Sequence[str]) -> Any:
        """A table of one column ``value``."""
        if self._postgresql:
            return (
                func.unnest(bindparam("asked", list(values), type_=ARRAY(WORD))).table_valued("value").render_derived()
            )
        return func.json_each(json.dumps(list(values))).table_valued("value")

    def _among(self, column: Any, values: Sequence[str]) -> Any:
        if self._postgresql:
            return column == any_(bindparam(None, list(values), type_=ARRAY(WORD)))
        given = func.json_each(json.dumps(list(values))).table_valued("value")
        return column.in_(select(given.c.value))

    def load(
        self, municipality: str, autos: Sequence[str], *, lock: bool, skip_locked: bool = False
    ) -> dict[str, Case]:
        """As SqlRepository, from what is kept; with ``lock`` copies to be changed. Rows are locked when first read."""
        unread = [auto for auto in dict.fromkeys(autos) if (municipality, auto) not in self._cases]
        if unread:
            read = super().load(municipality, unread, lock=True)
            self._cases.update({(municipality, auto): read.get(auto) for auto in unread})
        kept = {auto: self._cases[municipality, auto] for auto in sorted(set(autos))}
        return {auto: case.copied() if lock else case for auto, case in kept.items() if case is not None}

    def auto_of_key(self, municipality: str, key: str) -> str | None:
        """As SqlRepository."""
        if (municipality, key) not in self._keys:
            return super().auto_of_key(municipality, key)
        found = self._keys[municipality, key]
        return found[0] if found else None

    def act_of_key(self, municipality: str, key: str) -> tuple[str, RecordedAct] | None:
        """The auto and the recorded act of a key that was read ahead; None for what this unit of work wrote."""
        found = self._keys.get((municipality, key))
        return (found[0], found[1]) if found and found[1] else None

    def content_key(self, municipality: str, content: bytes) -> str:
        """The key of an act that came without one. Keyed, since what is digested has personal data."""
        return f"conteudo:{people.keyed(self._key(), ['importacao', municipality, content.hex()])[:40]}"

    def acts(self, municipality: str, auto: str) -> list[RecordedAct]:
        """As SqlRepository, with those not yet written."""
        return [*super().acts(municipality, auto), *self._pending.get((municipality, auto), ())]

    def autos_of_person(self, municipality: str, person_key: str) -> list[str]:
        """As SqlRepository."""
        known = self._of_person.get((municipality, person_key))
        if known is None:
            known = self._of_person[municipality, person_key] = set(super().autos_of_person(municipality, person_key))
            known.update(
                auto for (place, auto), case in self._cases.items()
                if place == municipality and case and case.person_key == person_key
            )  # fmt: skip
        return sorted(known)

    def autos_reissuing(self, municipality: str, auto: str) -> list[str]:
        """As SqlRepository, with those not yet written."""
        kept = {
            name for (place, name), case in self._cases.items()
            if place == municipality and case and case.facts.get("reissues") == auto
        }  # fmt: skip
        return sorted({*super().autos_reissuing(municipality, auto), *kept})

    def put_person(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """As SqlRepository, but written by ``flush``, and only if the act in hand is saved."""
        text = canonical(fields)
        identity, digest, searched = self._named(municipality, fields, text)
        version, last = self._last(municipality, identity)
        if last != digest:
            version += 1
            row = (
                municipality, identity, version, digest, searched, fields.get("kind"), fields.get("name"),
                people.normalised_doc(fields), text,
            )  # fmt: skip
            self._draft[municipality, identity, version] = row
        return PersonRef(identity, version, digest, searched)

    def _named(self, municipality: str, fields: dict[str, Any], text: str) -> _Named:
        """The id, digest and search key of a person, worked out once for the reading ahead and the recording."""
        found = self._names.get((municipality, text))
        if found is None:
            secret = self._key()
            found = self._names[municipality, text] = (
                people.person_id(secret, municipality, fields),
                people.digest_of(secret, text),
                people.person_key(secret, municipality, people.normalised_doc(fields)),
            )
        return found

    def _last(self, municipality: str, identity: str) -> tuple[int, str]:
        drafts = [row for (place, who, _), row in self._draft.items() if (place, who) == (municipality, identity)]
        if drafts:
            return drafts[-1][2], drafts[-1][3]
        key = (municipality, identity)
        if key not in self._newest:
            row = people._last(self.connection, municipality, identity)
            self._newest[key] = (row.version, "" if row.erased_at else row.digest) if row else None
        return self._newest[key] or (0, "")

    def person(self, municipality: str, person_id: str, version: int) -> dict[str, Any] | None:
        """As SqlRepository."""
        key = (municipality, person_id, version)
        if key not in self._fields:
            row = self._new_people.get(key)
            found = json.loads(row[-1]) if row else super().person(municipality, person_id, version)
            self._fields[key] = found
        return self._fields[key]

    def save(self, cases: Sequence[Case]) -> None:
        """Keep what an act changed; ``flush`` writes it."""
        for case in cases:
            key = (case.municipality, case.auto)
            self._pending.setdefault(key, []).extend(case.new_acts)
            for act in case.new_acts:
                if act.key is not None:
                    self._keys[case.municipality, act.key] = (case.auto, None)
            case.new_acts = []
            self._cases[key] = case
            if case.person_key and (case.municipality, case.person_key) in self._of_person:
                self._of_person[case.municipality, case.person_key].add(case.auto)
        for (place, who, version), row in self._draft.items():
            self._newest[place, who] = (version, row[3])
        self._new_people.update(self._draft)
        self._draft.clear()

    def discard(self) -> None:
        """Forget what the act in hand had begun."""
        self._draft.clear()

    def flush(self) -> None:
        """Write everything that was saved, set-wise. Raises StaleCase and what ``SqlRepository.save`` raises."""
        if self._new_people:
            written = insert_rows(
                self.connection, persons, _PERSON_COLUMNS, list(self._new_people.values()),
                conflict="ON CONFLICT (municipality, id, version) DO NOTHING",
            )  # fmt: skip
            if written != len(self._new_people):
                raise StaleCase(next(iter(self._new_people))[0], ())
        for municipality in sorted({place for place, _ in self._pending}):
            changed = []
            for place, auto in sorted(self._pending):
                case = self._cases[place, auto]
                if place == municipality and case is not None:
                    case.new_acts = self._pending[place, auto]
                    changed.append(case)
            super().save(changed)
        self._pending.clear()
        self._new_people.clear()


class _Collector:
    """Takes note of the persons that an act names."""

    def __init__(self, named: Callable[[str, dict[str, Any], str], _Named]) -> None:
        self._named = named
        self.ids: set[str] = set()

    def collect(self, act: ActInput) -> None:
        """Note the persons of an act; one that will be refused for them is left to its turn."""
        try:
            person_references(self, act)  # type: ignore[arg-type]  # of a repository it asks put_person alone
        except PosturasError:
            return

    def put_person(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """Note one person."""
        identity = self._named(municipality, fields, canonical(fields))[0]
        self.ids.add(identity)
        return PersonRef(identity, 0, "", None)
