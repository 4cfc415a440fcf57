"""What can be wrong with a file of acts as a whole, and with one of its lines."""

from __future__ import annotations

from legalbasis import InputError


class FileUnreadable(InputError):
    """O arquivo não pode ser lido."""

    code = "arquivo_ilegivel"
    default_remedy = "Confira o nome do arquivo e a permissão de leitura."


class WrongEncoding(InputError):
    """O arquivo não está na codificação esperada."""

    code = "codificacao_errada"


class UnknownEncoding(InputError):
    """Esta codificação não é aceita."""

    code = "codificacao_desconhecida"
    default_remedy = "São aceitas utf-8 (a padrão), latin-1 e cp1252."


class UnknownHeader(InputError):
    """O cabeçalho do CSV tem colunas que nenhum ato tem."""

    code = "cabecalho_desconhecido"


class RepeatedColumn(InputError):
    """O cabeçalho do CSV repete uma coluna."""

    code = "coluna_repetida"
    default_remedy = "Deixe cada coluna uma só vez."


class LineTooLong(InputError):
    """A linha é longa demais."""

    code = "linha_longa"
    default_remedy = "Cada linha é um só ato, com até 1 MiB."


class LineEncoding(InputError):
    """A linha tem bytes que não são da codificação do arquivo."""

    code = "codificacao_da_linha"


class NotJson(InputError):
    """A linha não é um objeto JSON inteiro."""

    code = "json_invalido"
    default_remedy = 'Cada linha é um objeto: {"municipality": …}. Se for a última, o arquivo pode ter sido cortado.'


class RepeatedName(InputError):
    """O objeto repete um campo."""

    code = "campo_repetido"
    default_remedy = "Deixe cada campo uma só vez."


class RaggedRow(InputError):
    """A linha do CSV não tem as colunas do cabeçalho."""

    code = "linha_irregular"
    default_remedy = "Confira separadores e aspas; se for a última linha, o arquivo pode ter sido cortado."


class OpenQuote(InputError):
    """A linha do CSV abre aspas e não fecha."""

    code = "aspas_abertas"
    default_remedy = "Feche as aspas; aspas dentro de um campo se escrevem dobradas."


class OtherMunicipality(InputError):
    """O ato é de outro município que não o pedido."""

    code = "municipio_divergente"
    default_remedy = "Tire --municipality, ou separe os atos de cada município."


class KeyWithOtherContent(InputError):
    """A chave já é de outro ato, com outro conteúdo."""

    code = "chave_com_outro_conteudo"
    default_remedy = "A mesma chave é o mesmo ato: use outra chave para outro ato."


class Held(InputError):
    """A linha ficou retida atrás de outra do mesmo auto que foi rejeitada."""

    code = "retida"
    default_remedy = "Corrija a outra e envie as duas de novo."
