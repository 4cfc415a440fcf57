"""The papers, one class for each: what each holds is what its template prints and what its JSON says."""

from __future__ import annotations

from dataclasses import dataclass

from procedure.services.documenting.pieces import (
    Event,
    Fact,
    Goods,
    Letterhead,
    Memory,
    Party,
    Served,
    Signer,
    Sum,
    TermCounted,
    TermTold,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What every paper has. ``issued_on`` is the day printed on it; ``basis`` the articles that it rests on."""

    kind: str
    title: str
    head: Letterhead
    law: str
    law_note: str | None
    auto: str | None
    processo: str | None
    issued_on: str
    basis: tuple[str, ...]
    signers: tuple[Signer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificacaoPreliminar(Paper):
    """The notice to cure, before any auto."""

    infrator: Party
    facts: tuple[Fact, ...]
    term: TermTold
    served: Served | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoDeInfracao(Paper):
    """The auto: who, when, where, what, the penalty and what imposes it, signatures, terms.

    ``collected``: what an auto that collects another's daily fine or costs is about, and ``collected_from`` that other.
    """

    infrator: Party
    responsavel: Party | None
    facts: tuple[Fact, ...]
    drawn_at: str
    collected: Sum | None
    collected_from: str | None
    proposal: str | None
    grau: str | None
    perigo_iminente: str | None
    prior_notice: tuple[str, ...]
    signed_by: str | None
    witnesses: tuple[str, ...]
    defesa: TermTold | None
    recurso: TermTold | None
    payment: TermTold | None
    property: str | None
    defects: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notificacao(Paper):
    """A notice that makes an auto, a decision or an amount known, with the terms that it opens."""

    infrator: Party
    addressee: Party
    about: str
    facts: tuple[Fact, ...]
    outcome: str | None
    sums: tuple[Sum, ...]
    total: str | None
    terms: tuple[TermTold, ...]
    goods: tuple[Goods, ...]
    served: Served | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntimacaoPagamento(Paper):
    """The intimation to pay a final fine: how much, until when, what comes of not paying."""

    infrator: Party
    facts: tuple[Fact, ...]
    final_on: str | None
    sums: tuple[Sum, ...]
    total: str
    term: TermTold
    surcharge: Sum | None
    total_after: str | None
    inscription_basis: str
    served: Served | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edital(Paper):
    """The notice by edital: the name, the infraction, the penalty and the term, nothing else of the person."""

    name: str | None
    doc: str | None
    about: str
    facts: tuple[Fact, ...]
    amount: str | None
    terms: tuple[TermTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisao(Paper):
    """A decision, of first or second instance or on reconsideration; ``fixed``: it fixes the sum
    itself; ``debt``: of what (``multa``, ``indenização``).
    """

    infrator: Party
    facts: tuple[Fact, ...]
    decided_at: str
    outcome: str
    outcome_label: str
    report: str | None
    grounds: str | None
    timeliness: str | None
    articles_infringed: tuple[str, ...]
    articles_penalty: tuple[str, ...]
    memory: Memory | None
    debt: str
    amount: str | None
    fixed: bool
    license: str | None
    terms: tuple[TermTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriaCalculo(Paper):
    """How the fine and what was added to it were reckoned."""

    infrator: Party
    facts: tuple[Fact, ...]
    memory: Memory
    sums: tuple[Sum, ...]
    total: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriaPrazo(Paper):
    """How the terms of the case were counted, with their months drawn."""

    infrator: Party
    terms: tuple[TermCounted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Divida(Paper):
    """The Termo de Inscrição and the CDA: every element of the debt. ``code`` is what the register verifies.

    ``paid_after`` and ``outstanding`` (of ``total``): since the inscription, told by the CDA alone.
    """

    number: str
    date: str
    livro: int
    folha: int
    status: str
    debtor: Party
    co_responsible: tuple[Party, ...]
    nature: str
    origin: str
    infraction_articles: tuple[str, ...]
    penalty_articles: tuple[str, ...]
    fact_date: str | None
    final_on: str | None
    original_amount: str
    sums: tuple[Sum, ...]
    discount: str
    paid: str
    total: str
    paid_after: str
    outstanding: str
    exigivel_em: str
    interest: str
    interest_from: str | None
    update: str
    update_from: str | None
    update_subject: bool
    prescribes_on: str | None
    memory: Memory
    alerts: tuple[str, ...]
    authenticated: bool
    code: str | None
    verify_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guia(Paper):
    """The slip to pay: how much, until when, the reference; ``payment_code`` and ``pix`` come from the host."""

    infrator: Party
    reference: str
    description: str
    sums: tuple[Sum, ...]
    paid: str
    total: str
    due: str | None
    payment_code: str | None
    pix: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CertidaoDecurso(Paper):
    """That terms ended with nothing filed."""

    infrator: Party
    terms: tuple[TermCounted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CertidaoDefinitividade(Paper):
    """That the decision cannot be appealed from any more."""

    infrator: Party
    facts: tuple[Fact, ...]
    decision: str | None
    decided_on: str | None
    notified_on: str | None
    final_on: str | None
    because: str
    amount: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TermoCoisas(Paper):
    """What was seized, and where it goes: deposit, donation or auction."""

    infrator: Party
    act_on: str
    facts: tuple[Fact, ...]
    goods: tuple[Goods, ...]
    expenses: str | None
    proceeds: str | None
    receipt: str | None
    term: TermTold | None
    depositary: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TermoInterdicao(Paper):
    """The order that closes an establishment or an activity."""

    infrator: Party
    act_on: str
    facts: tuple[Fact, ...]
    license: str | None
    grounds: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CertidaoNegativa(Paper):
    """What a person owes the register: nothing, something, or something whose collection is suspended."""

    person: Party
    result: str
    debts: tuple[Sum, ...]
    total: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extrato(Paper):
    """The whole case on paper: where it stands, the acts, the terms, the money."""

    infrator: Party
    state: str
    facts: tuple[Fact, ...]
    events: tuple[Event, ...]
    terms: tuple[TermCounted, ...]
    sums: tuple[Sum, ...]
    paid: str
    total: str
    inscription: str | None
    tracks: tuple[str, ...]
    goods: tuple[Goods, ...]
    warnings: tuple[str, ...]
    head_hash: str | None
