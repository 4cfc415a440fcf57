"""An import leaves the very rows, hashes included, that recording its acts one by one in legal order leaves."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from legalbasis import PosturasError
from procedure.cli.demo_sample import NAMES, load_sample
from procedure.services.importing.lines import LineReader, open_acts
from procedure.services.importing.staging import Staging, stage
from procedure.services.ports import SuppliedUnitValue
from procedure.services.record import Recorder
from procedure.store import importing, supplied
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository
from tests.integration.importing.samples import FIRM, NOW, Act, Office, act, drawn, jsonl, judged, served

# What depends on how often a case was written, and in what order, not on what was recorded.
_ORDER_OF_WRITING = {"posturas_cases": {"version"}, "posturas_outbox": {"id", "xid"}}
OTHER_FIRM, BRANCH, CITIZEN = "12345678000195", "11222333000262", "52998224725"
PAID = ("20", "90", "600")


def rows(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every table of the record, row by row."""
    engine = open_engine(url)
    with session_scope(engine, read_only=True) as session:
        connection, found = session.connection(), {}
        seen = inspect(connection)
        for table in sorted(seen.get_table_names()):
            hidden = _ORDER_OF_WRITING.get(table, set())
            names = [c["name"] for c in seen.get_columns(table) if c["name"] not in hidden]
            query = text("SELECT {} FROM {}".format(", ".join(f'"{name}"' for name in names), table))
            found[table] = sorted((tuple(row) for row in connection.execute(query)), key=repr)
    engine.dispose()
    return found


def one_by_one(url: str, acts: Iterable[Act]) -> set[str]:
    """Record each act by itself; what comes after a refused act in its auto is held. The keys of those recorded."""
    engine = open_engine(url)
    recorded, stopped = set(), set()
    for data in acts:
        if data["auto"] in stopped:
            continue
        try:
            with session_scope(engine) as session:
                Recorder(SqlRepository(session)).record(data, recorded_at=NOW)
        except PosturasError:
            stopped.add(data["auto"])
        else:
            recorded.add(data["key"])
    engine.dispose()
    return recorded


@pytest.fixture
def dialect() -> str:
    """One database, copied as a file: the rows of both dialects come from the same code."""
    return "sqlite"


@pytest.fixture
def twin(office: Office, tmp_path: Path) -> Callable[[], str]:
    """A copy of the office's database, with the same key of persons."""

    def made() -> str:
        path = tmp_path / "twin.db"
        shutil.copyfile(office.url.removeprefix("sqlite:///"), path)
        return f"sqlite:///{path}"

    return made


def compared(office: Office, twin: Callable[[], str], acts: list[Act], seed: int) -> dict[str, Any]:
    """Import the acts shuffled and record them in legal order in the twin; the answer of the import."""
    acts = [{**data, "key": f"chave-{number}"} for number, data in enumerate(acts)]
    other = twin()
    recorded = one_by_one(other, legal_order(acts))
    shuffled = list(acts)
    random.Random(seed).shuffle(shuffled)
    answer = imported(office, shuffled)
    assert answer["applied"] == len(recorded)
    mine, theirs = rows(office.url), rows(other)
    assert mine.keys() == theirs.keys()
    for table in mine:
        assert mine[table] == theirs[table], table
    return answer


def legal_order(acts: list[Act]) -> list[Act]:
    """By day, hour and auto; an act of no hour comes first, but not before one that the list has before it in its case.

    The lists of these tests give each case's acts of a day in an order that the law allows.
    """
    latest: dict[tuple[str, str], str] = {}
    placed = []
    for number, data in enumerate(acts):
        day, hour = data["date"][:10], data["date"][10:]
        hour = latest[data["auto"], day] = max(hour, latest.get((data["auto"], day), ""))
        placed.append(((day, hour, data["auto"], number), data))
    return [data for _, data in sorted(placed, key=lambda item: item[0])]


def imported(office: Office, acts: list[Act]) -> dict[str, Any]:
    """The answer of an import at NOW."""
    engine = open_engine(office.url)
    with open_acts(office.write(jsonl(acts))) as file, closing(Staging()) as staging:
        for _ in stage(LineReader(file, "utf-8"), staging):
            pass
        report = importing.import_acts(engine, staging, recorded_at=NOW)
    engine.dispose()
    return report.to_dict()


@pytest.mark.parametrize("name", NAMES)
def test_the_sample_is_recorded_the_same(office: Office, twin: Callable[[], str], name: str) -> None:
    sample = load_sample(name)
    supply(office, sample)
    acts = one_a_day(sample.acts)
    answer = compared(office, twin, acts, 1)
    assert answer["applied"] > len(acts) * 0.9 > 200


def one_a_day(acts: Iterable[Act]) -> list[Act]:
    """The acts but for those of a day on which their case has another: in what order those come is not the question."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for data in acts:
        if "auto" not in data:
            continue  # it collects inscriptions, which only a sweep brings
        day = (data["auto"], data["date"][:10])
        if day not in seen:
            kept.append(data)
        seen.add(day)
    return kept


def supply(office: Office, sample: Any) -> None:
    """The values and options of a sample."""
    with office.session() as session:
        for item in sample.units:
            value = SuppliedUnitValue(item.unit, item.start, item.value, item.act)
            supplied.set_unit_value(session, sample.municipality, sample.law, value, recorded_at=NOW.isoformat())
        for option in sample.options:
            supplied.set_option(
                session, sample.municipality, sample.law, option.name, option.value,
                act="Portaria", recorded_at=NOW.isoformat(),
            )  # fmt: skip


def life(chance: random.Random, number: int) -> Iterator[Act]:
    """An auto of one of few persons, that goes some way; now and then an act that the law refuses."""
    auto, day = f"{number}/2013", date(2013, 1, 7) + timedelta(days=chance.randrange(400))
    doc = chance.choice((FIRM, FIRM, BRANCH, OTHER_FIRM, CITIZEN))
    infrator = {"name": "Bar do Zé", "doc": doc, "address": {"street": "Rua A", "uf": "ES"}}
    fact = f"{day}T{chance.randrange(8, 23):02d}:30"
    yield drawn(auto, fact, str(day + timedelta(days=1)), doc=doc, infrator=infrator)
    steps: list[tuple[int, Callable[[str], Act]]] = [
        (chance.randrange(2, 9), lambda on: served(auto, "ciencia", on)),
        (chance.randrange(2, 14), lambda on: act(auto, "defesa", f"{on}T10:00", "autuado")),
        (chance.randrange(20, 60), lambda on: judged(auto, on)),
        (chance.randrange(1, 6), lambda on: served(auto, "ciencia_decisao", on)),
        (chance.randrange(1, 25), lambda on: act(auto, "recurso", on, "autuado")),
        (chance.randrange(20, 60), lambda on: served(auto, "intimacao_pagamento", on, "secretario")),
        (chance.randrange(5, 80), lambda on: act(auto, "pagamento", on, "tesouraria", amount=chance.choice(PAID))),
    ]  # fmt: skip
    for index, (days, made) in enumerate(steps[: chance.randrange(1, len(steps) + 1)]):
        day += timedelta(days=days)
        if index not in (1, 4) or chance.random() < 0.3:
            data = made(str(day))
            if chance.random() < 0.03:
                data = {**data, "role": "cidadao", "actor": "Fulano"}
            yield data


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("size", [7, 2_000])
def test_random_files_are_recorded_the_same(
    office: Office, twin: Callable[[], str], monkeypatch: pytest.MonkeyPatch, seed: int, size: int
) -> None:
    monkeypatch.setattr(importing, "CHUNK", size)
    chance = random.Random(seed)
    acts = [data for number in range(1, 31) for data in life(chance, number)]
    answer = compared(office, twin, acts, seed)
    assert answer["rejected"]
    assert answer["applied"] > 60
    found = rows(office.url)
    assert found["posturas_inscriptions"]
    assert any(item["counted"] for item in recidivism(office))


def recidivism(office: Office) -> Iterator[dict[str, Any]]:
    """The examinations of reincidência on record."""
    with office.session() as session:
        for payload in session.scalars(text("SELECT payload FROM posturas_acts WHERE kind = 'julgamento'")):
            yield from json.loads(payload).get("recidivism", ())
