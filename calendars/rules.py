"""How a term is counted, as data: the parameters of a counting rule and the rules that ship (``data/rules.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from calendars.errors import InvalidCountingOption, UnknownCountingRule, shown
from legalbasis import Citation, Status, TomlTable, read_toml

DATA = Path(__file__).parent / "data"


class Days(StrEnum):
    """Which days of the term count."""

    CORRIDOS = "corridos"
    UTEIS = "uteis"


class StartOn(StrEnum):
    """Must the excluded day be one of expediente."""

    EXPEDIENTE = "expediente"
    ANY = "any"


class StartOnClosed(StrEnum):
    """A notice on a closed day: deemed made on the next day of expediente, or that day is itself day 1."""

    DEEMED_NEXT = "deemed_next"
    FIRST_COUNTED = "first_counted"


class NextDay(StrEnum):
    """Where day 1, or the balance after a suspension, falls."""

    NEXT_EXPEDIENTE = "next_expediente"
    NEXT_DAY = "next_day"


class EndOn(StrEnum):
    """Must the due day be one of expediente."""

    EXPEDIENTE = "expediente"
    ANY = "any"


class Reduced(StrEnum):
    """When a day of reduced hours, at an end of the term, counts as closed."""

    CLOSED = "closed"
    CLOSED_AT_END = "closed_at_end"
    EARLY_CLOSING_AT_END = "early_closing_at_end"
    OPEN = "open"


class Months(StrEnum):
    """Where a term ends when its last month lacks the day."""

    LAST_DAY = "last_day"
    NEXT_DAY = "next_day"


class Hours(StrEnum):
    """A term in hours whose notice has a known hour."""

    MINUTE_TO_MINUTE = "minute_to_minute"
    AS_DAYS = "as_days"


class HoursEnd(StrEnum):
    """A term in hours that runs out where there is no expediente."""

    END_OF_EXPEDIENTE = "end_of_expediente"
    SAME_CLOCK = "same_clock"
    FIRST_MINUTE = "first_minute"


PARAMETERS: dict[str, type[StrEnum]] = {
    "days": Days,
    "start_on": StartOn,
    "start_on_closed": StartOnClosed,
    "first_day": NextDay,
    "end_on": EndOn,
    "reduced": Reduced,
    "resume": NextDay,
    "months": Months,
    "hours": Hours,
    "hours_end": HoursEnd,
}


@dataclass(frozen=True, slots=True)
class Basis:
    """A citation and the parameters that it settles (for the steps) and the units of term it concerns."""

    citation: Citation
    parameters: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another reading that courts or agencies follow: ``parameter`` = ``value``, with what changes beside it."""

    parameter: str
    value: str
    beside: tuple[tuple[str, str], ...]
    source: str


@dataclass(frozen=True, slots=True)
class CountingRule:
    """The parameters by which a term is counted (spec: "The rule, in terms of parameters"). Immutable.

    ``key`` is one string of all parameters: two rules with equal keys give equal dates.
    """

    id: str
    days: Days
    start_on: StartOn
    start_on_closed: StartOnClosed
    first_day: NextDay
    end_on: EndOn
    reduced: Reduced
    resume: NextDay
    months: Months
    hours: Hours
    hours_end: HoursEnd
    basis: tuple[Basis, ...] = field(default=(), compare=False, repr=False)
    alternatives: tuple[Alternative, ...] = field(default=(), compare=False, repr=False)
    key: str = field(init=False, compare=False, repr=False)
    # Worked out once per rule: every count asks for the same few again and again.
    _changed: dict[tuple[tuple[str, str], ...], CountingRule] = field(
        init=False, compare=False, repr=False, default_factory=dict
    )
    _cited: dict[str, str | None] = field(init=False, compare=False, repr=False, default_factory=dict)
    _by_unit: dict[str, tuple[Citation, ...]] = field(init=False, compare=False, repr=False, default_factory=dict)
    readings: dict[Any, Any] = field(init=False, compare=False, repr=False, default_factory=dict)  # calendars.readings

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", "|".join(getattr(self, name).value for name in PARAMETERS))

    def with_(self, /, **changes: str) -> CountingRule:
        """The same rule with other values. Raises InvalidCountingOption for an unknown parameter or value."""
        cached = self._changed.get(asked := tuple((name, str(value)) for name, value in changes.items()))
        if cached is None:
            cached = _with(self, {name: _value(name, value) for name, value in changes.items()})
            self._changed[asked] = cached
        return cached

    def parameters(self) -> dict[str, str]:
        """Every parameter and its value, JSON-able."""
        return {name: getattr(self, name).value for name in PARAMETERS}

    def citations(self, unit: str) -> tuple[Citation, ...]:
        """The legal basis for a term in ``unit`` (``d``, ``h``, ``m``, ``a``)."""
        known = self._by_unit.get(unit)
        if known is None:
            cited = (b.citation for b in self.basis if not b.units or unit in b.units)
            known = self._by_unit[unit] = tuple(dict.fromkeys(cited))
        return known

    def cite(self, parameter: str) -> str | None:
        """The text of the first citation that settles ``parameter``, or None."""
        if parameter not in self._cited:
            citing = (str(b.citation) for b in self.basis if parameter in b.parameters)
            self._cited[parameter] = next(citing, None)
        return self._cited[parameter]


def _with(rule: CountingRule, changes: dict[str, Any]) -> CountingRule:
    return replace(rule, **changes)


def _value(name: str, value: object) -> StrEnum:
    kind = PARAMETERS.get(name)
    if kind is None:
        raise InvalidCountingOption(
            f"a contagem não tem a opção “{shown(name)}”.",
            remedy=f"As opções são: {', '.join(PARAMETERS)}.",
            field=name,
        )
    try:
        return kind(str(value))
    except ValueError:
        raise InvalidCountingOption(
            f"a opção “{name}” não aceita “{shown(value)}”.", remedy=f"Aceita: {', '.join(kind)}.", field=name
        ) from None


def rule_from_mapping(base_id: str, overrides: Mapping[str, Any] | None = None) -> CountingRule:
    """The rule ``base_id`` with the options of a rulebook or of a batch line.

    Raises UnknownCountingRule, InvalidCountingOption.
    """
    rule = RULES.get(base_id)
    if rule is None:
        raise UnknownCountingRule(
            f"não há a regra de contagem “{shown(base_id)}”.",
            remedy=f"As regras são: {', '.join(RULES)}.",
            field="counting",
        )
    return rule.with_(**overrides) if overrides else rule


def read_citation(table: TomlTable, *, close: bool = True) -> Citation:
    """A citation of a data file: urn, norm, provision (may be absent), status (default ``texto``), address."""
    citation = Citation(
        table.str("urn"),
        table.str("norm"),
        table.str("provision", ""),
        table.enum("status", Status, Status.TEXTO),
        table.str("address", None),
    )
    if close:
        table.close()
    return citation


def _read_rule(rule_id: str, table: TomlTable) -> CountingRule:
    values = {name: table.enum(name, kind) for name, kind in PARAMETERS.items()}
    basis = tuple(
        Basis(read_citation(t, close=False), t.strings("parameters", ()), t.strings("units", ()))
        for t in _closing(table, "citation")
    )
    alternatives = tuple(_read_alternative(t) for t in _closing(table, "alternative"))
    table.close()
    return CountingRule(rule_id, **values, basis=basis, alternatives=alternatives)


def _closing(table: TomlTable, key: str) -> list[TomlTable]:
    return list(table.tables(key))


def _read_alternative(table: TomlTable) -> Alternative:
    parameter = table.str("parameter")
    value = table.str("value")
    beside = table.table("beside", optional=True)
    changes = tuple((name, str(beside.raw(name))) for name in beside.keys())  # noqa: SIM118  # a TomlTable is no mapping
    alternative = Alternative(parameter, value, changes, table.str("source"))
    for name, given in ((parameter, value), *changes):
        if name not in PARAMETERS or given not in list(PARAMETERS[name]):
            table.defect(name, f"“{name} = {given}” não existe")
    table.close()
    return alternative


def read_rules(path: Path) -> dict[str, CountingRule]:
    """The counting rules of a data file, by id. Raises TomlDefects with every defect."""

    def build(table: TomlTable) -> dict[str, CountingRule]:
        rules = table.table("rule")
        return {rule_id: _read_rule(rule_id, rules.table(rule_id)) for rule_id in rules.keys()}  # noqa: SIM118  # a TomlTable is no mapping

    return read_toml(path, build)


RULES: dict[str, CountingRule] = read_rules(DATA / "rules.toml")
