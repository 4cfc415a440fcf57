"""What can go wrong with a term or a calendar: typed errors with stable codes."""

from __future__ import annotations

from legalbasis import InputError, PosturasError

MOST_SHOWN = 40


def shown(given: object) -> str:
    """What was given, short and printable, for a message: input may be huge, or hold what no terminal writes."""
    text = str(given).encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"


class InvalidTerm(InputError):
    """O prazo não está escrito como se espera."""

    code = "prazo_invalido"
    default_remedy = "Escreva um número maior que zero e a unidade: 15d (dias), 48h (horas), 2m (meses) ou 1a (anos)."


class InvalidDate(InputError):
    """A data não está escrita como se espera."""

    code = "data_invalida"
    default_remedy = "Escreva AAAA-MM-DD ou AAAA-MM-DDTHH:MM, entre 1900 e 2100."


class InvalidRange(InputError):
    """O período termina antes de começar."""

    code = "periodo_invalido"


class CalendarOutOfRange(PosturasError):
    """O dia está fora do que este calendário conhece."""

    code = "fora_do_calendario"


class CalendarDocumentInvalid(InputError):
    """O documento guardado não é um calendário."""

    code = "calendario_invalido"


class UnknownCalendar(InputError):
    """Não há calendário com esse nome."""

    code = "calendario_desconhecido"


class UnknownPlace(InputError):
    """O calendário não conhece esse lugar."""

    code = "lugar_desconhecido"


class UnknownCountingRule(InputError):
    """Não há regra de contagem com esse nome."""

    code = "contagem_desconhecida"


class InvalidCountingOption(InputError):
    """A regra de contagem não tem essa opção ou esse valor."""

    code = "opcao_de_contagem_invalida"


class UnknownLaw(InputError):
    """Não há lei codificada com esse nome."""

    code = "lei_desconhecida"


class UnknownNoticeMethod(InputError):
    """A lei não prevê esse meio de ciência."""

    code = "meio_de_ciencia_desconhecido"


class NoticeDateMissing(InputError):
    """Falta a data do evento que dá início ao prazo por esse meio de ciência."""

    code = "data_da_ciencia_ausente"


class UnknownUf(InputError):
    """Não há estado com essa sigla."""

    code = "uf_desconhecida"


class HolidayNotDocumented(PosturasError):
    """O pacote de feriados traz um dia que os nossos dados ainda não documentam."""

    code = "feriado_sem_lei"


class CalendarFileDefects(InputError):
    """O arquivo de dias tem defeitos."""

    code = "dias_com_defeitos"
