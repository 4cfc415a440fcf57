"""``POST …/autos/{auto}/acts`` and ``POST …/import``: acts recorded, one by one or a file of them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import closing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Query
from starlette.responses import Response

from procedure.domain.act_input import ActInput, parse_act
from procedure.http import negotiation
from procedure.http.answering import answer, path_of
from procedure.http.asking import InOffice, Office
from procedure.http.bodies import json_body, line_body
from procedure.http.cases import Auto, etag
from procedure.http.describing import OF_ACT, OF_BODY, body, content, operation
from procedure.http.errors import ParameterInvalid, RoleNotAllowed, VersionMismatch
from procedure.services.context import zone_of
from procedure.services.same_act import require_same
from procedure.services.showing import show_case
from procedure.store.recording import record_one
from procedure.store.repository import SqlRepository

router = APIRouter(prefix="/v1/municipalities/{ibge}", tags=["autos"])
_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_BELOW = re.compile(r".*/(acts|timeline|documents/[^/]*)", re.DOTALL)
"""A number whose address is that of a resource below another auto: written here, it could not be read here."""
_EXAMPLE = {
    "act": "defesa",
    "date": "2013-03-20",
    "actor": "Bar do Zé Ltda",
    "role": "autuado",
    "by": {"name": "José da Silva"},
}
Object = Annotated[dict[str, Any], Depends(json_body)]
Lines = Annotated[bytes, Depends(line_body)]
_HEADERS = {"Location": "O processo.", "ETag": "A versão do processo depois do ato."}


@router.get(
    "/autos/{auto:path}/acts",
    **operation(
        "Lista os atos de um processo",
        "Na ordem em que foram gravados, os do sistema também.",
        {
            negotiation.JSON: {
                "type": "object",
                "required": ["items", "next"],
                "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/AtoRegistrado"}},
                    "next": {"type": "null"},
                },
            }
        },
    ),
)
def list_acts(office: InOffice, auto: Auto) -> Response:
    """The acts of the case."""
    office.form(negotiation.JSON)
    with office.service.reading() as archive:
        doc = show_case(archive, office.municipality, auto, unmask=False)
    office.note("auto", auto)
    return answer({"items": doc["acts"], "next": None})


@router.post(
    "/autos/{auto:path}/acts",
    **operation(
        "Registra um ato",
        "O papel (`role`) do ato deve ser um dos papéis da chave. Com `Idempotency-Key`, repetir o mesmo ato não "
        "grava nada e diz `known`; outro ato com a mesma chave é 409. Com `If-Match`, um processo que mudou é 412. "
        "Com `dry_run`, diz o que faria, e não grava.",
        {negotiation.JSON: "Registrado"},
        status=201,
        told="Registrado.",
        refusals={**OF_BODY, **OF_ACT},
        headers=_HEADERS,
        others={
            200: {
                "description": "Nada foi gravado: o ato já constava, ou era um ensaio.",
                "content": content({negotiation.JSON: "Registrado"}),
            }
        },
    ),
    openapi_extra=body({negotiation.JSON: "Ato"}, example=_EXAMPLE),
)
def record_act(
    office: InOffice,
    auto: Auto,
    data: Object,
    idempotency_key: Annotated[
        str | None, Header(max_length=200, description="A chave de idempotência: a mesma chave é o mesmo ato.")
    ] = None,
    if_match: Annotated[str | None, Header(max_length=400, description="O ETag que o processo deve ter.")] = None,
    dry_run: Annotated[bool, Query(description="Diz o que faria e o que desfaria, sem gravar.")] = False,
) -> Response:
    """Record one act."""
    office.form(negotiation.JSON)
    act = _act(office, auto, data, idempotency_key)
    at = office.service.clock()
    check = _before(act, if_match)
    engine = office.service.engine
    done = office.service.write(lambda: record_one(engine, act, at, rehearse=dry_run, before=check, retell=True))
    headers = {"Location": f"/v1/municipalities/{office.municipality}/autos/{path_of(done['auto'])}"}
    with office.service.reading() as archive:
        if done["known"]:
            require_same(archive, act, done["auto"])
        case = archive.load(office.municipality, [done["auto"]], lock=False).get(done["auto"])
        if case is not None:
            headers["ETag"] = etag(case.version)
    return answer(done, 200 if done["known"] or dry_run else 201, headers)


def _act(office: Office, auto: str, data: dict[str, Any], header: str | None) -> ActInput:
    """The act checked, of this municipality and auto, in a quality that the key may act in."""
    key = _agreed("key", data.get("key"), header.strip() if header else None)
    found = {
        **data,
        "auto": _agreed("auto", data.get("auto"), auto),
        "municipality": _agreed("municipality", data.get("municipality"), office.municipality),
        **({"key": key} if key is not None else {}),
    }
    act = parse_act(found, zone_of)
    _require_role(office, act)
    if _BELOW.fullmatch(act.auto):
        raise ParameterInvalid("auto: este número só se alcança pela linha de comando.", field="auto")
    return act


def _agreed(name: str, written: Any, asked: str | None) -> Any:
    if written is None or asked is None:
        return asked if written is None else written
    if str(written).strip() != asked:
        raise ParameterInvalid(f"{name}: o corpo diz outro que o endereço ou o cabeçalho.", field=name)
    return asked


def _require_role(office: Office, act: ActInput) -> None:
    if not office.access.may_record(act.role.value):
        raise RoleNotAllowed(f"a chave não pratica atos como “{act.role}”.", field="role")


def _before(act: ActInput, if_match: str | None) -> Callable[[SqlRepository], None]:
    """What is checked in the transaction: the case's version, but of an act that is on record already."""

    def check(repo: SqlRepository) -> None:
        known = repo.auto_of_key(act.municipality, act.key) if act.key else None
        if known is None and if_match is not None:
            case = repo.load(act.municipality, [act.auto], lock=True).get(act.auto)
            tags = _TAG.findall(if_match)
            if case is None or (if_match.strip() != "*" and str(case.version) not in tags):
                raise VersionMismatch(field="If-Match")

    return check


@router.post(
    "/import",
    tags=["autos"],
    **operation(
        "Importa um arquivo de atos",
        "JSON Lines, ou CSV com cabeçalho, em qualquer ordem: são aplicados na ordem da lei. As linhas rejeitadas vêm "
        "com o motivo, e as outras valem, salvo com `strict`. Repetir o arquivo não grava nada de novo. Uma linha cujo "
        "papel não é da chave é rejeitada.",
        {negotiation.JSON: "Importado"},
        refusals=OF_BODY,
    ),
    openapi_extra=body({"application/x-ndjson": {}, "text/csv": {}}),
)
def import_file(
    office: InOffice,
    raw: Lines,
    strict: Annotated[bool, Query(description="Uma linha rejeitada, e nada se aplica.")] = False,
    dry_run: Annotated[bool, Query(description="Diz o que faria, sem gravar.")] = False,
    encoding: Annotated[Literal["utf-8", "latin-1", "cp1252"], Query(description="A codificação.")] = "utf-8",
) -> Response:
    """Import acts."""
    from procedure.services.importing.lines import LineReader
    from procedure.services.importing.staging import Staging, stage
    from procedure.store.importing import import_acts, inscription_finder

    office.form(negotiation.JSON)
    engine = office.service.engine
    staging = Staging(find=inscription_finder(engine), admit=lambda act: _require_role(office, act))
    with closing(staging):
        for _ in stage(LineReader(io.BytesIO(raw), encoding), staging, municipality=office.municipality):
            pass
        report = office.service.write(
            lambda: import_acts(engine, staging, recorded_at=office.service.clock(), strict=strict, dry_run=dry_run)
        )
    return answer(report.to_dict())
