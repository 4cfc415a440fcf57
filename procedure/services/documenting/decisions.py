"""The auto and the decisions: the papers that put in writing what an authority did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from legalbasis import Status
from procedure.domain.amounts import amount
from procedure.domain.case import RecordedAct
from procedure.domain.document_kinds import TITLES, DocumentKind
from procedure.domain.labels import DEBTS, GRADES
from procedure.domain.vocabulary import Act, Collects, Decision, State
from procedure.services.documenting.casefile import CaseFile
from procedure.services.documenting.memories import memory_of
from procedure.services.documenting.papers import AutoDeInfracao, Decisao
from procedure.services.documenting.pieces import Fact, Sum, TermTold, each_once

_FREES = (Decision.INSUBSISTENTE, Decision.NULO)
_OUTCOME_TEXT = {
    Decision.SUBSISTENTE: "julgo subsistente o auto de infração",
    Decision.PARCIALMENTE_SUBSISTENTE: "julgo subsistente em parte o auto de infração",
    Decision.INSUBSISTENTE: "julgo insubsistente o auto de infração",
    Decision.NULO: "declaro nulo o auto de infração",
}
_LICENSE = {"cassacao": "cassação da licença", "suspensao": "suspensão da licença"}
_TIMELINESS = {
    "conhecida": "A petição de tempestividade controvertida é conhecida",
    "nao_conhecida": "A petição de tempestividade controvertida não é conhecida",
}


def auto(file: CaseFile) -> AutoDeInfracao:
    """The auto de infração, as it was drawn up."""
    act = file.need(Act.LAVRATURA)
    p, facts = act.payload, file.case.facts
    kind = DocumentKind.AUTO_DE_INFRACAO
    signature = p.get("signature") or {}
    proposal = p.get("proposal")
    danger = p.get("perigo_iminente")
    return AutoDeInfracao(
        **file.common(kind, TITLES[kind], str(act.at), [file.signer(act)]),
        basis=_basis(file, act),
        infrator=file.party(p["infrator"]) or file.infrator,
        responsavel=file.party(p.get("responsavel")),
        facts=_facts(file, act),
        drawn_at=str(act.at),
        collected=_collected(file, act),
        collected_from=p["collection"]["auto"] if p.get("collection") else None,
        proposal=amount(proposal) if proposal else None,
        grau=GRADES.get(p.get("grau", "")),
        perigo_iminente=danger if isinstance(danger, str) else ("declarado" if danger else None),
        prior_notice=tuple(p.get("prior_notice", ())),
        signed_by=signature.get("by"),
        witnesses=_witnesses(file, signature.get("witnesses", ())),
        defesa=_told(file, "defesa"),
        recurso=_told(file, "recurso"),
        payment=_told(file, "pagamento_voluntario") or _told(file, "pagamento"),
        property=facts.get("property"),
        defects=tuple(p.get("defects", ())),
    )


def _facts(file: CaseFile, act: RecordedAct) -> tuple[Fact, ...]:
    """The facts of the auto; of one that collects, under the debt that it collects."""
    collection = act.payload.get("collection")
    facts = file.facts(act)
    if not collection:
        return facts
    debt = f"{DEBTS[Collects(collection['kind'])]} nº {collection['auto']}"
    return tuple(replace(fact, penalty_text=debt) for fact in facts)


def _collected(file: CaseFile, act: RecordedAct) -> Sum | None:
    collection = act.payload.get("collection")
    if not collection:
        return None
    basis = str(file.ctx.book.cite(collection["basis"], Status(collection["basis_status"])))
    return Sum(label="Valor que se cobra", amount=amount(collection["amount"]), basis=basis)


def _witnesses(file: CaseFile, listed: Sequence[Any]) -> tuple[str, ...]:
    found = (file.party(item) if isinstance(item, dict) else None for item in listed)
    return tuple((person.name or "dados apagados") for person in found if person is not None)


def _basis(file: CaseFile, act: RecordedAct) -> tuple[str, ...]:
    asked = file.ctx.book.contents.get(act.kind, ())
    own = file.ctx.book.cite(act.payload["article"])
    return each_once([str(own), *(str(c.citation) for c in asked)])


def first(file: CaseFile) -> Decisao:
    """The judgment."""
    return _decision(file, DocumentKind.DECISAO, Act.JULGAMENTO)


def reconsideration(file: CaseFile) -> Decisao:
    """The decision on the request to reconsider."""
    return _decision(file, DocumentKind.DECISAO_RECONSIDERACAO, Act.RECONSIDERACAO)


def on_appeal(file: CaseFile) -> Decisao:
    """The decision of the second instance."""
    return _decision(file, DocumentKind.DECISAO_RECURSO, Act.JULGAMENTO_RECURSO)


def _decision(file: CaseFile, kind: DocumentKind, act_kind: Act) -> Decisao:
    act = file.need(act_kind)
    p = act.payload
    assessment = p.get("assessment") or standing(file, act)
    frees = p["outcome"] in _FREES
    lines = assessment["lines"] if assessment and not frees else ()
    return Decisao(
        **file.common(kind, TITLES[kind], str(act.at), [file.signer(act)]),
        basis=_basis(file, act),
        infrator=file.infrator,
        facts=file.facts(),
        decided_at=str(act.at),
        outcome=p["outcome"],
        outcome_label=_OUTCOME_TEXT[Decision(p["outcome"])],
        report=p.get("report"),
        grounds=p.get("grounds"),
        timeliness=_timeliness(p.get("timeliness_decision")),
        articles_infringed=_labels(file, p.get("articles_infringed") or [line["article"] for line in lines]),
        articles_penalty=_labels(file, p.get("articles_penalty") or [line["penalty_article"] for line in lines]),
        memory=memory_of(assessment, p.get("recidivism") or file.case.facts.get("recidivism"), file)
        if assessment and not frees
        else None,
        amount=assessment["amount"] if assessment and not frees else None,
        debt=file.debt,
        fixed=bool(p.get("assessment")),
        license=_LICENSE.get(p.get("license", "")),
        terms=_appeal(file) if p.get("to") == State.JULGADO else (),
    )


def standing(file: CaseFile, act: RecordedAct) -> dict[str, Any] | None:
    """The fine that a decision leaves as it was: the one that the acts before it had fixed."""
    fixed = [a.payload["assessment"] for a in file.acts if a.seq < act.seq and a.payload.get("assessment")]
    return fixed[-1] if fixed else None


def _timeliness(decided: dict[str, Any] | None) -> str | None:
    if not decided:
        return None
    ground = decided.get("ground")
    return f"{_TIMELINESS[decided['outcome']]}{f': {ground}' if ground else ''}".rstrip(".")


def _labels(file: CaseFile, articles: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(file.cite(a).label for a in articles if a))


def _appeal(file: CaseFile) -> tuple[TermTold, ...]:
    told = _told(file, "recurso")
    return (told,) if told else ()


def _told(file: CaseFile, kind: str) -> TermTold | None:
    """The term as the law gives it: when this paper is signed, its last day is not yet known."""
    told = file.term(kind)
    return replace(told, due=None) if told else None
