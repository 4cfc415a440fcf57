"""A case as the papers read it: loaded once, asked for parties, facts, terms, sums and signers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from calendars import Term
from calendars.laws import Espera
from legalbasis import Citation, PosturasError, Provision
from penalties.money import decimal_br
from penalties.penalty import ByClass, ByGrade, Fixed, PercentOfUnit, Range
from procedure.domain import taxpayer
from procedure.domain.amounts import amount
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.context import Context
from procedure.domain.fines import fact_day, penalty_on
from procedure.domain.labels import ROLES, act_label, deadline_label
from procedure.domain.rulebook import DeadlineRule
from procedure.domain.vocabulary import Act, Collects, Role
from procedure.services.context import Contexts
from procedure.services.documenting.errors import NothingToPrint
from procedure.services.documenting.pieces import Cited, Fact, Goods, Letterhead, Party, Served, Signer, Sum, TermTold
from procedure.services.one_case import one_case
from procedure.services.people import person_document
from procedure.services.ports import Repository
from procedure.services.terms import Terms

_DEBTS = {Collects.MULTA_DIARIA: "multa diária", Collects.CUSTOS: "indenização"}
LETTERHEAD = ("orgao", "endereco", "contato", "brasao")


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a paper: the day printed on it and, where a case has several, which.

    ``seq`` picks the act put in writing (the latest when None); ``term`` the kind of deadline; ``about`` what an edital
    makes known; ``payment_code`` and ``pix`` are the host's; ``due`` the last day of a guia.
    """

    issued_on: date
    seq: int | None = None
    term: str | None = None
    about: str | None = None
    payment_code: str | None = None
    pix: str | None = None
    due: date | None = None
    depositary: str | None = None


class CaseFile:
    """One case with its law, acts and terms. Raises UnknownAuto."""

    def __init__(self, repo: Repository, municipality: str | None, auto: str, request: Request) -> None:
        case = one_case(repo, municipality, auto)
        self.repo = repo
        self.case: Case = case
        self.request = request
        self.ctx: Context = Contexts(repo).of(case.municipality, case.law, case.rulebook_version)
        self.acts: Sequence[RecordedAct] = repo.acts(case.municipality, auto)
        self.terms = Terms(repo, self.ctx, self.acts)

    # ---------------------------------------------------------------- acts

    def act(self, *kinds: str) -> RecordedAct | None:
        """The act of one of these kinds: the one whose seq was asked for, else the latest."""
        found = [act for act in self.acts if act.kind in kinds]
        if self.request.seq is not None:
            found = [act for act in found if act.seq == self.request.seq]
        return found[-1] if found else None

    def need(self, *kinds: Act) -> RecordedAct:
        """As ``act``. Raises NothingToPrint when the case has none."""
        found = self.act(*kinds)
        if found is None:
            wanted = " ou ".join(act_label(kind) for kind in kinds)
            which = f" com o número {self.request.seq}" if self.request.seq is not None else ""
            raise NothingToPrint(
                f"o processo não tem ato de {wanted}{which}.",
                place=self.place,
                remedy=f"Veja os atos: posturas auto show {self.case.auto}",
            )
        return found

    @property
    def place(self) -> str:
        """How messages name the case."""
        return f"auto {self.case.auto}"

    # ---------------------------------------------------------------- common parts

    def common(self, kind: str, title: str, issued_on: str, signers: Sequence[Signer]) -> dict[str, Any]:
        """The fields of every paper; ``basis`` is filled by who builds it."""
        return {
            "kind": kind,
            "title": title,
            "head": letterhead(self.ctx),
            "law": f"{self.ctx.book.norm} ({self.ctx.book.title})",
            "law_note": self.case.facts.get("law_note"),
            "auto": self.case.auto,
            "processo": self.case.facts.get("processo") or self.case.auto,
            "issued_on": issued_on[:10],
            "signers": tuple(signers),
        }

    def party(self, reference: Mapping[str, Any] | None, *, unmask: bool = True) -> Party | None:
        """The person that a payload names; None when none."""
        if not reference:
            return None
        return party_of(person_document(self.repo, self.case.municipality, reference, unmask=unmask))

    @property
    def infrator(self) -> Party:
        """The autuado. Raises NothingToPrint when the case names nobody yet."""
        found = self.party(self.case.facts.get("infrator"))
        if found is None:
            raise NothingToPrint("o processo ainda não identifica ninguém.", place=self.place)
        return found

    def signer(self, act: RecordedAct) -> Signer:
        """Who did the act, with name and office as the municipality gave them, else as the act says."""
        return signer_of(self.ctx, act.actor, act.role)

    def issuer(self) -> Signer:
        """Who signs what is issued for the municipality today: the authority that its data give, else a blank line."""
        settings = self.ctx.settings
        return Signer(
            name=settings.get("documento.autoridade"), office=settings.get("documento.cargo"),
            act=settings.get("documento.ato"),
        )  # fmt: skip

    # ---------------------------------------------------------------- facts

    def facts(self, act: RecordedAct | None = None) -> tuple[Fact, ...]:
        """The infractions that ``act`` states; without it those of the case."""
        listed: Sequence[Mapping[str, Any]] | None = None
        if act is not None:
            listed = act.payload.get("infractions")
        if listed is None:
            listed = self.case.facts.get("infractions")
        if listed is None:
            listed = next((a.payload["infractions"] for a in self.acts if a.payload.get("infractions")), [])
        return tuple(self._fact(item) for item in listed)

    def _fact(self, item: Mapping[str, Any]) -> Fact:
        text = str(item["date"])
        penalty = item.get("penalty_article")
        return Fact(
            date=text[:10],
            hour=text[11:16] or None,
            until=item.get("until"),
            place=item.get("place"),
            description=item.get("description"),
            infraction=item.get("infraction"),
            article=self.cite(item["article"]),
            penalty=self.cite(penalty) if penalty else None,
            penalty_text=self._penalty_text(item) if penalty else None,
            subject=item.get("subject"),
        )

    def _penalty_text(self, item: Mapping[str, Any]) -> str | None:
        try:
            penalty = penalty_on(self.ctx.book, str(item["penalty_article"]), fact_day(item))
        except PosturasError:
            return None
        return f"multa de {base_text(penalty)}"

    def cite(self, provision: str) -> Cited:
        """A provision of the case's law."""
        return cited(self.ctx.book.cite(provision))

    def basis(self, *acts: str) -> tuple[str, ...]:
        """The articles that these acts of the case rest on, each once."""
        found = [a.payload.get("article") for a in self.acts if a.kind in acts]
        return tuple(dict.fromkeys(str(self.ctx.book.cite(p)) for p in found if p))

    # ---------------------------------------------------------------- terms and sums

    def deadline(self, kind: str, number: int | None = None) -> Deadline | None:
        """The latest deadline of a kind in force, or the one that act ``number`` opened."""
        for item in reversed(self.case.deadlines):
            if item.kind == kind and not item.undone and number in (None, item.number):
                return item
        return None

    def term(self, kind: str, *, opened_by: RecordedAct | None = None, term: str | None = None) -> TermTold | None:
        """The term as the law gives it, with its last day once the act that opens it is on record."""
        rule = self.ctx.book.deadlines.get(kind)
        if rule is None:
            return None
        item = self.deadline(kind, opened_by.seq if opened_by else None)
        length = term or (item.term if item else rule.term)
        try:
            text = Term.parse(length).label()
        except PosturasError:
            return None  # a term that the act fixes, and no act has fixed
        return TermTold(
            kind=kind, label=deadline_label(kind), text=text, since=_since(rule),
            cited=cited(rule.citation), due=self.due_of(item) if item else None,
        )  # fmt: skip

    def due_of(self, item: Deadline) -> str:
        """The last day as people are told it: under a law that waits for the kinder reading, that one."""
        waits = self.ctx.book.espera == Espera.LEITURA_MAIS_FAVORAVEL.value
        return (item.expires_on if waits else item.due).isoformat()

    def notice(self, kind: str) -> RecordedAct | None:
        """The latest act of a kind that opened a term (a copy to another person opens none), else the latest."""
        opened = {d.number for d in self.case.deadlines if not d.undone}
        found = [act for act in self.acts if act.kind == kind]
        return next((act for act in reversed(found) if act.seq in opened), found[-1] if found else None)

    def opened_terms(self, act: str) -> tuple[TermTold, ...]:
        """The terms that an act of this kind opens, told before or after it is on record."""
        recorded = self.notice(act)
        rules = [r for r in self.ctx.book.deadlines.values() if r.starts == act and not r.internal]
        told = (self.term(r.kind, opened_by=recorded) for r in rules)
        return tuple(t for t in told if t is not None)

    @property
    def debt(self) -> str:
        """What the case charges: a fine, or what it collects of another auto's obligation."""
        return _DEBTS.get((self.case.facts.get("collection") or {}).get("kind", ""), "multa")

    def sums(self) -> tuple[Sum, ...]:
        """The fine and what was added to it, each with its article. Daily fines and costs have autos of their own."""
        case, book = self.case, self.ctx.book
        rows = (
            (self.debt.capitalize(), case.arbitrada, self._penalty_basis()),
            ("Acréscimo", case.acrescimo, str(book.surcharge["citation"]) if book.surcharge else None),
        )
        return tuple(Sum(label=label, amount=amount(owed), basis=basis) for label, owed, basis in rows if owed)

    def _penalty_basis(self) -> str | None:
        lines = (self.case.facts.get("assessment") or {}).get("lines", ())
        articles = dict.fromkeys(line["penalty_article"] for line in lines if line["penalty_article"])
        return "; ".join(str(self.ctx.book.cite(a)) for a in articles) or None

    def goods(self, act: RecordedAct | None = None) -> tuple[Goods, ...]:
        """What was seized: by ``act`` alone, or in the whole case."""
        held = act.payload.get("goods") if act else None
        items = held or self.case.facts.get("goods", {}).get("items", ())
        return tuple(
            Goods(description=i["description"], quantity=str(i["quantity"]), note=_goods_note(i)) for i in items
        )


def _goods_note(item: Mapping[str, Any]) -> str | None:
    return "perecível" if item.get("perishable") else "animal" if item.get("animal") else None


def letterhead(ctx: Context) -> Letterhead:
    """The head of every paper, from the law and the municipality's data."""
    named = {name: ctx.settings.get(f"documento.{name}") for name in LETTERHEAD}
    return Letterhead(
        municipality=ctx.book.municipality_name,
        uf=ctx.book.uf,
        ibge=ctx.book.municipality,
        department=named["orgao"],
        address=named["endereco"],
        contact=named["contato"],
        coat_of_arms=named["brasao"],
    )


def signer_of(ctx: Context, actor: str, role: str) -> Signer:
    """The name and office that the municipality gave for who acts (``assinante.<actor>`` = ``Name; office; act``)."""
    given = ctx.settings.get(f"assinante.{actor}")
    if not given:
        return Signer(name=actor, office=ROLES[Role(role)], act=None)
    name, office, act = (*(part.strip() for part in given.split(";")), "", "")[:3]
    return Signer(name=name, office=office or ROLES[Role(role)], act=act or None)


def party_of(person: Mapping[str, Any]) -> Party:
    """A person's document as printed."""
    doc = person.get("doc")
    kind = None
    if doc:
        kind = "CPF" if "*" in doc or taxpayer.kind_of(doc) == "pf" else "CNPJ"
    return Party(
        name=person.get("name"),
        doc=(doc if "*" in doc else taxpayer.punctuate(doc)) if doc else None,
        doc_kind=kind,
        address=address_line(person.get("address")),
        address_unknown=person.get("address_unknown"),
        erased=bool(person.get("erased")),
    )


def masked_doc(doc: str | None) -> str | None:
    """A document as an edital prints it."""
    return taxpayer.mask(doc) if doc else None


def address_line(address: Mapping[str, Any] | None) -> str | None:
    """The address on one line."""
    if not address:
        return None
    street = ", ".join(filter(None, (address.get("street"), address.get("number"))))
    city = "/".join(filter(None, (address.get("city"), address.get("uf"))))
    cep = f"CEP {address['cep']}" if address.get("cep") else None
    return ", ".join(filter(None, (street, address.get("district"), city, cep)))


def cited(citation: Citation) -> Cited:
    """A citation as printed."""
    label = Provision.parse(citation.provision).label() if citation.provision else citation.norm
    return Cited(provision=citation.provision, label=label, text=str(citation))


def served_by(act: RecordedAct | None) -> Served | None:
    """How the notice of ``act`` reached the person; None when it carries none."""
    if act is None or not act.payload.get("method"):
        return None
    p = act.payload
    return Served(
        method=p["method"], start=str(p.get("start") or act.at)[:10], received=p.get("received"),
        registry_no=p.get("registry_no"),
    )  # fmt: skip


def _since(rule: DeadlineRule) -> str:
    return f"da {act_label(rule.starts)}" if rule.starts in list(Act) else "do ato que o abre"


def base_text(penalty: Any) -> str:
    """The base of a penalty in words: ``11 VRSGP``; ``de 7 a 30 VRSGP``; ``3, 6 ou 11 VRSGP, conforme o grau``."""
    base, per = penalty.base, f" por {penalty.per}" if penalty.per else ""
    if isinstance(base, Fixed):
        return f"{decimal_br(base.quantity)} {base.unit}{per}"
    if isinstance(base, ByGrade):
        least, middle, most = (decimal_br(q) for q in base.quantities.values())
        return f"{least}, {middle} ou {most} {base.unit}{per}, conforme o grau"
    if isinstance(base, Range):
        return f"{decimal_br(base.lower)} a {decimal_br(base.upper)} {base.unit}{per}"
    if isinstance(base, PercentOfUnit):
        return f"{decimal_br(base.percent)}% de {base.unit}{per}"
    if isinstance(base, ByClass):
        listed = ", ".join(f"{decimal_br(quantity)} ({name})" for name, quantity in base.quantities.items())
        return f"{listed} {base.unit}{per}, conforme a classe"
    return f"{decimal_br(base.percent)}% de {base.of}{per}"


def in_writing(texts: Iterator[str | None]) -> tuple[str, ...]:
    """The texts that there are, each once, in order."""
    return tuple(dict.fromkeys(text for text in texts if text))
