"""The notices of a case: to cure, of the auto, of the decision, to pay, and the edital."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from penalties.money import decimal_br
from procedure.domain import taxpayer
from procedure.domain.amounts import amount, to_centavos
from procedure.domain.case import Case, RecordedAct
from procedure.domain.document_kinds import TITLES, DocumentKind
from procedure.domain.labels import OUTCOMES, act_label
from procedure.domain.surcharges import surcharge_effects
from procedure.domain.vocabulary import Act, Decision, State
from procedure.services.documenting.casefile import CaseFile, masked_doc, served_by
from procedure.services.documenting.decisions import standing
from procedure.services.documenting.errors import NothingToPrint
from procedure.services.documenting.papers import Edital, IntimacaoPagamento, Notificacao, NotificacaoPreliminar
from procedure.services.documenting.pieces import Fact, Party, Signer, Sum, TermTold
from procedure.services.people import masked_name, person_document

DECISIONS = (Act.JULGAMENTO, Act.RECONSIDERACAO, Act.JULGAMENTO_RECURSO)
ABOUT = {
    "notificacao_preliminar": "da notificação preliminar",
    "auto": "do auto de infração",
    "decisao": "da decisão",
    "pagamento": "da intimação para pagamento",
}
_ABOUT_OF_STATE = {
    State.NOTIFICADO: "notificacao_preliminar",
    State.NOTIFICACAO_VENCIDA: "notificacao_preliminar",
    State.JULGADO: "decisao",
    State.AGUARDANDO_RECURSO: "decisao",
    State.JULGADO_EM_SEGUNDA_INSTANCIA: "decisao",
    State.AGUARDANDO_ULTIMO_RECURSO: "decisao",
    State.DEFINITIVO: "pagamento",
    State.AGUARDANDO_PAGAMENTO: "pagamento",
}


def preliminary(file: CaseFile) -> NotificacaoPreliminar:
    """The notice to cure, as it was made."""
    act = file.need(Act.NOTIFICACAO_PRELIMINAR)
    kind = DocumentKind.NOTIFICACAO_PRELIMINAR
    party = file.party(act.payload["infrator"])
    term = _term_of_notice(file, act)
    return NotificacaoPreliminar(
        **file.common(kind, TITLES[kind], str(act.at), [file.signer(act)]),
        basis=(str(file.ctx.book.cite(act.payload["article"])),),
        infrator=party or file.infrator,
        facts=file.facts(act),
        term=term,
        served=served_by(act),
    )


def _term_of_notice(file: CaseFile, act: RecordedAct) -> TermTold:
    found = file.term("regularizacao", opened_by=act, term=act.payload["term"])
    if found is None:
        raise NothingToPrint("a lei não tem prazo para regularizar.", place=file.place)
    return found


def of_auto(file: CaseFile) -> Notificacao:
    """The notice that makes the auto known, with the terms that it opens."""
    act = file.need(Act.LAVRATURA)
    _require_act_of_law(file, Act.CIENCIA)
    return _notice(file, DocumentKind.NOTIFICACAO_AUTO, act, _first_notice(file), "auto de infração")


def of_establishment(file: CaseFile) -> Notificacao:
    """The notice to an establishment, sent with a copy, where the law opens the case by one."""
    act = file.need(Act.NOTIFICACAO)
    return _notice(file, DocumentKind.NOTIFICACAO_ESTABELECIMENTO, act, _first_notice(file), "notificação")


def of_decision(file: CaseFile) -> Notificacao:
    """The notice that makes a decision known, with the appeal it is open to and the sum to pay."""
    act = file.need(*DECISIONS)
    return _notice(file, DocumentKind.NOTIFICACAO_DECISAO, act, Act.CIENCIA_DECISAO, "decisão")


def of_amount(file: CaseFile) -> Notificacao:
    """The intimation by the sector that reckons the sum, where the law has one."""
    _require_act_of_law(file, Act.INTIMACAO)
    act = file.need(Act.INTIMACAO, Act.LAVRATURA)
    return _notice(file, DocumentKind.INTIMACAO_CADASTRO, act, Act.INTIMACAO, "auto de infração")


def _require_act_of_law(file: CaseFile, act: Act) -> None:
    if not any(row.act == act for row in file.ctx.book.rows):
        raise NothingToPrint(f"a {file.ctx.book.norm} não tem ato de {act_label(act)}.", place=file.place)


def _first_notice(file: CaseFile) -> str:
    rule = file.ctx.book.deadlines.get("defesa")
    return rule.starts if rule else Act.CIENCIA


def _notice(file: CaseFile, kind: DocumentKind, act: RecordedAct, served: str, about: str) -> Notificacao:
    terms = file.opened_terms(served)
    if act.kind == Act.JULGAMENTO_RECURSO:
        terms = ()  # the second instance's decision opens no appeal
    notice = file.notice(served)
    party = file.party(act.payload.get("infrator")) or file.infrator
    fine = _fine(file, kind, act)
    outcome = act.payload.get("outcome") if act.kind in DECISIONS else None
    copy = file.party(file.case.facts.get("copy_to"))
    return Notificacao(
        **file.common(kind, TITLES[kind], _day_of(file, notice), [_signer(file, notice, act)]),
        basis=_basis(file, act, notice),
        infrator=party,
        addressee=copy if copy and file.request.about == "copia" else party,
        about=about,
        facts=_standing(file, act),
        outcome=OUTCOMES.get(outcome) if outcome else None,
        sums=(fine,) if fine else (),
        total=fine.amount if fine else None,
        terms=terms,
        goods=file.goods(act) if act.kind == Act.NOTIFICACAO else (),
        served=served_by(notice),
    )


def _standing(file: CaseFile, act: RecordedAct) -> tuple[Fact, ...]:
    """The infractions that the act makes known: of a decision, those that it found, all of them where it names none."""
    facts = file.facts(act)
    found = {file.cite(article).label for article in act.payload.get("articles_infringed") or ()}
    return tuple(fact for fact in facts if fact.article.label in found) or facts


def _fine(file: CaseFile, kind: DocumentKind, act: RecordedAct) -> Sum | None:
    """The fine that the paper makes known: the one fixed by the act, or left standing by it."""
    if kind is DocumentKind.NOTIFICACAO_AUTO or act.payload.get("outcome") in (Decision.INSUBSISTENTE, Decision.NULO):
        return None
    assessment = act.payload.get("assessment") or standing(file, act)
    if not assessment:
        return None
    articles = dict.fromkeys(line["penalty_article"] for line in assessment["lines"] if line["penalty_article"])
    basis = "; ".join(str(file.ctx.book.cite(article)) for article in articles)
    return Sum(label=file.debt.capitalize(), amount=assessment["amount"], basis=basis or None)


def _day_of(file: CaseFile, act: RecordedAct | None) -> str:
    """A notice already served bears the day of its act; one still to serve, the day on which it is issued."""
    return str(act.at) if act is not None else file.request.issued_on.isoformat()


def _signer(file: CaseFile, notice: RecordedAct | None, act: RecordedAct) -> Signer:
    return file.signer(notice or act)


def _basis(file: CaseFile, *acts: RecordedAct | None) -> tuple[str, ...]:
    found = (act.payload.get("article") for act in acts if act is not None)
    return tuple(dict.fromkeys(str(file.ctx.book.cite(article)) for article in found if article))


def to_pay(file: CaseFile) -> IntimacaoPagamento:
    """The intimation to pay. Raises NothingToPrint while the fine is not final, or where none is owed."""
    _require_act_of_law(file, Act.INTIMACAO_PAGAMENTO)
    act = file.act(Act.INTIMACAO_PAGAMENTO)
    case, book = file.case, file.ctx.book
    term = file.term("pagamento", opened_by=act)
    if term is None or (act is None and not (case.facts.get("final_at") and case.arbitrada)):
        raise NothingToPrint(
            "não há multa definitiva a pagar.", place=file.place, remedy="A intimação vem depois da decisão definitiva."
        )
    kind = DocumentKind.INTIMACAO_PAGAMENTO
    paid = _paid_before(file, act)
    owed = max(0, case.arbitrada - case.desconto - paid)
    if not owed:
        raise NothingToPrint("nada resta a pagar neste processo.", place=file.place)
    extra = surcharge_effects(_as_served(case, act), file.ctx)["acrescimo"] if book.surcharge else 0
    return IntimacaoPagamento(
        **file.common(kind, TITLES[kind], _day_of(file, act), [file.signer(act) if act else file.issuer()]),
        basis=(term.cited.text,),
        infrator=file.infrator,
        facts=file.facts(),
        final_on=str(case.facts["final_at"])[:10] if case.facts.get("final_at") else None,
        sums=(*(s for s in file.sums() if s.label != "Acréscimo"), *_minus(paid, case.desconto)),
        total=amount(owed),
        term=term,
        surcharge=Sum(
            label=f"{_percent(book.surcharge['rate'])}% sobre a multa arbitrada", amount=amount(extra),
            basis=str(book.surcharge["citation"]),
        ) if book.surcharge else None,
        total_after=amount(owed + extra) if book.surcharge else None,
        inscription_basis=str((book.deadlines.get("inscricao") or book.deadlines["pagamento"]).citation),
        served=served_by(act),
    )  # fmt: skip


def _percent(rate: Decimal) -> str:
    return decimal_br(rate * 100)


def _paid_before(file: CaseFile, act: RecordedAct | None) -> int:
    return sum(to_centavos(p["amount"]) for p in _payments(file.case, act))


def _payments(case: Case, act: RecordedAct | None) -> list[Any]:
    return [p for p in case.facts.get("payments", ()) if act is None or p["seq"] < act.seq]


def _as_served(case: Case, act: RecordedAct | None) -> Case:
    """The case with what was paid until the intimation alone: what came later must not change what it warned of."""
    return replace(case, facts={**case.facts, "payments": _payments(case, act)})


def _minus(paid: int, discount: int) -> tuple[Sum, ...]:
    rows = (("Já pago", paid), ("Desconto por pagamento antecipado", discount))
    return tuple(Sum(label=label, amount=amount(-owed), basis=None) for label, owed in rows if owed)


def edital(file: CaseFile) -> Edital:
    """The notice by edital: name (with the document masked), infraction, penalty and term, and nothing else."""
    drawn = file.act(Act.LAVRATURA, Act.NOTIFICACAO) is not None
    known = "auto" if drawn else "notificacao_preliminar"
    about = file.request.about or _ABOUT_OF_STATE.get(file.case.state or State.LAVRADO, known)
    if about not in ABOUT:
        raise NothingToPrint(f"não há edital sobre “{about[:40]}”.", field="about", remedy=f"Há: {', '.join(ABOUT)}.")
    served = {
        "notificacao_preliminar": Act.NOTIFICACAO_PRELIMINAR,
        "decisao": Act.CIENCIA_DECISAO,
        "pagamento": Act.INTIMACAO_PAGAMENTO,
    }.get(about) or _first_notice(file)
    notice = file.notice(served)
    kind = DocumentKind.EDITAL
    by_edital = notice is not None and notice.payload.get("method") == "edital"
    person = _person(file)
    terms = file.opened_terms(served)
    if about == "notificacao_preliminar":
        notice = file.need(Act.NOTIFICACAO_PRELIMINAR)
        terms = (_term_of_notice(file, notice),)
    day = str(notice.payload["publication"]) if notice is not None and by_edital else file.request.issued_on.isoformat()
    return Edital(
        **file.common(kind, TITLES[kind], day, [file.signer(notice) if notice and by_edital else file.issuer()]),
        basis=(str(file.ctx.book.notice_citation),),
        name=person.name,
        doc=person.doc,
        about=ABOUT[about],
        facts=tuple(_published(fact) for fact in file.facts()),
        amount=amount(file.case.saldo) if about in ("decisao", "pagamento") and file.case.saldo else None,
        terms=terms,
    )


def _published(fact: Fact) -> Fact:
    """What an edital may say of a fact: no place, which may be a home, and nobody's CPF in its description."""
    return replace(fact, place=None, description=fact.description and taxpayer.mask_in(fact.description))


def _person(file: CaseFile) -> Party:
    reference = file.case.facts.get("infrator")
    person = person_document(file.repo, file.case.municipality, reference, unmask=True) if reference else None
    if person is None:
        raise NothingToPrint("o processo ainda não identifica ninguém.", place=file.place)
    return Party(
        name=masked_name(person["name"]), doc=masked_doc(person["doc"]), doc_kind=None, address=None,
        address_unknown=None, erased=person["erased"],
    )  # fmt: skip
