"""``/v1/municipalities/{ibge}/autos``: the cases, as they are or were, and their papers."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from procedure.documents.typesetting import Typesetter
from procedure.domain.document_kinds import DocumentKind
from procedure.domain.vocabulary import State
from procedure.http import negotiation
from procedure.http.answering import answer, page, pdf
from procedure.http.asking import InOffice, Office, day_of
from procedure.http.cursors import decode_cursor, encode_cursor
from procedure.http.describing import FILE, JSON_OR_PDF, PAGE_OF_HTML, operation
from procedure.http.errors import ParameterInvalid
from procedure.services.as_of import Position, looking_back
from procedure.services.documenting.building import KINDS_OF_CASE, paper_of_case
from procedure.services.documenting.casefile import Request as Asked
from procedure.services.documenting.papers import Paper
from procedure.services.documenting.pieces import to_json
from procedure.services.listing import Filter, page_of_lines
from procedure.services.showing import show_case
from procedure.services.timeline import timeline as timeline_of

router = APIRouter(prefix="/v1/municipalities/{ibge}", tags=["autos"])
MOST = 500
DAYS = 3_660

Auto = Annotated[
    str,
    Path(
        min_length=1,
        max_length=60,
        description="O número do auto como foi lavrado, com a barra: 1/2013, A-15/2024.",
        examples=["1/2013"],
    ),
]
Unmask = Annotated[bool, Query(description="Mostra o CPF inteiro; a chave precisa do papel para isso.")]
AsOf = Annotated[
    str | None, Query(max_length=40, description="Como estava em direito nesta data.", examples=["2013-03-20"])
]
KnownAt = Annotated[str | None, Query(max_length=40, description="Só o que estava lançado até este momento.")]
Cursor = Annotated[str | None, Query(max_length=600, description="O `next` da página anterior.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="Quantos por página.")]
Day = Annotated[str | None, Query(max_length=40, description="AAAA-MM-DD.")]


@router.get(
    "/autos",
    **operation(
        "Lista os autos",
        "Pela ordem do número, em páginas que novos autos não deslocam. O CPF vem mascarado, salvo com `unmask`.",
        {negotiation.JSON: "PaginaDeAutos"},
    ),
)
def list_autos(
    office: InOffice,
    *,
    state: Annotated[list[State] | None, Query(description="Só nestes estados (pode repetir).")] = None,
    due_until: Annotated[str | None, Query(max_length=40, description="Com prazo a vencer até esta data.")] = None,
    due_within: Annotated[
        int | None, Query(ge=0, le=DAYS, description="Com prazo a vencer nos próximos dias, desde as_of ou hoje.")
    ] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    pending: Annotated[str | None, Query(max_length=60, description="Só os que esperam isto.")] = None,
    unmask: Unmask = False,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response:
    """A page of the list."""
    office.form(negotiation.JSON)
    if unmask:
        office.require_unmask()
    chosen = _filter(office, state, due_until, due_within, as_of)
    after = decode_cursor(cursor, "autos", str)[0] if cursor else ""
    with office.service.reading() as archive:
        repo = looking_back(archive, office.position(as_of, known_at))
        lines, last = page_of_lines(
            repo, office.municipality, chosen, after=after, limit=limit, unmask=unmask, pending=pending
        )
    if lines:
        office.note("lista_de_autos", f"{lines[0]['auto']}…{lines[-1]['auto']}")
    return answer({"items": lines, "next": encode_cursor("autos", last) if last else None})


def _filter(
    office: Office, states: list[State] | None, due_until: str | None, due_within: int | None, as_of: str | None
) -> Filter:
    wanted = tuple(state.value for state in states or ())
    if due_until is not None and due_within is not None:
        raise ParameterInvalid("diga due_until ou due_within, não os dois.", field="due_until")
    start = day_of(as_of, "as_of")
    if due_until is not None:
        return Filter(wanted, start, day_of(due_until, "due_until"))
    if due_within is not None:
        first = start or office.service.today(office.municipality)
        return Filter(wanted, first, first + timedelta(days=due_within))
    return Filter(wanted)


@router.get(
    "/autos/{auto:path}/timeline",
    **operation(
        "Conta o processo dia a dia",
        "Em JSON, ou como página (`Accept: text/html`). O CPF vem mascarado.",
        {negotiation.JSON: "LinhaDoTempo", negotiation.HTML: PAGE_OF_HTML},
    ),
)
def show_timeline(office: InOffice, auto: Auto) -> Response:
    """The case day by day."""
    form = office.form(negotiation.JSON, negotiation.HTML)
    with office.service.reading() as archive:
        doc = timeline_of(archive, office.municipality, auto)
    office.note("linha_do_tempo", auto)
    if form == negotiation.HTML:
        from procedure.pages.timeline_page import timeline_page

        return page(timeline_page(doc))
    return answer(doc)


@router.get(
    "/autos/{auto:path}/documents/{kind}",
    **operation(
        "Imprime um documento do processo",
        "Em PDF/A, ou em JSON o mesmo objeto que o PDF imprime. Traz os dados inteiros das pessoas: a chave precisa "
        "do papel para isso, e a leitura fica registrada. 404 onde o processo ainda não chegou ao documento.",
        JSON_OR_PDF | {negotiation.PDF: FILE},
    ),
)
def show_document(
    office: InOffice,
    auto: Auto,
    *,
    kind: Annotated[
        Literal[tuple(kind.value for kind in KINDS_OF_CASE)],  # type: ignore[valid-type]  # the words are data
        Path(description="O documento, como auto_de_infracao ou decisao."),
    ],
    issued: Day = None,
    seq: Annotated[int | None, Query(ge=1, le=999_999_999, description="O número do ato, onde há vários.")] = None,
    prazo: Annotated[str | None, Query(max_length=60, description="Só o prazo deste tipo.")] = None,
    about: Annotated[str | None, Query(max_length=60, description="Do que o edital dá ciência.")] = None,
    due: Day = None,
    payment_code: Annotated[str | None, Query(max_length=200, description="A linha digitável da guia.")] = None,
    pix: Annotated[str | None, Query(max_length=600, description="O PIX copia e cola da guia.")] = None,
    depositary: Annotated[str | None, Query(max_length=200, description="O depositário das coisas.")] = None,
) -> Response:
    """A paper of the case."""
    form = office.form(negotiation.PDF, negotiation.JSON)
    office.require_unmask()
    asked = Asked(
        issued_on=issue_day(office, issued),
        seq=seq,
        term=prazo,
        about=about,
        payment_code=payment_code,
        pix=pix,
        due=day_of(due, "due"),
        depositary=depositary,
    )
    with office.service.reading() as archive:
        paper = paper_of_case(archive, office.municipality, auto, DocumentKind(kind), asked)
    office.note(f"documento:{kind}", auto)
    return deliver(paper, form, f"{kind}-{auto}")


def issue_day(office: Office, text: str | None) -> date:
    """The day printed on what is issued now: the one asked for, else today where the municipality is."""
    return day_of(text, "issued") or office.service.today(office.municipality)


def deliver(paper: Paper, form: str, name: str) -> Response:
    """The paper in the form that was asked for."""
    if form == negotiation.JSON:
        return answer(to_json(paper))
    with Typesetter() as typesetter:
        return pdf(typesetter.pdf(paper), name.replace("/", "-"))


@router.get(
    "/autos/{auto:path}",
    **operation(
        "Mostra um processo",
        "O ETag é a versão do processo: mande-o em If-Match ao registrar um ato sobre o que foi lido.",
        {negotiation.JSON: "Processo"},
        headers={"ETag": "A versão do processo; falta em as_of e known_at."},
    ),
)
def show_auto(
    office: InOffice,
    auto: Auto,
    history: Annotated[bool, Query(description="Também os prazos desfeitos ou substituídos.")] = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    unmask: Unmask = False,
) -> Response:
    """The case."""
    office.form(negotiation.JSON)
    if unmask:
        office.require_unmask()
    position = office.position(as_of, known_at)
    with office.service.reading() as archive:
        repo = looking_back(archive, position)
        doc: dict[str, Any] = show_case(repo, office.municipality, auto, history=history, unmask=unmask)
        version = archive.load(office.municipality, [auto], lock=False)[auto].version
    doc.update(as_of=as_of, known_at=known_at)
    office.note("auto", auto)
    return answer(doc, headers={"ETag": etag(version)} if position == Position() else None)


def etag(version: int) -> str:
    """The strong tag of a case's version."""
    return f'"{version}"'
