"""For the tests of a host and of the engine: a store in memory, a clock that stands still, builders of acts.

    office = MemoryOffice("3204708", FixedClock("2016-01-04T12:00-03:00"))
    office.supply_unit_value(LAW, "VRSGP", start=date(2012, 9, 18), value=Decimal("30.00"), act="invented")
    office.record_all(acts_of("3204708", "1/2013").lavratura("2013-03-01", ...).ciencia("2013-03-08").acts)
    office.sweep(date(2013, 3, 26))  # office.case("1/2013").state == "em_julgamento"

The same acts leave the same cases, and the same hashes, as in a database whose person secret is the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from legalbasis import InputError
from procedure.domain.case import Case, Inscription, RecordedAct
from procedure.domain.chain import canonical
from procedure.domain.moment import Moment
from procedure.domain.rulebooks import rulebook_of
from procedure.domain.vocabulary import DeadlineStatus
from procedure.services import showing, supplying
from procedure.services.context import Contexts, zone_of
from procedure.services.ports import MunicipalData, PersonRef
from procedure.services.record import Recorded, Recorder
from procedure.services.sweep import Chunk, sweep_chunk
from procedure.store import persons
from procedure.store.errors import KeyAlreadyUsed, PersonNotFound, StaleCase

__all__ = ["PERSON", "SECRET", "ActsOf", "FixedClock", "MemoryOffice", "MemoryRepository", "acts_of"]
SECRET = b"posturas.testing: no person is real"
PERSON: dict[str, Any] = {
    "name": "Pessoa de Teste Ltda.",
    "doc": "11.222.333/0001-81",
    "kind": "pj",
    "address": {"street": "Rua de Teste", "number": "1"},
}
_Key = tuple[str, str]
_COLUMNS = [field.name for field in fields(Inscription) if field.name != "dirty"]


class FixedClock:
    """An instant that moves only when told. Call it for the instant, aware."""

    def __init__(self, instant: datetime | str) -> None:
        found = datetime.fromisoformat(instant) if isinstance(instant, str) else instant
        if found.tzinfo is None:
            raise ValueError("the instant must be aware")
        self.instant = found

    def __call__(self) -> datetime:
        """The instant."""
        return self.instant

    def advance(self, **span: int) -> datetime:
        """Move on by ``days``, ``hours``, ``minutes``; the new instant."""
        self.instant += timedelta(**span)
        return self.instant


class MemoryRepository:
    """``Repository`` over dictionaries: what is given out and kept are copies, as with a database."""

    def __init__(self, *, person_secret: bytes = SECRET) -> None:
        self._secret = person_secret
        self._cases: dict[_Key, Case] = {}
        self._acts: dict[_Key, list[RecordedAct]] = {}
        self._keys: dict[_Key, str] = {}
        self._people: dict[_Key, list[tuple[str, str]]] = {}  # digest and fields, by version
        self._counters: dict[tuple[str, int], int] = {}
        self._inscriptions: dict[tuple[str, int, int], tuple[str, Inscription]] = {}
        self._calendars: dict[str, str] = {}
        self._rulebooks: dict[str, str] = {}
        self.data: dict[str, MunicipalData] = {}

    @contextmanager
    def unit_of_work(self) -> Iterator[MemoryRepository]:
        """Everything inside or, on an error, nothing: what a transaction is to a database."""
        # Shallow: what the dictionaries hold is replaced, never changed in place.
        before = {name: dict(value) for name, value in self.__dict__.items() if isinstance(value, dict)}
        try:
            yield self
        except BaseException:
            self.__dict__.update(before)
            raise

    def municipal_data(self, municipality: str) -> MunicipalData:
        """What the municipality supplied; empty when nothing."""
        return copy.deepcopy(self.data.get(municipality) or MunicipalData(municipality))

    def load(
        self, municipality: str, autos: Sequence[str], *, lock: bool, skip_locked: bool = False
    ) -> dict[str, Case]:
        """The cases, in key order; absent ones are left out. Nothing is ever locked by others."""
        found = {auto: self._cases.get((municipality, auto)) for auto in sorted(set(autos))}
        return {auto: copy.deepcopy(case) for auto, case in found.items() if case is not None}

    def auto_of_key(self, municipality: str, key: str) -> str | None:
        """The auto in which an act with this idempotence key is recorded."""
        return self._keys.get((municipality, key))

    def acts(self, municipality: str, auto: str) -> list[RecordedAct]:
        """The recorded acts of a case by seq."""
        return copy.deepcopy(self._acts.get((municipality, auto), []))

    def autos_of_person(self, municipality: str, person_key: str) -> list[str]:
        """All autos of a person, in key order."""
        return [c.auto for c in self._of(municipality) if c.person_key == person_key]

    def autos_reissuing(self, municipality: str, auto: str) -> list[str]:
        """The autos drawn up again in the place of this one, in key order."""
        return [c.auto for c in self._of(municipality) if c.facts.get("reissues") == auto]

    def due_autos(self, municipality: str, before_epoch: int, after_auto: str, limit: int) -> list[str]:
        """Autos, in key order, with an open deadline whose expiry epoch is below ``before_epoch``."""
        later = [c for c in self._of(municipality) if c.auto > after_auto]
        return [c.auto for c in later if any(d.expires_at.epoch < before_epoch for d in c.open_deadlines())][:limit]

    def claim_due(self, municipality: str, epoch: int, after: str, limit: int, skip_locked: bool = True) -> list[str]:
        """As ``due_autos``."""
        return self.due_autos(municipality, epoch, after, limit)

    def municipalities(self) -> list[str]:
        """The municipalities that have cases, in order."""
        return sorted({municipality for municipality, _ in self._cases})

    def take_numbers(self, municipality: str, year: int, count: int) -> int:
        """Take ``count`` inscription numbers; the first is returned, counting from 1."""
        if count < 1:
            raise ValueError("count must be positive")
        first = self._counters.get((municipality, year), 0) + 1
        self._counters[municipality, year] = first + count - 1
        return first

    def save(self, cases: Sequence[Case]) -> None:
        """Keep the cases, all or none, and clear what was pending. Raises StaleCase, KeyAlreadyUsed."""
        with self.unit_of_work():
            for case in cases:
                self._save(case)
        for case in cases:
            _clear(case)

    def _save(self, case: Case) -> None:
        key = (case.municipality, case.auto)
        kept = self._cases.get(key)
        if (kept.version if kept else 0) != case.version:
            raise StaleCase(case.municipality, [case.auto])
        for act in case.new_acts:
            if act.key is None:
                continue
            if (case.municipality, act.key) in self._keys:
                raise KeyAlreadyUsed(place=f"município {case.municipality}, auto {case.auto}")
            self._keys[case.municipality, act.key] = case.auto
        self._acts[key] = [*self._acts.get(key, ()), *map(_stored, case.new_acts)]
        held = copy.deepcopy(case)
        held.facts = json.loads(canonical(case.facts))  # as a database would give it back: tuples are lists
        _clear(held)
        self._cases[key] = held
        for item in (*case.former, held.inscription):
            if item is not None:
                self._inscriptions[case.municipality, item.year, item.number] = (case.municipality, item)

    def put_person(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """Keep a person (a new version when the fields changed) and return how payloads name it."""
        identity = persons.person_id(self._secret, municipality, fields)
        digest = persons.keyed(self._secret, fields)
        key = persons.person_key(self._secret, municipality, persons.normalised_doc(fields))
        versions = self._people.get((municipality, identity), [])
        if not versions or versions[-1][0] != digest:
            versions = self._people[municipality, identity] = [*versions, (digest, canonical(fields))]
        return PersonRef(identity, len(versions), digest, key)

    def person_key_of(self, municipality: str, doc: str) -> str | None:
        """The keyed digest under which the autos of a document are looked for."""
        return persons.person_key(self._secret, municipality, persons.normalised_doc({"doc": doc}))

    def person(self, municipality: str, person_id: str, version: int) -> dict[str, Any] | None:
        """The fields of that version. Raises PersonNotFound."""
        versions = self._people.get((municipality, person_id), [])
        if not 1 <= version <= len(versions):
            raise PersonNotFound(place=f"município {municipality}, pessoa {person_id}, versão {version}")
        found: dict[str, Any] = json.loads(versions[version - 1][1])
        return found

    def has_calendar(self, version: str) -> bool:
        """Whether the days of that version are kept already."""
        return version in self._calendars

    def keep_calendar(self, version: str, document: dict[str, Any]) -> None:
        """Keep the days of a calendar version, once."""
        self._calendars.setdefault(version, canonical(document))

    def calendar_document(self, version: str) -> dict[str, Any] | None:
        """The kept days of a calendar version."""
        return json.loads(self._calendars[version]) if version in self._calendars else None

    def keep_rulebook(self, version: str, law: str, text: str) -> None:
        """Keep the text of a rulebook version, once."""
        self._rulebooks.setdefault(version, text)

    def rulebook_text(self, version: str) -> str | None:
        """The kept text of a rulebook version."""
        return self._rulebooks.get(version)

    def stream_autos(self, municipality: str) -> Iterator[str]:
        """All autos in key order."""
        yield from [case.auto for case in self._of(municipality)]

    def search_autos(
        self, municipality: str, *, states: Iterable[str] = (), due_until: date | None = None, limit: int | None = None
    ) -> list[Case]:
        """Cases for listings, by auto; ``due_until`` looks at open deadlines of law."""
        wanted = set(states)
        found = [
            case
            for case in self._of(municipality)
            if (not wanted or case.state in wanted) and (due_until is None or _falls_due(case, due_until))
        ]
        return copy.deepcopy(found[:limit])

    def inscriptions(self, municipality: str, *, number: str | None = None) -> list[dict[str, Any]]:
        """Inscriptions by (year, number), with the termo. Raises InputError ``numero_invalido``."""
        if number is not None and not all(part.isdecimal() for part in number.split("/", 1)):
            raise InputError(f"“{number[:40]}” não é número de inscrição.", code="numero_invalido", field="inscription")
        found = [
            {"municipality": place, "year": item.year, **{c: getattr(item, c) for c in _COLUMNS}}
            for _, (place, item) in sorted(self._inscriptions.items())
            if place == municipality and number in (None, item.label)
        ]
        return copy.deepcopy(found)

    def _of(self, municipality: str) -> list[Case]:
        return [case for (place, _), case in sorted(self._cases.items()) if place == municipality]


def _clear(case: Case) -> None:
    case.version += 1
    case.new_acts = []
    for item in case.deadlines:
        item.stored, item.dirty = True, False
    case.former = []
    if case.inscription is not None:
        case.inscription.dirty = False


def _stored(act: RecordedAct) -> RecordedAct:
    kept = copy.deepcopy(act)
    kept.payload = json.loads(act.payload_text)
    return kept


def _falls_due(case: Case, last: date) -> bool:
    return any(d.status is DeadlineStatus.ABERTO and not d.internal and d.due <= last for d in case.deadlines)


class MemoryOffice:
    """A municipality in memory: records acts, sweeps nights, shows cases, as a host does through ``procedure``."""

    def __init__(self, municipality: str, clock: FixedClock, repository: MemoryRepository | None = None) -> None:
        self.municipality = municipality
        self.clock = clock
        self.repository = repository or MemoryRepository()

    @property
    def data(self) -> MunicipalData:
        """What the municipality supplied; it may be changed in place."""
        return self.repository.data.setdefault(self.municipality, MunicipalData(self.municipality))

    def supply_unit_value(self, law: str, unit: str, *, start: date, value: Decimal, act: str) -> None:
        """A unit's value from a day on. Raises as ``procedure.supply_unit_value``."""
        checked = supplying.unit_value(rulebook_of(law), unit, start, value, act)
        self.data.unit_values.setdefault(law, []).append(checked)

    def supply_law_end(self, law: str, *, day: date, act: str) -> None:
        """The first day on which a law is no longer in force. Raises as ``procedure.supply_law_end``."""
        self.data.ends[law] = supplying.law_end(rulebook_of(law), day, act)

    def supply_law_start(self, law: str, *, day: date, act: str) -> None:
        """The first day on which a law was in force. Raises as ``procedure.supply_law_start``."""
        self.data.starts[law] = supplying.law_start(rulebook_of(law), day, act)

    def supply_option(self, law: str, name: str, value: str, *, act: str) -> None:
        """A reading of the law or a setting. Raises as ``procedure.supply_option``."""
        name, value, _ = supplying.option(rulebook_of(law), name, value, act)
        self.data.options.setdefault(law, {})[name] = value

    def record(self, data: Mapping[str, Any]) -> Recorded:
        """Record one act at the clock's instant; nothing is left of one that is refused."""
        with self.repository.unit_of_work():
            return Recorder(self.repository).record(data, recorded_at=self.clock())

    def record_all(self, acts: Iterable[Mapping[str, Any]]) -> list[Recorded]:
        """Record acts in order, each by itself."""
        return [self.record(data) for data in acts]

    def sweep(self, as_of: date | datetime) -> Chunk:
        """Conclude every deadline that ended before ``as_of`` (a day: its 00:00)."""
        tz = zone_of(self.municipality)
        moment = Moment.of_clock(as_of, tz) if isinstance(as_of, datetime) else Moment.of_day(as_of, tz)
        with self.repository.unit_of_work():
            return sweep_chunk(
                self.repository,
                Contexts(self.repository),
                self.municipality,
                before_epoch=moment.epoch,
                after="",
                limit=10**6,  # every case
                recorded_at=self.clock().astimezone(tz).isoformat(timespec="seconds"),
            )

    def case(self, auto: str) -> Case:
        """The case. Raises KeyError when there is none."""
        return self.repository.load(self.municipality, [auto], lock=False)[auto]

    def show(self, auto: str, **options: bool) -> dict[str, Any]:
        """The case as spec 07 documents it; ``history`` and ``unmask`` as in ``procedure.show_case``."""
        return showing.show_case(self.repository, self.municipality, auto, **options)

    def acts(self, auto: str) -> list[RecordedAct]:
        """The case's acts, in order."""
        return self.repository.acts(self.municipality, auto)


_ROLES = {
    **dict.fromkeys(("julgamento", "reconsideracao", "remessa", "restituicao", "anulacao"), "secretario"),
    "julgamento_recurso": "prefeito",
    "cancelamento": "procuradoria",
    **dict.fromkeys(("defesa", "recurso", "renuncia", "pagamento", "regularizacao"), "autuado"),
}


class ActsOf:
    """Acts of one auto, one after the other, as ``record_act`` takes them: ``acts`` is the list. Days are ISO 8601."""

    def __init__(self, municipality: str, auto: str) -> None:
        self.municipality = municipality
        self.auto = auto
        self.acts: list[dict[str, Any]] = []

    def act(self, kind: str, on: str, **fields: Any) -> ActsOf:
        """Any act; role and actor are those it usually has, unless given."""
        role = fields.pop("role", _ROLES.get(kind, "fiscal"))
        common = {"municipality": self.municipality, "auto": self.auto, "act": kind, "date": on, "role": role}
        self.acts.append({**common, "actor": f"{role}-1", **fields})
        return self

    def notificacao(self, on: str, *, article: str, term: str, fact: str | None = None, **fields: Any) -> ActsOf:
        """A notificação preliminar received and joined on the day, for a fact of that day unless told."""
        known = {"infrator": PERSON, "fact": _fact(fact or on, article), "term": term}
        return self._served("notificacao_preliminar", on, **{**known, **fields})

    def lavratura(self, on: str, *, article: str, fact: str | None = None, **fields: Any) -> ActsOf:
        """An auto with everything a piece must contain, for imminent danger unless ``perigo_iminente=None``."""
        known: dict[str, Any] = {
            "infrator": PERSON,
            "fact": _fact(fact or f"{on[:10]}T10:00", article),
            "perigo_iminente": "risco relatado no teste",
            "signature": {"by": "recusa", "witnesses": ["Primeira Testemunha", "Segunda Testemunha"]},
        }
        said = {**known, **fields}
        return self.act("lavratura", on, **{name: value for name, value in said.items() if value is not None})

    def ciencia(self, on: str, **fields: Any) -> ActsOf:
        """Notice of the auto, by post, joined on the day."""
        return self._served("ciencia", on, **fields)

    def julgamento(self, on: str, outcome: str = "subsistente", **fields: Any) -> ActsOf:
        """A judgment; give ``articles_infringed`` and ``articles_penalty`` when the auto stands."""
        return self.act(
            "julgamento", on, outcome=outcome, **{"report": "relatório", "grounds": "fundamentos", **fields}
        )

    def ciencia_decisao(self, on: str, **fields: Any) -> ActsOf:
        """Notice of the decision, by post, joined on the day."""
        return self._served("ciencia_decisao", on, **fields)

    def intimacao_pagamento(self, on: str, **fields: Any) -> ActsOf:
        """The order to pay, by post, joined on the day."""
        return self._served("intimacao_pagamento", on, **fields)

    def pagamento(self, on: str, amount: str, **fields: Any) -> ActsOf:
        """A payment, in reais."""
        return self.act("pagamento", on, amount=amount, **fields)

    def _served(self, kind: str, on: str, **fields: Any) -> ActsOf:
        return self.act(kind, on, **{"method": "postal", "received": on, "juntada": on, **fields})


def _fact(when: str, article: str) -> dict[str, Any]:
    return {"date": when, "place": "lugar do teste", "article": article, "description": "fato do teste"}


def acts_of(municipality: str, auto: str) -> ActsOf:
    """A builder of the acts of one auto."""
    return ActsOf(municipality, auto)
