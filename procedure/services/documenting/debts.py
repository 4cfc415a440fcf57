"""The papers of the register: Termo de Inscrição, CDA, guia, certidão negativa."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from legalbasis import Provision
from penalties.memoria import Line
from procedure.domain.amounts import amount, to_centavos
from procedure.domain.context import Context
from procedure.domain.document_kinds import TITLES, DocumentKind
from procedure.domain.labels import DEBT_PARTS, INSCRIPTION_STATUSES
from procedure.domain.ledger import ACCRETIONS, NOMINAL, Balance, balance_on
from procedure.domain.register_errors import NotAuthenticated
from procedure.domain.rulebook import Rulebook
from procedure.services.context import Contexts
from procedure.services.documenting.casefile import CaseFile, Request, letterhead, party_of
from procedure.services.documenting.errors import CertificateOfEndedDebt, NothingToPrint
from procedure.services.documenting.memories import amount_of
from procedure.services.documenting.papers import Divida, Guia
from procedure.services.documenting.pieces import Cited, Memory, MemoryLine, Signer, Sum, each_once
from procedure.services.documenting.verification import code_of
from procedure.services.ports import Repository
from procedure.services.register import show_termo

ADDITIONS = {
    "acrescimo": "Acréscimo",
    "multa_diaria": "Multa diária consolidada",
    "custos": "Custos da execução pela Prefeitura",
}
ENDED = ("cancelado", "quitado")


@dataclass(frozen=True, slots=True)
class Register:
    """The register of one municipality in a repository."""

    repository: Repository
    municipality: str


def require_authenticated(document: Mapping[str, Any]) -> None:
    """That an authority authenticated the inscription (``show_termo``). Raises NotAuthenticated saying what to do."""
    if not document["authenticated"]:
        raise NotAuthenticated(
            f"a inscrição {document['number']} ainda não foi autenticada.",
            place=f"inscrição {document['number']}",
            remedy=document.get("authority_to_supply"),
        )


def debt(
    kind: DocumentKind, contexts: Contexts, register: Register, number: str, request: Request
) -> tuple[Divida, Rulebook]:
    """The Termo de Inscrição ``N/AAAA``, or the CDA of one authenticated and in force, and the law it is under.

    Raises UnknownInscription, TermoElementMissing, NotAuthenticated, CertificateOfEndedDebt.
    """
    municipality = register.municipality
    document = show_termo(register.repository, municipality, number)
    if kind is DocumentKind.CDA:
        require_authenticated(document)
        _require_standing(document)
    ctx = contexts.of(municipality, document["law"])
    return _paper(kind, document, ctx, register, request), ctx.book


def _require_standing(document: Mapping[str, Any]) -> None:
    if document["status"] in ENDED:
        status = INSCRIPTION_STATUSES.get(document["status"], document["status"])
        raise CertificateOfEndedDebt(
            f"a inscrição {document['number']} consta como {status}.",
            place=f"inscrição {document['number']}",
            remedy="O Termo de Inscrição continua a ser impresso, com a sua situação.",
        )


def _paper(
    kind: DocumentKind, document: Mapping[str, Any], ctx: Context, register: Register, request: Request
) -> Divida:
    book = ctx.book
    issued = document["date"] if kind is DocumentKind.TERMO_INSCRICAO else request.issued_on.isoformat()
    certified = kind is DocumentKind.CDA
    after, left = _paid_after(document, register) if certified else ("0.00", document["total"])
    return Divida(
        kind=kind.value,
        title=TITLES[kind],
        head=letterhead(ctx),
        law=document["law_title"],
        law_note=document["law_note"],
        auto=document["auto"],
        processo=document["processo"],
        issued_on=issued,
        basis=each_once(document["legal_basis"]),
        signers=(
            Signer(name=document["authority"], office=document["authority_office"], act=document["authority_act"]),
        ),
        number=document["number"],
        date=document["date"],
        livro=document["livro"],
        folha=document["folha"],
        status=INSCRIPTION_STATUSES.get(document["status"], document["status"]),
        debtor=party_of(document["debtor"]),
        co_responsible=tuple(party_of(person) for person in document["co_responsible"]),
        nature=document["nature"],
        origin=document["origin"],
        infraction_articles=tuple(str(book.cite(a)) for a in document["infraction_articles"]),
        penalty_articles=tuple(str(book.cite(a)) for a in document["penalty_articles"]),
        fact_date=document["fact_date"],
        final_on=document["final_on"],
        original_amount=document["original_amount"],
        sums=tuple(
            Sum(label=ADDITIONS.get(item["kind"], item["kind"]), amount=item["amount"], basis=item["basis"])
            for item in document["additions"]
        ),
        discount=document["discount"],
        paid=document["paid"],
        total=document["total"],
        paid_after=after,
        outstanding=left,
        exigivel_em=document["exigivel_em"],
        interest=document["interest"]["manner"],
        interest_from=document["interest"]["from"],
        update=document["update"]["basis"] if document["update"]["subject"] else document["update"]["note"],
        update_from=document["update"]["from"],
        update_subject=document["update"]["subject"],
        prescribes_on=document["current"]["prescribes_on"] if certified else document["prescribes_on"],
        memory=_memory(document, book.norm),
        alerts=tuple(alert["reason"] for alert in document.get("alerts", ())),
        authenticated=bool(document["authenticated"]),
        code=code_of(register.repository, register.municipality, document) if certified else None,
        verify_at=ctx.settings.get("documento.conferencia") if certified else None,
    )


def _paid_after(document: Mapping[str, Any], register: Register) -> tuple[str, str]:
    """What was paid since the inscription and what that left of the total inscribed: a CDA asks for no more."""
    case = register.repository.load(register.municipality, [document["auto"]], lock=False)[document["auto"]]
    left = balance_on(case, None, date.fromisoformat(document["date"]))
    return amount(case.pago - to_centavos(document["paid"])), amount(sum(left.parts[part] for part in NOMINAL))


def _memory(document: Mapping[str, Any], norm: str) -> Memory:
    lines = [*document["assessment"]["lines"]]
    surcharge = (document.get("surcharge") or {}).get("line")
    if surcharge:
        lines.append(surcharge)
    return Memory(
        lines=tuple(
            MemoryLine(
                description=line["description"],
                article=_cited(line.get("article"), norm),
                penalty=_cited(line.get("penalty_article"), norm),
                formula=Line.from_dict(line).formula(),
                amount=line["amount"],
                unit_act=f"Valor da {line['unit']}: {line['unit_act']}" if line.get("unit_act") else None,
                reason=None,
                notes=tuple(line.get("notes") or ()),
            )
            for line in lines
        ),
        total=amount_of(lines),
        evidence=(),
        alternatives=(),
        rounding=document["assessment"].get("rounding"),
    )


def _cited(provision: str | None, norm: str) -> Cited | None:
    if not provision:
        return None
    label = Provision.parse(provision).label()
    return Cited(provision=provision, label=label, text=f"{norm}, {label}")


# ---------------------------------------------------------------- to pay


def slip(file: CaseFile) -> Guia:
    """The guia of what a case still owes, updated to its day where a rule is in force.

    Raises NothingToPrint when it owes nothing, IndexValueUnknown for a month that a series lacks.
    """
    case = file.case
    if not case.saldo:
        raise NothingToPrint("nada há a recolher neste processo.", place=file.place)
    inscription = case.inscription
    owed = balance_on(case, file.ctx.update, file.request.due or file.request.issued_on) if inscription else None
    kind = DocumentKind.GUIA
    reference = f"Inscrição {inscription.label}" if inscription else f"Auto de infração {case.auto}"
    return Guia(
        **file.common(kind, TITLES[kind], file.request.issued_on.isoformat(), [file.issuer()]),
        basis=(file.ctx.book.norm,),
        infrator=file.infrator,
        reference=reference,
        description="dívida ativa não tributária" if inscription else "multa administrativa",
        sums=(*file.sums(), *_less(case.desconto, "Desconto por pagamento antecipado"), *_accretions(owed, file)),
        paid=amount(case.paid_of_principal),
        total=amount(owed.total if owed else case.saldo),
        due=_due(file),
        payment_code=file.request.payment_code,
        pix=file.request.pix,
    )


def _accretions(owed: Balance | None, file: CaseFile) -> tuple[Sum, ...]:
    """What update and interest add to an inscribed debt on the day of the guia, by the municipality's act."""
    rule = file.ctx.update
    if owed is None or rule is None:
        return ()
    said = ((DEBT_PARTS[part], owed.parts[part]) for part in ACCRETIONS)
    return tuple(Sum(label=label[0].upper() + label[1:], amount=amount(n), basis=rule.act) for label, n in said if n)


def _less(taken: int, label: str) -> tuple[Sum, ...]:
    return (Sum(label=label, amount=amount(-taken), basis=None),) if taken else ()


def _due(file: CaseFile) -> str | None:
    """The last day to pay: the one given, else that of the open term to pay."""
    if file.request.due is not None:
        return file.request.due.isoformat()
    rules = file.ctx.book.deadlines
    running = [d for d in file.case.open_deadlines() if not d.internal and rules[d.kind].payment]
    return file.due_of(running[0]) if running else None


def total_of(debts: Iterator[Sum]) -> str:
    """The sum of what a person owes."""
    return f"{sum((Decimal(debt.amount) for debt in debts), Decimal('0.00')):.2f}"
