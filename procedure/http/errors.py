"""What only the HTTP interface refuses: keys, roles, forms of a request. Each knows its status."""

from __future__ import annotations

from typing import ClassVar

from legalbasis import PosturasError


class HttpError(PosturasError):
    """O pedido não pode ser atendido."""

    code = "pedido_recusado"
    status: ClassVar[int] = 400
    headers: ClassVar[dict[str, str]] = {}


class KeyRequired(HttpError):
    """Falta a chave de acesso, ou ela não vale."""

    code = "chave_de_acesso_invalida"
    default_remedy = "Mande o cabeçalho Authorization: Bearer psk_…, com uma chave feita por posturas key create."
    status = 401
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": 'Bearer realm="posturas"'}


class RoleNotAllowed(HttpError):
    """A chave não tem o papel que esta operação pede."""

    code = "papel_nao_autorizado"
    default_remedy = "Peça uma chave com este papel: posturas key create --role PAPEL."
    status = 403


class NothingHere(HttpError):
    """Não há aqui o que foi pedido."""

    code = "nao_encontrado"
    default_remedy = "Confira o endereço, e se a chave é do município."
    status = 404


class MethodNotAllowed(HttpError):
    """Este recurso não aceita este método."""

    code = "metodo_nao_permitido"
    status = 405


class NotAcceptable(HttpError):
    """O recurso não existe na forma pedida."""

    code = "forma_nao_disponivel"
    status = 406


class VersionMismatch(HttpError):
    """O processo já não está na versão que o pedido diz."""

    code = "versao_divergente"
    default_remedy = "Leia o processo de novo, confira o que mudou e repita o ato com o ETag de agora."
    status = 412


class BodyTooLarge(HttpError):
    """O corpo do pedido é grande demais."""

    code = "corpo_grande_demais"
    status = 413


class BodyTypeNotTaken(HttpError):
    """O corpo do pedido não está em uma forma aceita."""

    code = "tipo_do_corpo_nao_aceito"
    status = 415


class BodyNotJson(HttpError):
    """O corpo do pedido não é um objeto JSON em UTF-8."""

    code = "corpo_invalido"
    default_remedy = "Mande um objeto JSON, em UTF-8, sem NaN e sem nomes repetidos."
    status = 400


class ParameterInvalid(HttpError):
    """Um parâmetro do pedido não é válido."""

    code = "parametro_invalido"
    status = 400


class ParameterUnknown(HttpError):
    """Este recurso não tem este parâmetro."""

    code = "parametro_desconhecido"
    status = 400


class CursorInvalid(HttpError):
    """O cursor não é um dos que o servidor deu."""

    code = "cursor_invalido"
    default_remedy = "Comece sem cursor, e siga com o “next” de cada página."
    status = 400


class FutureSweep(HttpError):
    """A varredura não pode concluir prazos que ainda correm."""

    code = "varredura_no_futuro"
    default_remedy = "Diga um momento já passado; para só ver, mande dry_run."
    status = 422


class TooManyRequests(HttpError):
    """A chave fez pedidos demais."""

    code = "pedidos_demais"
    default_remedy = "Espere o que diz o cabeçalho Retry-After e repita."
    status = 429
