"""The papers of the side tracks: goods seized, donated or auctioned; an establishment closed."""

from __future__ import annotations

from procedure.domain.case import RecordedAct
from procedure.domain.document_kinds import TITLES, DocumentKind
from procedure.domain.vocabulary import Act
from procedure.services.documenting.casefile import CaseFile
from procedure.services.documenting.errors import NothingToPrint
from procedure.services.documenting.papers import TermoCoisas, TermoInterdicao

SOLD = "Termo de venda em hasta pública"


def seizure(file: CaseFile) -> TermoCoisas:
    """The termo de apreensão e depósito; of a notice that seizes, too."""
    act = file.act(Act.APREENSAO) or file.need(Act.NOTIFICACAO)
    if not file.goods(act):
        raise NothingToPrint("o ato não diz o que se apreendeu.", place=file.place)
    return _goods(file, DocumentKind.TERMO_APREENSAO, act)


def donation(file: CaseFile) -> TermoCoisas:
    """The termo de doação of perishables."""
    return _goods(file, DocumentKind.TERMO_DOACAO, file.need(Act.DOACAO))


def auction(file: CaseFile) -> TermoCoisas:
    """The edital of the public auction; once the things are sold, the termo of the sale."""
    act = file.need(Act.HASTA_PUBLICA)
    sold = act.payload.get("proceeds") is not None  # a call to a sale cannot tell what it gave
    return _goods(file, DocumentKind.EDITAL_HASTA_PUBLICA, act, title=SOLD if sold else None)


def _goods(file: CaseFile, kind: DocumentKind, act: RecordedAct, title: str | None = None) -> TermoCoisas:
    held, p = file.case.facts.get("goods", {}), act.payload
    return TermoCoisas(
        **file.common(kind, title or TITLES[kind], str(act.at), [file.signer(act)]),
        basis=(str(file.ctx.book.cite(p["article"])),),
        infrator=file.infrator,
        act_on=str(act.at),
        facts=file.facts(),
        goods=file.goods(act),
        expenses=p.get("expenses") or held.get("expenses"),
        proceeds=p.get("proceeds"),
        receipt=p.get("receipt"),
        term=file.term("retirada") if kind is DocumentKind.TERMO_APREENSAO else None,
        depositary=file.request.depositary,
    )


def closing(file: CaseFile) -> TermoInterdicao:
    """The termo de interdição; of a licence suspended, too."""
    act = file.need(Act.INTERDICAO)
    kind = DocumentKind.TERMO_INTERDICAO
    return TermoInterdicao(
        **file.common(kind, TITLES[kind], str(act.at), [file.signer(act)]),
        basis=(str(file.ctx.book.cite(act.payload["article"])),),
        infrator=file.infrator,
        act_on=str(act.at),
        facts=file.facts(),
        license=act.payload.get("license"),
        grounds=act.payload.get("grounds"),
    )
