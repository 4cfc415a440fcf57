"""Typed errors of amounts, choices and memórias de cálculo, all of them errors of input."""

from __future__ import annotations

from legalbasis import InputError


class InvalidAmount(InputError):
    """O valor não é válido."""

    code = "valor_invalido"


class NotANumber(InvalidAmount):
    """O valor não é um número exato."""

    code = "valor_nao_numerico"
    default_remedy = "Escreva como texto, com ponto e até dois decimais: “212.82”."


class AmbiguousAmount(InvalidAmount):
    """O valor pode ser lido de dois modos."""

    code = "valor_ambiguo"
    default_remedy = "Escreva os centavos: “1.234,00” ou “1.23”."


class NegativeAmount(InvalidAmount):
    """O valor não pode ser negativo."""

    code = "valor_negativo"


class ZeroAmount(InvalidAmount):
    """O valor não pode ser zero."""

    code = "valor_zero"


class TooManyDecimals(InvalidAmount):
    """O valor tem decimais demais."""

    code = "decimais_demais"


class AmountTooLarge(InvalidAmount):
    """O valor passa do limite de R$ 10 trilhões."""

    code = "valor_grande_demais"


class ChoiceMissing(InputError):
    """Falta uma escolha de que a multa depende."""

    code = "escolha_faltando"


class ChoiceNotApplicable(InputError):
    """A escolha não tem efeito nesta multa."""

    code = "escolha_sem_efeito"


class PaidPartUnknown(InputError):
    """O pagamento nomeia uma parcela que não existe neste débito."""

    code = "parcela_desconhecida"


class AntecedentRepeated(InputError):
    """O mesmo auto foi dado duas vezes, com dados diferentes, entre os antecedentes."""

    code = "antecedente_repetido"


class AssessmentInconsistent(InputError):
    """A memória de cálculo não fecha."""

    code = "memoria_inconsistente"
