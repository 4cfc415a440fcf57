"""A law as the machinery sees it: rows, deadlines, competences, contents, switches and infractions, each with its
article.

Instances are built by ``rulebook_reader`` and never change. Questions of law are answered here, with typed errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from legalbasis import Citation, Status
from procedure.domain.vocabulary import MAIN_TRACK, Act

SAME_PERSON = "pessoa"
SAME_PROPERTY = "imovel"


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
    grace_until: date | None = None
    grace_exempt: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One allowed move: from a state, by an act with an outcome, to a state, with its effects as data.

    ``origin`` None: the case does not exist yet. ``outcome`` None: the act has none. ``opens`` are deadline kinds;
    ``then`` engine acts that follow at the same moment; ``requires`` named checks; ``switch`` a reading the row needs.
    A row of a side track may have ``when``: what the act must carry for it to move that track too.
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
    track: str = MAIN_TRACK
    when: str | None = None


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
    track: str = MAIN_TRACK
    term_field: str = "term"
    default_term: str | None = None
    animal_term: str | None = None
    counting: str | None = None
    again: str | None = None


@dataclass(frozen=True, slots=True)
class Competence:
    """Who may do an act."""

    roles: tuple[str, ...]
    citation: Citation
    also: tuple[tuple[str, frozenset[str]], ...] = ()
    """Further roles that may do the act for facts under certain articles alone."""


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
    cancels_licence: Citation | None = None
    """What makes reincidência cancel the licence, where the law determines it; None where it may, or does not."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A provision that cannot be cited: ``kind`` says which list it is in, ``reason`` why."""

    provision: str
    kind: str
    reason: str
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Discount:
    """A reduction for paying early: ``percent`` off while the term ``within`` runs, or the state of that name lasts.

    ``until``: also, or instead, up to that day; ``when``: only if that is a fact of the case (``DISCOUNT_FACTS``).
    The rows say whether it ends the case (and so bars the defence) or leaves it going on. ``reincidente``: whether who
    repeated has it too.
    """

    percent: Decimal
    within: str | None
    citation: Citation
    reincidente: bool = True
    until: date | None = None
    when: str | None = None


@dataclass(frozen=True, slots=True)
class ExOfficio:
    """A decision that frees the autuado of more than ``over`` reais goes up by itself."""

    act: str
    over: Decimal
    citation: Citation


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
    fine_fixed_by: frozenset[str] = frozenset()
    proofs: frozenset[str] = frozenset()
    discounts: tuple[Discount, ...] = ()
    ex_officio: ExOfficio | None = None
    costs_percent: tuple[Any, Citation] | None = None
    counting_options: Mapping[str, str] = field(default_factory=dict)
    counting_citation: Citation | None = None
    amendments: tuple[tuple[str, date], ...] = ()
    track_rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)  # code -> name, of those whose values the municipality sets
    rows_by_origin: Mapping[str | None, tuple[Row, ...]] = field(default_factory=dict)

    def looks_at_others(self, act: str) -> bool:
        """Whether the act may fix a fine, and so reads the person's other autos.

        Where a decision goes up by itself, the second instance may fix what the first had refused.
        """
        return act in self.fine_fixed_by or (self.ex_officio is not None and act == Act.JULGAMENTO_RECURSO)

    @property
    def counts_by_property(self) -> bool:
        """Whether reincidência is of the property, not of the person."""
        return bool(self.recidivism.get("same") == SAME_PROPERTY)

    def cite(self, provision: str, status: Status = Status.TEXTO) -> Citation:
        """A citation of this law."""
        return Citation(self.urn, self.norm, provision, status)
