"""The refusals of the register of dívida ativa: what an inscription does not admit, and what to do."""

from __future__ import annotations

from legalbasis import PosturasError


class NotInscribed(PosturasError):
    """O ato é da dívida ativa, e não há inscrição em cobrança neste processo."""

    code = "sem_inscricao_em_cobranca"


class AuthorityMissing(PosturasError):
    """Falta a autoridade da dívida ativa, o cargo ou o ato que a designou."""

    code = "autoridade_ausente"
    default_remedy = (
        "Informe os três com posturas rulebook option set: divida_ativa.authority, divida_ativa.office e "
        "divida_ativa.act."
    )


class AlreadyAuthenticated(PosturasError):
    """A inscrição já foi autenticada."""

    code = "inscricao_ja_autenticada"


class NotAuthenticated(PosturasError):
    """A inscrição ainda não foi autenticada: sem isso não há certidão."""

    code = "inscricao_nao_autenticada"
    default_remedy = "A autoridade da dívida ativa a autentica: ato autenticacao, com o número da inscrição."


class NothingOpen(PosturasError):
    """Nada resta a cobrar desta inscrição."""

    code = "nada_em_aberto"


class BalanceOpen(PosturasError):
    """Ainda há saldo em aberto: a quitação atesta o pagamento, não o dispensa."""

    code = "saldo_em_aberto"
    default_remedy = "Lance antes os pagamentos; se a lei remitiu o resto, cancele com ground = remissao_legal."


class AlreadyProtested(PosturasError):
    """A certidão já está protestada."""

    code = "ja_protestada"


class NotProtested(PosturasError):
    """Não há protesto a retirar."""

    code = "sem_protesto_em_pe"


class DebtorSubstitution(PosturasError):
    """A certidão não se substitui para trocar o devedor (Súmula 392 do STJ)."""

    code = "substituicao_do_devedor"
    default_remedy = "Cancele a inscrição com ground = erro_de_pessoa e autue a pessoa certa."


class LegalBasisSubstitution(PosturasError):
    """A certidão não se substitui para trocar o fundamento legal (Tema 1350 do STJ)."""

    code = "substituicao_do_fundamento"
    default_remedy = "O erro no artigo da infração ou da penalidade é do próprio lançamento: cancele a inscrição."


class SubstitutionTooLate(PosturasError):
    """A certidão só se substitui até a decisão de primeira instância na execução (Lei 6.830/1980, art. 2º, § 8º)."""

    code = "substituicao_tardia"


class JudgmentNotTold(PosturasError):
    """Com a execução ajuizada, a substituição deve dizer se já houve decisão de primeira instância."""

    code = "sentenca_nao_informada"
    default_remedy = 'Diga judgment = "nao_proferida", ou a data da decisão.'


class NothingToMend(PosturasError):
    """A substituição não diz o que corrige."""

    code = "substituicao_sem_correcao"
    default_remedy = "Diga infrator (o mesmo, com o nome ou o endereço certo), processo, ou a correção em description."
