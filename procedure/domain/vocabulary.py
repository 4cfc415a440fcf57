"""The legal vocabulary: states, acts, roles and the other closed words of the record (spec 01, 05, 07).

Words are Portuguese, ASCII, snake_case: they are stored, exchanged and stable. ``LABELS`` gives the text for people.
"""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """Where a case stands on its main track."""

    COMUNICADO = "comunicado"
    NOTIFICADO = "notificado"
    NOTIFICACAO_VENCIDA = "notificacao_vencida"
    REGULARIZADO = "regularizado"
    LAVRADO = "lavrado"
    AGUARDANDO_DEFESA = "aguardando_defesa"
    EM_JULGAMENTO = "em_julgamento"
    JULGADO = "julgado"
    INSUBSISTENTE = "insubsistente"
    AGUARDANDO_RECURSO = "aguardando_recurso"
    EM_RECURSO = "em_recurso"
    EM_SEGUNDA_INSTANCIA = "em_segunda_instancia"
    JULGADO_EM_SEGUNDA_INSTANCIA = "julgado_em_segunda_instancia"
    AGUARDANDO_ULTIMO_RECURSO = "aguardando_ultimo_recurso"
    EM_TERCEIRA_INSTANCIA = "em_terceira_instancia"
    DEFINITIVO = "definitivo"
    AGUARDANDO_PAGAMENTO = "aguardando_pagamento"
    VENCIDO = "vencido"
    INSCRITO = "inscrito"
    DEVOLVIDO_A_ORIGEM = "devolvido_a_origem"
    PAGO = "pago"
    QUITADO = "quitado"
    CANCELADO = "cancelado"
    ANULADO = "anulado"


STATES = {state.value: state for state in State}


class Act(StrEnum):
    """What can be recorded in a case. The engine's own acts are in ``ENGINE_ACTS``."""

    NOTIFICACAO_PRELIMINAR = "notificacao_preliminar"
    PRORROGACAO = "prorrogacao"
    REGULARIZACAO = "regularizacao"
    COMUNICACAO = "comunicacao"
    NOTIFICACAO = "notificacao"
    LAVRATURA = "lavratura"
    RATIFICACAO = "ratificacao"
    CIENCIA = "ciencia"
    INTIMACAO = "intimacao"
    DEFESA = "defesa"
    IMPUGNACAO = "impugnacao"
    JULGAMENTO = "julgamento"
    CIENCIA_DECISAO = "ciencia_decisao"
    RECURSO = "recurso"
    RENUNCIA = "renuncia"
    RECONSIDERACAO = "reconsideracao"
    REMESSA = "remessa"
    JULGAMENTO_RECURSO = "julgamento_recurso"
    INTIMACAO_PAGAMENTO = "intimacao_pagamento"
    PAGAMENTO = "pagamento"
    RESTITUICAO = "restituicao"
    RECONHECIMENTO = "reconhecimento"
    OBRIGACAO_IMPOSTA = "obrigacao_imposta"
    OBRIGACAO_INICIADA = "obrigacao_iniciada"
    OBRIGACAO_CUMPRIDA = "obrigacao_cumprida"
    EXECUCAO_PELA_PREFEITURA = "execucao_pela_prefeitura"
    MULTA_DIARIA_IMPOSTA = "multa_diaria_imposta"
    MULTA_DIARIA_CESSADA = "multa_diaria_cessada"
    MULTA_DIARIA_CONSOLIDADA = "multa_diaria_consolidada"
    COBRANCA = "cobranca"
    APREENSAO = "apreensao"
    DEVOLUCAO = "devolucao"
    DOACAO = "doacao"
    HASTA_PUBLICA = "hasta_publica"
    RETIRADA = "retirada"
    SUSPENSAO_FORNECIMENTO = "suspensao_fornecimento"
    INTERDICAO = "interdicao"
    SUSPENSAO_LICENCA = "suspensao_licenca"
    CASSACAO = "cassacao"
    SANEAMENTO = "saneamento"
    AUTENTICACAO = "autenticacao"
    CANCELAMENTO = "cancelamento"
    SUBSTITUICAO = "substituicao"
    SUSPENSAO = "suspensao"
    QUITACAO = "quitacao"
    PARCELAMENTO = "parcelamento"
    PARCELAMENTO_ROMPIDO = "parcelamento_rompido"
    PROTESTO = "protesto"
    RETIRADA_PROTESTO = "retirada_protesto"
    AJUIZAMENTO = "ajuizamento"
    RETORNO = "retorno"
    ANULACAO = "anulacao"
    RECALCULO_MULTA = "recalculo_multa"
    DECURSO_REGULARIZACAO = "decurso_regularizacao"
    DECURSO_DEFESA = "decurso_defesa"
    DECURSO_IMPUGNACAO = "decurso_impugnacao"
    DECURSO_RECURSO = "decurso_recurso"
    DECURSO_PAGAMENTO = "decurso_pagamento"
    DECURSO_PAGAMENTO_VOLUNTARIO = "decurso_pagamento_voluntario"
    DECURSO_INICIO_OBRIGACAO = "decurso_inicio_obrigacao"
    DECURSO_TERMINO_OBRIGACAO = "decurso_termino_obrigacao"
    DECURSO_MULTA_DIARIA = "decurso_multa_diaria"
    DECURSO_RETIRADA = "decurso_retirada"
    ACRESCIMO = "acrescimo"
    CONVERSAO_DEPOSITO = "conversao_deposito"
    INSCRICAO = "inscricao"
    DESFAZIMENTO = "desfazimento"
    RECONTAGEM = "recontagem"
    MIGRACAO = "migracao"


ENGINE_ACTS = frozenset(
    {
        Act.DECURSO_REGULARIZACAO,
        Act.DECURSO_DEFESA,
        Act.DECURSO_IMPUGNACAO,
        Act.DECURSO_RECURSO,
        Act.DECURSO_PAGAMENTO,
        Act.DECURSO_PAGAMENTO_VOLUNTARIO,
        Act.DECURSO_INICIO_OBRIGACAO,
        Act.DECURSO_TERMINO_OBRIGACAO,
        Act.DECURSO_MULTA_DIARIA,
        Act.DECURSO_RETIRADA,
        Act.COBRANCA,
        Act.ACRESCIMO,
        Act.CONVERSAO_DEPOSITO,
        Act.INSCRICAO,
        Act.DESFAZIMENTO,
        Act.RECONTAGEM,
        Act.MIGRACAO,
    }
)


class Role(StrEnum):
    """In what capacity somebody acts."""

    FISCAL = "fiscal"
    SERVIDOR_DESIGNADO = "servidor_designado"
    SECRETARIO = "secretario"
    PREFEITO = "prefeito"
    AUTUADO = "autuado"
    REPRESENTANTE = "representante"
    SETOR_CADASTRO = "setor_cadastro"
    CIDADAO = "cidadao"
    DISTRIBUIDORA = "distribuidora"
    DEPOSITARIO = "depositario"
    TESOURARIA = "tesouraria"
    DIVIDA_ATIVA = "divida_ativa"
    PROCURADORIA = "procuradoria"
    SISTEMA = "sistema"


class DeadlineStatus(StrEnum):
    """What became of a deadline."""

    ABERTO = "aberto"
    CUMPRIDO = "cumprido"
    VENCIDO = "vencido"
    SUSPENSO = "suspenso"
    CANCELADO = "cancelado"


class Method(StrEnum):
    """How somebody is given notice."""

    PESSOAL = "pessoal"
    POSTAL = "postal"
    EDITAL = "edital"
    ELETRONICA = "eletronica"


class Decision(StrEnum):
    """How a judgment ends."""

    SUBSISTENTE = "subsistente"
    PARCIALMENTE_SUBSISTENTE = "parcialmente_subsistente"
    INSUBSISTENTE = "insubsistente"
    NULO = "nulo"


OF_OFFICE = "_de_oficio"  # after the outcome of a decision that goes up by itself


class Collects(StrEnum):
    """What an auto collects that another auto's obligation left due."""

    MULTA_DIARIA = "multa_diaria"
    CUSTOS = "custos"


class Timeliness(StrEnum):
    """Whether a filing came in time under the default reading and under the others (spec 02)."""

    TEMPESTIVA = "tempestiva"
    INTEMPESTIVA = "intempestiva"
    CONTROVERTIDA = "controvertida"


MAIN_TRACK = "principal"


class Track(StrEnum):
    """The side tracks of a case: alive beside the fine, and after it."""

    OBRIGACAO = "obrigacao"
    APREENSAO = "apreensao"
    LICENCA = "licenca"
    REGISTRO = "registro"


class TrackState(StrEnum):
    """Where a side track stands. A track that never began has no state (a licence: it is active)."""

    IMPOSTA = "imposta"
    INICIADA = "iniciada"
    NAO_INICIADA = "nao_iniciada"
    NAO_CONCLUIDA = "nao_concluida"
    CUMPRIDA = "cumprida"
    EXECUTADA = "executada"
    APREENDIDO = "apreendido"
    NAO_RECLAMADO = "nao_reclamado"
    EM_HASTA_PUBLICA = "em_hasta_publica"
    DEVOLVIDO = "devolvido"
    DOADO = "doado"
    VENDIDO = "vendido"
    ATIVA = "ativa"
    SUSPENSA = "suspensa"
    INTERDITADA = "interditada"
    CASSADA = "cassada"
    EM_COBRANCA = "em_cobranca"
    EM_PROTESTO = "em_protesto"
    EM_EXECUCAO_FISCAL = "em_execucao_fiscal"
    PARCELADO = "parcelado"
    SUSPENSO = "suspenso"


class SuspensionGround(StrEnum):
    """Why the collection of an inscription stands still (spec 04)."""

    ORDEM_JUDICIAL = "ordem_judicial"
    DEPOSITO_INTEGRAL = "deposito_integral"
    PARCELAMENTO = "parcelamento"
    REVISAO_ADMINISTRATIVA = "revisao_administrativa"


class SubstitutionGround(StrEnum):
    """Why a certidão is replaced (Lei 6.830/1980, art. 2º, § 8º)."""

    ERRO_MATERIAL = "erro_material"
    ERRO_FORMAL = "erro_formal"


class CancellationGround(StrEnum):
    """Why an inscription is cancelled: a closed list (spec 04)."""

    PAGAMENTO_ANTERIOR = "pagamento_anterior"
    DECISAO_ADMINISTRATIVA = "decisao_administrativa"
    DECISAO_JUDICIAL = "decisao_judicial"
    ERRO_DE_PESSOA = "erro_de_pessoa"
    DUPLICIDADE = "duplicidade"
    PRESCRICAO_RECONHECIDA = "prescricao_reconhecida"
    MORTE_ANTES_DA_DECISAO = "morte_antes_da_decisao"
    REMISSAO_LEGAL = "remissao_legal"
    VICIO_DE_CIENCIA = "vicio_de_ciencia"
    ATO_TEMPESTIVO_REGISTRADO_DEPOIS = "ato_tempestivo_registrado_depois"


class InscriptionStatus(StrEnum):
    """Where an inscription stands in the register: how it is collected while it stands, or how it ended."""

    INSCRITO = "inscrito"
    EM_PROTESTO = "em_protesto"
    EM_EXECUCAO_FISCAL = "em_execucao_fiscal"
    PARCELADO = "parcelado"
    SUSPENSO = "suspenso"
    QUITADO = "quitado"
    CANCELADO = "cancelado"


ENDED_INSCRIPTION = (InscriptionStatus.QUITADO, InscriptionStatus.CANCELADO)


class DebtPart(StrEnum):
    """The parts of a debt after inscription, among which a payment is shared."""

    MULTA = "multa"
    ACRESCIMO = "acrescimo"
    ATUALIZACAO = "atualizacao"
    JUROS = "juros"
