"""How an operation is described in the OpenAPI document: Portuguese words, its forms, and every refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from procedure.http import negotiation
from procedure.http.problems import MEDIA
from procedure.http.schemas import SCHEMAS

TITLE = "Posturas"
ABOUT = """Processos de penalidade administrativa municipal, do auto de infração à dívida ativa, como manda a lei.

As formas são as da linha de comando (`--json`). Datas em ISO 8601; valores em texto, com duas casas (`"363.00"`).
O número de um auto ou de uma inscrição vai no endereço como é, com a barra (`/autos/1/2013`) ou com `%2F`
(`/autos/1%2F2013`): os dois são o mesmo. Toda recusa é `application/problem+json`, com um `code` estável.
"""
REFUSALS = {
    400: "O pedido está mal escrito.",
    401: "Falta a chave de acesso, ou ela não vale.",
    403: "A chave não tem o papel que a operação pede.",
    404: "Não existe, ou não é do município da chave.",
    406: "O recurso não existe na forma pedida.",
    422: "A lei, ou o registro, não permite.",
    429: "Pedidos demais.",
    503: "O banco de dados está ocupado ou não responde.",
}
OF_BODY = {413: "O corpo é grande demais.", 415: "O corpo não está em uma forma aceita."}
OF_ACT = {409: "A chave de idempotência é de outro ato, ou outra gravação veio antes.", 412: "O processo mudou."}
_PROBLEM = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problema"}}}
LIMITS = {
    "RateLimit-Limit": {"description": "Quantos pedidos cabem.", "schema": {"type": "integer"}},
    "RateLimit-Remaining": {"description": "Quantos ainda cabem.", "schema": {"type": "integer"}},
    "RateLimit-Reset": {"description": "Em quantos segundos cabem todos.", "schema": {"type": "integer"}},
}


def operation(
    summary: str,
    description: str,
    returns: Mapping[str, Any],
    *,
    status: int = 200,
    told: str = "Feito.",
    refusals: Mapping[int, str] | None = None,
    headers: Mapping[str, str] | None = None,
    others: dict[int | str, Any] | None = None,
) -> dict[str, Any]:
    """What a route says of itself. ``returns``: media type → schema, or the name of one of ``SCHEMAS``."""
    answer: dict[str, Any] = {"description": told, "content": content(returns)}
    given = {name: {"description": text, "schema": {"type": "string"}} for name, text in (headers or {}).items()}
    answer["headers"] = {**LIMITS, **given}
    responses: dict[int | str, Any] = {status: answer}
    responses.update(others or {})
    for code, text in sorted({**REFUSALS, **(refusals or {})}.items()):
        responses[code] = {"description": text, "content": _PROBLEM}
    said = {"summary": summary, "description": description, "responses": responses, "status_code": status}
    return {**said, "response_class": Response}  # the plain one: FastAPI's own would name JSON first, or where none is


def content(forms: Mapping[str, Any]) -> dict[str, Any]:
    """Media types with their schemas; JSON with the schema's example."""
    return {media: {"schema": _schema(schema)} for media, schema in forms.items()}


def _schema(schema: Any) -> Any:
    return {"$ref": f"#/components/schemas/{schema}"} if isinstance(schema, str) else schema


def body(forms: Mapping[str, Any], *, example: Any = None) -> dict[str, Any]:
    """The request body of an operation (``openapi_extra``)."""
    described = content(forms)
    if example is not None:
        next(iter(described.values()))["example"] = example
    return {"requestBody": {"required": True, "content": described}}


FILE = {"type": "string", "format": "binary"}
PAGE_OF_HTML = {"type": "string"}
JSON_OR_PDF = {negotiation.PDF: FILE, negotiation.JSON: {"type": "object"}}
"""What comes unasked first: a generated client takes the first form for the answer's type."""


def document_of(app: FastAPI, version: str) -> dict[str, Any]:
    """The OpenAPI 3.1 document, made once."""
    if app.openapi_schema is None:
        made = get_openapi(title=TITLE, version=version, description=ABOUT, routes=app.routes, tags=TAGS)
        made["openapi"] = "3.1.0"
        made["info"]["license"] = {"name": "MIT", "identifier": "MIT"}
        made["servers"] = [{"url": "/", "description": "Este servidor."}]
        components = made.setdefault("components", {})
        kept = {k: v for k, v in components.get("schemas", {}).items() if "ValidationError" not in k}
        components["schemas"] = {**kept, **SCHEMAS}
        app.openapi_schema = made
    return app.openapi_schema


TAGS = [
    {"name": "autos", "description": "Os processos, do auto à extinção, e os atos que os movem."},
    {"name": "dívida ativa", "description": "O registro das inscrições e os seus papéis."},
    {"name": "repartição", "description": "Prazos, agenda, painel, eventos, varreduras e conferência do município."},
    {"name": "lei", "description": "O que a lei responde sem processo: prazos, multas, leis codificadas, calendário."},
    {"name": "servidor", "description": "Saúde e medidas do servidor."},
]
