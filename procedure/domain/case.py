"""A case as its acts make it, the deadlines it runs, and the acts that are being added to it.

Everything here is plain data: it is loaded from and written to the store set-wise, and rebuilt by replay.
Amounts are integers of centavos.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, fields
from datetime import date
from decimal import Decimal
from operator import attrgetter
from typing import Any

from procedure.domain.amounts import share_of
from procedure.domain.moment import Moment
from procedure.domain.vocabulary import MAIN_TRACK, DeadlineStatus, State

GENESIS = "0" * 64
NOTHING_OWED = frozenset({State.REGULARIZADO, State.INSUBSISTENTE, State.CANCELADO, State.ANULADO})


@dataclass(slots=True)
class Deadline:
    """One term that runs, or ran, in a case.

    ``expires_at`` is the last moment of the term under the reading that the rulebook waits for (``espera``): the first
    instant after it is the legal moment of the expiry. ``number`` is the seq of the act that opened it: with
    ``kind`` it
    names the deadline inside the case. ``internal`` deadlines are the engine's own appointments (the inscription),
    not terms
    of law. ``alternatives`` are the other readings that end on other days, as (due, reading).
    """

    kind: str
    number: int
    status: DeadlineStatus
    term: str
    counting: str
    starts_on: date
    first_counted: date | None
    last_counted: date | None
    due: date
    due_at: Moment
    expires_on: date
    expires_at: Moment
    article: str
    calendar_version: str
    alternatives: tuple[tuple[date, str], ...] = ()
    expiry_act: str = ""
    track: str = MAIN_TRACK
    internal: bool = False
    supersedes: int | None = None
    closed_by: int | None = None
    undone: bool = False
    dirty: bool = False
    stored: bool = False

    def copied(self) -> Deadline:
        """Another one that says the same."""
        return Deadline(*_DEADLINE_VALUES(self))


@dataclass(slots=True)
class RecordedAct:
    """One act of the record, as it is stored. ``at`` is the legal moment; ``recorded_at`` the instant of recording."""

    kind: str
    at: Moment
    recorded_at: str
    actor: str
    role: str
    payload: dict[str, Any]
    seq: int = 0
    office: str | None = None
    key: str | None = None
    rulebook_version: str = ""
    calendar_version: str = ""
    deadline: str | None = None
    prev_hash: str = ""
    hash: str = ""
    payload_text: str = ""


@dataclass(slots=True)
class Inscription:
    """An inscription in dívida ativa. ``number`` is 0 until the counter gives it, at the end of the unit of work.

    ``termo`` never changes; what came after it is in ``beside`` (see ``register_fold``).
    """

    auto: str
    day: date
    seq: int
    original_amount: int
    charges: int
    termo: dict[str, Any]
    number: int = 0
    livro: int = 0
    folha: int = 0
    status: str = "inscrito"
    exigivel_em: date | None = None
    prescribes_on: date | None = None
    warns_on: date | None = None
    beside: dict[str, Any] = field(default_factory=dict)
    dirty: bool = True

    @property
    def year(self) -> int:
        """The year of the number: that of the inscription's day."""
        return self.day.year

    @property
    def label(self) -> str:
        """The number as printed: ``1/2013``."""
        return f"{self.number}/{self.year}"


@dataclass(slots=True)
class Case:
    """The state of a case after ``last_seq`` acts. ``facts`` holds what the acts said (JSON-able; see ``fold``)."""

    municipality: str
    auto: str
    law: str = ""
    rulebook_version: str = ""
    state: State | None = None
    version: int = 0
    last_seq: int = 0
    last_hash: str = GENESIS
    last_at: str = ""
    timezone: str = "America/Sao_Paulo"
    person_id: str | None = None
    person_key: str | None = None
    fact_date: date | None = None
    arbitrada: int = 0
    acrescimo: int = 0
    diaria: int = 0
    custos: int = 0
    pago: int = 0
    facts: dict[str, Any] = field(default_factory=dict)
    deadlines: list[Deadline] = field(default_factory=list)
    inscription: Inscription | None = None
    former: list[Inscription] = field(default_factory=list)  # replaced in this unit of work, to be written too
    new_acts: list[RecordedAct] = field(default_factory=list)

    @property
    def inscribed(self) -> Inscription | None:
        """The inscription that stands; None where a desfazimento undid it, though the register keeps it cancelled."""
        item = self.inscription
        return None if item is None or "undone" in item.beside else item

    @property
    def owes_nothing(self) -> bool:
        """Whether nothing is due here any more: the auto fell, or, of one that collects, what it rested on did."""
        return self.state in NOTHING_OWED or "origin_fell" in self.facts

    @property
    def saldo(self) -> int:
        """What is still owed, in centavos; never below zero (an overpayment is a credit, reported apart)."""
        return 0 if self.owes_nothing else max(0, self.total - self.desconto - self.paid_of_principal)

    @property
    def paid_of_principal(self) -> int:
        """What was paid, in centavos, but for what went to update and interest after inscription."""
        return self.pago - int(self.facts.get("accretion_paid", 0))

    @property
    def desconto(self) -> int:
        """What an early payment takes off, in centavos: a percentage of the fine as it now stands, lowered or not."""
        taken = self.facts.get("desconto")
        return share_of(self.arbitrada, Decimal(taken["percent"])) if taken else 0

    @property
    def credit(self) -> int:
        """What was paid beyond what is owed, in centavos."""
        if self.owes_nothing:
            return self.pago
        return max(0, self.paid_of_principal - (self.total - self.desconto))

    @property
    def total(self) -> int:
        """Everything charged here, in centavos: daily fines and costs are collected by autos of their own."""
        return self.arbitrada + self.acrescimo

    def open_deadlines(self) -> list[Deadline]:
        """The deadlines still running, in order of expiry."""
        running = [d for d in self.deadlines if d.status is DeadlineStatus.ABERTO]
        return sorted(running, key=lambda d: (d.expires_at.instant, d.kind))

    def deadline(self, kind: str) -> Deadline | None:
        """The latest deadline of that kind in force, open or not."""
        for item in reversed(self.deadlines):
            if item.kind == kind and not item.undone:
                return item
        return None

    def copied(self) -> Case:
        """The case apart, to be changed by ``fold``, with no acts pending.

        What its facts hold, and its deadlines, are shared: ``fold`` replaces them and changes none of them in place.
        """
        made = Case(*_CASE_VALUES(self))
        made.facts = dict(self.facts)
        made.deadlines = list(self.deadlines)
        made.inscription = copy(self.inscription)
        made.former = list(self.former)
        made.new_acts = []
        return made


_DEADLINE_VALUES = attrgetter(*(item.name for item in fields(Deadline)))
_CASE_VALUES = attrgetter(*(item.name for item in fields(Case)))
