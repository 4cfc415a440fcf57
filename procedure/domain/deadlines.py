"""Opening a term in a case: from the event that starts it to the deadline as the rulebook's rule counts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from calendars import RULES, Count, CountingRule, OfficeCalendar, Term, count, notice_start
from calendars.walk import view_of
from procedure.domain.case import Case, Deadline
from procedure.domain.context import Context
from procedure.domain.errors import IncompleteNotice
from procedure.domain.moment import Moment
from procedure.domain.rulebook import DeadlineRule
from procedure.domain.rulebook_reader import EACH_DAY, FIXED_BY_ACT, NEXT_WORKING_DAY
from procedure.domain.vocabulary import DeadlineStatus, Timeliness

ONE_DAY = timedelta(days=1)
HALF = "metade"
TACIT = "tacita:"
MOST_FAVOURABLE = "leitura_mais_favoravel"


def start_of_notice(ctx: Context, fields: Mapping[str, Any]) -> date | datetime:
    """The event from which a notice's term runs, by the rulebook's rule for its method (for edital, the deemed day)."""
    rule = ctx.book.notice_rule.get(fields["method"], "")
    if rule.startswith(TACIT):
        return _electronic(fields, Term.parse(rule.removeprefix(TACIT)))
    return notice_start(
        fields["method"],
        ctx.book.notice_rule,
        received=_event(fields.get("received")),
        juntada=_event(fields.get("juntada")),
        publication=_event(fields.get("publication")),
        calendar=ctx.calendar,
    )


def _electronic(fields: Mapping[str, Any], tacit: Term) -> date | datetime:
    """An electronic notice is made when read, or when the tacit term from its sending ends, whichever is first."""
    sent, read = _event(fields.get("sent")), _event(fields.get("read"))
    if sent is None:
        raise IncompleteNotice("a ciência eletrônica exige a data do envio.", field="sent")
    deemed = date(sent.year, sent.month, sent.day) + timedelta(days=tacit.amount)
    if read is not None and date(read.year, read.month, read.day) <= deemed:
        return read
    return deemed


def tacit_notice(ctx: Context, fields: Mapping[str, Any]) -> list[str]:
    """The day on which an electronic notice is made, if the act is one: until then there is nothing to record."""
    rule = ctx.book.notice_rule.get(fields.get("method", ""), "")
    return [start_of_notice(ctx, fields).isoformat()] if rule.startswith(TACIT) and fields.get("sent") else []


def _event(text: str | None) -> date | datetime | None:
    if text is None:
        return None
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)


def count_term(ctx: Context, term: str, start: date | datetime, rule: DeadlineRule, *, explain: bool = False) -> Count:
    """Count one term under the law's rule, with its alternative readings (for payments, the bank's days too)."""
    counting = RULES[rule.counting] if rule.counting else ctx.rule
    return _counted(ctx.calendar, counting, term, start.isoformat(), rule.places, rule.alternative_places, explain)


@lru_cache(maxsize=8192)
def _counted(  # noqa: PLR0917  # the whole of what a count depends on: many deadlines of a night share one
    calendar: OfficeCalendar,
    rule: CountingRule,
    term: str,
    start: str,  # text: two moments that differ only in the fold of an hour that came twice are equal as datetimes
    places: tuple[str, ...],
    alternative_places: tuple[str, ...],
    explain: bool,
) -> Count:
    begins = _event(start)
    assert begins is not None  # the text of a moment is a moment
    return count(
        calendar, rule, Term.parse(term), begins, places=places, alternative_places=alternative_places, explain=explain
    )


def open_deadline(
    ctx: Context, case: Case, rule: DeadlineRule, at: Moment, fields: Mapping[str, Any], supersedes: int | None
) -> Deadline | None:
    """The deadline of ``rule`` that the act dated ``at`` opens; None when the act fixes no term and the law has none.

    Its number is set when the act is folded.
    """
    if rule.term == NEXT_WORKING_DAY:
        opening = ctx.calendar.next_expediente(_after(case, at), inclusive=False)
        return _appointment(ctx, rule, opening, at, supersedes)
    if rule.term == EACH_DAY:
        if "accrues" in fields and _reached(case):
            return None
        day = date.fromisoformat(fields["accrues"]["day"]) + ONE_DAY if "accrues" in fields else first_daily(fields)
        return _appointment(ctx, rule, day + ONE_DAY, at, supersedes)
    term = _term(case, rule, fields)
    if term is None:
        return None
    start = fields.get("start")
    begins = _event(start) if start else (at.clock or at.day)
    assert begins is not None  # at.day is always there
    return Deadline(
        kind=rule.kind,
        number=0,
        status=DeadlineStatus.ABERTO,
        term=term,
        counting=rule.counting or ctx.book.counting,
        article=rule.citation.provision,
        expiry_act=rule.expiry,
        track=rule.track,
        supersedes=supersedes,
        **_as_counted(ctx, rule, count_term(ctx, term, begins, rule)),
    )


def _as_counted(ctx: Context, rule: DeadlineRule, counted: Count) -> dict[str, Any]:
    """What a count gives to a deadline."""
    expires_on = counted.latest_due if ctx.book.espera == MOST_FAVOURABLE else counted.due
    return {
        "starts_on": counted.starts_on,
        "first_counted": counted.first_counted,
        "last_counted": counted.last_counted,
        "due": counted.due,
        "due_at": Moment.of_clock(counted.due_at, ctx.tz),
        "expires_on": expires_on,
        "expires_at": _expiry(ctx, rule, counted, expires_on),
        "calendar_version": counted.calendar_version,
        "alternatives": tuple((a.due, a.reading) for a in counted.alternatives),
    }


def recounted(ctx: Context, item: Deadline, start: str) -> Deadline:
    """The term as it is counted under ``ctx``'s calendar from the event ``start`` (ISO 8601), not numbered yet.

    ``ctx`` is of the law's text under which the term began. For an appointment of the engine ``start`` is the day after
    which the first day of expediente is looked for.
    """
    rule = ctx.book.deadlines[item.kind]
    fresh = _fresh(item)
    if rule.term == NEXT_WORKING_DAY:
        eve = ctx.calendar.next_expediente(date.fromisoformat(start[:10]), inclusive=False) - ONE_DAY
        end = Moment.end_of_day(eve, ctx.tz)
        fresh.update(due=eve, due_at=end, expires_on=eve, expires_at=end)
        return replace(item, calendar_version=ctx.calendar.version, **fresh)
    begins = _event(start)
    assert begins is not None  # the text of an event is one
    return replace(item, **_as_counted(ctx, rule, count_term(ctx, item.term, begins, rule)), **fresh)


def held_over(ctx: Context, item: Deadline) -> Deadline | None:
    """A term that is kept to the end that somebody was told, where ``ctx``'s calendar has no expediente on it: it goes
    on to the next day that may be an end. None when the end may stand.
    """
    rule = ctx.book.deadlines[item.kind]
    if rule.term == NEXT_WORKING_DAY:
        eve = ctx.calendar.next_expediente(item.due, inclusive=False) - ONE_DAY
        if eve == item.due:
            return None
        end = Moment.end_of_day(eve, ctx.tz)
        days: dict[str, Any] = {"due": eve, "due_at": end, "expires_on": eve, "expires_at": end}
    else:
        view = view_of(ctx.calendar, RULES[rule.counting] if rule.counting else ctx.rule, rule.places)
        due, expires_on = (date.fromordinal(view.ended(d.toordinal())[1]) for d in (item.due, item.expires_on))
        if (due, expires_on) == (item.due, item.expires_on):
            return None
        due_at, ends = (Moment.of_clock(ctx.calendar.end_of_day(d.toordinal()), ctx.tz) for d in (due, expires_on))
        days = {
            "due": due,
            "due_at": item.due_at if due == item.due else due_at,
            "expires_on": expires_on,
            "expires_at": Moment.end_of_day(expires_on, ctx.tz) if rule.payment else ends,
        }
        if expires_on == item.expires_on:
            days["expires_at"] = item.expires_at
    return replace(item, calendar_version=ctx.calendar.version, **days, **_fresh(item))


def _fresh(item: Deadline) -> dict[str, Any]:
    """What is new in a term that takes the place of ``item``; it has no number yet."""
    return {
        "number": 0, "status": DeadlineStatus.ABERTO, "supersedes": item.number, "closed_by": None, "undone": False,
        "dirty": True, "stored": False,
    }  # fmt: skip


def depends_on_days(rule: DeadlineRule) -> bool:
    """Whether the term's end depends on the office's days; a day of daily fine ends with the day."""
    return rule.term != EACH_DAY


def _reached(case: Case) -> bool:
    """Whether the day that now accrues brings a daily fine to the most that the law lets it reach."""
    daily = case.facts["daily"]
    return daily.get("most") is not None and (daily["days"] + 1) * daily["rate"] >= daily["most"]


def _term(case: Case, rule: DeadlineRule, fields: Mapping[str, Any]) -> str | None:
    """The term in its notation: what the act fixes, or the law, which may give half of it the second time."""
    term = _first_term(rule, fields)
    if rule.term == FIXED_BY_ACT or rule.again != HALF or case.deadline(rule.kind) is None:
        return term
    return half(rule.term)


def half(term: str) -> str:
    """Half of a term, in its unit; of an odd number, the greater half."""
    whole = Term.parse(term)
    return str(Term((whole.amount + 1) // 2, whole.unit))


def _first_term(rule: DeadlineRule, fields: Mapping[str, Any]) -> str | None:
    if rule.animal_term and any(g.get("animal") for g in fields.get("goods", ())):
        return rule.animal_term
    if rule.term == FIXED_BY_ACT:
        found: str | None = fields.get(rule.term_field) or rule.default_term
        return found
    return rule.term


def first_daily(fields: Mapping[str, Any]) -> date:
    """The first day of a daily fine that was imposed."""
    return date.fromisoformat(fields["daily"]["from"])


def _expiry(ctx: Context, rule: DeadlineRule, counted: Count, expires_on: date) -> Moment:
    """The last moment of the term: a payment is in time on the whole of its due day (spec 02, Hours)."""
    if rule.payment:
        return Moment.end_of_day(expires_on, ctx.tz)
    last = counted.due_at if expires_on == counted.due else counted.latest_due_at
    return Moment.of_clock(last, ctx.tz)


def _appointment(
    ctx: Context, rule: DeadlineRule, day: date, at: Moment, supersedes: int | None
) -> Deadline:
    """The engine's own appointment: its act falls at 00:00 of ``day``."""
    eve = day - ONE_DAY
    end = Moment.end_of_day(eve, ctx.tz)
    return Deadline(
        kind=rule.kind,
        number=0,
        status=DeadlineStatus.ABERTO,
        term=rule.term,
        counting=ctx.book.counting,
        starts_on=at.day,
        first_counted=None,
        last_counted=None,
        due=eve,
        due_at=end,
        expires_on=eve,
        expires_at=end,
        article=rule.citation.provision,
        calendar_version=ctx.calendar.version,
        expiry_act=rule.expiry,
        track=rule.track,
        internal=True,
        supersedes=supersedes,
    )


def _after(case: Case, at: Moment) -> date:
    """The day after which the first day of expediente is looked for: the expiry day, else the act's (spec 04)."""
    return _expired_on(case, at) or at.day


def _expired_on(case: Case, at: Moment) -> date | None:
    """The last day of the term whose expiry, at ``at``, brings the appointment; None when another act does."""
    for item in case.open_deadlines():
        if item.expires_at.next_second().instant == at.instant:
            return item.expires_on
    return None


def timeliness(deadline: Deadline | None, at: Moment) -> Timeliness:
    """Whether a filing dated ``at`` came in time under every reading, under none, or under some only (spec 02)."""
    if deadline is None:
        return Timeliness.TEMPESTIVA
    readings = [in_time(deadline, at), *(at.day <= day for day, _ in deadline.alternatives)]
    if deadline.expires_on > deadline.due:
        readings.append(at.day <= deadline.expires_on)
    if all(readings):
        return Timeliness.TEMPESTIVA
    return Timeliness.CONTROVERTIDA if any(readings) else Timeliness.INTEMPESTIVA


def in_time(deadline: Deadline, at: Moment) -> bool:
    """Whether ``at`` is in time under the default reading; an act with no hour is in time on its day."""
    if at.clock is not None and at.day == deadline.due:
        last = deadline.expires_at if deadline.expires_on == deadline.due else deadline.due_at
        return at.instant <= last.instant
    return at.day <= deadline.due
