"""Terms counted again when the days change: nothing that would move is missed, nothing moves without a cause."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st

from calendars import DayFact, DayKind, Nature, OfficeCalendar, SuspensionFact
from calendars.changes import changes_between
from calendars.days import Fact
from procedure.domain.case import Case, Deadline
from procedure.domain.context import Context
from procedure.domain.deadlines import open_deadline, recounted
from procedure.domain.moment import Moment
from procedure.domain.recounting import MoveEffect, moved
from procedure.domain.rulebooks import rulebook_of
from procedure.services.context import build_context
from procedure.services.ports import MunicipalData
from procedure.services.recount import MARGIN, Window, in_window

LAWS = ("es-3204708/lei-1522-2005", "mg-3129509/lei-1355-1990", "mg-3120805/lei-1220-1996")
KINDS = {LAWS[0]: ("defesa", "recurso", "pagamento"), LAWS[1]: ("defesa",), LAWS[2]: ("defesa", "recurso")}
FIRST = date(2013, 1, 2)
DATES = ("starts_on", "first_counted", "last_counted", "due", "due_at", "expires_on", "expires_at", "alternatives")

days = st.integers(0, 400).map(lambda n: FIRST + timedelta(days=n))


@st.composite
def facts(draw: st.DrawFn) -> list[Fact]:
    """Up to four days closed, reduced or opened, and at times a suspension, each by its decree."""
    found: list[Fact] = []
    for number in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from([DayKind.FECHADO, DayKind.REDUZIDO, DayKind.NORMAL]))
        day, published = draw(days), FIRST + timedelta(days=number)
        found.append(DayFact(day, kind, "dia de teste", f"Decreto {number}", published, Nature.PONTO_FACULTATIVO))
    if draw(st.booleans()):
        first = draw(days)
        last = first + timedelta(days=draw(st.integers(0, 20)))
        found.append(SuspensionFact(first, last, "suspensão", "Decreto 9", FIRST))
    return found


@lru_cache(maxsize=4)
def context(law: str) -> Context:
    """The law under the shipped days."""
    book = rulebook_of(law)
    return build_context(book, MunicipalData(book.municipality))


def under(ctx: Context, calendar: OfficeCalendar) -> Context:
    """The same law under other days."""
    return build_context(ctx.book, MunicipalData(ctx.book.municipality), calendar)


def opened(ctx: Context, kind: str, start: date) -> Deadline:
    """The term of that kind from a notice of that day."""
    case = Case(ctx.book.municipality, "1/2013", law=ctx.book.id)
    made = open_deadline(ctx, case, ctx.book.deadlines[kind], Moment.of_day(start, ctx.tz), {"start": f"{start}"}, None)
    assert made is not None
    return made


@given(st.sampled_from(LAWS), st.data(), facts(), facts())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_what_moves_is_near_the_days_that_changed_and_cites_them(
    law: str, data: st.DataObject, before: list[Fact], after: list[Fact]
) -> None:
    """The term counted afresh under the new days is what the recount gives; if it differs, the window holds it."""
    shipped = context(law)
    old = under(shipped, shipped.calendar.with_facts(before))
    new = under(shipped, shipped.calendar.with_facts([*before, *after]))
    kind, start = data.draw(st.sampled_from(KINDS[law])), data.draw(days)
    item = opened(old, kind, start)
    afresh = opened(new, kind, start)
    changes = changes_between(old.calendar, new.calendar)
    move = moved(new, item, start.isoformat(), changes)
    same = all(getattr(item, name) == getattr(afresh, name) for name in DATES)
    assert (move is None) == same
    if move is None:
        return
    assert all(getattr(move.now, name) == getattr(afresh, name) for name in DATES)
    assert move.changes
    window = Window(
        old.calendar.version, min(c.first for c in changes) - MARGIN, max(c.last for c in changes) + MARGIN
    )
    assert in_window(item, [window])
    was, now = item.expires_at.instant, afresh.expires_at.instant
    if was != now:
        assert move.effect is (MoveEffect.PRORROGA if now > was else MoveEffect.ENCURTA)


@given(st.sampled_from(LAWS), st.data(), facts())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_under_the_same_days_no_term_moves(law: str, data: st.DataObject, supplied: list[Fact]) -> None:
    shipped = context(law)
    ctx = under(shipped, shipped.calendar.with_facts(supplied))
    start = data.draw(days)
    item = opened(ctx, data.draw(st.sampled_from(KINDS[law])), start)
    assert moved(ctx, item, start.isoformat(), ()) is None
    assert changes_between(ctx.calendar, OfficeCalendar.from_document(ctx.calendar.to_document())) == ()
    again = recounted(ctx, item, start.isoformat())
    assert moved(ctx, again, start.isoformat(), ()) is None
