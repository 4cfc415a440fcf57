"""The kinds of paper, and their titles as printed."""

from __future__ import annotations

from enum import StrEnum

from procedure.domain.vocabulary import Act


class DocumentKind(StrEnum):
    """A paper that a municipality prints."""

    NOTIFICACAO_PRELIMINAR = "notificacao_preliminar"
    AUTO_DE_INFRACAO = "auto_de_infracao"
    NOTIFICACAO_AUTO = "notificacao_auto"
    NOTIFICACAO_ESTABELECIMENTO = "notificacao_estabelecimento"
    NOTIFICACAO_DECISAO = "notificacao_decisao"
    INTIMACAO_CADASTRO = "intimacao_cadastro"
    INTIMACAO_PAGAMENTO = "intimacao_pagamento"
    EDITAL = "edital"
    DECISAO = "decisao"
    DECISAO_RECONSIDERACAO = "decisao_reconsideracao"
    DECISAO_RECURSO = "decisao_recurso"
    MEMORIA_CALCULO = "memoria_calculo"
    MEMORIA_PRAZO = "memoria_prazo"
    TERMO_INSCRICAO = "termo_inscricao"
    CDA = "cda"
    GUIA = "guia"
    CERTIDAO_DECURSO = "certidao_decurso"
    CERTIDAO_DEFINITIVIDADE = "certidao_definitividade"
    TERMO_APREENSAO = "termo_apreensao"
    TERMO_DOACAO = "termo_doacao"
    EDITAL_HASTA_PUBLICA = "edital_hasta_publica"
    TERMO_INTERDICAO = "termo_interdicao"
    CERTIDAO_NEGATIVA = "certidao_negativa"
    EXTRATO = "extrato"


TITLES: dict[DocumentKind, str] = {
    DocumentKind.NOTIFICACAO_PRELIMINAR: "Notificação preliminar",
    DocumentKind.AUTO_DE_INFRACAO: "Auto de infração",
    DocumentKind.NOTIFICACAO_AUTO: "Notificação do auto de infração",
    DocumentKind.NOTIFICACAO_ESTABELECIMENTO: "Notificação",
    DocumentKind.NOTIFICACAO_DECISAO: "Notificação da decisão",
    DocumentKind.INTIMACAO_CADASTRO: "Intimação",
    DocumentKind.INTIMACAO_PAGAMENTO: "Intimação para pagamento",
    DocumentKind.EDITAL: "Edital de notificação",
    DocumentKind.DECISAO: "Decisão",
    DocumentKind.DECISAO_RECONSIDERACAO: "Decisão de reconsideração",
    DocumentKind.DECISAO_RECURSO: "Decisão do recurso",
    DocumentKind.MEMORIA_CALCULO: "Memória de cálculo",
    DocumentKind.MEMORIA_PRAZO: "Memória de contagem do prazo",
    DocumentKind.TERMO_INSCRICAO: "Termo de Inscrição em Dívida Ativa",
    DocumentKind.CDA: "Certidão de Dívida Ativa",
    DocumentKind.GUIA: "Guia de recolhimento",
    DocumentKind.CERTIDAO_DECURSO: "Certidão de decurso de prazo",
    DocumentKind.CERTIDAO_DEFINITIVIDADE: "Certidão de definitividade",
    DocumentKind.TERMO_APREENSAO: "Termo de apreensão e depósito",
    DocumentKind.TERMO_DOACAO: "Termo de doação",
    DocumentKind.EDITAL_HASTA_PUBLICA: "Edital de hasta pública",
    DocumentKind.TERMO_INTERDICAO: "Termo de interdição",
    DocumentKind.CERTIDAO_NEGATIVA: "Certidão negativa de débitos",
    DocumentKind.EXTRATO: "Extrato do processo",
}

# The act that a paper puts in writing: the elements the law asks of the act are those of the paper.
ACT_OF: dict[DocumentKind, Act] = {
    DocumentKind.NOTIFICACAO_PRELIMINAR: Act.NOTIFICACAO_PRELIMINAR,
    DocumentKind.AUTO_DE_INFRACAO: Act.LAVRATURA,
    DocumentKind.NOTIFICACAO_ESTABELECIMENTO: Act.NOTIFICACAO,
    DocumentKind.DECISAO: Act.JULGAMENTO,
    DocumentKind.DECISAO_RECONSIDERACAO: Act.RECONSIDERACAO,
    DocumentKind.DECISAO_RECURSO: Act.JULGAMENTO_RECURSO,
    DocumentKind.TERMO_APREENSAO: Act.APREENSAO,
    DocumentKind.TERMO_DOACAO: Act.DOACAO,
    DocumentKind.EDITAL_HASTA_PUBLICA: Act.HASTA_PUBLICA,
    DocumentKind.TERMO_INTERDICAO: Act.INTERDICAO,
}
