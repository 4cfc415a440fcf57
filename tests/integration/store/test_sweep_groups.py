"""What a sweep writes by groups equals what it would have written case by case: row for row, hash for hash.

The cases are the autos of the shipped sample of each law, each stopped after one of its acts, drawn at random, some
several times over under other persons. One night is swept twice on the same database, by groups and case by case, and
undone in between; every column of every table must be the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine, text

from legalbasis import PosturasError
from procedure.cli.demo_play import supply
from procedure.cli.demo_sample import NAMES, Sample, load_sample
from procedure.domain.facts_text import facts_text
from procedure.domain.moment import Moment
from procedure.services.context import Contexts, zone_of
from procedure.services.record import Recorder
from procedure.services.sweep import Chunk, sweep_chunk
from procedure.store import plan
from procedure.store import sweep_page as pages
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository

RECORDED = datetime(2014, 7, 1, 12, tzinfo=UTC)
STAMP = "2014-07-01T09:00:00-03:00"
NIGHTS = ("2013-12-02", "2014-01-20", "2014-03-11", "2014-09-01")
TABLES = {
    "posturas_cases": "*",
    "posturas_acts": "*",
    "posturas_deadlines": "*",
    "posturas_inscriptions": "*",
    "posturas_counters": "*",
    "posturas_outbox": "municipality, auto, seq, event",
}
Swept = tuple[Chunk, dict[str, list[tuple[Any, ...]]]]


def document(kind: str, number: int) -> str:
    """A CPF, or a CNPJ of a firm of its own, whose check digits are reckoned here."""
    digits = f"{10_000_000 + number}0001" if kind == "pj" else f"{100_000_000 + number}"
    for _ in range(2):
        weights = [index % 8 + 2 if kind == "pj" else index + 2 for index in range(len(digits))]
        rest = sum(int(digit) * weight for digit, weight in zip(reversed(digits), weights, strict=True)) % 11
        digits += "0" if rest < 2 else str(11 - rest)
    return digits


def fill(engine: Engine, sample: Sample, draw: random.Random) -> None:
    """Autos of the sample, each up to one of its acts; an auto drawn is recorded up to four times, for four persons."""
    supply(engine, sample)
    autos: dict[str, list[dict[str, Any]]] = {}
    for act in sample.acts:
        if "auto" not in act:
            continue  # it collects inscriptions, named by their numbers
        autos.setdefault(act["auto"], []).append(act)
    number = 0
    with session_scope(engine) as session:
        recorder = Recorder(SqlRepository(session))
        for acts in autos.values():
            acts.sort(key=lambda act: str(act["date"]))
            stop = draw.randint(1, len(acts))
            summons = [n for n, act in enumerate(acts, 1) if act["act"] == "intimacao_pagamento"]
            if summons and draw.random() < 0.7:  # where surcharge and inscription follow
                stop = summons[0]
            for _ in range(draw.choice((1, 2, 4))):
                number += 1
                told = [own(act, number) for act in acts[:stop]]
                for linked in {act["linked_auto"] for act in acts[:stop] if act.get("linked_auto")}:
                    told = [of_the_linked(act, number) for act in autos[linked]] + told
                try:
                    with session.begin_nested():
                        for act in told:
                            recorder.record(act, recorded_at=RECORDED)
                except PosturasError:
                    continue  # it asks for something else of the sample


def own(act: dict[str, Any], number: int) -> dict[str, Any]:
    """The act in an auto and for a person of their own; some persons without a document, whom the gate refuses."""
    moved = renumbered(act, f"{number:04d}/x")
    if moved.get("linked_auto"):
        moved["linked_auto"] = f"{number:04d}/y"
    if "infrator" in moved:
        identify(moved["infrator"], number)
        if number % 7 == 0 and "linked_auto" not in moved:
            moved["infrator"].pop("doc", None)
    return moved


def of_the_linked(act: dict[str, Any], number: int) -> dict[str, Any]:
    """The act in the auto that an own one names: against another person, its copy to the own one's."""
    moved = renumbered(act, f"{number:04d}/y")
    for name, whose in (("infrator", 5_000 + number), ("copy_to", number)):
        if name in moved:
            identify(moved[name], whose)
    return moved


def renumbered(act: dict[str, Any], auto: str) -> dict[str, Any]:
    """The act in another auto, without a key."""
    moved: dict[str, Any] = json.loads(json.dumps(act))
    moved["auto"] = auto
    return {name: value for name, value in moved.items() if value is not None and name not in ("key", "recorded_at")}


def identify(person: dict[str, Any], number: int) -> None:
    """Give the person the name and document of ``number``."""
    person["name"] = f'Pessoa "{number}" \\ 🏛'
    if "doc" in person:
        person["doc"] = document(person["kind"], number)


def swept(engine: Engine, municipality: str, night: str, one_by_one: bool) -> Swept:
    """One night's rows, undone afterwards."""
    before = Moment.parse(night, zone_of(municipality)).epoch
    with session_scope(engine) as session:
        repo = SqlRepository(session)
        due = repo.due_autos(municipality, before, "", 10_000)
        if one_by_one:
            options: dict[str, Any] = {"before_epoch": before, "after": "", "limit": 0, "recorded_at": STAMP}
            chunk = sweep_chunk(repo, Contexts(repo), municipality, autos=due, **options)
        else:
            groups = pages.Groups(municipality, before, STAMP)
            chunk = pages.sweep_page(repo, groups, due, before, STAMP)
        found = {
            table: sorted((tuple(row) for row in session.execute(text(f"SELECT {names} FROM {table}"))), key=repr)
            for table, names in TABLES.items()
        }
        session.rollback()
    return chunk, found


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The autos that were written by groups."""
    autos: list[str] = []
    real: Callable[..., None] = plan.write

    def counted(rows: Any, member: Any) -> None:
        autos.append(member.auto)
        real(rows, member)

    monkeypatch.setattr(pages, "write", counted)
    return autos


@pytest.mark.parametrize("name", NAMES)
def test_groups_write_what_each_case_would_have(engine: Engine, name: str, written: list[str]) -> None:
    sample = load_sample(name)
    fill(engine, sample, random.Random(name))
    kinds: set[str] = set()
    examined = 0
    for night in NIGHTS:
        grouped, by_groups = swept(engine, sample.municipality, night, one_by_one=False)
        alone, by_cases = swept(engine, sample.municipality, night, one_by_one=True)
        for table in TABLES:
            assert by_groups[table] == by_cases[table], (night, table)
        assert grouped == alone
        kinds.update(grouped.by_kind)
        examined += grouped.examined
    assert len(written) > 0.95 * examined > 60, "hardly a case is decided by itself"
    assert len(kinds) >= 3


def test_what_stands_out_is_decided_by_itself(engine: Engine, written: list[str]) -> None:
    """An auto whose number JSON writes otherwise, facts of another hand, and a damaged line."""
    sample = load_sample("ibia")
    fill(engine, sample, random.Random(2))
    municipality, night = sample.municipality, "2014-09-01"
    with session_scope(engine) as session:
        repo = SqlRepository(session)
        due = repo.due_autos(municipality, Moment.parse(night, zone_of(municipality)).epoch, "", 3)
        case = repo.load(municipality, due[:1], lock=False)[due[0]]
        change = text("UPDATE posturas_cases SET facts = :facts WHERE auto = :auto")
        session.execute(change, {"auto": due[0], "facts": json.dumps(case.facts)})
        session.execute(change, {"auto": due[1], "facts": facts_text(case.facts)[:-1]})
    grouped, by_groups = swept(engine, municipality, night, one_by_one=False)
    alone, by_cases = swept(engine, municipality, night, one_by_one=True)
    assert by_groups == by_cases
    assert grouped == alone
    assert [code for code, _ in grouped.failures.values()] == ["caso_ilegivel"]
    assert not {due[0], due[1]} & set(written)


def test_an_undone_page_does_not_take_the_law_and_the_days_along(engine: Engine) -> None:
    """The templates outlive a page that was undone; what they rest on is kept with the next."""
    sample = load_sample("ibia")
    fill(engine, sample, random.Random(3))
    municipality = sample.municipality
    before = Moment.parse("2014-09-01", zone_of(municipality)).epoch
    groups = pages.Groups(municipality, before, STAMP)
    with session_scope(engine) as session:
        session.execute(text("DELETE FROM posturas_calendars"))
        session.execute(text("DELETE FROM posturas_rulebooks"))
    kept = []
    for commit in (False, False, True):
        with session_scope(engine) as session:
            repo = SqlRepository(session)
            pages.sweep_page(repo, groups, repo.due_autos(municipality, before, "", 10_000), before, STAMP)
            if not commit:
                session.rollback()
        kept.append(len(groups.templates))
    assert kept[1] == kept[2] > 0, "the last page learns nothing more"
    with session_scope(engine) as session:
        used = "SELECT {0} FROM posturas_acts WHERE recorded_at = :stamp AND {0} NOT IN (SELECT version FROM {1})"
        for column, table in (("calendar_version", "posturas_calendars"), ("rulebook_version", "posturas_rulebooks")):
            assert session.execute(text(used.format(column, table)), {"stamp": STAMP}).all() == []
