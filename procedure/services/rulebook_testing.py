"""Test cases of a law, written as data by who encodes it: acts in; states, dates and amounts out.

A file has ``[person.<name>]`` tables, ``[units]`` (the value of each unit) and ``[[case]]`` tables with ``id``,
``sentence`` and ``steps``; optional: ``why``, ``provisions``, ``options``, ``units``, ``end``, ``closed``. A step is an
act (``act``, ``date``, the fields of the import format; what the law asks of the piece is filled in) or ``sweep``, and
what must be so afterwards (``EXPECTATIONS``). An unknown name anywhere is a defect of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

from calendars import DayFact, DayKind, Nature, fact_to_document
from legalbasis import ErrorGroup, InputError, PosturasError, load_toml
from procedure.domain.act_shapes import SHAPES
from procedure.domain.moment import Moment
from procedure.domain.rulebook import Rulebook
from procedure.services.context import Contexts, zone_of
from procedure.services.ports import MunicipalData, Repository, SuppliedEnd, SuppliedStart, SuppliedUnitValue
from procedure.services.record import Recorder
from procedure.services.rulebook_expectations import EXPECTATIONS, REFUSALS, found
from procedure.services.rulebook_filling import STEP_KEYS, Desk, iso
from procedure.services.showing import show_case
from procedure.services.sweep import sweep_chunk

CASE_KEYS = {"id", "sentence", "why", "provisions", "steps", "options", "units", "start", "end", "closed"}
NEEDED = ("id", "sentence", "steps")
TOP_KEYS = {"person", "units", "case"}
FIRST_AUTO = "1"
EVERY_CASE = 1_000_000
SUPPLIED_BY = "caso de teste"
_DAYS = ("date", "received", "juntada", "publication", "sent", "read", "recorded_at")


class Store(Repository, Protocol):
    """A repository that keeps what a case does, as ``procedure.testing.MemoryRepository``."""

    data: dict[str, MunicipalData]

    def unit_of_work(self) -> AbstractContextManager[Any]:
        """Everything inside or nothing."""


class CaseFileInvalid(InputError):
    """O arquivo de casos tem defeitos."""

    code = "casos_com_defeitos"


@dataclass(frozen=True, slots=True)
class TestCase:
    """One case as it is written."""

    __test__ = False  # pytest: this is not a test

    id: str
    sentence: str
    data: Mapping[str, Any]
    people: Mapping[str, Any]
    units: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Failure:
    """What was not as the case says: at which step (from 1), what it was about, what was expected, what came."""

    step: int
    said: str
    what: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        told = f"esperado {_shown(self.expected)}, veio {_shown(self.found)}"
        return f"passo {self.step} ({self.said}): {self.what}: {told}"


def _shown(value: Any) -> str:
    return f"“{value}”" if isinstance(value, str) else str(value)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one case went; no failure: as it says."""

    case: TestCase
    failures: tuple[Failure, ...]


def read_cases(text: str, *, file: str) -> list[TestCase]:
    """The cases of a file. Raises CaseFileInvalid with every defect, TomlDefects when it is not TOML."""
    table = load_toml(text, file=file)
    document = {key: table.raw(key) for key in table.keys()}  # noqa: SIM118  # a TomlTable is no mapping
    defects = [*_defects(document)]
    if defects:
        raise CaseFileInvalid("\n".join(defects), place=file, remedy="Corrija e tente de novo.")
    people, units = document.get("person", {}), document.get("units", {})
    return [
        TestCase(c["id"], c["sentence"], c, people, {**units, **c.get("units", {})}) for c in document["case"]
    ]


def _defects(document: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"chave desconhecida: {key}" for key in document if key not in TOP_KEYS)
    cases = document.get("case")
    if not isinstance(cases, list) or not cases:
        yield "não há nenhum [[case]]"
        return
    seen: set[str] = set()
    for number, case in enumerate(cases, 1):
        name = str(case.get("id", f"case {number}"))
        yield from (f"{name}: falta {key}" for key in NEEDED if not case.get(key))
        known = ", ".join(sorted(CASE_KEYS))
        yield from (f"{name}: chave desconhecida: {key}; há {known}" for key in case if key not in CASE_KEYS)
        if name in seen:
            yield f"{name}: o id está repetido"
        seen.add(name)
        for at, step in enumerate(case.get("steps", []), 1):
            yield from (f"{name}: passo {at}: {text}" for text in _step_defects(step, document.get("person", {})))


def _step_defects(step: Mapping[str, Any], people: Mapping[str, Any]) -> Iterator[str]:
    if ("act" in step) == ("sweep" in step):
        yield "diga act, ou sweep, um dos dois"
    elif "act" in step:
        yield from _act_defects(step)
    elif "sweep" in step and set(step) - EXPECTATIONS - {"sweep", "auto"}:
        yield f"a varredura não tem {', '.join(sorted(set(step) - EXPECTATIONS - {'sweep', 'auto'}))}"
    if not set(step) & EXPECTATIONS:
        yield "não espera nada: diga ao menos o estado (state)"
    if step.get("person") is not None and step["person"] not in people:
        yield f"não há [person.{step['person']}]"


def _act_defects(step: Mapping[str, Any]) -> Iterator[str]:
    """An act with no date, and names that are no field of it and nothing to be expected."""
    if "date" not in step:
        yield "falta date"
    if step["act"] not in SHAPES:
        yield f"“{step['act']}” não é ato que se lance"
        return
    fields = SHAPES[step["act"]].fields
    for name in sorted(set(step) - EXPECTATIONS - {*STEP_KEYS, *fields}):
        yield (
            f"{name} não é campo de {step['act']} ({', '.join(fields) or 'não tem'}), nem se pode esperar "
            f"({', '.join(sorted(EXPECTATIONS))})"
        )


def run_cases(book: Rulebook, cases: Sequence[TestCase], new_store: Callable[[], Store]) -> list[Outcome]:
    """Do each case over an empty store. The law must be known (``rulebooks.add_rulebook``).

    A case stops at its first step that is not as it says.
    """
    return [Outcome(case, tuple(_Run(book, case, new_store()).failures())) for case in cases]


class _Run:
    def __init__(self, book: Rulebook, case: TestCase, store: Store) -> None:
        self.book, self.case, self.store = book, case, store
        self.zone = zone_of(book.municipality)
        self.desk = Desk(book, case.people)
        self.number = 0
        self.said = ""

    def failures(self) -> list[Failure]:
        """Those of the first step that has any."""
        try:
            self.store.data[self.book.municipality] = _supplied(self.book, self.case)
            for number, step in enumerate(self.case.data["steps"], 1):
                self.number = number
                self.said = f"sweep {step['sweep']}" if "sweep" in step else f"{step['act']} de {step['date']}"
                wrong = self._step(dict(step))
                if wrong:
                    return wrong
        except PosturasError as error:  # in what is supplied, or in a sweep
            return [self._failure("erro", None, f"{error.error_code}: {error}")]
        return []

    def _failure(self, what: str, expected: Any, came: Any) -> Failure:
        return Failure(self.number, self.said or "o que o município informa", what, expected, came)

    def _step(self, step: dict[str, Any]) -> list[Failure]:
        expected = {name: iso(step.pop(name)) for name in list(step) if name in EXPECTATIONS}
        auto = str(step.pop("auto", FIRST_AUTO))
        before = self._written(auto)
        errors = self._sweep(step) if "sweep" in step else self._act(auto, step)
        refused = self._refusal(expected, errors)
        if refused or errors:
            return refused
        wrote = self._written(auto)[len(before) :]
        asked = {name: value for name, value in expected.items() if name not in REFUSALS}
        if not asked:
            return []
        doc = show_case(self.store, self.book.municipality, auto)
        case = self.store.load(self.book.municipality, [auto], lock=False)[auto]
        came = {name: found(name, doc, case, wrote, value) for name, value in asked.items()}
        return [self._failure(n, v, came[n]) for n, v in asked.items() if came[n] != v]

    def _refusal(self, expected: dict[str, Any], errors: list[PosturasError]) -> list[Failure]:
        wanted = sorted([expected["error"]] if "error" in expected else expected.get("errors", []))
        codes = sorted(e.error_code for e in errors)
        if codes != wanted:
            told = [f"{e.error_code}: {e}" for e in errors] or "nenhum erro"
            return [self._failure("erro", wanted or "nenhum erro", told)]
        text = " ".join(str(e) for e in errors)
        if errors and expected.get("says", "") not in text:
            return [self._failure("says", expected["says"], text)]
        return []

    def _sweep(self, step: dict[str, Any]) -> list[PosturasError]:
        as_of = Moment.parse(iso(step["sweep"]), self.zone)
        stamp = as_of.instant.isoformat(timespec="seconds")
        place = self.book.municipality
        with self.store.unit_of_work():
            chunk = sweep_chunk(
                self.store, Contexts(self.store), place, before_epoch=as_of.epoch, after="", limit=EVERY_CASE,
                recorded_at=stamp,
            )  # fmt: skip
        return [InputError(message, place=auto, code=code) for auto, (code, message) in chunk.failures.items()]

    def _act(self, auto: str, step: dict[str, Any]) -> list[PosturasError]:
        try:
            data = self.desk.filled(auto, step)
            with self.store.unit_of_work():
                Recorder(self.store).record(data, recorded_at=self._instant(data))
        except ErrorGroup as group:
            return list(group.errors)
        except PosturasError as error:
            return [error]
        case = self.store.load(self.book.municipality, [auto], lock=False)[auto]
        self.desk.drew(auto, data["act"], case.facts.get("infractions", ()))
        return []

    def _instant(self, data: Mapping[str, Any]) -> datetime:
        """The end of the last day that the act speaks of."""
        last = max(date.fromisoformat(str(data[name])[:10]) for name in _DAYS if data.get(name))
        return datetime.combine(last, time(23, 59), self.zone)

    def _written(self, auto: str) -> list[str]:
        return [act.kind for act in self.store.acts(self.book.municipality, auto)]


def _supplied(book: Rulebook, case: TestCase) -> MunicipalData:
    """What the municipality supplies, as the case says it."""
    data = MunicipalData(book.municipality)
    data.unit_values[book.id] = [
        SuppliedUnitValue(unit, book.life.in_force_from, _value(unit, value), SUPPLIED_BY)
        for unit, value in case.units.items()
    ]
    data.options[book.id] = {name: str(value) for name, value in case.data.get("options", {}).items()}
    if "start" in case.data:
        data.starts[book.id] = SuppliedStart(book.id, case.data["start"], SUPPLIED_BY)
    if "end" in case.data:
        data.ends[book.id] = SuppliedEnd(book.id, case.data["end"], SUPPLIED_BY)
    data.calendar_facts = [
        fact_to_document(DayFact(day, DayKind.FECHADO, SUPPLIED_BY, SUPPLIED_BY, None, Nature.PONTO_FACULTATIVO))
        for day in case.data.get("closed", [])
    ]
    return data


def _value(unit: str, text: object) -> Decimal:
    try:
        return Decimal(str(text))
    except InvalidOperation:
        raise CaseFileInvalid(f"units.{unit}: “{text}” não é um valor.", remedy='Escreva como "100.00".') from None
