"""Reading the record without ever writing to it: what is shown, listed and verified."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Engine, exists, func, literal, or_, select, tuple_, union

from legalbasis import PosturasError
from procedure.domain.case import Case, RecordedAct
from procedure.domain.judging import CASSACAO
from procedure.domain.vocabulary import ENDED_INSCRIPTION, Act
from procedure.services.ports import MunicipalData, PersonRef
from procedure.services.verifying import Defect, Proven, Stored
from procedure.store import persons as persons_store
from procedure.store import rows, supplied
from procedure.store.engine import session_scope
from procedure.store.proof import prove, proven_people
from procedure.store.repository import INSCRIPTION_COUNTER, SqlRepository, due_between
from procedure.store.selecting import among
from procedure.store.tables import acts, cases, counters, deadlines, inscriptions, persons

PEOPLE = 500
DEFAULT_ZONE = "America/Sao_Paulo"
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError)
PersonVersion = tuple[str, int]


class Archive(SqlRepository):
    """A repository that keeps nothing: versions not yet kept are used and forgotten."""

    def keep_calendar(self, version: str, document: dict[str, Any]) -> None:
        """Nothing: reading writes nothing."""

    def keep_rulebook(self, version: str, law: str, text: str) -> None:
        """Nothing: reading writes nothing."""

    def page_of_autos(
        self, municipality: str, *, after: str, limit: int, states: Iterable[str], due: tuple[date | None, date | None]
    ) -> list[Case]:
        """Cases by auto, those after ``after``; ``due`` is the range in which an open term of law must fall due."""
        query = select(cases.c.auto).where(cases.c.municipality == municipality, cases.c.auto > after)
        wanted = list(states)
        if wanted:
            query = query.where(cases.c.state.in_(wanted))
        if due != (None, None):
            query = query.where(exists().where(*due_between(*due)))
        autos = list(self.connection.scalars(query.order_by(cases.c.auto).limit(limit)))
        return list(self.load(municipality, autos, lock=False).values())

    def acts_of(self, municipality: str, autos: Sequence[str]) -> dict[str, list[RecordedAct]]:
        """The recorded acts of many cases, each by seq."""
        query = select(acts, cases.c.timezone).join(
            cases, (cases.c.municipality == acts.c.municipality) & (cases.c.auto == acts.c.auto)
        )
        found: dict[str, list[RecordedAct]] = {}
        here = among(self.connection, acts, municipality, autos)
        for row in self.connection.execute(query.where(here).order_by(acts.c.auto, acts.c.seq)):
            found.setdefault(row.auto, []).append(rows.act_of(row, row.timezone))
        return found

    def data_known_at(self, municipality: str, known_at: datetime) -> MunicipalData:
        """What the municipality had supplied by that instant."""
        return supplied.municipal_data(self.connection, municipality, known_at=known_at)

    def reference_of(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """How payloads would name a person, who is not written."""
        key = self._key()
        identity = persons_store.person_id(key, municipality, fields)
        found = persons_store.person_key(key, municipality, persons_store.normalised_doc(fields))
        return PersonRef(identity, 1, persons_store.keyed(key, fields), found)

    def warned(self, municipality: str, until: date) -> list[str]:
        """The autos whose inscription stands and is warned of until that day, in key order."""
        query = select(inscriptions.c.auto).where(*_warned(municipality, until))
        return list(self.connection.scalars(query.order_by(inscriptions.c.auto)))

    def count_warned(self, municipality: str, until: date) -> int:
        """How many they are."""
        query = select(func.count()).select_from(inscriptions).where(*_warned(municipality, until))
        return int(self.connection.scalar(query) or 0)

    def page_of_book(self, municipality: str, *, after: tuple[int, int, int, int], limit: int) -> list[dict[str, Any]]:
        """The inscriptions after (livro, folha, year, number), in that order."""
        return self._page_of(municipality, ("livro", "folha", "year", "number"), after, limit)

    def page_of_register(self, municipality: str, *, after: tuple[int, int], limit: int) -> list[dict[str, Any]]:
        """The inscriptions after (year, number), in that order."""
        return self._page_of(municipality, ("year", "number"), after, limit)

    def _page_of(
        self, municipality: str, names: tuple[str, ...], after: tuple[int, ...], limit: int
    ) -> list[dict[str, Any]]:
        place = [inscriptions.c[name] for name in names]
        later = tuple_(*place) > tuple_(*(literal(number) for number in after))
        query = select(inscriptions).where(inscriptions.c.municipality == municipality, later)
        found = self.connection.execute(query.order_by(*place).limit(limit))
        return [{**r._mapping, "termo": json.loads(r.termo), "beside": json.loads(r.beside)} for r in found]

    def people(self, municipality: str, wanted: Iterable[PersonVersion]) -> dict[PersonVersion, dict[str, Any] | None]:
        """The fields of many versions at once, None for the erased; those not on record are left out."""
        keys = sorted(set(wanted))
        found: dict[PersonVersion, dict[str, Any] | None] = {}
        for start in range(0, len(keys), PEOPLE):
            query = select(persons.c.id, persons.c.version, persons.c.fields).where(
                persons.c.municipality == municipality,
                tuple_(persons.c.id, persons.c.version).in_(keys[start : start + PEOPLE]),
            )
            for row in self.connection.execute(query):
                found[row.id, row.version] = json.loads(row.fields) if row.fields is not None else None
        return found

    def recorded_autos(self, municipality: str, *, after: str, limit: int, last: str | None = None) -> list[str]:
        """Every auto of which any row is stored, in key order, those after ``after`` and up to ``last``."""
        pages = []
        for t in (cases, acts, deadlines, inscriptions):
            query = select(t.c.auto).where(t.c.municipality == municipality, t.c.auto > after)
            if last is not None:
                query = query.where(t.c.auto <= last)
            # Each is cut short by itself: the whole union would read every row for every page.
            page = query.distinct().order_by(t.c.auto).limit(limit).subquery()
            pages.append(select(page.c.auto))
        whole = union(*pages).subquery()
        return list(self.connection.scalars(select(whole.c.auto).order_by(whole.c.auto).limit(limit)))

    def proven(self, municipality: str, autos: Sequence[str]) -> dict[str, Proven]:
        """Those of a page of autos that plainly hold."""
        return prove(self.connection, municipality, autos)

    def proven_people(self, municipality: str, named: Mapping[PersonVersion, str]) -> set[PersonVersion]:
        """Those of the versions whose stored fields plainly have the digest given."""
        return proven_people(self.connection, self._key(), municipality, named)

    def count_autos(self, municipality: str) -> int:
        """How many cases the municipality has."""
        query = select(func.count()).select_from(cases).where(cases.c.municipality == municipality)
        return self.connection.scalar(query) or 0

    def stored(self, municipality: str, autos: Sequence[str]) -> list[Stored]:
        """What is stored of each auto, with what is wrong in the rows themselves."""
        if not autos:
            return []
        try:
            found = self.load(municipality, autos, lock=False)
            recorded = self._acts_of(municipality, autos, found)
            wrong = self._row_defects(municipality, autos)
            counted = self._inscriptions_of(municipality, autos)
        except UNREADABLE:
            if len(autos) == 1:
                return [self._unreadable(municipality, autos[0])]
            return [item for auto in autos for item in self.stored(municipality, [auto])]
        return [
            Stored(
                auto,
                found.get(auto),
                recorded[auto].acts,
                counted.get(auto, 0),
                self._defects(auto, found, recorded, wrong),
            )
            for auto in autos
        ]

    def _defects(
        self, auto: str, found: dict[str, Case], recorded: dict[str, _Acts], wrong: dict[str, list[Defect]]
    ) -> list[Defect]:
        missing = [Defect(auto, None, "processo_ausente", "há registros deste auto, mas não o processo")]
        return [*([] if auto in found else missing), *recorded[auto].defects, *wrong.get(auto, [])]

    def _unreadable(self, municipality: str, auto: str) -> Stored:
        recorded = self._acts_of(municipality, [auto], {})[auto]
        defect = Defect(auto, None, "processo_ilegivel", "as linhas do processo não podem ser lidas")
        return Stored(auto, None, recorded.acts, 0, [defect, *recorded.defects])

    def _acts_of(self, municipality: str, autos: Sequence[str], found: dict[str, Case]) -> dict[str, _Acts]:
        """The acts of each auto by seq; those that cannot be read, and rows that say one thing twice differently."""
        result = {auto: _Acts() for auto in autos}
        query = select(acts).where(among(self.connection, acts, municipality, autos))
        for row in self.connection.execute(query.order_by(acts.c.auto, acts.c.seq)):
            into, case = result[row.auto], found.get(row.auto)
            try:
                act = rows.act_of(row, case.timezone if case else DEFAULT_ZONE)
            except (*UNREADABLE, PosturasError):
                into.defects.append(Defect(row.auto, row.seq, "ato_ilegivel", "a linha do ato não pode ser lida"))
                continue
            if case is not None and (str(act.at) != row.at or act.at.epoch != row.at_epoch):
                into.defects.append(Defect(row.auto, row.seq, "ato_alterado", "a data e o instante do ato divergem"))
            into.acts.append(act)
        return result

    def _row_defects(self, municipality: str, autos: Sequence[str]) -> dict[str, list[Defect]]:
        """Deadlines whose moment, by which the sweep finds them, is not that of their expiry."""
        wrong: dict[str, list[Defect]] = {}
        columns = (deadlines.c.auto, deadlines.c.number, deadlines.c.kind, deadlines.c.expires_at)
        query = select(*columns, deadlines.c.expires_epoch).where(
            among(self.connection, deadlines, municipality, autos)
        )
        for auto, number, kind, text, epoch in self.connection.execute(query).all():
            if int(datetime.fromisoformat(text).timestamp()) != epoch:
                what = f"o prazo {kind} do ato {number} tem outro instante que o do seu fim"
                wrong.setdefault(auto, []).append(Defect(auto, number, "prazo_alterado", what))
        return wrong

    def _inscriptions_of(self, municipality: str, autos: Sequence[str]) -> dict[str, int]:
        query = select(inscriptions.c.auto, func.count()).where(
            among(self.connection, inscriptions, municipality, autos)
        )
        return {row[0]: row[1] for row in self.connection.execute(query.group_by(inscriptions.c.auto))}

    def acts_of_kinds(
        self, municipality: str, kinds: Sequence[str], first: date | None, last: date | None
    ) -> Iterator[tuple[str, RecordedAct]]:
        """The acts of these kinds dated from ``first`` to ``last``, each with its auto, by (date, auto, seq)."""
        of_case = (cases.c.municipality == acts.c.municipality) & (cases.c.auto == acts.c.auto)
        query = select(acts, cases.c.timezone).join_from(acts, cases, of_case)
        query = query.where(acts.c.municipality == municipality, acts.c.kind.in_(list(kinds)))
        if first is not None:
            query = query.where(acts.c.at >= first.isoformat())
        if last is not None:
            query = query.where(acts.c.at < (last + timedelta(days=1)).isoformat())
        for row in self.connection.execute(query.order_by(acts.c.at, acts.c.auto, acts.c.seq)):
            yield row.auto, rows.act_of(row, row.timezone)

    def autos_cancelling_or_lowered(self, municipality: str, autos: Sequence[str]) -> set[str]:
        """Of those autos, those with an act, undone or not, that cancels the licence or lowers the fine."""
        cancels = (acts.c.kind == Act.JULGAMENTO.value) & acts.c.payload.like(f'%"license":"{CASSACAO}"%')
        query = select(acts.c.auto).where(
            among(self.connection, acts, municipality, autos), or_(cancels, acts.c.kind == Act.RECALCULO_MULTA.value)
        )
        return set(self.connection.scalars(query))

    def register_years(self, municipality: str) -> list[tuple[int, int, int, int]]:
        """(year, how many inscriptions, their highest number, the counter) of each year."""
        of_year = select(inscriptions.c.year, func.count(), func.max(inscriptions.c.number))
        query = of_year.where(inscriptions.c.municipality == municipality).group_by(inscriptions.c.year)
        found = {year: (count, highest) for year, count, highest in self.connection.execute(query)}
        query_counters = select(counters.c.year, counters.c.value).where(
            counters.c.municipality == municipality, counters.c.name == INSCRIPTION_COUNTER, counters.c.year > 0
        )
        values: dict[int, int] = {row[0]: row[1] for row in self.connection.execute(query_counters)}
        return [(y, *found.get(y, (0, 0)), values.get(y, 0)) for y in sorted(found.keys() | values.keys())]


@dataclass(slots=True)
class _Acts:
    acts: list[RecordedAct] = field(default_factory=list)
    defects: list[Defect] = field(default_factory=list)


@contextmanager
def reading(engine: Engine) -> Iterator[Archive]:
    """An archive over one consistent picture of the record, which waits for no writer and stops none."""
    snapshot = engine
    if engine.dialect.name == "postgresql":
        snapshot = engine.execution_options(isolation_level="REPEATABLE READ")
    with session_scope(snapshot, read_only=True) as session:
        yield Archive(session)


def _warned(municipality: str, until: date) -> list[Any]:
    return [
        inscriptions.c.municipality == municipality,
        inscriptions.c.warns_on <= until,
        inscriptions.c.status.not_in(ENDED_INSCRIPTION),
    ]
