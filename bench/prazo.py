"""How long a deadline takes by look-up, against one hit of a dict in the same run; every date checked another way.

    python -m bench.prazo [starts]

The check shares nothing with the tables: it walks each start day by day over the committed answers of the calendar.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from calendars import RULES, Term, count, due_date, load_calendar

DATA = Path(__file__).resolve().parents[1] / "calendars" / "data"
ONE = timedelta(days=1)
LIMIT_NS = 1_000


def by_hand(closed: set[date], start: date, days: int, months: int) -> date:
    """Art. 35-B over a set of closed days: excluded day, day 1 and due day are days of expediente."""

    def roll(day: date) -> date:
        while day.weekday() > 4 or day in closed:
            day += ONE
        return day

    deemed = roll(start)
    if not months:
        return roll(roll(deemed + ONE) + (days - 1) * ONE)
    year, month = divmod(deemed.year * 12 + deemed.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    last = (first + timedelta(days=32)).replace(day=1)
    return roll(min(first + (deemed.day - 1) * ONE, last))


def timed(label: str, work: int, run: Callable[[], object]) -> float:
    """Run once and print the time per item of ``work``, in nanoseconds."""
    began = time.perf_counter()
    run()
    each = (time.perf_counter() - began) / work * 1e9
    print(f"{label:<34} {each:9.0f} ns")
    return each


def main(starts: int) -> int:
    """Measure and check ``starts`` deadlines of each kind; 1 if a date is wrong or the limit is passed."""
    draw = random.Random(35)
    calendar, rule = load_calendar("es-3204708"), RULES["art-35-b"]
    closed = {date.fromisoformat(line[:10]) for line in (DATA / "es-3204708.csv").read_text().splitlines()[1:]}
    days = [date(2005, 1, 1) + draw.randrange(9_300) * ONE for _ in range(starts)]
    term, month, hours = Term.parse("15d"), Term.parse("1m"), Term.parse("48h")
    dictionary = dict.fromkeys(days, days[0])

    began = time.perf_counter()
    due_date(calendar, rule, term, days[0])
    print(f"{'tables, once':<34} {(time.perf_counter() - began) * 1e3:9.1f} ms")
    floor = timed("floor: one dict hit", starts, lambda: [dictionary[d] for d in days])
    empty = timed("floor: one call of a function", starts, lambda: [_nothing(calendar, rule, term, d) for d in days])
    found: dict[str, list[date]] = {}
    slow = []
    for text, asked in (("15d", term), ("48h, hour unknown", hours), ("1m", month)):

        def run(asked: Term = asked, text: str = text) -> None:
            found[text] = [due_date(calendar, rule, asked, d) for d in days]

        each = timed(f"due_date {text}", starts, run)
        print(f"{'':<34} {each / floor:9.1f} × a dict hit, {each / empty:.1f} × an empty call")
        slow += [text] if each > LIMIT_NS else []
    few = days[: max(1, starts // 500)]
    timed("count 15d, with its readings", len(few), lambda: [count(calendar, rule, term, d) for d in few])
    timed("count 15d, with steps", len(few), lambda: [count(calendar, rule, term, d, explain=True) for d in few])

    wrong = 0
    for text, length, months in (("15d", 15, 0), ("48h, hour unknown", 2, 0), ("1m", 0, 1)):
        expected = {d: by_hand(closed, d, length, months) for d in set(days)}
        wrong += sum(due != expected[d] for d, due in zip(days, found[text], strict=True))
    print(f"{wrong} wrong of {3 * starts}; over {LIMIT_NS} ns: {', '.join(slow) or 'none'}")
    return 1 if wrong or slow else 0


def _nothing(calendar: object, rule: object, term: object, start: date) -> date:
    return start


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
