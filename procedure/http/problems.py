"""Every refusal as ``application/problem+json`` (RFC 9457), with the stable code of its error; never a traceback."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from calendars.errors import CalendarOutOfRange
from legalbasis import ErrorGroup, InputError, PosturasError
from procedure.domain.errors import UnknownAuto
from procedure.http.errors import (
    HttpError,
    MethodNotAllowed,
    NothingHere,
    ParameterInvalid,
)
from procedure.services.documenting.errors import CodeNotRecognised, NothingToPrint
from procedure.services.importing.errors import KeyWithOtherContent
from procedure.services.register import UnknownInscription
from procedure.store import errors as store

MEDIA = "application/problem+json"
LOG = logging.getLogger("posturas.http")
NOT_FOUND = (UnknownAuto, UnknownInscription, CodeNotRecognised, NothingToPrint, store.PersonNotFound)
CONFLICT = (
    store.StaleCase, store.KeyAlreadyUsed, store.ExpiryAlreadyRecorded, store.InscriptionConflict, KeyWithOtherContent,
)  # fmt: skip
BUSY_SECONDS = "1"


def status_of(error: PosturasError) -> int:
    """The status of an error: by what the client can do about it."""
    if isinstance(error, HttpError):
        return error.status
    if isinstance(error, NOT_FOUND):
        return 404
    if isinstance(error, CONFLICT) or error.error_code == "chave_de_outro_auto":
        return 409
    if isinstance(error, store.TextNotStorable):
        return 400
    if isinstance(error, store.StoreError):
        return 503
    if isinstance(error, ErrorGroup):
        return max((status_of(each) for each in error.errors), default=400)
    return 400 if isinstance(error, InputError | CalendarOutOfRange) else 422


def document(error: PosturasError, status: int) -> dict[str, Any]:
    """The object of a refusal."""
    said = error.to_dict()
    found: dict[str, Any] = {
        "type": f"urn:posturas:erro:{error.error_code}",
        "title": (type(error).__doc__ or "").strip().splitlines()[0],
        "status": status,
        "detail": error.message,
        "code": error.error_code,
        "place": said["place"],
        "remedy": said["remedy"],
        "field": error.field,
    }
    if isinstance(error, ErrorGroup):
        found["errors"] = [_inner(each) for each in error.errors]
    return found


def _inner(error: PosturasError) -> dict[str, Any]:
    return {**{k: v for k, v in error.to_dict().items() if k != "class"}, "field": error.field}


def encode(content: Any) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which UTF-8 does not write, escaped."""
    try:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except UnicodeEncodeError:
        return json.dumps(content, separators=(",", ":"), allow_nan=False).encode()


def respond(error: PosturasError, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a request that was refused."""
    status = status_of(error)
    told = {"Cache-Control": "no-store", **(error.headers if isinstance(error, HttpError) else {}), **(headers or {})}
    if status == 503:
        told["Retry-After"] = BUSY_SECONDS
    return Response(encode(document(error, status)), status, headers=told, media_type=MEDIA)


class ServerFault(PosturasError):
    """Erro interno: o servidor não previu esta situação."""

    code = "erro_interno_do_servidor"
    default_remedy = "Nada foi gravado por este pedido. Guarde o cabeçalho X-Request-ID e procure-o no log."


def respond_fault(failure: BaseException, request_id: str) -> Response:
    """The answer where the server failed; the log has where, and no text of the error: it may hold personal data."""
    LOG.error("fault %s %s at %s", request_id, type(failure).__name__, " < ".join(_places(failure)))
    fault = ServerFault()
    return Response(encode(document(fault, 500)), 500, headers={"Cache-Control": "no-store"}, media_type=MEDIA)


def _places(failure: BaseException) -> Iterator[str]:
    trace, places = failure.__traceback__, list[str]()
    while trace is not None:
        places.append(f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
        trace = trace.tb_next
    yield from reversed(places[-6:])


def install(app: FastAPI) -> None:
    """Make the application answer every refusal in this form."""

    async def _typed(_request: Request, error: Exception) -> Response:
        assert isinstance(error, PosturasError)
        return respond(error)

    async def _invalid(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return respond(_parameters(error))

    async def _plain(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        typed: HttpError = MethodNotAllowed() if error.status_code == 405 else NothingHere()
        if error.status_code not in (404, 405):
            typed = HttpError()
        return respond(typed, error.headers)

    app.add_exception_handler(PosturasError, _typed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)


_SAID = {
    "missing": "falta este parâmetro",
    "int_parsing": "deve ser número inteiro",
    "bool_parsing": "deve ser true ou false",
    "enum": "não é um dos valores aceitos",
    "literal_error": "não é um dos valores aceitos",
    "string_pattern_mismatch": "não está escrito como se espera",
    "string_too_long": "é longo demais",
    "string_too_short": "é curto demais",
    "greater_than_equal": "é pequeno demais",
    "less_than_equal": "é grande demais",
}


def _parameters(error: RequestValidationError) -> PosturasError:
    found = [_parameter(item) for item in error.errors()]
    return found[0] if len(found) == 1 else ErrorGroup(found)


def _parameter(item: Mapping[str, Any]) -> PosturasError:
    name = ".".join(str(part) for part in item["loc"][1:])
    accepted = re.findall(r"'([^']+)'", str(item.get("ctx", {}).get("expected", "")))
    remedy = f"Há: {', '.join(accepted)}." if accepted else None
    return ParameterInvalid(f"{name}: {_SAID.get(item['type'], 'não é válido')}.", field=name, remedy=remedy)
