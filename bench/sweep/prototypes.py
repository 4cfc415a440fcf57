"""Some hundred cases of the three laws, recorded act by act, each stopped where a deadline of it still runs.

They come from the autos of the shipped sample: every auto is recorded up to every one of its acts, moved by whole weeks
so that its deadline ends where we want it, under a person of its own. What the record refuses there (an act that needs
another auto, a holiday that breaks an order of days) is left out.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from legalbasis import PosturasError
from procedure.cli.demo_play import supply
from procedure.cli.demo_sample import Sample, load_samples
from procedure.services.record import Recorder
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository
from procedure.store.tables import metadata

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

AS_OF = date(2014, 6, 25)  # a Wednesday; the sweep concludes what ended before it
RECORDED = datetime(2014, 6, 25, 3, tzinfo=UTC)  # midnight at the municipalities
SWEPT = datetime(2014, 6, 25, 6, tzinfo=UTC)  # 3 o'clock there, on the night's cron
STAMP = "2014-06-25T03:00:00-03:00"  # the same as acts carry it
PAST, FUTURE = 45, 90  # days around AS_OF over which the deadlines end
MANY = 100  # prototypes for which every auto of the sample is looked at
CATCH_UP = 7  # a daily fine is at most so many days behind, as nightly sweeps leave it
MIDNIGHT = int(datetime(2014, 6, 25, 3, tzinfo=UTC).timestamp())
DAY = re.compile(r"\b20\d\d-\d\d-\d\d")
SURCHARGED = ("3204708", "aguardando_pagamento")  # where the deadline's end brings surcharge and inscription


@dataclass(frozen=True, slots=True)
class Ending:
    """An auto of the sample up to one of its acts; ``expiry`` is the first end of a running deadline."""

    sample: Sample
    acts: tuple[dict[str, Any], ...]
    state: str
    kinds: tuple[str, ...]
    expiry: date

    @property
    def last(self) -> date:
        """The day of its last act."""
        return max(date.fromisoformat(act["date"][:10]) for act in self.acts)

    @property
    def surcharged(self) -> bool:
        """Whether its end brings surcharge and inscription: nobody without a document is inscribed."""
        documented = all(act["infrator"].get("doc") for act in self.acts if "infrator" in act)
        return (self.sample.municipality, self.state) == SURCHARGED and documented


@dataclass(frozen=True, slots=True)
class Prototype:
    """A recorded case: its rows as stored, and the texts in them that every copy replaces by its own."""

    due: bool
    surcharged: bool
    case: dict[str, Any]
    acts: tuple[dict[str, Any], ...]
    deadlines: tuple[dict[str, Any], ...]
    person: dict[str, Any]
    place: str

    @property
    def municipality(self) -> str:
        """The IBGE code."""
        code: str = self.case["municipality"]
        return code


def build(url: str, wanted: int, seed: int = 4) -> list[Prototype]:
    """Record about ``wanted`` prototypes of each sort: due and surcharged, due otherwise, not due."""
    draw = random.Random(seed)
    engine = open_engine(url)
    try:
        samples = load_samples()
        for sample in samples:
            supply(engine, sample)
        with session_scope(engine) as session:
            step = 1 if wanted >= MANY else 4
            known = [ending for sample in samples for ending in _endings(session, sample, step)]
            names = _recorded(session, known, wanted, draw)
    finally:
        engine.dispose()
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        return [found for place, auto in names if (found := _read(connection, place, auto)) is not None]


def _endings(session: Session, sample: Sample, step: int) -> Iterator[Ending]:
    """Every auto of the sample (by ``step``, one in a few) after each of its acts, when a deadline then runs and
    nothing is inscribed yet.
    """
    repository = SqlRepository(session)
    autos: dict[str, list[dict[str, Any]]] = {}
    for act in sample.acts:
        if "auto" not in act:
            continue  # it collects inscriptions, named by their numbers
        autos.setdefault(act["auto"], []).append(act)
    for number, acts in list(enumerate(autos.values()))[::step]:
        acts.sort(key=lambda act: str(act["date"]))
        auto = f"S{number:06d}"
        for count in range(1, len(acts) + 1):
            if not _record(session, [_own(acts[count - 1], auto, 500_000 + number, count, 0)]):
                break
            case = repository.load(sample.municipality, [auto], lock=False)[auto]
            running = case.open_deadlines()
            if running and case.inscription is None and case.state is not None:
                first = min(item.expires_on for item in running)
                kinds = tuple(item.kind for item in running)
                yield Ending(sample, tuple(acts[:count]), case.state.value, kinds, first)


def _recorded(session: Session, known: Sequence[Ending], wanted: int, draw: random.Random) -> list[tuple[str, str]]:
    surcharged = [ending for ending in known if ending.surcharged]
    names: list[tuple[str, str]] = []
    for pool, due in ((surcharged, True), (known, True), (known, False)):
        for _ in range(wanted):
            ending = draw.choice(pool)
            weeks = _weeks(ending, due, draw)
            auto = f"P{len(names):06d}"
            if weeks is None:
                continue
            acts = [_own(act, auto, len(names), n, weeks) for n, act in enumerate(ending.acts, 1)]
            if _record(session, acts):
                names.append((ending.sample.municipality, auto))
    return names


def _weeks(ending: Ending, due: bool, draw: random.Random) -> int | None:
    """By how many weeks to move the auto, so that its deadline has ended, or ends later and all acts are past."""
    behind = CATCH_UP if "multa_diaria" in ending.kinds else PAST
    first, last = (-behind, -8 if ending.surcharged else -1) if due else (0, FUTURE)
    if not due:
        last = min(last, (ending.expiry - ending.last).days - 1)
    ends = range(first, last + 1)
    days = [n for n in ends if ((AS_OF - ending.expiry).days + n) % 7 == 0]
    return ((AS_OF - ending.expiry).days + draw.choice(days)) // 7 if days else None


def _record(session: Session, acts: Sequence[dict[str, Any]]) -> bool:
    """Record the acts, all or none; whether they were taken."""
    recorder = Recorder(SqlRepository(session))
    try:
        with session.begin_nested():
            for act in acts:
                recorder.record(act, recorded_at=RECORDED)
    except PosturasError:
        return False
    return True


def _own(act: dict[str, Any], auto: str, number: int, count: int, weeks: int) -> dict[str, Any]:
    """The act moved by weeks, in an auto of ours, for a person and a place that no other has."""
    text = DAY.sub(lambda day: str(date.fromisoformat(day[0]) + timedelta(weeks=weeks)), json.dumps(act))
    moved: dict[str, Any] = json.loads(text)
    moved.pop("recorded_at", None)
    moved.update(auto=auto, key=f"{auto}-{count}")
    if "infrator" in moved:
        moved["infrator"]["name"] = name_of(number + 9_000_000)
        if moved["infrator"].get("doc"):
            moved["infrator"]["doc"] = document(moved["infrator"]["kind"], number + 9_000_000)
    if isinstance(moved.get("fact"), dict):
        moved["fact"]["place"] = _place(auto)
    return moved


def _place(auto: str) -> str:
    return f"Rua {auto}Q"


def name_of(number: int) -> str:
    """An invented name for the person of that number."""
    return f"Pessoa Inventada {number:07d}"


def document(kind: str, number: int) -> str:
    """A CNPJ (a firm of its own for each number) or CPF with its check digits."""
    digits = f"{10_000_000 + number:08d}0001" if kind == "pj" else f"{100_000_000 + number:09d}"
    for _ in range(2):
        weights = [i % 8 + 2 if kind == "pj" else i + 2 for i in range(len(digits))]
        rest = sum(int(digit) * weight for digit, weight in zip(reversed(digits), weights, strict=True)) % 11
        digits += "0" if rest < 2 else str(11 - rest)
    return digits


def columns(table: str) -> list[str]:
    """The columns of a table of the record, in the order in which rows are read and written here."""
    return list(metadata.tables[f"posturas_{table}"].columns.keys())


def _read(connection: sqlite3.Connection, municipality: str, auto: str) -> Prototype | None:
    """The stored rows of a prototype, None when no deadline of it runs or it is inscribed already."""
    connection.row_factory = sqlite3.Row
    key = (municipality, auto)

    def rows(table: str, order: str) -> tuple[dict[str, Any], ...]:
        names = ", ".join(columns(table))
        query = f"SELECT {names} FROM posturas_{table} WHERE municipality = ? AND auto = ? ORDER BY {order}"
        return tuple(dict(row) for row in connection.execute(query, key))

    (case,) = rows("cases", "auto")
    deadlines = rows("deadlines", "number, kind")
    running = [row["expires_epoch"] for row in deadlines if row["status"] == "aberto"]
    if not running or rows("inscriptions", "seq"):
        return None
    query = "SELECT * FROM posturas_persons WHERE municipality = ? AND id = ? ORDER BY version DESC"
    person = dict(connection.execute(query, (municipality, case["person_id"])).fetchone())
    due = min(running) < MIDNIGHT
    surcharged = due and (municipality, case["state"]) == SURCHARGED and bool(person["doc"])
    return Prototype(due, surcharged, case, rows("acts", "seq"), deadlines, person, _place(auto))
