"""A law as the machinery sees it: rows, deadlines, competences, contents, switches and infractions, each with its
article.

Instances are built by ``rulebook_reader`` and never change. Questions of law are answered here, with typed errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from legalbasis import Citation, Status


@dataclass(frozen=True, slots=True)
class Life:
    """When the law holds. ``certain_until`` is the last day known to be inside; ``end`` the first day outside, if
    known.
    """

    in_force_from: date
    certain_until: date | None
    repealed_by: str | None
    procedure_from: date
    end: date | None
    certain_from: date | None
    citation: Citation


@dataclass(frozen=True, slots=True)
class Row:
    """One allowed move: from a state, by an act with an outcome, to a state, with its effects as data.

    ``origin`` None: the case does not exist yet. ``outcome`` None: the act has none. ``opens`` are deadline kinds;
    ``then`` engine acts that follow at the same moment; ``requires`` named checks; ``switch`` a reading the row needs.
    """

    origin: str | None
    act: str
    outcome: str | None
    target: str
    opens: tuple[str, ...]
    then: tuple[str, ...]
    requires: tuple[str, ...]
    switch: tuple[str, str] | None
    citation: Citation


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where the outcome of an act is read: ``field`` of the act, or a named pure function of the case."""

    act: str
    by: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadlineRule:
    """One kind of term. ``term`` is a notation (``15d``), ``fixado`` (the act gives it) or ``proximo_expediente``."""

    kind: str
    term: str
    starts: str
    expiry: str
    answers: tuple[str, ...]
    places: tuple[str, ...]
    alternative_places: tuple[str, ...]
    payment: bool
    internal: bool
    citation: Citation


@dataclass(frozen=True, slots=True)
class Competence:
    """Who may do an act."""

    roles: tuple[str, ...]
    citation: Citation


@dataclass(frozen=True, slots=True)
class Content:
    """An element that a piece must contain. ``label`` is the text for people."""

    element: str
    label: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Switch:
    """A reading that can be chosen: its default, the values, and why there are two."""

    name: str
    default: str
    values: tuple[str, ...]
    note: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Infraction:
    """A citable provision: what is punished, by which penalties (the first is the default), since when."""

    provision: str
    description: str
    penalties: tuple[str, ...]
    group: str
    chapter: str
    in_force_from: date | None
    in_force_until: date | None
    before: str
    unknown_years: tuple[int, ...]
    warnings: tuple[str, ...]
    notice_max: str | None
    subject: str | None
    penalty_subject: Mapping[str, str]
    condition: str | None
    special_over: tuple[str, ...]
    effects: tuple[str, ...]
    effects_on_reincidencia: tuple[str, ...]
    citation: Citation


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A provision that cannot be cited: ``kind`` says which list it is in, ``reason`` why."""

    provision: str
    kind: str
    reason: str
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The whole of a law. ``version`` names this text of it: the day of its procedure and a digest of the file."""

    id: str
    version: str
    text: str
    norm: str
    title: str
    urn: str
    municipality: str
    municipality_name: str
    uf: str
    calendar: str
    counting: str
    espera: str
    timezone: str
    life: Life
    switches: Mapping[str, Switch]
    outcomes: Mapping[str, Outcome]
    rows: tuple[Row, ...]
    deadlines: Mapping[str, DeadlineRule]
    competences: Mapping[str, Competence]
    contents: Mapping[str, tuple[Content, ...]]
    impediment: tuple[frozenset[str], Citation] | None
    second_instance: tuple[str, bool, Citation] | None
    notice_rule: Mapping[str, str]
    notice_citation: Citation
    recidivism: Mapping[str, Any]
    surcharge: Mapping[str, Any] | None
    penalties: Mapping[str, tuple[Any, ...]]
    penalty_choices: Mapping[str, tuple[str, Mapping[str, str]]]
    infractions: Mapping[str, Infraction]
    exclusions: Mapping[str, Exclusion]
    amendments: tuple[tuple[str, date], ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)  # code -> name; values are supplied, with an act
    rows_by_origin: Mapping[str | None, tuple[Row, ...]] = field(default_factory=dict)

    def cite(self, provision: str, status: Status = Status.TEXTO) -> Citation:
        """A citation of this law."""
        return Citation(self.urn, self.norm, provision, status)
