"""Running terms after the office's days changed, a chunk of cases at a time: which move, which a person must look at.

Each deadline keeps the calendar version that made it; those made by another one, and whose days may have changed, are
counted again under the law's text they began under. Nothing is committed here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from calendars import DayFact, DayKind, OfficeCalendar, fact_from_document
from calendars.changes import Change, changes_between
from legalbasis import PosturasError
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.chain import seal
from procedure.domain.context import Context
from procedure.domain.deadlines import depends_on_days, timeliness
from procedure.domain.moment import Moment
from procedure.domain.recounting import Move, MoveEffect, decrees_of, held, moved, write_recount
from procedure.domain.rulebooks import known_laws
from procedure.domain.vocabulary import Act, DeadlineStatus
from procedure.services.context import Contexts
from procedure.services.ports import Repository
from procedure.services.recomputing import VersionMissing

MARGIN = timedelta(days=60)
"""How far from its own dates a term may read days: an event on a closed day before it, another reading after it."""
SHORTER = "encurta"
ALREADY_OVER = "ja_teria_acabado"
INTERNAL_ERROR = "erro_interno"


@dataclass(frozen=True, slots=True)
class Window:
    """The deadlines to look at: made by ``version``, and near the days on which it differs from today's."""

    version: str
    first: date
    last: date


class Terms(Repository, Protocol):
    """What recounting asks of the store beside the repository."""

    def calendar_versions(self, municipality: str) -> list[str]:
        """The versions by which the municipality's deadlines were counted."""
        ...

    def outdated_autos(
        self, municipality: str, windows: Sequence[Window], *, after: str, limit: int, running: bool, lock: bool
    ) -> list[str]:
        """Autos in key order with a deadline in a window, running or also ended; with ``lock`` the free rows only."""
        ...

    def openers(self, municipality: str, autos: Sequence[str]) -> dict[tuple[str, int], RecordedAct]:
        """The acts that opened the deadlines of those autos, by (auto, seq)."""
        ...


@dataclass(slots=True)
class Recounted:
    """What one chunk found. ``moves`` and ``concluded`` are documents; ``last`` is "" when there was nothing left."""

    last: str = ""
    examined: int = 0
    applied: int = 0
    kept: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    moves: list[dict[str, Any]] = field(default_factory=list)
    concluded: list[dict[str, Any]] = field(default_factory=list)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked: write or only say; shorten too, by whose decision; only these autos."""

    write: bool
    recorded_at: datetime
    shorten: bool = False
    decided_by: str | None = None
    autos: tuple[str, ...] = ()


class Recounting:
    """Counts the terms of a municipality again; one per unit of work."""

    def __init__(self, repo: Terms, municipality: str) -> None:
        self.repo = repo
        self.municipality = municipality
        self.contexts = Contexts(repo)
        self._changes: dict[tuple[str, str], tuple[Change, ...]] = {}
        self._reopened: dict[date, tuple[str | None, date | None]] | None = None

    def windows(self) -> list[Window]:
        """Which deadlines may be counted otherwise today, by the calendar that made them."""
        current = {}
        for law in (law for law in known_laws() if law.split("/")[0].endswith(f"-{self.municipality}")):
            calendar = self.contexts.of(self.municipality, law).calendar
            current[calendar.version] = calendar
        found: dict[str, Window] = {}
        for version in self.repo.calendar_versions(self.municipality):
            for calendar in current.values():
                changes = self.changes(version, calendar) if version not in current else ()
                if changes:
                    first, last = min(c.first for c in changes), max(c.last for c in changes)
                    found[version] = Window(version, first - MARGIN, last + MARGIN)
        return list(found.values())

    def changes(self, version: str, calendar: OfficeCalendar) -> tuple[Change, ...]:
        """What changed since the calendar of ``version``; all of it cited, reopened days too."""
        key = (version, calendar.version)
        if key not in self._changes:
            document = self.repo.calendar_document(version)
            if document is None:
                raise VersionMissing(f"falta o calendário {version[:12]}.")
            old = OfficeCalendar.from_document(document)
            found = changes_between(old, calendar) if old.id == calendar.id else ()
            self._changes[key] = tuple(self._cited(c) for c in found)
        return self._changes[key]

    def _cited(self, change: Change) -> Change:
        """A day open after all leaves no fact in the calendar: the act is among those the municipality supplied."""
        act, published = self._reopening().get(change.first, (None, None))
        return change if act is None or change.published_on else replace(change, act=act, published_on=published)

    def _reopening(self) -> Mapping[date, tuple[str | None, date | None]]:
        if self._reopened is None:
            documents = self.contexts.data(self.municipality).calendar_facts
            facts = [fact_from_document(document) for document in documents]
            opened = [f for f in facts if isinstance(f, DayFact) and f.kind is DayKind.NORMAL]
            self._reopened = {f.day: (f.act, f.published_on) for f in opened}
        return self._reopened

    def chunk(self, windows: Sequence[Window], wish: Wish, *, after: str, limit: int) -> Recounted:
        """Up to ``limit`` cases after ``after``. With ``wish.write`` their rows are locked and the moves written."""
        found = Recounted()
        autos = self._claimed(windows, wish, after, limit)
        if not autos:
            return found
        found.last = autos[-1]
        cases = self.repo.load(self.municipality, autos, lock=wish.write, skip_locked=wish.write)
        openers = self.repo.openers(self.municipality, list(cases))
        done = [case for case in cases.values() if self._one(case, openers, windows, wish, found)]
        for case in done:
            seal(case)
        if done:
            self.repo.save(done)
        return found

    def _claimed(self, windows: Sequence[Window], wish: Wish, after: str, limit: int) -> list[str]:
        if wish.autos:
            return sorted(auto for auto in wish.autos if auto > after)[:limit]
        if not windows:
            return []
        return self.repo.outdated_autos(
            self.municipality, windows, after=after, limit=limit, running=wish.write, lock=wish.write
        )

    def _one(
        self,
        case: Case,
        openers: Mapping[tuple[str, int], RecordedAct],
        windows: Sequence[Window],
        wish: Wish,
        found: Recounted,
    ) -> bool:
        """Count one case; a case that fails is set aside whole and the chunk goes on. Whether something was written."""
        found.examined += 1
        part = Recounted()
        try:
            for item in list(case.deadlines):
                if not item.undone and (wish.autos or in_window(item, windows)):
                    self._term(case, item, openers, wish, part)
        except PosturasError as error:
            found.failures[case.auto] = (error.error_code, error.message)
            return False
        except Exception as error:  # a poisoned case must not stop the others; its class is reported
            found.failures[case.auto] = (INTERNAL_ERROR, f"{type(error).__name__} ao recontar o caso")
            return False
        found.moves += part.moves
        found.concluded += part.concluded
        found.applied += part.applied
        found.kept += part.kept
        found.by_kind.update(part.by_kind)
        return bool(case.new_acts)

    def _term(
        self, case: Case, item: Deadline, openers: Mapping[tuple[str, int], RecordedAct], wish: Wish, found: Recounted
    ) -> None:
        if item.status is not DeadlineStatus.ABERTO and (wish.write or item.status is DeadlineStatus.CANCELADO):
            return
        opener, start = self._event(case, item, openers)
        ctx = self.contexts.of(case.municipality, case.law, opener.rulebook_version)
        if not depends_on_days(ctx.book.deadlines[item.kind]) or item.calendar_version == ctx.calendar.version:
            return
        move = moved(ctx, item, start, self.changes(item.calendar_version, ctx.calendar))
        if move is None:
            return
        if item.status is DeadlineStatus.ABERTO:
            self._running(case, move, opener, ctx, wish, found)
        elif (told := _concluded(case, move, ctx)) is not None:
            found.concluded.append(told)

    def _running(
        self, case: Case, move: Move, opener: RecordedAct, ctx: Context, wish: Wish, found: Recounted
    ) -> None:
        reason = _kept_because(move, wish)
        if reason is not None and (rolled := held(ctx, move)) is not None:
            move, reason = rolled, None
        found.moves.append({**_document(case, move), "applied": reason is None and wish.write, "reason": reason})
        if reason is not None:
            found.kept += 1
            return
        found.applied += 1
        found.by_kind[move.was.kind] += 1
        if wish.write:
            stamp = wish.recorded_at.astimezone(ctx.tz)
            at = _dated(move, opener.at, stamp.date(), ctx)
            text = stamp.isoformat(timespec="seconds")
            decided = wish.decided_by if move.effect is MoveEffect.ENCURTA else None
            write_recount(case, move, at, decrees_of(move.changes), ctx, text, decided_by=decided)

    def _event(
        self, case: Case, item: Deadline, openers: Mapping[tuple[str, int], RecordedAct]
    ) -> tuple[RecordedAct, str]:
        """The act that opened the term and the event it is counted from, through those that opened it again."""
        opener = openers.get((case.auto, item.number))
        if opener is not None and opener.kind != Act.DESFAZIMENTO:
            return opener, start_of(opener, case, item)
        acts = {a.seq: a for a in self.repo.acts(case.municipality, case.auto)}
        number: int = item.number
        while acts[number].kind == Act.DESFAZIMENTO:
            number = next(d["supersedes"] for d in acts[number].payload["opens"] if d["kind"] == item.kind)
        return acts[number], start_of(acts[number], case, item)


def start_of(opener: RecordedAct, case: Case, item: Deadline) -> str:
    """The event from which the term that ``opener`` opened is counted (ISO 8601)."""
    if opener.kind == Act.RECONTAGEM:
        return str(opener.payload["recount"]["start"])
    if item.internal:  # looked for after the last day of the term whose end brings it, else after the act
        named = (opener.deadline or "").split(":")
        ended = [d for d in case.deadlines if [d.kind, str(d.number)] == named]
        return (ended[0].expires_on if ended else opener.at.day).isoformat()
    return str(opener.payload.get("start") or (opener.at.clock or opener.at.day).isoformat())


def in_window(item: Deadline, windows: Iterable[Window]) -> bool:
    """Whether the deadline is to be looked at: what ``Terms.outdated_autos`` asks of the store."""
    return any(
        item.calendar_version == w.version and item.starts_on <= w.last and max(item.due, item.expires_on) >= w.first
        for w in windows
    )


def _kept_because(move: Move, wish: Wish) -> str | None:
    """Why the term stays as it is; None when it moves."""
    if move.effect is not MoveEffect.ENCURTA:
        return None
    if move.now.expires_at.instant <= wish.recorded_at:
        return ALREADY_OVER
    return None if wish.shorten else SHORTER


def _dated(move: Move, opened: Moment, today: date, ctx: Context) -> Moment:
    """When the move is in law: the publication of the decree, not before the term began nor after today."""
    published = [c.published_on for c in move.changes if c.published_on is not None]
    day = min(max(published), today) if published else opened.day
    return Moment.of_day(day, ctx.tz) if day > opened.day else opened


def _document(case: Case, move: Move) -> dict[str, Any]:
    was, now = move.was, move.now
    return {
        "auto": case.auto,
        "kind": was.kind,
        "number": was.number,
        "internal": was.internal,
        "status": was.status.value,
        "from": was.due.isoformat(),
        "to": now.due.isoformat(),
        "expires_from": was.expires_on.isoformat(),
        "expires_to": now.expires_on.isoformat(),
        "effect": move.effect.value,
        "decrees": decrees_of(move.changes),
        "calendar_from": was.calendar_version,
        "calendar_to": now.calendar_version,
    }


def _concluded(case: Case, move: Move, ctx: Context) -> dict[str, Any] | None:
    """A term that ended: for a person to decide, where it would have ended on another day, or its filing been judged
    otherwise.
    """
    was = move.was
    answers = ctx.book.deadlines[was.kind].answers
    filed = [f for f in case.facts.get("filings", ()) if f["act"] in answers]
    filings = [
        {"seq": f["seq"], "act": f["act"], "date": f["date"], "was": f["timeliness"], "would_be": again}
        for f in filed
        if (again := _again(f["date"], f["timeliness"], move, ctx)) is not None
    ]
    ended = was.status is DeadlineStatus.VENCIDO and move.effect is not MoveEffect.MESMO_DIA
    if not ended and not filings:
        return None
    item = case.inscription
    return {
        **_document(case, move),
        "state": case.state.value if case.state else None,
        "closed_by": was.closed_by,
        "filings": filings,
        "inscription": item.label if item is not None and item.status != "cancelado" else None,
    }


def _again(date_of: str, told: str, move: Move, ctx: Context) -> str | None:
    """The timeliness of a filing that answered the term, where the new days change it."""
    at = Moment.parse(date_of, ctx.tz)
    if at.day < move.was.starts_on or timeliness(move.was, at).value != told:
        return None  # it answered another term of the kind
    again = timeliness(move.now, at).value
    return again if again != told else None
