"""What papers are made of: letterhead, party, fact, term, sum, signer. Amounts are contract texts, days ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from legalbasis.citation import LABELS

_READ = re.compile(rf" \((?:{'|'.join(LABELS.values())})\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Letterhead:
    """Who issues the paper. ``coat_of_arms`` is the path of an SVG, PNG or JPEG file of the municipality."""

    municipality: str
    uf: str
    ibge: str
    department: str | None
    address: str | None
    contact: str | None
    coat_of_arms: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A provision: its notation (``64-I``), its label (``art. 64-I``) and the whole citation with its norm."""

    provision: str
    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """A person as printed: ``doc`` punctuated (or masked), ``doc_kind`` CPF or CNPJ, ``address`` on one line."""

    name: str | None
    doc: str | None
    doc_kind: str | None
    address: str | None
    address_unknown: str | None
    erased: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One infraction: the day (with the hour when known), the place, what was seen, the law, the penalty."""

    date: str
    hour: str | None
    until: str | None
    place: str | None
    description: str | None
    infraction: str | None
    article: Cited
    penalty: Cited | None
    penalty_text: str | None
    subject: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TermTold:
    """A term: what for, how long (``15 dias``), from what, by which article; ``due`` once it runs."""

    kind: str
    label: str
    text: str
    since: str
    cited: Cited
    due: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """An amount with its name and the article it rests on."""

    label: str
    amount: str
    basis: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """Who signs: name, office, the act that designated."""

    name: str | None
    office: str | None
    act: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Goods:
    """One kind of thing seized."""

    description: str
    quantity: str
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """How and when a notice reached the person."""

    method: str
    start: str
    received: str | None
    registry_no: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLine:
    """One line of a memória: what, by which articles, the formula, the sum, and what the figures rest on."""

    description: str
    article: Cited | None
    penalty: Cited | None
    formula: str
    amount: str
    unit_act: str | None
    reason: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memória de cálculo: lines, what the reincidência rests on, the readings that would give another sum."""

    lines: tuple[MemoryLine, ...]
    total: str
    evidence: tuple[str, ...]
    alternatives: tuple[str, ...]
    rounding: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayDrawn:
    """A day of a drawn month: its number, its part in the count, the words below it, whether the office was closed."""

    number: int
    part: str
    word: str | None
    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthDrawn:
    """A month in weeks from Sunday to Saturday; None for the places of another month."""

    title: str
    weeks: tuple[tuple[DayDrawn | None, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTold:
    """One step of a count: the days it covers, what happened, why."""

    first: str
    last: str
    text: str
    basis: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TermCounted:
    """A term as it was counted, with its months drawn."""

    term: TermTold
    status: str
    starts_on: str
    first_counted: str | None
    last_counted: str | None
    due: str
    due_at: str
    expires_on: str
    steps: tuple[StepTold, ...]
    months: tuple[MonthDrawn, ...]
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One act of the case, as a line of the extrato."""

    seq: int
    date: str
    act: str
    outcome: str | None
    state: str
    by: str
    article: Cited | None


def each_once(citations: Iterable[str]) -> tuple[str, ...]:
    """The citations, each once: an article that stands in its own letter is not told again with how it was read."""
    listed = tuple(dict.fromkeys(citations))
    return tuple(text for text in listed if _READ.sub("", text) not in listed or not _READ.search(text))


def to_json(value: Any) -> Any:
    """The paper as the JSON document: dataclasses as objects, tuples as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    return value
