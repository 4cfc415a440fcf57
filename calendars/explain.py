"""The steps of a count, for people: which day was excluded, skipped, counted, and why. Texts in Portuguese."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from calendars.clock import ClockWalk
from calendars.days import KIND_LABELS, DayKind
from calendars.events import Interruption
from calendars.rules import Days, StartOn
from calendars.term import Term
from calendars.walk import View, Walk


class StepKind(StrEnum):
    """What happens on the day, or days, of a step."""

    EVENT = "evento"
    SKIPPED = "pulado"
    DEEMED = "considerado"
    EXCLUDED = "excluido"
    FIRST = "primeiro_dia"
    SUSPENDED = "suspenso"
    NOT_COUNTED = "nao_conta"
    INTERRUPTED = "interrompido"
    LAST = "ultimo_dia"
    ROLLED = "adiado"
    EXTENDED = "prorrogado"
    DUE = "vencimento"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its day, or days from ``first`` to ``last``; ``reason`` in words; ``citation`` the act or article."""

    first: date
    last: date
    kind: StepKind
    reason: str
    citation: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Keys from, to, kind, reason, citation."""
        return {
            "from": self.first.isoformat(),
            "to": self.last.isoformat(),
            "kind": self.kind.value,
            "reason": self.reason,
            "citation": self.citation,
        }


def why(view: View, ordinal: int) -> tuple[str, str | None]:
    """Why a day is no day of full expediente, at the first place where it is not, and the act that says so."""
    for place in view.ends:
        fact = place.fact_at(ordinal)
        if fact is not None and fact.kind is not DayKind.NORMAL:
            where = "" if place is view.calendar else "bancos: "
            label = f"{KIND_LABELS[fact.kind]}: {fact.description}"
            if fact.kind is DayKind.REDUZIDO:
                label += _reduced_hours(fact.opens, fact.closes, fact.late(), fact.early())
            return where + label, fact.act
    return KIND_LABELS[DayKind.NORMAL], None


def _reduced_hours(opens: Any, closes: Any, late: bool, early: bool) -> str:
    parts = []
    if late:
        parts.append(f"abre às {opens:%H:%M}" if opens else "abre mais tarde")
    if early:
        parts.append(f"fecha às {closes:%H:%M}" if closes else "fecha mais cedo")
    return f" ({' e '.join(parts)})" if parts else ""


def _grouped(view: View, first: int, stop: int, kind: StepKind) -> Iterator[Step]:
    """Steps for the days from ``first`` up to, not including, ``stop``; neighbours with one reason together."""
    if first >= stop:
        return
    begun, reason = first, why(view, first)
    for o in range(first + 1, stop):
        if (following := why(view, o)) != reason:
            yield Step(date.fromordinal(begun), date.fromordinal(o - 1), kind, *reason)
            begun, reason = o, following
    yield Step(date.fromordinal(begun), date.fromordinal(stop - 1), kind, *reason)


def _step(o: int, kind: StepKind, reason: str, citation: str | None = None) -> Step:
    day = date.fromordinal(o)
    return Step(day, day, kind, reason, citation)


def explain_days(
    view: View, term: Term, start: int, walk: Walk, restarts: tuple[Interruption, ...] = ()
) -> tuple[Step, ...]:
    """The steps of a term in days, months or years from a notice on ``start``."""
    steps = [*_restart_steps(restarts)] if restarts else [*_start_steps(view, start, walk)]
    steps += _grouped(view, walk.starts_on + 1, walk.first, StepKind.SKIPPED) if walk.starts_on >= start else ()
    first_cite = view.rule.cite("first_day") or view.rule.cite("start_on")
    steps.append(_step(walk.first, StepKind.FIRST, "1º dia do prazo", first_cite))
    steps += _inside(view, term, walk)
    steps.append(_last_step(view, term, walk))
    steps += _grouped(view, walk.last, walk.rolled, StepKind.ROLLED)
    if walk.due != walk.rolled:
        steps.append(
            _step(walk.rolled, StepKind.EXTENDED, "vencimento prorrogado por ato do município", _act(view, walk))
        )
    steps.append(_step(walk.due, StepKind.DUE, "vencimento", view.rule.cite("end_on")))
    return tuple(steps)


def _start_steps(view: View, start: int, walk: Walk) -> Iterator[Step]:
    rule = view.rule
    if walk.starts_on != start:
        yield from _grouped(view, start, walk.starts_on, StepKind.SKIPPED)
        cite = rule.cite("start_on_closed") or rule.cite("start_on")
        yield _step(walk.starts_on, StepKind.DEEMED, "a ciência considera-se feita neste dia, que tem expediente", cite)
    elif rule.start_on is StartOn.EXPEDIENTE and not view.may_start(start):
        # Only under start_on_closed = "first_counted" does a notice stay on such a day.
        yield _step(start, StepKind.EVENT, f"ciência em dia sem expediente normal ({why(view, start)[0]})")
        return
    cite = rule.cite("days") or rule.cite("start_on")
    yield _step(walk.starts_on, StepKind.EXCLUDED, "dia do início: não se conta", cite)


def _restart_steps(restarts: tuple[Interruption, ...]) -> Iterator[Step]:
    for event in restarts:
        yield Step(
            event.first, event.last, StepKind.INTERRUPTED, f"{event.reason}: o prazo recomeça por inteiro", event.act
        )


def _inside(view: View, term: Term, walk: Walk) -> Iterator[Step]:
    """The days inside the term that do not count: suspensions, and with working days the closed ones."""
    o = _next_pause(view, term, walk.first + 1)
    while o <= walk.last:
        begun = o
        if view.stops(o) or (term.months and view.calendar.stopped_at(o)):
            while o <= walk.last and (
                view.stops(o) or (view.calendar.stopped_at(o) if term.months else not view.resumes(o))
            ):
                o += 1
            yield from _grouped(view, begun, o, StepKind.SUSPENDED)
        elif not term.months and not view.counts(o):
            while o <= walk.last and not view.counts(o) and not view.stops(o):
                o += 1
            yield from _grouped(view, begun, o, StepKind.NOT_COUNTED)
        else:
            o += 1
        o = _next_pause(view, term, o)


def _next_pause(view: View, term: Term, o: int) -> int:
    """The first day from ``o`` on that may not count: of a count of all days, only suspensions are such."""
    calendar = view.calendar
    if term.months:
        return min(calendar.next_suspended(o), calendar.next_stopped(o))
    return calendar.next_suspended(o) if view.rule.days is Days.CORRIDOS else o


def _last_step(view: View, term: Term, walk: Walk) -> Step:
    if term.months:
        reason = f"fim do prazo de {term.label()}"
        return _step(walk.last, StepKind.LAST, reason, view.rule.cite("months"))
    kind = "útil " if view.rule.days is Days.UTEIS else ""
    return _step(walk.last, StepKind.LAST, f"{term.days}º dia {kind}do prazo: último contado", view.rule.cite("days"))


def _act(view: View, walk: Walk) -> str | None:
    for extension in view.calendar.extensions:
        if extension.window_from.toordinal() <= walk.rolled <= extension.window_to.toordinal():
            return extension.act
    return None


def explain_clock(
    view: View, term: Term, start: datetime, walk: ClockWalk, restarts: tuple[Interruption, ...] = ()
) -> tuple[Step, ...]:
    """The steps of a term that runs by the clock."""
    steps = [*_restart_steps(restarts)]
    begins, ends, due = walk.begins_at, walk.runs_out_at, walk.due_at
    if not restarts:
        steps.append(_step(start.date().toordinal(), StepKind.EVENT, f"ciência às {start:%H:%M}"))
        steps += _grouped(view, start.date().toordinal(), begins.date().toordinal(), StepKind.SKIPPED)
    cite = view.rule.cite("hours")
    steps.append(_step(begins.date().toordinal(), StepKind.FIRST, f"o prazo corre a partir de {begins:%H:%M}", cite))
    stopped = [o for o in range(begins.date().toordinal(), ends.date().toordinal()) if view.stops(o)]
    for o in stopped:
        steps += _grouped(view, o, o + 1, StepKind.SUSPENDED)
    text = f"acabam as {term.label()}, às {ends:%H:%M}"
    steps.append(_step(ends.date().toordinal(), StepKind.LAST, text, cite))
    if due != ends:
        steps += _grouped(view, ends.date().toordinal(), due.date().toordinal(), StepKind.ROLLED)
    end_cite = view.rule.cite("hours_end") if due != ends else cite
    steps.append(_step(due.date().toordinal(), StepKind.DUE, f"vencimento, às {due:%H:%M}", end_cite))
    return tuple(steps)
