"""The record as it was: in law on a day (``as_of``), as known at an instant (``known_at``), or both.

*In law on day D*: the acts done by then that stand, and the terms that had ended by then concluded in memory, whether a
sweep had run or not; nothing is written. An act undone later does not count, for a desfazimento counts at its own date;
with ``known_at`` only what was recorded by that instant does, and so an undoing recorded after it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Protocol, cast

from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.decide import conclude
from procedure.domain.fold import apply
from procedure.domain.moment import Moment, zone
from procedure.domain.undoing import standing, without
from procedure.domain.vocabulary import ENDED_INSCRIPTION, Act, DeadlineStatus, InscriptionStatus
from procedure.services.context import Contexts
from procedure.services.ports import MunicipalData, Repository

PAGE = 500
Range = tuple[date | None, date | None]


class History(Repository, Protocol):
    """What looking back asks of the store beside the repository."""

    def acts_of(self, municipality: str, autos: Sequence[str]) -> dict[str, list[RecordedAct]]:
        """The recorded acts of many cases, each by seq."""
        ...

    def data_known_at(self, municipality: str, known_at: datetime) -> MunicipalData:
        """What the municipality had supplied by that instant."""
        ...

    def page_of_autos(
        self, municipality: str, *, after: str, limit: int, states: Iterable[str], due: Range
    ) -> list[Case]:
        """Cases by auto, those after ``after``."""
        ...

    def page_of_book(self, municipality: str, *, after: tuple[int, int, int, int], limit: int) -> list[dict[str, Any]]:
        """The inscriptions after (livro, folha, year, number), in that order."""
        ...


@dataclass(frozen=True, slots=True)
class Position:
    """When: ``as_of`` in law (a day is its 00:00: nothing that falls due on it has ended), ``known_at`` an instant."""

    as_of: Moment | None = None
    known_at: datetime | None = None

    def done(self, act: RecordedAct) -> bool:
        """Whether the act was done by then; those of the day itself were, where no hour is asked."""
        if self.as_of is None:
            return True
        if self.as_of.has_hour:
            return act.at.instant <= self.as_of.instant
        return act.at.day <= self.as_of.day

    def known(self, act: RecordedAct) -> bool:
        """Whether the act was recorded by then."""
        return self.known_at is None or datetime.fromisoformat(act.recorded_at) <= self.known_at


class AsOf:
    """A repository that gives the record as it was at a position; ``looking_back`` types it as what it stands for."""

    def __init__(self, repo: History, position: Position) -> None:
        self._repo = repo
        self._position = position
        self._contexts = Contexts(cast("Repository", self))
        self._made: dict[tuple[str, str], tuple[Case | None, list[RecordedAct]]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._repo, name)

    def municipal_data(self, municipality: str) -> MunicipalData:
        """What the municipality had supplied by then."""
        if self._position.known_at is None:
            return self._repo.municipal_data(municipality)
        return self._repo.data_known_at(municipality, self._position.known_at)

    def keep_calendar(self, version: str, document: dict[str, Any]) -> None:
        """Nothing: looking back writes nothing."""

    def keep_rulebook(self, version: str, law: str, text: str) -> None:
        """Nothing: looking back writes nothing."""

    def load(
        self, municipality: str, autos: Sequence[str], *, lock: bool, skip_locked: bool = False
    ) -> dict[str, Case]:
        """The cases as they were; those that had not begun are left out."""
        wanted = [auto for auto in sorted(set(autos)) if (municipality, auto) not in self._made]
        if wanted:
            acts = self._repo.acts_of(municipality, wanted)
            for auto, case in self._repo.load(municipality, wanted, lock=False).items():
                self._made[municipality, auto] = self._then(case, acts.get(auto, []))
        found = {auto: self._made.get((municipality, auto)) for auto in sorted(set(autos))}
        return {auto: made[0] for auto, made in found.items() if made is not None and made[0] is not None}

    def acts(self, municipality: str, auto: str) -> list[RecordedAct]:
        """The acts done and known by then, then those that a sweep would have written (no hash, no instant)."""
        self.load(municipality, [auto], lock=False)
        made = self._made.get((municipality, auto))
        return made[1] if made is not None else []

    def page_of_autos(
        self, municipality: str, *, after: str, limit: int, states: Iterable[str], due: Range
    ) -> list[Case]:
        """Cases by auto as they were, those after ``after``, in one of ``states``, with a term due in the range."""
        wanted = set(states)
        while page := self._repo.page_of_autos(municipality, after=after, limit=limit, states=(), due=(None, None)):
            after = page[-1].auto
            self._made.clear()  # a page at a time: bounded memory
            then = self.load(municipality, [case.auto for case in page], lock=False).values()
            if found := [c for c in then if (not wanted or c.state in wanted) and _falls_due(c, due)]:
                return found
        return []

    def inscriptions(self, municipality: str, *, number: str | None = None) -> list[dict[str, Any]]:
        """The register as it was. An inscription undone since is there, cancelled: a number never disappears."""
        return self._rows_then(municipality, self._repo.inscriptions(municipality, number=number))

    def page_of_book(self, municipality: str, *, after: tuple[int, int, int, int], limit: int) -> list[dict[str, Any]]:
        """The book as it was, after (livro, folha, year, number), a page at a time; empty only at its end."""
        while page := self._repo.page_of_book(municipality, after=after, limit=limit):
            last = page[-1]
            after = (last["livro"], last["folha"], last["year"], last["number"])
            self._made.clear()
            if found := self._rows_then(municipality, page):
                return found
        return []

    def warned(self, municipality: str, until: date) -> list[str]:
        """The autos inscribed by then; what each of them warned of then, its prescription says."""
        rows = self.inscriptions(municipality)
        return sorted({row["auto"] for row in rows if row["status"] not in ENDED_INSCRIPTION})

    def _rows_then(self, municipality: str, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        found = []
        for row in rows:
            case = self.load(municipality, [row["auto"]], lock=False).get(row["auto"])
            written = next((a for a in self.acts(municipality, row["auto"]) if a.seq == row["seq"]), None)
            if case is None or written is None or not written.hash:
                continue
            item = case.inscription
            if item is None or item.seq != row["seq"]:
                found.append({**row, "status": InscriptionStatus.CANCELADO.value})
                continue
            then = {name: getattr(item, name) for name in ("status", "beside", "prescribes_on", "warns_on")}
            found.append({**row, **then})
        return found

    def _then(self, case: Case, acts: Sequence[RecordedAct]) -> tuple[Case | None, list[RecordedAct]]:
        known = [a for a in acts if self._position.known(a)]
        done = [a for a in known if self._position.done(a)]
        if not standing(done):
            return None, []
        made = self._folded(case, known)
        made.last_seq = done[-1].seq
        if self._position.as_of is not None:
            ctx = self._contexts.of(made.municipality, made.law, made.rulebook_version)
            conclude(made, self._position.as_of.epoch, ctx, "")
        item = case.inscription
        if made.inscription is None and item is not None and any(a.seq == item.seq for a in done):
            made.inscription = replace(item, status=InscriptionStatus.CANCELADO)  # undone since: its number stays
        return made, [*done, *made.new_acts]

    def _folded(self, case: Case, known: Sequence[RecordedAct]) -> Case:
        """What the acts make. By knowledge alone they are replayed as they were recorded; in law, those that stand."""
        version = known[0].rulebook_version
        if self._position.as_of is None and [a.seq for a in known] == list(range(1, len(known) + 1)):
            made = Case(case.municipality, case.auto, law=case.law, rulebook_version=version, timezone=case.timezone)
            for act in known:
                apply(made, act)
            return made
        gone = {a.seq for a in known if not self._position.done(a)}
        made = without(case, known, gone)
        passed = [a for a in standing(known) if a.kind == Act.MIGRACAO and a.seq not in gone]
        made.rulebook_version = passed[-1].payload["texts"]["to"] if passed else version
        return made


def _falls_due(case: Case, due: Range) -> bool:
    first, last = due
    if first is None and last is None:
        return True
    return any(_in_range(item, first, last) for item in case.deadlines)


def _in_range(item: Deadline, first: date | None, last: date | None) -> bool:
    running = item.status is DeadlineStatus.ABERTO and not item.internal
    return running and (first is None or item.due >= first) and (last is None or item.due <= last)


def looking_back(repo: History, position: Position) -> Any:
    """The repository at a position: give it to whatever shows or lists. The record itself, for no position."""
    return repo if position == Position() else AsOf(repo, position)


def position_of(timezone: str, as_of: str | None, known_at: str | None) -> Position:
    """A position from texts, ISO 8601. A day is its 00:00 for ``as_of``, its whole for ``known_at``.

    Raises InputError ``data_invalida``.
    """
    tz = zone(timezone)
    moment = Moment.parse(as_of, tz, field="--as-of") if as_of else None
    known = Moment.parse(known_at, tz, field="--known-at") if known_at else None
    if known is None:
        return Position(moment)
    return Position(moment, (known if known.has_hour else Moment.end_of_day(known.day, tz)).instant)
