"""The legal vocabulary as people read it, with accents: one label for every state, act, role and kind of deadline."""

from __future__ import annotations

from procedure.domain.vocabulary import (
    Act,
    CancellationGround,
    Collects,
    DeadlineStatus,
    DebtPart,
    InscriptionStatus,
    Role,
    State,
    SubstitutionGround,
    SuspensionGround,
    Track,
    TrackState,
)

STATES: dict[State, str] = {
    State.COMUNICADO: "infração comunicada",
    State.NOTIFICADO: "notificado, prazo para regularizar",
    State.NOTIFICACAO_VENCIDA: "notificação vencida",
    State.REGULARIZADO: "regularizado",
    State.LAVRADO: "auto lavrado, à espera da ciência",
    State.AGUARDANDO_DEFESA: "aguardando defesa",
    State.EM_JULGAMENTO: "em julgamento",
    State.JULGADO: "julgado, à espera da ciência da decisão",
    State.INSUBSISTENTE: "auto insubsistente",
    State.AGUARDANDO_RECURSO: "aguardando recurso",
    State.EM_RECURSO: "em recurso",
    State.EM_SEGUNDA_INSTANCIA: "em segunda instância",
    State.JULGADO_EM_SEGUNDA_INSTANCIA: "julgado em segunda instância, à espera da ciência",
    State.AGUARDANDO_ULTIMO_RECURSO: "aguardando recurso à última instância",
    State.EM_TERCEIRA_INSTANCIA: "em terceira instância",
    State.DEFINITIVO: "decisão definitiva",
    State.AGUARDANDO_PAGAMENTO: "aguardando pagamento",
    State.VENCIDO: "vencido e não pago",
    State.INSCRITO: "inscrito em dívida ativa",
    State.DEVOLVIDO_A_ORIGEM: "devolvido à origem",
    State.PAGO: "pago",
    State.QUITADO: "quitado",
    State.CANCELADO: "cancelado",
    State.ANULADO: "anulado",
}

ACTS: dict[Act, str] = {
    Act.NOTIFICACAO_PRELIMINAR: "notificação preliminar",
    Act.PRORROGACAO: "prorrogação do prazo da notificação",
    Act.REGULARIZACAO: "regularização",
    Act.COMUNICACAO: "comunicação de infração",
    Act.NOTIFICACAO: "notificação",
    Act.LAVRATURA: "lavratura do auto",
    Act.RATIFICACAO: "ratificação do auto",
    Act.CIENCIA: "ciência do auto",
    Act.INTIMACAO: "intimação",
    Act.DEFESA: "defesa",
    Act.IMPUGNACAO: "impugnação da defesa",
    Act.JULGAMENTO: "julgamento",
    Act.CIENCIA_DECISAO: "ciência da decisão",
    Act.RECURSO: "recurso",
    Act.RENUNCIA: "renúncia ao recurso",
    Act.RECONSIDERACAO: "reconsideração",
    Act.REMESSA: "remessa à segunda instância",
    Act.JULGAMENTO_RECURSO: "julgamento do recurso",
    Act.INTIMACAO_PAGAMENTO: "intimação para pagar",
    Act.PAGAMENTO: "pagamento",
    Act.RESTITUICAO: "restituição",
    Act.RECONHECIMENTO: "reconhecimento da dívida",
    Act.OBRIGACAO_IMPOSTA: "obrigação de fazer imposta",
    Act.OBRIGACAO_INICIADA: "obrigação de fazer iniciada",
    Act.OBRIGACAO_CUMPRIDA: "obrigação de fazer cumprida",
    Act.EXECUCAO_PELA_PREFEITURA: "execução pela Prefeitura",
    Act.MULTA_DIARIA_IMPOSTA: "multa diária imposta",
    Act.MULTA_DIARIA_CESSADA: "multa diária cessada",
    Act.MULTA_DIARIA_CONSOLIDADA: "multa diária consolidada",
    Act.COBRANCA: "cobrança em outro auto",
    Act.APREENSAO: "apreensão",
    Act.DEVOLUCAO: "devolução das coisas apreendidas",
    Act.DOACAO: "doação das coisas apreendidas",
    Act.HASTA_PUBLICA: "hasta pública",
    Act.RETIRADA: "retirada das coisas apreendidas",
    Act.SUSPENSAO_FORNECIMENTO: "suspensão do fornecimento",
    Act.INTERDICAO: "interdição",
    Act.SUSPENSAO_LICENCA: "suspensão da licença",
    Act.CASSACAO: "cassação da licença",
    Act.SANEAMENTO: "saneamento",
    Act.AUTENTICACAO: "autenticação da inscrição",
    Act.CANCELAMENTO: "cancelamento da inscrição",
    Act.SUBSTITUICAO: "substituição da certidão",
    Act.SUSPENSAO: "suspensão da exigibilidade",
    Act.QUITACAO: "quitação",
    Act.PARCELAMENTO: "parcelamento",
    Act.PARCELAMENTO_ROMPIDO: "rompimento do parcelamento",
    Act.PROTESTO: "protesto",
    Act.RETIRADA_PROTESTO: "retirada do protesto",
    Act.AJUIZAMENTO: "ajuizamento da execução fiscal",
    Act.RETORNO: "retorno da cobrança",
    Act.ANULACAO: "anulação",
    Act.DECURSO_REGULARIZACAO: "fim do prazo para regularizar",
    Act.DECURSO_DEFESA: "fim do prazo de defesa",
    Act.DECURSO_IMPUGNACAO: "fim do prazo de impugnação",
    Act.DECURSO_RECURSO: "fim do prazo de recurso",
    Act.DECURSO_PAGAMENTO: "fim do prazo para pagar",
    Act.DECURSO_PAGAMENTO_VOLUNTARIO: "fim do prazo para pagar sem julgamento",
    Act.DECURSO_INICIO_OBRIGACAO: "fim do prazo para iniciar a obrigação",
    Act.DECURSO_TERMINO_OBRIGACAO: "fim do prazo para concluir a obrigação",
    Act.DECURSO_MULTA_DIARIA: "um dia de multa diária",
    Act.DECURSO_RETIRADA: "fim do prazo para retirar as coisas apreendidas",
    Act.ACRESCIMO: "acréscimo por falta de pagamento",
    Act.CONVERSAO_DEPOSITO: "conversão do depósito em pagamento",
    Act.INSCRICAO: "inscrição em dívida ativa",
    Act.RECALCULO_MULTA: "recálculo da multa",
    Act.DESFAZIMENTO: "desfazimento de atos",
    Act.RECONTAGEM: "recontagem de prazo",
    Act.MIGRACAO: "passagem a novo texto da lei",
}

ROLES: dict[Role, str] = {
    Role.FISCAL: "fiscal",
    Role.SERVIDOR_DESIGNADO: "servidor designado",
    Role.SECRETARIO: "secretário",
    Role.PREFEITO: "prefeito",
    Role.AUTUADO: "autuado",
    Role.REPRESENTANTE: "representante",
    Role.SETOR_CADASTRO: "setor de cadastro",
    Role.CIDADAO: "cidadão",
    Role.DISTRIBUIDORA: "distribuidora",
    Role.DEPOSITARIO: "depositário",
    Role.TESOURARIA: "tesouraria",
    Role.DIVIDA_ATIVA: "dívida ativa",
    Role.PROCURADORIA: "procuradoria",
    Role.SISTEMA: "sistema",
}

DEADLINES: dict[str, str] = {
    "regularizacao": "prazo para regularizar",
    "defesa": "prazo de defesa",
    "impugnacao": "prazo de impugnação",
    "recurso": "prazo de recurso",
    "pagamento": "prazo para pagar",
    "pagamento_voluntario": "prazo para pagar sem julgamento",
    "inscricao": "inscrição em dívida ativa",
    "inicio_obrigacao": "prazo para iniciar a obrigação",
    "termino_obrigacao": "prazo para concluir a obrigação",
    "multa_diaria": "multa diária em curso",
    "retirada": "prazo para retirada",
}

TRACKS: dict[Track, str] = {
    Track.OBRIGACAO: "obrigação de fazer",
    Track.APREENSAO: "coisas apreendidas",
    Track.LICENCA: "licença",
    Track.REGISTRO: "cobrança da dívida ativa",
}

TRACK_STATES: dict[TrackState, str] = {
    TrackState.IMPOSTA: "imposta",
    TrackState.INICIADA: "iniciada",
    TrackState.NAO_INICIADA: "não iniciada no prazo",
    TrackState.NAO_CONCLUIDA: "não concluída no prazo",
    TrackState.CUMPRIDA: "cumprida",
    TrackState.EXECUTADA: "executada pela Prefeitura",
    TrackState.APREENDIDO: "apreendidas",
    TrackState.NAO_RECLAMADO: "não reclamadas no prazo",
    TrackState.EM_HASTA_PUBLICA: "em hasta pública",
    TrackState.DEVOLVIDO: "devolvidas",
    TrackState.DOADO: "doadas",
    TrackState.VENDIDO: "vendidas",
    TrackState.ATIVA: "ativa",
    TrackState.SUSPENSA: "suspensa",
    TrackState.INTERDITADA: "interditada",
    TrackState.CASSADA: "cassada",
    TrackState.EM_COBRANCA: "em cobrança administrativa",
    TrackState.EM_PROTESTO: "em protesto",
    TrackState.EM_EXECUCAO_FISCAL: "em execução fiscal",
    TrackState.PARCELADO: "parcelada",
    TrackState.SUSPENSO: "suspensa",
}

COLLECTION_ENDED = {InscriptionStatus.QUITADO.value: "quitada", InscriptionStatus.CANCELADO.value: "cancelada"}

DEADLINE_STATUSES: dict[DeadlineStatus, str] = {
    DeadlineStatus.ABERTO: "corre",
    DeadlineStatus.CUMPRIDO: "cumprido",
    DeadlineStatus.VENCIDO: "vencido",
    DeadlineStatus.SUSPENSO: "suspenso",
    DeadlineStatus.CANCELADO: "cancelado",
}

OUTCOMES: dict[str, str] = {
    "subsistente": "auto subsistente",
    "parcialmente_subsistente": "auto subsistente em parte",
    "insubsistente": "auto insubsistente",
    "nulo": "auto nulo",
    "parcialmente_subsistente_de_oficio": "auto subsistente em parte, com recurso de ofício",
    "insubsistente_de_oficio": "auto insubsistente, com recurso de ofício",
    "nulo_de_oficio": "auto nulo, com recurso de ofício",
    "cobranca": "cobrança do que outro auto deixou devido",
    "deposito": "depósito voluntário, antes do julgamento",
    "parcial": "pagamento parcial",
    "integral": "pagamento integral",
    "credito": "crédito de quem pagou",
    "apta": "inscrito",
    "recusada": "devolvido à origem",
    "perigo_iminente": "perigo iminente declarado",
    "notificacao_encerrada": "prazo da notificação já encerrado",
    "tempestiva": "no prazo",
    "intempestiva": "fora do prazo",
    "controvertida": "tempestividade controvertida",
    "infrator": "ao infrator",
    "copia": "cópia à distribuidora",
    "coberta": "o depósito cobre a multa",
    "a_pagar": "multa a pagar",
    "marcada": "marcada",
    "vendida": "vendidas",
    "pessoal": "pessoal",
    "postal": "por via postal",
    "edital": "por edital",
}

GRADES: dict[str, str] = {"minimo": "mínimo", "medio": "médio", "maximo": "máximo"}

INSCRIPTION_STATUSES: dict[str, str] = {
    InscriptionStatus.INSCRITO: "inscrito",
    InscriptionStatus.EM_PROTESTO: "em protesto",
    InscriptionStatus.EM_EXECUCAO_FISCAL: "em execução fiscal",
    InscriptionStatus.PARCELADO: "parcelado",
    InscriptionStatus.SUSPENSO: "suspenso",
    InscriptionStatus.QUITADO: "quitado",
    InscriptionStatus.CANCELADO: "cancelado",
}

GROUNDS: dict[str, str] = {
    CancellationGround.PAGAMENTO_ANTERIOR: "pagamento anterior à inscrição",
    CancellationGround.DECISAO_ADMINISTRATIVA: "decisão administrativa",
    CancellationGround.DECISAO_JUDICIAL: "decisão judicial",
    CancellationGround.ERRO_DE_PESSOA: "erro de pessoa",
    CancellationGround.DUPLICIDADE: "duplicidade",
    CancellationGround.PRESCRICAO_RECONHECIDA: "prescrição reconhecida",
    CancellationGround.MORTE_ANTES_DA_DECISAO: "morte antes da decisão",
    CancellationGround.REMISSAO_LEGAL: "remissão por lei",
    CancellationGround.VICIO_DE_CIENCIA: "vício de ciência",
    CancellationGround.ATO_TEMPESTIVO_REGISTRADO_DEPOIS: "ato tempestivo registrado depois",
    SuspensionGround.ORDEM_JUDICIAL: "ordem judicial",
    SuspensionGround.DEPOSITO_INTEGRAL: "depósito integral",
    SuspensionGround.PARCELAMENTO: "parcelamento",
    SuspensionGround.REVISAO_ADMINISTRATIVA: "revisão administrativa",
    SubstitutionGround.ERRO_MATERIAL: "erro material",
    SubstitutionGround.ERRO_FORMAL: "erro formal",
    "incompetencia": "incompetência",
    "vicio_de_forma": "vício de forma",
    "ilegalidade_do_objeto": "ilegalidade do objeto",
    "inexistencia_dos_motivos": "inexistência dos motivos",
    "desvio_de_finalidade": "desvio de finalidade",
    "cerceamento_de_defesa": "cerceamento de defesa",
    "erro_de_lancamento": "erro de lançamento",
    "outro_vicio": "outro vício",
    "antecedente_que_caiu": "antecedente que caiu",
}

DEBT_PARTS: dict[str, str] = {
    DebtPart.MULTA: "multa",
    DebtPart.ACRESCIMO: "acréscimo",
    DebtPart.ATUALIZACAO: "atualização monetária",
    DebtPart.JUROS: "juros",
}


def state_label(state: str | None) -> str:
    """The state for people."""
    return STATES[State(state)] if state else "sem ato"


def act_label(act: str) -> str:
    """The act for people."""
    return ACTS[Act(act)]


def track_state_label(state: str) -> str:
    """Where a side track stands, for people; of an inscription that ended, how."""
    return COLLECTION_ENDED.get(state) or TRACK_STATES[TrackState(state)]


def ground_label(ground: str) -> str:
    """The ground for people; the text itself where it is of no list."""
    return GROUNDS.get(ground, ground)


def deadline_label(kind: str) -> str:
    """The kind of deadline for people; the word itself when a rulebook brings a new one."""
    return DEADLINES.get(kind, kind.replace("_", " "))

COLLECTED: dict[Collects, str] = {
    Collects.MULTA_DIARIA: "a multa diária consolidada",
    Collects.CUSTOS: "o custo da execução pela Prefeitura",
}

DEBTS: dict[Collects, str] = {
    Collects.MULTA_DIARIA: "multa diária consolidada no auto de infração",
    Collects.CUSTOS: "indenização do que a Prefeitura fez à custa do infrator, no auto de infração",
}
