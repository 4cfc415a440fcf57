"""The shipped sample: its acts by the day on which they reach the record, and what the municipality supplies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from importlib.resources import files
from typing import Any

from legalbasis import TomlTable, load_toml

SAMPLES = files("procedure").joinpath("sample")
NAME = "sao-gabriel-da-palha"
NAMES = (NAME, "ibia", "cruzilia")


@dataclass(frozen=True, slots=True)
class UnitValue:
    """The value of a fiscal unit from a day on, with the act that set it."""

    unit: str
    start: date
    value: Decimal
    act: str


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of the municipality, with the act it comes from."""

    name: str
    value: str
    act: str


@dataclass(frozen=True, slots=True)
class Story:
    """A case that the report tells in full, and the sentence that says why."""

    auto: str
    title: str


@dataclass(frozen=True, slots=True)
class Sample:
    """Everything the demonstration starts from. ``acts`` are objects of the import format, in file order."""

    title: str
    municipality: str
    law: str
    last_day: date
    units: tuple[UnitValue, ...]
    options: tuple[Option, ...]
    stories: tuple[Story, ...]
    acts_file: str
    acts: tuple[dict[str, Any], ...]

    def by_day(self) -> dict[date, list[dict[str, Any]]]:
        """The acts by the day on which somebody records them: ``recorded_at``, else the day of the act itself."""
        found: dict[date, list[dict[str, Any]]] = {}
        for act in self.acts:
            found.setdefault(date.fromisoformat(act.get("recorded_at", act["date"])[:10]), []).append(act)
        return found

    def days(self) -> list[date]:
        """Every day from the first act to the last day told, both included."""
        first = min(self.by_day())
        return [first + timedelta(days=n) for n in range((self.last_day - first).days + 1)]


def load_samples() -> tuple[Sample, ...]:
    """Every shipped sample, the main one first. Raises TomlDefects when a description is not as it should be."""
    return tuple(load_sample(name) for name in NAMES)


def load_sample(name: str = NAME) -> Sample:
    """Read a shipped sample. Raises TomlDefects when its description is not as it should be."""
    table = load_toml(SAMPLES.joinpath(f"{name}.toml").read_text(encoding="utf-8"), file=f"{name}.toml")
    acts_file = table.str("acts")
    sample = Sample(
        title=table.str("title"),
        municipality=table.str("municipality"),
        law=table.str("law"),
        last_day=table.date("last_day"),
        units=tuple(_units(table)),
        options=tuple(Option(t.str("name"), t.str("value"), t.str("act")) for t in table.tables("option")),
        stories=tuple(Story(t.str("auto"), t.str("title")) for t in table.tables("story")),
        acts_file=acts_file,
        acts=tuple(json.loads(line) for line in _lines(acts_file)),
    )
    table.close()
    return sample


def _units(table: TomlTable) -> Iterator[UnitValue]:
    for unit in table.tables("unit"):
        yield UnitValue(unit.str("unit"), unit.date("from"), unit.decimal("value"), unit.str("act"))


def _lines(acts_file: str) -> list[str]:
    return SAMPLES.joinpath(acts_file).read_text(encoding="utf-8").splitlines()
