"""``/v1/municipalities/{ibge}/sweeps``: the night's work asked for over HTTP, and the proof of each run."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from procedure.domain.field_checks import InvalidField, MissingField, UnknownField
from procedure.http import negotiation
from procedure.http.answering import answer
from procedure.http.asking import InOffice
from procedure.http.bodies import json_body
from procedure.http.describing import OF_BODY, body, operation
from procedure.http.desk import moment_of
from procedure.http.errors import FutureSweep, RoleNotAllowed
from procedure.store.sweep_run import Order
from procedure.store.sweeping import sweep_with
from procedure.store.sweeps import runs

router = APIRouter(prefix="/v1/municipalities/{ibge}", tags=["repartição"])
FIELDS = ("as_of", "dry_run", "limit")
MOST = 1_000_000
SHOWN = ("run_id", "as_of", "started_at", "finished_at", "status", "examined", "expired", "inscribed", "surcharged",
         "returned_to_origin", "failed", "milliseconds", "days_since_last", "head")  # fmt: skip


@router.post(
    "/sweeps",
    **operation(
        "Varre os prazos vencidos",
        "Dá a cada prazo que acabou antes de `as_of` a sua consequência, uma vez só. A chave precisa do papel "
        "`sistema`. Um momento ainda por vir só com `dry_run`.",
        {negotiation.JSON: "Varredura"},
        refusals=OF_BODY,
    ),
    openapi_extra=body({negotiation.JSON: "PedidoDeVarredura"}, example={"as_of": "2013-05-02", "dry_run": True}),
)
def run_sweep(office: InOffice, data: Annotated[dict[str, Any], Depends(json_body)]) -> Response:
    """Sweep the municipality."""
    office.form(negotiation.JSON)
    if not office.access.may_sweep:
        raise RoleNotAllowed("a chave não tem o papel sistema: não pode mandar varrer.")
    dry_run, limit = _checked(data)
    as_of, at = moment_of(office, data["as_of"], "as_of"), office.service.clock()
    if as_of.instant > at and not dry_run:
        raise FutureSweep(field="as_of")
    order = Order(office.municipality, as_of, at, dry_run=dry_run, limit=limit)
    report = office.service.write(lambda: sweep_with(office.service.engine, order))
    return answer(report.to_dict())


def _checked(data: dict[str, Any]) -> tuple[bool, int | None]:
    for name in data:
        if name not in FIELDS:
            raise UnknownField(f"{name[:40]}: não há este campo.", field=name[:40], remedy=f"Há: {', '.join(FIELDS)}.")
    if data.get("as_of") is None:
        raise MissingField("as_of: falta este campo.", field="as_of")
    if not isinstance(data["as_of"], str):
        raise InvalidField("as_of: deve ser texto.", field="as_of")
    dry_run, limit = data.get("dry_run", False), data.get("limit")
    if not isinstance(dry_run, bool):
        raise InvalidField("dry_run: deve ser true ou false.", field="dry_run")
    if "limit" in data and (isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST):
        raise InvalidField(f"limit: deve ser um número de 1 a {MOST}.", field="limit")
    return dry_run, limit


@router.get(
    "/sweeps",
    **operation(
        "Lista as varreduras",
        "A prova de cada uma, a mais nova primeiro: para alertar quando a última é velha, ou deixou processos de lado.",
        {negotiation.JSON: "Varreduras"},
    ),
)
def list_sweeps(office: InOffice, limit: Annotated[int, Query(ge=1, le=500, description="Quantas.")] = 30) -> Response:
    """The runs kept."""
    office.form(negotiation.JSON)
    with office.service.reading() as archive:
        found = [row._mapping for row in runs(archive.session, office.municipality, limit=limit)]
    items = [{**{name: row[name] for name in SHOWN}, "by_kind": json.loads(row["by_kind"])} for row in found]
    return answer({"items": items})
