"""The refusals of the procedure: each says what cannot be done, by which article, and what to do."""

from __future__ import annotations

from legalbasis import PosturasError


class CompetenceError(PosturasError):
    """Quem praticou o ato não tem competência para ele."""

    code = "sem_competencia"


class JudgeImpeded(PosturasError):
    """Quem lavrou o auto não pode julgá-lo."""

    code = "julgador_impedido"


class MissingContent(PosturasError):
    """A peça não contém o que a lei exige."""

    code = "elemento_ausente"


class MissingWitnesses(MissingContent):
    """Sem a assinatura do autuado, o auto exige duas testemunhas."""

    code = "testemunhas_insuficientes"


class IncompleteNotice(PosturasError):
    """A ciência não tem o que a lei exige para valer."""

    code = "ciencia_incompleta"


class NoticeNotSigned(IncompleteNotice):
    """A recusa de assinar não é ciência."""

    code = "ciencia_sem_assinatura"


class PriorNoticeMissing(PosturasError):
    """Não houve notificação preliminar com prazo já encerrado, nem se declarou perigo iminente."""

    code = "notificacao_previa_ausente"


class PriorNoticeRunning(PosturasError):
    """O prazo da notificação preliminar ainda corre."""

    code = "notificacao_previa_em_curso"


class NoticeTermTooLong(PosturasError):
    """O prazo da notificação passa do máximo da lei."""

    code = "prazo_da_notificacao_excedido"


class NoticeTermTooShort(PosturasError):
    """O prazo da notificação é menor que o da lei."""

    code = "prazo_da_notificacao_insuficiente"


class ActOutOfOrder(PosturasError):
    """O ato é anterior ao ato a que responde."""

    code = "fora_de_ordem"


class ActInFuture(PosturasError):
    """O ato tem data posterior ao instante em que foi lançado."""

    code = "ato_no_futuro"


class WouldUndo(PosturasError):
    """O ato desfaria outros que já produziram efeito."""

    code = "desfaria_atos"


class DuplicateAuto(PosturasError):
    """Já existe auto com este número."""

    code = "auto_repetido"


class UnknownAuto(PosturasError):
    """Não existe auto com este número."""

    code = "auto_desconhecido"


class LawMismatch(PosturasError):
    """O ato cita outra lei que não a do auto."""

    code = "lei_divergente"


class WorseOnAppeal(PosturasError):
    """A segunda instância não pode agravar a multa sem ouvir quem recorreu."""

    code = "reforma_para_pior"


class TimelinessUndecided(PosturasError):
    """Há petição de tempestividade controvertida a decidir."""

    code = "tempestividade_a_decidir"


class DecisionNotNotified(PosturasError):
    """A decisão de segunda instância ainda não teve ciência."""

    code = "decisao_sem_ciencia"


class SwitchNeeded(PosturasError):
    """Este caminho só existe sob outra leitura da lei."""

    code = "leitura_nao_adotada"


class SecondPersonRequired(PosturasError):
    """O ato exige uma segunda pessoa, diferente de quem o pratica."""

    code = "segunda_pessoa"


class GroundNotAllowed(PosturasError):
    """O fundamento não está na lista fechada dos que a lei admite."""

    code = "fundamento_nao_admitido"


class DebtorChanged(PosturasError):
    """O saneamento completa os dados do devedor; não o troca por outra pessoa."""

    code = "devedor_trocado"
    default_remedy = "Se o auto é contra a pessoa errada, anule-o."


class AnotherInscription(PosturasError):
    """O ato cita inscrição que não é a do auto."""

    code = "inscricao_de_outro_auto"
    default_remedy = "Um ato para cada auto, com o número da sua inscrição, ou sem número."


class NothingToReturn(PosturasError):
    """O valor a restituir é maior que o crédito."""

    code = "sem_credito"


class UndoNotAvailable(PosturasError):
    """Só o auto inteiro pode ser anulado por enquanto."""

    code = "anulacao_nao_disponivel"


class NotRatified(PosturasError):
    """O auto lavrado por cidadão ainda não foi ratificado por um fiscal."""

    code = "auto_nao_ratificado"


class NoFine(PosturasError):
    """Não há multa fixada neste processo."""

    code = "sem_multa"


class UnitDayUnknown(PosturasError):
    """O dia de que se toma o valor da unidade ainda não chegou."""

    code = "dia_da_unidade_por_vir"


class DefencePending(PosturasError):
    """Há defesa ou recurso pendente."""

    code = "defesa_pendente"


class NotPerishable(PosturasError):
    """Só se doam coisas perecíveis."""

    code = "nao_perecivel"


class IncompleteGoods(PosturasError):
    """Falta o que a lei exige para dar destino às coisas apreendidas."""

    code = "destino_incompleto"


class NotDecided(PosturasError):
    """Não há decisão que sustente este ato."""

    code = "sem_decisao"


class NothingToCollect(PosturasError):
    """Nada há a cobrar do auto de origem."""

    code = "nada_a_cobrar"
    default_remedy = "Consolide antes os dias da multa diária, ou lance antes a execução com o seu custo."


class CollectsAsConsolidated(PosturasError):
    """O auto que cobra toma o fato e o valor do auto de origem: não os diz de novo."""

    code = "cobranca_nao_fixa_valor"
    default_remedy = "Deixe de fora fact, infractions e o que mede a multa."


class AnotherDebtor(PosturasError):
    """A cobrança é de quem deve no auto de origem."""

    code = "cobranca_de_outra_pessoa"


class CollectionStands(PosturasError):
    """Outro auto cobra o que este deixou devido."""

    code = "cobranca_em_pe"


class DailyFineRunning(PosturasError):
    """Já corre uma multa diária neste processo."""

    code = "multa_diaria_em_curso"


class NoDailyFine(PosturasError):
    """Não há multa diária imposta neste processo."""

    code = "sem_multa_diaria"


class NotAnEstablishment(PosturasError):
    """O ato só cabe no processo do estabelecimento, aberto por notificação."""

    code = "so_de_estabelecimento"


class LinkedAutoUnknown(PosturasError):
    """Não existe o auto a que este se liga."""

    code = "auto_ligado_desconhecido"
    default_remedy = "Corrija linked_auto, ou lance antes a notificação daquele auto."


class LinkedAutoFell(PosturasError):
    """O auto a que este se liga caiu antes."""

    code = "auto_ligado_caiu"
    default_remedy = "Corrija linked_auto: sem aquele auto, este não tem o que cobrar."


class CopyNotSent(PosturasError):
    """A cópia da notificação não foi a quem se autua."""

    code = "copia_a_outra_pessoa"
    default_remedy = "Corrija linked_auto ou infrator: a notificação diz em copy_to a quem foi a cópia."


class CopyNotServed(PosturasError):
    """A cópia da notificação não tinha ciência no dia do fato."""

    code = "copia_sem_ciencia"
    default_remedy = 'Lance antes, no auto do estabelecimento, a ciencia com to = "copia"; ou corrija o dia do fato.'


class NotCured(PosturasError):
    """As irregularidades ainda não foram sanadas, nem o auto caiu."""

    code = "nao_sanado"


class LicenceNotCancelled(PosturasError):
    """Na reincidência a lei determina a cassação da licença, e a decisão não a pronuncia."""

    code = "cassacao_omitida"
    default_remedy = 'Diga na decisão license = "cassacao".'


class CassationWithoutRecidivism(PosturasError):
    """A cassação exige reincidência: nenhum caso anterior se tornou definitivo antes do fato."""

    code = "cassacao_sem_reincidencia"
