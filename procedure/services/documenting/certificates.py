"""The certidões: that a term ended, that a decision is final, that a person owes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from procedure.domain import taxpayer
from procedure.domain.amounts import amount
from procedure.domain.document_kinds import TITLES, DocumentKind
from procedure.domain.labels import INSCRIPTION_STATUSES, OUTCOMES, act_label
from procedure.domain.vocabulary import Act, DeadlineStatus
from procedure.services.context import Contexts, laws_of
from procedure.services.documenting.casefile import CaseFile, Request, letterhead, party_of
from procedure.services.documenting.debts import ENDED, total_of
from procedure.services.documenting.errors import NothingToPrint
from procedure.services.documenting.memories import term_counted
from procedure.services.documenting.notices import DECISIONS
from procedure.services.documenting.papers import CertidaoDecurso, CertidaoDefinitividade, CertidaoNegativa
from procedure.services.documenting.pieces import Signer, Sum
from procedure.services.ports import Repository
from procedure.services.showing import deadlines_shown

SUSPENDED = ("suspenso", "parcelado")


def lapse(file: CaseFile) -> CertidaoDecurso:
    """That terms ended with nothing filed. Raises NothingToPrint when none did."""
    ended = [
        item
        for item in deadlines_shown(file.case)
        if item.status is DeadlineStatus.VENCIDO and file.request.term in (None, item.kind)
    ]
    if not ended:
        which = f" de {file.request.term}" if file.request.term else ""
        raise NothingToPrint(f"nenhum prazo{which} se esgotou sem ato neste processo.", place=file.place, field="term")
    kind = DocumentKind.CERTIDAO_DECURSO
    shown = tuple(term_counted(file, item) for item in ended)
    return CertidaoDecurso(
        **file.common(kind, TITLES[kind], file.request.issued_on.isoformat(), [file.issuer()]),
        basis=tuple(dict.fromkeys(t.term.cited.text for t in shown)),
        infrator=file.infrator,
        terms=shown,
    )


def finality(file: CaseFile) -> CertidaoDefinitividade:
    """That the decision is final in the administration. Raises NothingToPrint while it is not."""
    final = file.case.facts.get("final_at")
    decisions = file.case.facts.get("decisions") or []
    if not final:
        raise NothingToPrint("ainda não há decisão definitiva neste processo.", place=file.place)
    last: Mapping[str, Any] = decisions[-1] if decisions else {}
    cause = next((a for a in file.acts if a.payload.get("to") != a.payload.get("from") and str(a.at) == final), None)
    kind = DocumentKind.CERTIDAO_DEFINITIVIDADE
    return CertidaoDefinitividade(
        **file.common(kind, TITLES[kind], file.request.issued_on.isoformat(), [file.issuer()]),
        basis=file.basis(*(a.kind for a in (cause,) if a is not None), *DECISIONS[-1:]),
        infrator=file.infrator,
        facts=file.facts(),
        decision=OUTCOMES.get(last.get("outcome", "")),
        decided_on=str(last["date"])[:10] if last else None,
        notified_on=str(last["notified"])[:10] if last.get("notified") else None,
        final_on=str(final)[:10],
        because=_because(cause.kind if cause else None),
        amount=amount(file.case.arbitrada) if file.case.arbitrada else None,
    )


_BECAUSE = {
    Act.DECURSO_RECURSO: "o prazo de recurso se esgotou sem que recurso fosse interposto",
    Act.DECURSO_DEFESA: "o prazo de defesa se esgotou sem que defesa fosse apresentada",
    Act.RENUNCIA: "houve renúncia ao recurso",
    Act.JULGAMENTO_RECURSO: "o recurso foi julgado em última instância administrativa",
    Act.JULGAMENTO: "a decisão é de instância única",
    Act.PAGAMENTO: "a multa foi paga",
    Act.INTIMACAO_PAGAMENTO: "o revel foi intimado a pagar",
}


def _because(kind: str | None) -> str:
    if kind is None:
        return "não cabe mais recurso administrativo"
    return _BECAUSE.get(Act(kind)) or f"houve {act_label(kind)}"


def clearance(
    repo: Repository,
    municipality: str,
    doc: str,
    rows: Sequence[Mapping[str, Any]],
    request: Request,
    name: str | None = None,
) -> CertidaoNegativa:
    """What the register says of a document: ``rows`` are its inscriptions, each with ``name`` and ``saldo``; ``name``
    is of who is in none.

    ``negativa`` with nothing open, ``positiva_com_efeito_de_negativa`` when all that is open is suspended or being paid
    in instalments, else ``positiva``. Raises InvalidDocument.
    """
    number = taxpayer.normalise(doc)
    ctx = Contexts(repo).of(municipality, laws_of(municipality)[0])
    open_rows = [row for row in rows if row["status"] not in ENDED]
    debts = tuple(_debt(row) for row in open_rows)
    if not debts:
        result = "negativa"
    elif all(row["status"] in SUSPENDED for row in open_rows):
        result = "positiva_com_efeito_de_negativa"
    else:
        result = "positiva"
    title = {
        "negativa": TITLES[DocumentKind.CERTIDAO_NEGATIVA],
        "positiva": "Certidão positiva de débitos",
        "positiva_com_efeito_de_negativa": "Certidão positiva com efeito de negativa",
    }[result]
    known = next((row["name"] for row in rows if row.get("name")), None)
    day = request.issued_on.isoformat()
    settings = ctx.settings
    return CertidaoNegativa(
        kind=DocumentKind.CERTIDAO_NEGATIVA.value,
        title=title,
        head=letterhead(ctx),
        law=f"{ctx.book.norm} ({ctx.book.title})",
        law_note=None,
        auto=None,
        processo=None,
        issued_on=day,
        basis=(),
        signers=(
            Signer(
                name=settings.get("divida_ativa.authority"),
                office=settings.get("divida_ativa.office"),
                act=settings.get("divida_ativa.act"),
            ),
        ),
        person=party_of({"name": name or known, "doc": number}),
        result=result,
        debts=debts,
        total=total_of(iter(debts)),
    )


def _debt(row: Mapping[str, Any]) -> Sum:
    status = INSCRIPTION_STATUSES.get(row["status"], row["status"])
    label = f"Inscrição {row['number']}/{row['year']}, auto {row['auto']} ({status})"
    return Sum(label=label, amount=row["saldo"], basis=None)
