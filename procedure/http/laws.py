"""What the law answers without a case: ``/v1/prazos``, ``/v1/multas``, ``/v1/rulebooks``, ``/v1/calendars``."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import Response

from calendars.days import Fact
from calendars.laws import LawCounting, law_counting
from calendars.notice import METHODS
from calendars.shipped import calendar_of_municipality, load_calendar
from calendars.term import Term, parse_day, parse_start
from calendars.under_law import count_under_law
from legalbasis import InputError
from penalties.errors import NotANumber
from penalties.money import check_rate, parse_quantity
from procedure.domain.field_checks import InvalidField, MissingField, UnknownField
from procedure.domain.rulebooks import known_laws, rulebook_of
from procedure.http import negotiation
from procedure.http.answering import NO_STORE, answer
from procedure.http.asking import Asked, Municipality, Quick
from procedure.http.bodies import JSON_TYPES, json_body, line_body, parse_object, read_body
from procedure.http.describing import OF_BODY, body, operation
from procedure.http.errors import NothingHere
from procedure.http.examples import EXAMPLES
from procedure.http.problems import encode
from procedure.services.calendar_document import require_year, year_document
from procedure.services.fine_document import fine_document
from procedure.services.fining import Question, assess_fine
from procedure.services.law_document import law_document, law_row, provision_document
from procedure.services.term_batch import MAX_LINE, TermBatch
from procedure.services.term_document import term_document

router = APIRouter(prefix="/v1", tags=["lei"])
_TERM_FIELDS = {"law": True, "start": True, "term": True, "method": False}
_FINE_FIELDS = {
    "law": True, "article": True, "fact_date": True, "grau": False, "quantidade": False, "unit_value": False,
    "unit_day": False, "penalty_article": False, "subject": False,
}  # fmt: skip
_RATE = re.compile(r"-?[0-9]{1,18}([.,][0-9]{1,18})?")
LONGEST = 200
KEPT = 20_000
_TOLD: dict[tuple[str, ...], bytes] = {}


def _texts(data: dict[str, Any], fields: dict[str, bool], others: tuple[str, ...] = ()) -> dict[str, str | None]:
    """The text fields of a body, each known by name. Raises UnknownField, MissingField, InvalidField."""
    for name in data:
        if name not in fields and name not in others:
            known = ", ".join((*fields, *others))
            raise UnknownField(f"{name[:40]}: não há este campo.", field=name[:40], remedy=f"Há: {known}.")
    for name, required in fields.items():
        value = data.get(name)
        if value is None and required:
            raise MissingField(f"{name}: falta este campo.", field=name)
        if value is not None and (not isinstance(value, str) or len(value) > LONGEST):
            raise InvalidField(f"{name}: deve ser texto.", field=name)
    return {name: data.get(name) for name in fields}


@router.post(
    "/prazos",
    **operation(
        "Conta um prazo",
        "Explica cada dia e diz as outras leituras. Não lê processos; os dias que o município informou contam, para as "
        "chaves dele, até 5 segundos depois de informados.",
        {negotiation.JSON: "PrazoContado"},
        refusals=OF_BODY,
    ),
    openapi_extra=body(
        {negotiation.JSON: "PedidoDePrazo"},
        example=EXAMPLES["prazo"],
    ),
)
async def count_term(asked: Quick, request: Request) -> Response:
    """Count one term; no thread and no database but once in some seconds."""
    asked.form(negotiation.JSON)
    given = _texts(parse_object(await read_body(request, asked.service.settings.max_body, JSON_TYPES)), _TERM_FIELDS)
    if given["method"] is not None and given["method"] not in METHODS:
        raise InvalidField(f"method: é um destes: {', '.join(METHODS)}.", field="method")
    law = law_counting(str(given["law"]))
    facts: list[Fact] = []
    if asked.access.may_read(law.municipality):
        known = asked.service.known_days(law.municipality)
        facts = known if known is not None else await run_in_threadpool(asked.service.days, law.municipality)
    told = _counted(law, given, facts) if facts else _counted_plainly(law, given)
    return Response(told, headers=NO_STORE, media_type=negotiation.JSON)


def _counted_plainly(law: LawCounting, given: dict[str, str | None]) -> bytes:
    """The answer where the municipality supplied no day: the same question has the same one."""
    asked = tuple(str(given[name]) for name in _TERM_FIELDS)
    told = _TOLD.get(asked)
    if told is None:
        told = _counted(law, given, [])
        if len(_TOLD) >= KEPT:
            _TOLD.clear()
        _TOLD[asked] = told
    return told


def _counted(law: LawCounting, given: dict[str, str | None], facts: list[Fact]) -> bytes:
    term, start = Term.parse(str(given["term"])), parse_start(str(given["start"]))
    calendar = load_calendar(law.calendar)
    office = calendar.with_facts(facts) if facts else calendar
    counted = count_under_law(law.law, term, start, method=given["method"], calendar=office)
    return encode(term_document(law, counted, term, start=str(given["start"]), method=given["method"]))


@router.post(
    "/prazos:batch",
    **operation(
        "Conta muitos prazos",
        "JSON Lines: uma resposta por linha, na mesma ordem, as erradas também, como em `posturas prazo --batch`.",
        {negotiation.LINES: {"type": "string"}},
        refusals=OF_BODY,
    ),
    openapi_extra=body({"application/x-ndjson": {}}),
)
def count_terms(asked: Asked, raw: Annotated[bytes, Depends(line_body)]) -> Response:
    """Count each line."""
    asked.form(negotiation.LINES, negotiation.JSON)
    batch, told = TermBatch(), list[bytes]()
    for number, line in enumerate(raw.split(b"\n"), start=1):
        told.append(batch.answer(number, line if len(line) <= MAX_LINE else None)[0])
    return Response(b"".join(told), headers=NO_STORE, media_type=negotiation.LINES)


@router.post(
    "/multas",
    **operation(
        "Calcula uma multa",
        "Explica cada linha da conta e diz as outras leituras. Os valores que o município informou valem para as "
        "chaves dele.",
        {negotiation.JSON: "Multa"},
        refusals=OF_BODY,
    ),
    openapi_extra=body(
        {negotiation.JSON: "PedidoDeMulta"},
        example=EXAMPLES["multa"],
    ),
)
def assess(asked: Asked, data: Annotated[dict[str, Any], Depends(json_body)]) -> Response:
    """Assess one fine."""
    asked.form(negotiation.JSON)
    question = _question(data)
    municipality = _book(question.law).municipality
    supplied = asked.service.supplied(municipality) if asked.access.may_read(municipality) else None
    return answer(fine_document(assess_fine(question, supplied)))


def _question(data: dict[str, Any]) -> Question:
    given = _texts(data, _FINE_FIELDS, ("reincidente", "switches"))
    again, switches = data.get("reincidente", False), data.get("switches") or {}
    if not isinstance(again, bool):
        raise InvalidField("reincidente: deve ser true ou false.", field="reincidente")
    if not isinstance(switches, dict) or not all(isinstance(value, str) for value in switches.values()):
        raise InvalidField("switches: deve ser um objeto de textos.", field="switches")
    if given["grau"] not in (None, "minimo", "medio", "maximo"):
        raise InvalidField("grau: é minimo, medio ou maximo.", field="grau")
    quantity, value, unit_day = given["quantidade"], given["unit_value"], given["unit_day"]
    return Question(
        law=str(given["law"]),
        article=str(given["article"]),
        fact=parse_start(str(given["fact_date"]), field="fact_date"),
        grau=given["grau"],
        quantidade=parse_quantity(quantity, field="quantidade") if quantity is not None else None,
        reincidente=again,
        unit_value=check_rate(_rate(value), field="unit_value") if value is not None else None,
        unit_day=parse_day(unit_day, field="unit_day") if unit_day is not None else None,
        penalty_article=given["penalty_article"],
        subject=given["subject"],
        switches=dict(switches),
    )


def _rate(text: str) -> Decimal:
    if not _RATE.fullmatch(text.strip()):
        raise NotANumber(f"“{text[:24]}” não é um valor.", field="unit_value")
    return Decimal(text.strip().replace(",", "."))


def _book(law: str) -> Any:
    return rulebook_of(law)


@router.get(
    "/rulebooks",
    **operation("Lista as leis codificadas", "Uma linha de cada lei.", {negotiation.JSON: "Leis"}),
)
def list_laws(asked: Asked) -> Response:
    """The laws."""
    asked.form(negotiation.JSON)
    return answer({"items": [law_row(rulebook_of(law)) for law in known_laws()]})


@router.get(
    "/rulebooks/{law:path}",
    **operation(
        "Mostra uma lei codificada",
        "Vigência, leituras, linhas, prazos, competências e infrações; com `article`, um dispositivo.",
        {negotiation.JSON: "Lei"},
    ),
)
def show_law(
    asked: Asked,
    law: Annotated[str, Path(max_length=100, description="A lei, como es-3204708/lei-1522-2005.")],
    article: Annotated[str | None, Query(max_length=60, description="Só este dispositivo.")] = None,
) -> Response:
    """One law."""
    asked.form(negotiation.JSON)
    if law not in known_laws():
        raise NothingHere("não há esta lei codificada.", field="law")
    book = rulebook_of(law)
    if article is not None:
        return answer({"norm": book.norm, "title": book.title, **provision_document(book, article)})
    supplied = asked.service.supplied(book.municipality) if asked.access.may_read(book.municipality) else None
    return answer(law_document(book, supplied))


@router.get(
    "/calendars/{ibge}/{year}",
    **operation(
        "Mostra o ano da repartição",
        "Os dias que não são normais, cada um com o seu ato; os que o município informou, para as chaves dele.",
        {negotiation.JSON: "Ano"},
    ),
)
def show_year(
    asked: Asked, ibge: Municipality, year: Annotated[int, Path(ge=1900, le=2100, description="O ano.")]
) -> Response:
    """The year."""
    asked.form(negotiation.JSON)
    try:
        calendar = calendar_of_municipality(ibge)
    except InputError:
        raise NothingHere("não há calendário deste município.") from None
    facts = asked.service.days(ibge) if asked.access.may_read(ibge) else []
    office = calendar.with_facts(facts) if facts else calendar
    require_year(office, year)
    return answer(year_document(office, ibge, year))
