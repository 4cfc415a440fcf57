"""The fields of each act (spec 07): which it may have, of what kind, which it must have."""

from __future__ import annotations

from typing import Any

from procedure.domain.field_checks import (
    Check,
    Shape,
    choice_of,
    list_of,
    read_amount,
    read_document,
    read_flag,
    read_line,
    read_provision,
    read_quantity,
    read_sha256,
    read_term,
    read_text,
    read_when,
    shape_of,
)
from procedure.domain.vocabulary import Act, Collects, Decision, Method, Role

NOT_JUDGED = "nao_proferida"
"""That the suit has no first-instance judgment yet."""
ADDRESS = shape_of(
    {"street": read_line}, number=read_line, district=read_line, city=read_line, uf=read_line, cep=read_line
)
PERSON = shape_of(
    {"name": read_line},
    doc=read_document,
    kind=choice_of("pf", "pj"),
    address=ADDRESS,
    address_unknown=read_text,
    reason=read_text,
)
FACT = shape_of(
    {"date": read_when, "article": read_provision},
    until=read_when,
    place=read_text,
    penalty_article=read_provision,
    description=read_text,
    subject=read_text,
    same_fact=read_text,
    quantidade=read_quantity,
    classe=read_text,
    valor=read_amount,
)
NOTICE: dict[str, Check] = {
    "received": read_when,
    "juntada": read_when,
    "publication": read_when,
    "sent": read_when,
    "read": read_when,
    "signed_by": choice_of("autuado", "representante", "funcionario", "recusa"),
    "registry_no": read_text,
    "reason": read_text,
}
_METHOD = choice_of(*(m.value for m in Method))
SIGNATURE = shape_of({"by": choice_of("autuado", "recusa", "ausencia")}, witnesses=list_of(read_text, least=0))
EVIDENCE = shape_of({"name": read_text, "sha256": read_sha256})
BY = shape_of({"name": read_line}, doc=read_document, proof=read_text)
GOODS = shape_of({"description": read_text, "quantity": read_quantity}, perishable=read_flag, animal=read_flag)
_GRAU = choice_of("minimo", "medio", "maximo")
_FILING = shape_of(by=BY, deposit=read_amount)
_TIMELINESS = shape_of({"outcome": choice_of("conhecida", "nao_conhecida")}, ground=read_text)
_CHOSEN: dict[str, Check] = {"grau": _GRAU, "quantidade": read_quantity, "classe": read_text, "valor": read_amount}
_DECISION: dict[str, Check] = {
    **_CHOSEN,
    "report": read_text,
    "grounds": read_text,
    "articles_infringed": list_of(read_provision),
    "articles_penalty": list_of(read_provision),
    "timeliness_decision": _TIMELINESS,
    "license": choice_of("cassacao", "suspensao"),
    "daily_fine": read_quantity,
    "notified_to_answer": read_flag,
}
_GOODS_ACT = shape_of(goods=list_of(GOODS), expenses=read_amount, proceeds=read_amount, receipt=read_text)
_ORDER: dict[str, Check] = {"term_start": read_term, "term_end": read_term, "cost": read_amount}
_DAILY = shape_of({"article": read_provision, "from": read_when}, to=read_when, method=_METHOD, **NOTICE)
_LICENSE = shape_of({"license": read_text, "grounds": read_text})
_INSCRIPTION: dict[str, Check] = {
    "inscription": read_text,
    "inscriptions": list_of(read_text),
    "ground": read_text,
    "legal_act": read_text,
    "reference": read_text,
    "second_person": read_text,
}
_REGISTER = shape_of(None, **_INSCRIPTION)


def _true_or_text(value: Any, name: str) -> Any:
    return True if value is True or value == "true" else read_text(value, name)


def _judgment(value: Any, name: str) -> str:
    """The day of the first-instance judgment, or that there was none yet."""
    return NOT_JUDGED if value == NOT_JUDGED else read_when(value, name)


_OUTCOME = choice_of(*(d.value for d in Decision))
ROLE = choice_of(*(r.value for r in Role))
_CIENCIA = shape_of({"method": _METHOD}, **NOTICE)
_NOTHING = shape_of()

SHAPES: dict[Act, Shape] = {
    Act.NOTIFICACAO_PRELIMINAR: shape_of(
        {"infrator": PERSON, "fact": FACT, "method": _METHOD}, term=read_term, property=read_text, **NOTICE
    ),
    Act.PRORROGACAO: shape_of({"term": read_term}, reason=read_text),
    Act.COMUNICACAO: shape_of({"by": BY, "fact": FACT}, proof=read_text, witnesses=list_of(read_text)),
    Act.NOTIFICACAO: shape_of({"infrator": PERSON, "copy_to": PERSON, "fact": FACT}, goods=list_of(GOODS)),
    Act.LAVRATURA: shape_of(
        {"infrator": PERSON},
        responsavel=PERSON,
        fact=FACT,
        infractions=list_of(FACT),
        signature=SIGNATURE,
        **_CHOSEN,
        perigo_iminente=_true_or_text,
        linked_auto=read_text,
        reissues=read_text,
        collects=choice_of(*(c.value for c in Collects)),
        property=read_text,
        evidence=list_of(EVIDENCE, least=0),
        paper=read_flag,
    ),
    Act.DEFESA: _FILING,
    Act.RECURSO: _FILING,
    Act.JULGAMENTO: shape_of({"outcome": _OUTCOME}, **_DECISION),
    Act.RECONSIDERACAO: shape_of({"outcome": _OUTCOME}, **_DECISION),
    Act.JULGAMENTO_RECURSO: shape_of({"outcome": _OUTCOME}, **_DECISION),
    Act.PAGAMENTO: shape_of({"amount": read_amount}, channel=read_text, pays=read_text, inscription=read_text),
    Act.RESTITUICAO: shape_of(
        {
            "amount": read_amount,
            "of": choice_of("deposito", "pagamento", "custos"),
            "grounds": read_text,
            "second_person": read_text,
        }
    ),
    Act.REMESSA: shape_of(timeliness_decision=_TIMELINESS),
    Act.SANEAMENTO: shape_of(infrator=PERSON, responsavel=PERSON, confirmed=list_of(read_text), grounds=read_text),
    Act.ANULACAO: shape_of({"grounds": read_text, "second_person": read_text}, annuls=read_text, ground=read_text),
    Act.RECALCULO_MULTA: shape_of({"ground": read_text, "grounds": read_text, "second_person": read_text}),
    Act.CIENCIA: shape_of({"method": _METHOD}, to=choice_of("infrator", "copia"), **NOTICE),
    **dict.fromkeys((Act.CIENCIA_DECISAO, Act.INTIMACAO_PAGAMENTO, Act.INTIMACAO), _CIENCIA),
    Act.OBRIGACAO_IMPOSTA: shape_of({"description": read_text}, **_ORDER),
    **dict.fromkeys(
        (Act.OBRIGACAO_INICIADA, Act.OBRIGACAO_CUMPRIDA, Act.EXECUCAO_PELA_PREFEITURA),
        shape_of(None, description=read_text, **_ORDER),
    ),
    **dict.fromkeys((Act.MULTA_DIARIA_IMPOSTA, Act.MULTA_DIARIA_CESSADA, Act.MULTA_DIARIA_CONSOLIDADA), _DAILY),
    **dict.fromkeys(
        (Act.APREENSAO, Act.DEVOLUCAO, Act.DOACAO, Act.HASTA_PUBLICA, Act.RETIRADA, Act.SUSPENSAO_FORNECIMENTO),
        _GOODS_ACT,
    ),
    **dict.fromkeys((Act.INTERDICAO, Act.SUSPENSAO_LICENCA, Act.CASSACAO), _LICENSE),
    **dict.fromkeys(
        (
            Act.AUTENTICACAO,
            Act.CANCELAMENTO,
            Act.SUSPENSAO,
            Act.QUITACAO,
            Act.PARCELAMENTO,
            Act.PARCELAMENTO_ROMPIDO,
            Act.PROTESTO,
            Act.RETIRADA_PROTESTO,
            Act.AJUIZAMENTO,
            Act.RETORNO,
            Act.RECONHECIMENTO,
        ),
        _REGISTER,
    ),
    Act.SUBSTITUICAO: shape_of(
        None,
        **_INSCRIPTION,
        infrator=PERSON,
        processo=read_line,
        description=read_text,
        articles_infringed=list_of(read_provision),
        articles_penalty=list_of(read_provision),
        judgment=_judgment,
    ),
    **dict.fromkeys((Act.REGULARIZACAO, Act.IMPUGNACAO, Act.RENUNCIA, Act.RATIFICACAO), _NOTHING),
}

BY_INSCRIPTION = frozenset(kind for kind, shape in SHAPES.items() if "inscription" in shape.fields)
"""The acts that may find their case by the number of its inscription."""
