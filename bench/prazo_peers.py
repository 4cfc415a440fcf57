"""The same dates by other packages: time for each, and the share that is wrong under art. 35-B.

Each gets every closed day of the office. "adds" is what its interface offers for a term (so many business days from
the start); "by hand" is the loop that a careful user writes around it: the start, day 1 and the end moved to business
days. None of them knows days that close early, or suspensions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from bench.measuring import ROUNDS, busy_seconds, interleaved, ratios, spread
from bench.prazo_check import ONE, Answers, Office, wrong_share

DAYS = 15
SLOW = 2_000  # starts for the packages that take many microseconds each
Way = Callable[[list[date]], list[date]]


def run(office: Office, answers: Answers, starts: list[date]) -> None:
    """Measure each package that is installed; name those that are not."""
    print(f"the same term ({DAYS} days) by other packages, µs a date, and wrong dates under art. 35-B")
    ways: dict[str, Way] = {"posturas, due date alone": _product(office)}
    for name, make in PEERS.items():
        try:
            ways |= {f"{name}, {way}": work for way, work in make(office)}
        except ImportError as error:
            print(f"  {name}: not measured, it cannot be imported ({error.name}); see requirements/bench.txt")
    few = starts[:SLOW]
    found: dict[str, list[date]] = {}

    def contender(name: str) -> float:
        def work() -> None:
            found[name] = ways[name](few)

        ways[name](few[:1])
        return busy_seconds(work)

    times = interleaved({name: lambda name=name: contender(name) for name in ways})  # type: ignore[misc]  # bound at once
    right = [answers.of("art-35-b", f"{DAYS}d", day)[0][3] for day in few]
    own = next(iter(ways))
    for name, measured in times.items():
        each = spread(t / len(few) * 1e6 for t in measured)
        share = wrong_share(found[name], right)
        against = ratios(measured, times[own]).median
        print(f"  {name:<34} {each:.2f} µs  {against:8.1f} ×  {share:6.2f} % wrong  ({ROUNDS} rounds)")


def _product(office: Office) -> Way:
    from bench.prazo import calendar_of
    from calendars import RULES, Term, due_date

    calendar, rule, term = calendar_of(office), RULES["art-35-b"], Term.parse(f"{DAYS}d")
    return lambda starts: [due_date(calendar, rule, term, day) for day in starts]


def _by_hand(roll: Callable[[Any], Any], one: Any = ONE, days: Any = (DAYS - 1) * ONE) -> Callable[[Any], Any]:
    return lambda start: roll(roll(roll(start) + one) + days)


def _loop(is_open: Callable[[date], bool]) -> Way:
    def roll(day: date) -> date:
        while not is_open(day):
            day += ONE
        return day

    due = _by_hand(roll)
    return lambda starts: [due(day) for day in starts]


def _holidays(office: Office) -> Iterator[tuple[str, Way]]:
    import holidays

    closed = holidays.country_holidays("BR", subdiv="ES", years=range(2005, 2032))
    closed.update(dict.fromkeys(office.closed, "município"))
    yield "a loop by hand", _loop(lambda day: day.weekday() < 5 and day not in closed)
    plain = holidays.country_holidays("BR", subdiv="ES", years=range(2005, 2032))
    yield "its own days only", _loop(lambda day: day.weekday() < 5 and day not in plain)
    yield "adds business days", lambda starts: [closed.get_nth_working_day(day, DAYS) for day in starts]


def _workalendar(office: Office) -> Iterator[tuple[str, Way]]:
    from workalendar.america import BrazilEspiritoSanto

    class Municipal(BrazilEspiritoSanto):  # type: ignore[misc]  # the package has no types
        def get_variable_days(self, year: int) -> list[tuple[date, str]]:
            own = [(day, "município") for day in office.closed if day.year == year]
            return [*super().get_variable_days(year), *own]

    calendar, plain = Municipal(), BrazilEspiritoSanto()
    yield "a loop by hand", _loop(calendar.is_working_day)
    yield "its own days only", _loop(plain.is_working_day)
    yield "adds business days", lambda starts: [calendar.add_working_days(day, DAYS) for day in starts]


def _bizdays(office: Office) -> Iterator[tuple[str, Way]]:
    from bizdays import Calendar

    calendar = Calendar(
        sorted(office.closed),
        ["Saturday", "Sunday"],
        startdate="2005-01-01",
        enddate="2031-12-31",
        name="município",
    )
    due = _by_hand(lambda day: _day(calendar.following(day)))
    yield "rolls, by hand", lambda starts: [due(day) for day in starts]
    yield "adds business days", lambda starts: [_day(calendar.offset(day, DAYS)) for day in starts]


def _pandas(office: Office) -> Iterator[tuple[str, Way]]:
    import pandas
    from pandas.tseries.offsets import CustomBusinessDay

    business = CustomBusinessDay(holidays=sorted(office.closed))
    term = CustomBusinessDay(DAYS, holidays=sorted(office.closed))
    due = _by_hand(business.rollforward, timedelta(days=1), timedelta(days=DAYS - 1))
    yield "rolls, by hand", lambda starts: [due(pandas.Timestamp(day)).date() for day in starts]
    yield "adds business days", lambda starts: [(pandas.Timestamp(day) + term).date() for day in starts]


def _numpy(office: Office) -> Iterator[tuple[str, Way]]:
    import numpy

    days = numpy.busdaycalendar(holidays=sorted(office.closed))

    def rolled(starts: list[date]) -> list[date]:
        at = numpy.array(starts, dtype="datetime64[D]")
        for step in (0, 1, DAYS - 1):
            at = numpy.busday_offset(at + step, 0, roll="forward", busdaycal=days)
        return list(at.tolist())

    def added(starts: list[date]) -> list[date]:
        at = numpy.array(starts, dtype="datetime64[D]")
        return list(numpy.busday_offset(at, DAYS, roll="forward", busdaycal=days).tolist())

    yield "busday_offset rolls, all at once", rolled
    yield "busday_offset adds, all at once", added


def _day(value: Any) -> date:
    return value.date() if isinstance(value, datetime) else value


PEERS: dict[str, Callable[[Office], Iterator[tuple[str, Way]]]] = {
    "holidays": _holidays,
    "workalendar": _workalendar,
    "bizdays": _bizdays,
    "pandas": _pandas,
    "numpy": _numpy,
}
