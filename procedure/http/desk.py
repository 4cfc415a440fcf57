"""The office's desk: what falls due, the agenda, the panel, the outbox, sweeps and the check of the record."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from procedure.domain.moment import Moment
from procedure.http import answering, negotiation
from procedure.http.answering import answer, page
from procedure.http.asking import InOffice, Office, day_of
from procedure.http.cases import Cursor, Day, Limit
from procedure.http.cursors import decode_cursor, encode_cursor
from procedure.http.describing import FILE, PAGE_OF_HTML, operation
from procedure.services.context import zone_of
from procedure.store.events import START, poll
from procedure.store.listing import OpenDeadline, open_deadlines

router = APIRouter(prefix="/v1/municipalities/{ibge}", tags=["repartição"])
AHEAD = timedelta(days=15)


@router.get(
    "/deadlines",
    **operation(
        "Lista os prazos que vencem",
        "Os prazos em aberto que vencem entre duas datas (padrão: de hoje a 15 dias), sem nada das pessoas.",
        {negotiation.JSON: "PaginaDePrazos"},
    ),
)
def list_deadlines(
    office: InOffice, first: Day = None, last: Day = None, cursor: Cursor = None, limit: Limit = 50
) -> Response:
    """What falls due."""
    office.form(negotiation.JSON)
    start = day_of(first, "first") or office.service.today(office.municipality)
    end = day_of(last, "last") or start + AHEAD
    after = decode_cursor(cursor, "prazos", str, str, str) if cursor else ("", "", "")
    with office.service.reading() as archive:
        found = open_deadlines(archive.session, office.municipality, start, end)
    left = [item for item in found if _place(item) > after]
    shown = left[:limit]
    more = encode_cursor("prazos", *_place(shown[-1])) if len(left) > limit else None
    items = [{**asdict(item), "due": item.due.isoformat()} for item in shown]
    return answer({"items": items, "next": more})


def _place(item: OpenDeadline) -> tuple[str, str, str]:
    return item.due.isoformat(), item.auto, item.kind


@router.get(
    "/agenda",
    **operation(
        "Dá os prazos em aberto como agenda",
        "Em iCalendar (`Accept: text/calendar`), para importar ou assinar, ou em JSON; sem nada das pessoas.",
        {negotiation.JSON: "Agenda", negotiation.CALENDAR: FILE},
    ),
)
def show_agenda(
    office: InOffice,
    auto: Annotated[str | None, Query(max_length=60, description="Só os deste auto.")] = None,
    repartition: Annotated[
        str | None, Query(alias="office", max_length=200, description="Só os abertos por atos desta repartição.")
    ] = None,
) -> Response:
    """The open terms."""
    from procedure.services.agenda import appointments, place_of
    from procedure.services.one_case import one_case
    from procedure.store.agenda import open_terms

    form = office.form(negotiation.JSON, negotiation.CALENDAR)
    name = " – ".join(filter(None, ("Prazos em aberto", place_of(office.municipality), repartition)))
    with office.service.reading() as archive:
        if auto is not None:
            one_case(archive, office.municipality, auto)
        terms = open_terms(archive, office.municipality, auto=auto, office=repartition)
        entries = list(appointments(archive, office.municipality, terms))
    if form == negotiation.CALENDAR:
        from procedure.pages.agenda import calendar_file

        return answering.agenda(b"".join(calendar_file(name, entries)))
    items = [{**asdict(e), "day": e.day.isoformat(), "stamp": e.stamp.isoformat()} for e in entries]
    return answer({"name": name, "items": items})


@router.get(
    "/painel",
    **operation(
        "Mostra a semana do município",
        "O que corre, o que prescreve, o que ninguém viu; em JSON, ou como página (`Accept: text/html`).",
        {negotiation.JSON: "Painel", negotiation.HTML: PAGE_OF_HTML},
    ),
)
def show_panel(office: InOffice, as_of: Day = None) -> Response:
    """The week's panel."""
    from procedure.services.panel import panel
    from procedure.store.panel import PanelArchive

    form = office.form(negotiation.JSON, negotiation.HTML)
    day = day_of(as_of, "as_of") or office.service.today(office.municipality)
    with office.service.reading() as archive:
        doc = panel(PanelArchive(archive.session), office.municipality, day)
    if form == negotiation.HTML:
        from procedure.pages.panel_page import panel_page

        return page(panel_page(doc))
    return answer(doc)


@router.get(
    "/events",
    **operation(
        "Dá os eventos depois de uma posição",
        "Cada ato é um evento, ao menos uma vez, na ordem de cada processo. Guarde `next` junto com o seu trabalho e "
        "peça depois dele; o mesmo evento tem o mesmo `auto` e o mesmo `seq`. O infrator e as testemunhas vêm por "
        "referência; quem praticou o ato (`actor`) vem pelo nome, e por isso a leitura fica registrada.",
        {negotiation.JSON: "PaginaDeEventos"},
    ),
)
def list_events(
    office: InOffice,
    after: Annotated[str | None, Query(max_length=600, description="O `next` da resposta anterior.")] = None,
    limit: Limit = 100,
) -> Response:
    """The outbox after a position."""
    office.form(negotiation.JSON)
    found = decode_cursor(after, "eventos", int, int) if after else START
    with office.service.reading() as archive:
        batch = poll(archive.session, office.municipality, (int(found[0]), int(found[1])), limit)
    items = [event.content for event in batch.events]
    if batch.events:  # who did each act is named, and a defence is the autuado's own
        first, last = batch.events[0], batch.events[-1]
        office.note("eventos", f"{first.auto}…{last.auto}")
    return answer({"items": items, "next": encode_cursor("eventos", *batch.position)})


@router.get(
    "/verify",
    **operation(
        "Confere o registro",
        "Cadeia dos atos, prazos e inscrições; com `deep`, também cada conta. Com muitos processos, demora.",
        {negotiation.JSON: "Conferencia"},
    ),
)
def check_record(
    office: InOffice,
    auto: Annotated[str | None, Query(min_length=1, max_length=60, description="Só este auto.")] = None,
    deep: Annotated[bool, Query(description="Também conta de novo cada prazo e refaz cada multa.")] = False,
    head: Annotated[bool, Query(description="Dá o resumo da cadeia, para guardar em outro lugar.")] = False,
) -> Response:
    """Whether the record is what its acts say."""
    from procedure.services.one_case import one_case
    from procedure.services.recomputing import Recomputer
    from procedure.services.verified_document import verified_document
    from procedure.services.verifying import verify
    from procedure.store.sweeps import heads
    from procedure.store.verifying import verify_record

    office.form(negotiation.JSON)
    here = office.municipality
    with office.service.reading() as archive:
        if auto is not None:
            one_case(archive, here, auto)
        if auto is None and not deep:
            result = verify_record(archive, here, progress=_nothing)
        else:
            result = verify(
                archive, here, auto=auto, deeper=Recomputer(archive, here) if deep else None, progress=_nothing
            )
        told = heads(archive.session, here) if head else None
    return answer(verified_document([(result, told)], deep=deep))


def _nothing(_: int) -> None:
    """No bar to advance."""


def moment_of(office: Office, text: Any, name: str) -> Moment:
    """A moment in the municipality's zone. Raises InputError."""
    return Moment.parse(text, zone_of(office.municipality), field=name)
