"""The part ``prazo``: deadlines by look-up, explained and in batches, and what other packages make of the same dates.

Every date is checked against ``bench.prazo_check``, which works it out day by day. The office has the committed days
of São Gabriel da Palha and, so that every branch is met, a ponto facultativo, a day that closes early and a recess a
year, which are the benchmark's own.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bench.measuring import ROUNDS, Spread, busy_seconds, interleaved, python, ratios, run_program, spread
from bench.prazo_check import RULES as RULE_IDS
from bench.prazo_check import Answers, Office, expected, others
from bench.targets import Targets, require

DATA = Path(__file__).resolve().parents[1] / "calendars" / "data"
CALENDAR, LAW = "es-3204708", "es-3204708/lei-1522-2005"
FIRST, LAST = date(2005, 1, 10), date(2030, 6, 30)
YEARS = range(2005, 2030)
LAW_FIRST = date(2012, 9, 18)  # the first day of the wording that is encoded
DRAW = 35


def run(targets: Targets, scale: float) -> None:
    """Measure, check and judge."""
    from bench import prazo_peers

    office = sample_office()
    calendar = calendar_of(office)
    answers = Answers(office)
    draw = random.Random(DRAW)
    starts = [
        FIRST + timedelta(days=draw.randrange((LAST - FIRST).days)) for _ in range(max(1_000, int(10**6 * scale)))
    ]
    _due_dates(targets, calendar, answers, starts)
    _explained(targets, calendar, answers, starts)
    _batches(targets, scale)
    prazo_peers.run(office, answers, starts[: max(500, len(starts) // 50)])


def committed_days() -> set[date]:
    """The closed days of the calendar, from its file of answers."""
    rows = (line.split(";") for line in (DATA / f"{CALENDAR}.csv").read_text(encoding="utf-8").splitlines()[1:])
    return {date.fromisoformat(row[0]) for row in rows if row[1] == "fechado"}


def sample_office() -> Office:
    """The committed days and the benchmark's own."""
    office = Office(committed_days())
    for year in YEARS:
        office.closed.add(date(year, 10, 28))
        office.early.update(day for day in (date(year, 12, 24),) if day.weekday() < 5 and day not in office.closed)
        office.suspended.update(date(year, 12, 27) + timedelta(days=n) for n in range(12))
    return office


def calendar_of(office: Office) -> Any:
    """The product's calendar of the same days."""
    from calendars import DayFact, DayKind, SuspensionFact, load_calendar

    facts: list[Any] = []
    for year in YEARS:
        facts.append(DayFact(date(year, 10, 28), DayKind.FECHADO, "ponto facultativo"))
        facts.append(SuspensionFact(date(year, 12, 27), date(year, 12, 27) + timedelta(days=11)))
    facts += [DayFact(day, DayKind.REDUZIDO, "fecha cedo", closes_early=True) for day in sorted(office.early)]
    return load_calendar(CALENDAR).with_facts(facts)


def _due_dates(targets: Targets, calendar: Any, answers: Answers, starts: list[date]) -> None:
    from calendars import RULES, Term, due_date

    table, origin = [None] * (calendar.last - calendar.first + 1), calendar.first
    hits = dict.fromkeys(starts, starts[0])

    def look_up(day: date) -> None:
        return table[day.toordinal() - origin]

    found: dict[str, list[date]] = {}

    def product(rule_id: str, term: str) -> float:
        rule, asked = RULES[rule_id], Term.parse(term)

        def work() -> None:
            found[f"{rule_id} {term}"] = [due_date(calendar, rule, asked, day) for day in starts]

        due_date(calendar, rule, asked, starts[0])  # the tables are built once
        return busy_seconds(work)

    asked = [(rule_id, term) for rule_id in RULE_IDS for term in ("15d", "48h", "1m")]
    times = interleaved(
        {
            "look-up": lambda: busy_seconds(lambda: [look_up(day) for day in starts]),
            "dict": lambda: busy_seconds(lambda: [hits[day] for day in starts]),
            **{f"{r} {t}": lambda r=r, t=t: product(r, t) for r, t in asked},  # type: ignore[misc]  # bound at once
        }
    )
    each = {name: spread(t / len(starts) * 1e9 for t in measured) for name, measured in times.items()}
    print(f"due date alone, {len(starts):,} random starts, ns each: median [least..most] of {ROUNDS} rounds")
    print(f"  {'one dict hit':<24} {each['dict']:.0f}")
    print(f"  {'one list look-up':<24} {each['look-up']:.0f} (in a function of one argument)")
    for rule_id, term in asked:
        name = f"{rule_id} {term}"
        against = ratios(times[name], times["look-up"])
        print(f"  {name:<24} {each[name]:.0f}  {against} × the look-up")
        require(found[name] == [answers.of(rule_id, term, day)[0][3] for day in starts], f"wrong due dates: {name}")
        if term == "15d":
            targets.at_most(f"due date alone, {rule_id}", against.median, 4)


def _explained(targets: Targets, calendar: Any, answers: Answers, starts: list[date]) -> None:
    """Dates, moment, other readings and every step: other starts in each round, a million in all."""
    from calendars import RULES, Term, count

    asked, size = Term.parse("15d"), max(100, len(starts) // (2 * ROUNDS))
    taken = dict.fromkeys(RULE_IDS, 0)

    def product(rule_id: str) -> float:
        rule, begin = RULES[rule_id], taken[rule_id]
        chosen = [starts[(begin + n) % len(starts)] for n in range(size)]
        taken[rule_id] += size
        found: list[Any] = []
        took = busy_seconds(lambda: found.extend(count(calendar, rule, asked, day, explain=True) for day in chosen))
        for day, got in zip(chosen, found, strict=True):
            dates = got.starts_on, got.first_counted, got.last_counted, got.due
            right = answers.of(rule_id, "15d", day)
            require((dates, tuple((a.due, a.reading) for a in got.alternatives)) == right, f"{rule_id} from {day}")
            require(got.steps[-1].first == got.due, f"steps of {rule_id} from {day}")
        return took

    times = interleaved({rule_id: lambda rule_id=rule_id: product(rule_id) for rule_id in RULE_IDS})  # type: ignore[misc]  # bound at once
    print(f"with the full explanation (steps and other readings), {2 * ROUNDS * size:,} counts, µs each")
    for rule_id, measured in times.items():
        each = spread(t / size * 1e6 for t in measured)
        print(f"  {rule_id:<24} {each:.1f}")
        targets.at_most(f"full explanation, {rule_id}", each.median, 60, "µs")


def _batches(targets: Targets, scale: float) -> None:
    lines, own = max(200, int(100_000 * scale)), max(100, int(20_000 * scale))
    print("prazo --batch, lines a second, the program's start included")
    with tempfile.TemporaryDirectory() as folder:
        for label, made, least in (
            (f"{lines:,} lines with law", list(law_lines(lines)), 20_000),
            (f"{own:,} lines with their own days", list(own_lines(own)), 3_000),
        ):
            path = Path(folder) / "lines.jsonl"
            path.write_text("".join(json.dumps(line) + "\n" for line, _ in made), encoding="utf-8")
            rate = _rate(path, made)
            print(f"  {label:<34} {rate:,.0f}")
            targets.at_least(f"batch, {label}", rate.median, least, "lines a second")


def _rate(path: Path, made: list[tuple[dict[str, Any], Any]]) -> Spread:
    rates = []
    for _ in range(ROUNDS):
        ran = run_program(python("-m", "procedure.cli.main", "prazo", "--batch", str(path)))
        rates.append(len(made) / ran.seconds)
        answered = [json.loads(line) for line in ran.output.splitlines()]
        require(len(answered) == len(made), "a line of the batch has no answer")
        for (line, right), got in zip(made, answered, strict=True):
            dates = tuple(date.fromisoformat(got[n]) for n in ("starts_on", "first_counted", "last_counted", "due"))
            readings = tuple((date.fromisoformat(a["due"]), a["reading"]) for a in got["alternatives"])
            require((got["id"], (dates, readings)) == (line["id"], right), f"line {line['id']} of the batch")
            require(got["due_at"].startswith(f"{got['due']}T23:59:59-0") and got["legal_basis"] != [], "moment, basis")
    return spread(rates)


TERMS = ("5d", "10d", "15d", "20d", "30d", "48h", "1m", "2m")


def law_lines(size: int) -> Iterator[tuple[dict[str, Any], Any]]:
    """Lines with a law and no days of their own, and what each must give."""
    draw, answers = random.Random(DRAW + 1), Answers(Office(committed_days()))
    for number in range(size):
        start, term = LAW_FIRST + timedelta(days=draw.randrange(6_000)), draw.choice(TERMS)
        line = {"id": number, "law": LAW, "start": start.isoformat(), "term": term}
        yield line, answers.of("art-35-b", term, start)


def own_lines(size: int) -> Iterator[tuple[dict[str, Any], Any]]:
    """Lines with days of their own, half of them over a law's calendar, and what each must give."""
    draw, known = random.Random(DRAW + 2), committed_days()
    for number in range(size):
        start, days = LAW_FIRST + timedelta(days=draw.randrange(6_000)), draw.choice((5, 10, 15, 20, 30))
        closed = [start + timedelta(days=draw.randrange(60)) for _ in range(8)]
        early = [start + timedelta(days=draw.randrange(60))]
        pause = start + timedelta(days=draw.randrange(40))
        pauses = [(pause, pause + timedelta(days=draw.randrange(10)))] if number % 4 < 2 else []
        line: dict[str, Any] = {
            "id": number,
            "start": start.isoformat(),
            "term": f"{days}d",
            "closed": [day.isoformat() for day in closed],
            "reduced": [day.isoformat() for day in early],
            "suspended": [[day.isoformat() for day in pair] for pair in pauses],
        }
        rule_id = "art-35-b" if number % 2 else draw.choice(tuple(RULE_IDS))
        line |= {"law": LAW} if number % 2 else {"counting": rule_id}
        suspended = {a + timedelta(days=n) for a, b in pauses for n in range((b - a).days + 1)}
        office = Office({*closed, *(known if number % 2 else ())}, set(early), suspended)
        dates = expected(office, RULE_IDS[rule_id], days, 0, start)
        yield line, (dates, others(office, rule_id, days, 0, start, dates[3]))
