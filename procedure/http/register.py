"""``/v1/municipalities/{ibge}/divida-ativa`` and ``/certidoes``: the register and its papers."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from procedure.domain import taxpayer
from procedure.domain.document_kinds import DocumentKind
from procedure.http import negotiation
from procedure.http.answering import answer
from procedure.http.asking import InOffice, Office, day_of
from procedure.http.cases import AsOf, Cursor, Day, KnownAt, Limit, Unmask, deliver, issue_day
from procedure.http.cursors import decode_cursor, encode_cursor
from procedure.http.describing import JSON_OR_PDF, operation
from procedure.services.as_of import Position, looking_back
from procedure.services.documenting.building import paper_of_inscription
from procedure.services.documenting.casefile import Request as Asked
from procedure.services.documenting.certificates import clearance
from procedure.services.documenting.verification import verify_code
from procedure.services.register import UnknownInscription, list_inscriptions, page_of_inscriptions
from procedure.services.register_showing import show_inscription
from procedure.store.registered import inscriptions_of_person

router = APIRouter(prefix="/v1/municipalities/{ibge}", tags=["dívida ativa"])
_NUMBER = re.compile(r"[0-9]{1,9}/[0-9]{4}")
Number = Annotated[
    str,
    Path(min_length=1, max_length=20, description="O número da inscrição: 1/2013.", examples=["1/2013"]),
]


@router.get(
    "/divida-ativa",
    **operation(
        "Lista as inscrições",
        "Pela ordem do número, em páginas que novas inscrições não deslocam. O CPF vem mascarado, salvo com `unmask`.",
        {negotiation.JSON: "PaginaDeInscricoes"},
    ),
)
def list_register(
    office: InOffice,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    unmask: Unmask = False,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response:
    """A page of the register."""
    office.form(negotiation.JSON)
    if unmask:
        office.require_unmask()
    after = decode_cursor(cursor, "inscricoes", int, int) if cursor else (0, 0)
    place, position = (int(after[0]), int(after[1])), office.position(as_of, known_at)
    with office.service.reading() as archive:
        if position == Position():
            lines = page_of_inscriptions(archive, office.municipality, after=place, limit=limit, unmask=unmask)
        else:
            whole = list_inscriptions(looking_back(archive, position), office.municipality, unmask=unmask)
            lines = [line for line in whole if _place(line["number"]) > place][:limit]
    if lines:
        office.note("lista_de_inscricoes", f"{lines[0]['number']}…{lines[-1]['number']}")
    following = encode_cursor("inscricoes", *_place(lines[-1]["number"])) if len(lines) == limit else None
    return answer({"items": lines, "next": following})


def _place(number: str) -> tuple[int, int]:
    count, _, year = number.partition("/")
    return int(year), int(count)


@router.get(
    "/divida-ativa/codes/{code:path}",
    **operation(
        "Confere o código de uma certidão",
        "O que o registro diz hoje da inscrição, sem os dados das pessoas; 404 onde o código não confere.",
        {negotiation.JSON: {"type": "object", "required": ["valid"], "properties": {"valid": {"type": "boolean"}}}},
    ),
)
def check_code(
    office: InOffice, code: Annotated[str, Path(max_length=60, description="O código impresso na certidão.")]
) -> Response:
    """Whether a certidão is of this register."""
    office.form(negotiation.JSON)
    with office.service.reading() as archive:
        found = verify_code(archive, office.municipality, code)
    said = {name: found[name] for name in ("number", "date", "livro", "folha", "auto", "status", "total", "paid")}
    return answer({"valid": True, **said})


def _paper(office: Office, number: str, kind: DocumentKind, issued: str | None) -> Response:
    form = office.form(negotiation.PDF, negotiation.JSON)
    office.require_unmask()
    asked = Asked(issue_day(office, issued))
    with office.service.reading() as archive:
        paper = paper_of_inscription(archive, office.municipality, _known_form(number), kind, asked)
    office.note(f"documento:{kind.value}", number)
    return deliver(paper, form, f"{kind.value}-{number}")


def _known_form(number: str) -> str:
    if not _NUMBER.fullmatch(number):
        raise UnknownInscription(f"não existe a inscrição {number[:40]}.", field="inscription")
    return number


@router.get(
    "/divida-ativa/{number:path}/termo",
    **operation(
        "Imprime o Termo de Inscrição",
        "Em PDF/A, ou em JSON. Traz os dados inteiros das pessoas; a leitura fica registrada.",
        JSON_OR_PDF,
    ),
)
def print_termo(office: InOffice, number: Number, issued: Day = None) -> Response:
    """The Termo."""
    return _paper(office, number, DocumentKind.TERMO_INSCRICAO, issued)


@router.get(
    "/divida-ativa/{number:path}/cda",
    **operation(
        "Imprime a Certidão de Dívida Ativa",
        "Em PDF/A, ou em JSON. Só de inscrição autenticada e em aberto; a leitura fica registrada.",
        JSON_OR_PDF,
    ),
)
def print_cda(office: InOffice, number: Number, issued: Day = None) -> Response:
    """The CDA."""
    return _paper(office, number, DocumentKind.CDA, issued)


@router.get(
    "/divida-ativa/{number:path}",
    **operation(
        "Mostra uma inscrição",
        "O Termo e o que veio depois; com `on`, o valor nesse dia. Traz os dados inteiros das pessoas: a chave "
        "precisa do papel para isso, e a leitura fica registrada.",
        {negotiation.JSON: "Termo"},
    ),
)
def show_number(office: InOffice, number: Number, on: Day = None) -> Response:
    """The inscription."""
    office.form(negotiation.JSON)
    office.require_unmask()
    with office.service.reading() as archive:
        found = show_inscription(archive, office.municipality, _known_form(number), day_of(on, "on"))
    office.note("inscricao", number)
    return answer(found)


@router.get(
    "/certidoes",
    **operation(
        "Imprime a certidão negativa, ou positiva, de uma pessoa",
        "Em PDF/A, ou em JSON, pelo CPF ou CNPJ. A leitura fica registrada, sem o documento.",
        JSON_OR_PDF,
    ),
)
def print_clearance(
    office: InOffice,
    doc: Annotated[str, Query(min_length=1, max_length=30, description="O CPF ou o CNPJ.")],
    name: Annotated[str | None, Query(max_length=200, description="O nome, onde não há inscrição que o diga.")] = None,
    issued: Day = None,
) -> Response:
    """The clearance certificate of a person."""
    form = office.form(negotiation.PDF, negotiation.JSON)
    office.require_unmask()
    plain = taxpayer.normalise(doc)
    with office.service.reading() as archive:
        rows = inscriptions_of_person(archive, office.municipality, plain)
        asked = Asked(issue_day(office, issued))
        paper = clearance(archive, office.municipality, plain, rows, asked, name)
    office.note("certidao", "")
    return deliver(paper, form, "certidao")
