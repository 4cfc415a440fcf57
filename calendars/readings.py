"""The other readings of a rule: one parameter at a time gets the value that other courts or agencies give it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calendars.rules import RULES, CountingRule
from calendars.term import Term

_PLACES_SOURCE = "o vencimento exige dia normal também no lugar em que o ato se pratica (banco)"
_WAITS_SOURCE = (
    "prazo em horas com notificação na véspera de dia sem expediente começa no próximo expediente (Súmula 310 do STF)"
)
_OF_HOURS = ("hours", "hours_end")


@dataclass(frozen=True, slots=True)
class Reading:
    """A rule to count under, with what the output calls it and who follows it. ``changed``: its parameters."""

    label: str
    source: str
    rule: CountingRule
    changed: frozenset[str] = frozenset()
    waits: bool = False
    places: tuple[str, ...] = ()


def other_readings(
    rule: CountingRule, term: Term, *, in_hours: bool, other_places: tuple[str, ...]
) -> tuple[Reading, ...]:
    """Every other reading of ``rule``, in the order of its data. ``in_hours``: the term runs by the clock."""
    asked = (term.in_hours, in_hours, other_places)
    known: tuple[Reading, ...] | None = rule.readings.get(asked)
    if known is None:
        known = rule.readings[asked] = tuple(_readings(rule, *asked))
    return known


def _readings(
    rule: CountingRule, term_in_hours: bool, in_hours: bool, other_places: tuple[str, ...]
) -> Iterator[Reading]:
    for alternative in rule.alternatives:
        if not term_in_hours and alternative.parameter in _OF_HOURS:
            continue
        changes = {alternative.parameter: alternative.value, **dict(alternative.beside)}
        value = alternative.value
        if getattr(rule, alternative.parameter).value == alternative.value:
            # The options chose the other reading: then the shipped one is the alternative.
            shipped = RULES[rule.id]
            changes = {name: getattr(shipped, name).value for name in changes}
            value = changes[alternative.parameter]
            if value == alternative.value:
                continue
        if in_hours and alternative.parameter == "first_day":
            yield Reading("first_day=next_expediente", _WAITS_SOURCE, rule, waits=True)
            continue
        label = f"{alternative.parameter}={value}"
        yield Reading(label, alternative.source, rule.with_(**changes), frozenset(changes))
    if other_places:
        yield Reading(f"places={'+'.join(other_places)}", _PLACES_SOURCE, rule, places=other_places)
