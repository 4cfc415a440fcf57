"""What the weekly panel asks of the record: counts made by the database, and lists of which only the head is kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, and_, extract, func, literal, or_, select

from procedure.domain.amounts import to_centavos
from procedure.domain.case import Case
from procedure.domain.vocabulary import Act, DeadlineStatus, InscriptionStatus
from procedure.services.panel import Inscribed, Money, Since, Term
from procedure.store import sweeps
from procedure.store.archive import Archive
from procedure.store.tables import acts, cases, deadlines, inscriptions

ROWS, CHUNK = 2_000, 500
ENDED = (InscriptionStatus.QUITADO.value, InscriptionStatus.CANCELADO.value)


class PanelArchive(Archive):
    """An archive that answers ``services.panel.PanelStore``."""

    def states(self, municipality: str) -> dict[str, int]:
        """How many cases are in each state."""
        query = select(cases.c.state, func.count()).where(cases.c.municipality == municipality)
        return {row[0] or "": row[1] for row in self.connection.execute(query.group_by(cases.c.state))}

    def terms_due(self, municipality: str, first: date, last: date, most: int) -> tuple[dict[str, int], list[Term]]:
        """The terms of law that run and end from ``first`` to ``last``: how many of each kind, and the first ones."""
        running = self._running(municipality, first, last)
        query = select(deadlines.c.kind, func.count()).where(*running).group_by(deadlines.c.kind)
        counts = {row[0]: row[1] for row in self.connection.execute(query)}
        columns = (deadlines.c.auto, deadlines.c.kind, deadlines.c.article, deadlines.c.due, deadlines.c.expires_on)
        head = select(*columns).where(*running).order_by(deadlines.c.expires_on, deadlines.c.auto, deadlines.c.kind)
        return counts, [Term(*tuple(row)) for row in self.connection.execute(head.limit(most))]

    def goods_due(self, municipality: str, last: date, track: str, most: int) -> tuple[int, list[Term]]:
        """The terms of a side track that run and end until ``last``: how many, and the first ones."""
        running = [*self._running(municipality, None, last), deadlines.c.track == track]
        count = self.connection.scalar(select(func.count()).select_from(deadlines).where(*running)) or 0
        columns = (deadlines.c.auto, deadlines.c.kind, deadlines.c.article, deadlines.c.due, deadlines.c.expires_on)
        head = select(*columns).where(*running).order_by(deadlines.c.expires_on, deadlines.c.auto).limit(most)
        return count, [Term(*tuple(row)) for row in self.connection.execute(head)]

    def _running(self, municipality: str, first: date | None, last: date) -> list[ColumnElement[bool]]:
        conditions: list[ColumnElement[bool]] = [
            deadlines.c.municipality == municipality,
            deadlines.c.status == DeadlineStatus.ABERTO.value,
            deadlines.c.internal.is_(False),
            deadlines.c.expires_on <= last,
        ]
        return conditions if first is None else [*conditions, deadlines.c.expires_on >= first]

    def waiting(self, municipality: str, states: Iterable[str]) -> Iterator[Since]:
        """The cases in one of ``states``, each with the day on which it came into it.

        The acts' canonical payload says where each one led: the search is for that text, in the database.
        """
        leads = acts.c.payload.like(literal('%"to":"') + cases.c.state + '"%')
        stays = acts.c.payload.like(literal('%"from":"') + cases.c.state + '"%')
        same_case = and_(acts.c.municipality == cases.c.municipality, acts.c.auto == cases.c.auto)
        query = (
            select(cases.c.auto, cases.c.state, func.max(acts.c.at))
            .join(acts, same_case)
            .where(cases.c.municipality == municipality, cases.c.state.in_(list(states)), leads, ~stays)
            .group_by(cases.c.auto, cases.c.state)
        )
        for auto, state, at in self._stream(query):
            yield Since(auto, state, date.fromisoformat(at[:10]))

    def missed_terms(self, municipality: str, standing: Mapping[str, Iterable[str]]) -> Iterator[Case]:
        """The cases of which a term of a side track has expired and that track still stands in one of its states.

        The track's state is looked for in the canonical text of the facts, so that only those cases are loaded.
        """
        same_case = and_(cases.c.municipality == deadlines.c.municipality, cases.c.auto == deadlines.c.auto)
        stands = [
            and_(deadlines.c.track == track, cases.c.facts.like(f'%"{track}":"{state}"%'))
            for track, states in standing.items()
            for state in states
        ]
        query = (
            select(deadlines.c.auto)
            .join(cases, same_case)
            .where(
                deadlines.c.municipality == municipality,
                deadlines.c.status == DeadlineStatus.VENCIDO.value,
                deadlines.c.internal.is_(False),
                deadlines.c.undone.is_(False),
                or_(*stands),
            )
        )
        return self._cases(municipality, list(self.connection.scalars(query.distinct().order_by(deadlines.c.auto))))

    def repeated(self, municipality: str) -> Iterator[Case]:
        """The cases that became final in which reincidência was found, which their canonical facts say."""
        query = select(cases.c.auto).where(
            cases.c.municipality == municipality,
            cases.c.facts.like('%"final_at":%'),
            cases.c.facts.like('%"counted":true%'),
        )
        return self._cases(municipality, list(self.connection.scalars(query.order_by(cases.c.auto))))

    def overpaid(self, municipality: str, nothing_owed: Iterable[str]) -> Iterator[Case]:
        """The cases that may owe something back: paid beyond what is charged, or with a discount, or owing nothing."""
        query = select(cases.c.auto).where(
            cases.c.municipality == municipality,
            cases.c.pago > 0,
            or_(
                cases.c.state.in_(list(nothing_owed)),
                cases.c.pago > cases.c.arbitrada + cases.c.acrescimo,
                cases.c.facts.like('%"desconto":%'),
            ),
        )
        return self._cases(municipality, list(self.connection.scalars(query.order_by(cases.c.auto))))

    def not_inscribed(self, municipality: str, states: Iterable[str]) -> Iterator[Case]:
        """The cases in one of ``states``, loaded a chunk at a time."""
        query = select(cases.c.auto).where(cases.c.municipality == municipality, cases.c.state.in_(list(states)))
        return self._cases(municipality, list(self.connection.scalars(query.order_by(cases.c.auto))))

    def _cases(self, municipality: str, autos: list[str]) -> Iterator[Case]:
        for start in range(0, len(autos), CHUNK):
            yield from self.load(municipality, autos[start : start + CHUNK], lock=False).values()

    def prescribing(self, municipality: str, first: date, last: date, most: int) -> tuple[int, int, list[Inscribed]]:
        """The inscriptions not ended whose warning day is from ``first`` to ``last``: how many, how many had it
        before ``first``, and the first ones.
        """
        alive = and_(inscriptions.c.municipality == municipality, inscriptions.c.status.not_in(ENDED))
        inside = and_(alive, inscriptions.c.warns_on.between(first, last))
        count = select(func.count()).select_from(inscriptions)
        coming = self.connection.scalar(count.where(inside)) or 0
        gone = self.connection.scalar(count.where(alive, inscriptions.c.warns_on < first)) or 0
        i = inscriptions.c
        columns = (i.auto, i.number, i.year, i.status, i.warns_on, i.prescribes_on, i.original_amount + i.charges)
        head = select(*columns).where(inside).order_by(i.warns_on, i.year, i.number).limit(most)
        return coming, gone, [Inscribed(*tuple(row)) for row in self.connection.execute(head)]

    def register(self, municipality: str) -> dict[str, tuple[int, int]]:
        """How many inscriptions have each status, and their sum in centavos."""
        total = func.sum(inscriptions.c.original_amount + inscriptions.c.charges)
        query = select(inscriptions.c.status, func.count(), total).where(inscriptions.c.municipality == municipality)
        rows = self.connection.execute(query.group_by(inscriptions.c.status))
        return {status: (count, int(amount)) for status, count, amount in rows}

    def money_by_month(self, municipality: str, first: date, last: date) -> dict[str, Money]:
        """By month (``AAAA-MM``) from ``first`` to ``last``: what was inscribed, collected and given back."""
        found: dict[str, Money] = {}
        i = inscriptions.c
        when = (extract("year", i.day), extract("month", i.day))
        query = select(*when, func.count(), func.sum(i.original_amount + i.charges)).where(
            i.municipality == municipality, i.day.between(first, last)
        )
        for year, month, count, amount in self.connection.execute(query.group_by(*when)):
            found[f"{int(year)}-{int(month):02}"] = Money(inscribed=count, inscribed_amount=int(amount))
        for name, sums in self._paid(municipality, first, last).items():
            for month, centavos in sums.items():
                setattr(found.setdefault(month, Money()), name, centavos)
        return found

    def _paid(self, municipality: str, first: date, last: date) -> Mapping[str, Counter[str]]:
        collected, returned = Counter[str](), Counter[str]()
        deposits = and_(acts.c.kind == Act.DEFESA.value, acts.c.payload.like('%"deposit":"%'))
        moves = or_(acts.c.kind.in_([Act.PAGAMENTO.value, Act.RESTITUICAO.value]), deposits)
        query = select(acts.c.kind, acts.c.at, acts.c.payload).where(
            acts.c.municipality == municipality,
            moves,
            acts.c.at >= first.isoformat(),
            acts.c.at < f"{last.isoformat()}~",  # after any hour of that day
        )
        for kind, at, payload in self._stream(query):
            said = json.loads(payload)
            amount = to_centavos(said["deposit"] if kind == Act.DEFESA else said["amount"])
            (returned if kind == Act.RESTITUICAO else collected)[at[:7]] += amount
        return {"collected": collected, "returned": returned}

    def sweep_runs(self, municipality: str, most: int) -> list[Mapping[str, Any]]:
        """The last runs of the sweep, the newest first."""
        return [dict(row._mapping) for row in sweeps.runs(self.session, municipality, limit=most)]

    def _stream(self, query: Any) -> Iterator[Any]:
        return iter(self.connection.execute(query.execution_options(yield_per=ROWS)))
