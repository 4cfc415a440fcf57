"""Who asks, and what for: the key of a request, its municipality, its role; unknown parameters are refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Security
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from procedure.domain.moment import Moment, zone
from procedure.http import negotiation
from procedure.http.errors import KeyRequired, NothingHere, ParameterInvalid, ParameterUnknown, RoleNotAllowed
from procedure.http.examples import EXAMPLES
from procedure.http.service import Service
from procedure.services.as_of import Position, position_of
from procedure.services.context import laws_of, zone_of
from procedure.store.access import Access

BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="chave",
    bearerFormat="psk_…",
    description="A chave que `posturas key create` mostrou: `Authorization: Bearer psk_…`.",
)
Credentials = Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)]


@dataclass(frozen=True, slots=True)
class Caller:
    """The key that asks, with what answers it."""

    service: Service
    access: Access
    request: Request

    def require_unmask(self) -> None:
        """Raise RoleNotAllowed unless whole documents may be shown to the key."""
        if not self.access.may_unmask:
            raise RoleNotAllowed("a chave não tem o papel dados_pessoais: não pode ver documentos e nomes inteiros.")

    def form(self, *offered: str) -> str:
        """The form of the resource that the client takes. Raises NotAcceptable."""
        return negotiation.chosen(self.request, *offered)


def service_of(request: Request) -> Service:
    """The application's service."""
    service: Service = request.app.state.service
    return service


def token_of(credentials: HTTPAuthorizationCredentials | None) -> str:
    """The key as it came. Raises KeyRequired."""
    token = credentials.credentials if credentials is not None else ""
    if not token or len(token) > 200 or not token.isascii() or not token.isprintable():
        raise KeyRequired()
    return token


async def caller(request: Request, credentials: Credentials) -> Caller:
    """Whose request this is; the key is asked of the database. Raises KeyRequired, TooManyRequests."""
    service, token = service_of(request), token_of(credentials)
    if not service.stood(token):  # behind a proxy all come from one address: guesses must not shut out who has a key
        request.app.state.limits.require_patience(request)
    try:
        access = await run_in_threadpool(service.access, token)
    except KeyRequired:
        request.app.state.limits.failed(request)
        raise
    return _admitted(request, service, access)


async def quick_caller(request: Request, credentials: Credentials) -> Caller:
    """As ``caller``, for what reads no record: that the key stands may have been asked some seconds ago."""
    service = service_of(request)
    known = service.known_access(token_of(credentials)) if credentials is not None else None
    if known is None:
        return await caller(request, credentials)
    return _admitted(request, service, known)


def _admitted(request: Request, service: Service, access: Access) -> Caller:
    request.scope["posturas.key"] = access.key_id
    request.app.state.limits.take(request, access.key_id)
    require_parameters(request)
    return Caller(service, access, request)


def require_parameters(request: Request) -> None:
    """Refuse parameters that the resource does not have. Raises ParameterUnknown."""
    dependant: Any = getattr(request.scope.get("route"), "dependant", None)
    known = _query_names(dependant) if dependant is not None else set()
    for name in request.query_params:
        if name not in known:
            told = ", ".join(sorted(known)) or "nenhum"
            raise ParameterUnknown(f"não há o parâmetro “{name[:40]}”.", field=name[:40], remedy=f"Há: {told}.")
    names = Counter(name for name, _ in request.query_params.multi_items() if name != "state")
    if repeated := next((name for name, count in names.items() if count > 1), None):
        raise ParameterInvalid(f"{repeated}: veio mais de uma vez.", field=repeated)


def _query_names(dependant: Any) -> set[str]:
    own = {field.alias for field in dependant.query_params}
    return own.union(*(_query_names(inner) for inner in dependant.dependencies))


Municipality = Annotated[
    str,
    Path(
        pattern=r"^[0-9]{7}$",
        description="Código do IBGE do município, de 7 algarismos.",
        examples=[EXAMPLES["municipality"]],
    ),
]


@dataclass(frozen=True, slots=True)
class Office(Caller):
    """A caller within a municipality of its own."""

    municipality: str

    def position(self, as_of: str | None, known_at: str | None) -> Position:
        """The position asked for. Raises InputError."""
        if as_of is None and known_at is None:
            return Position()
        tz = zone_of(self.municipality)
        for text, name in ((as_of, "as_of"), (known_at, "known_at")):
            if text is not None:
                Moment.parse(text, tz, field=name)
        return position_of(str(tz), as_of, known_at)

    def note(self, what: str, number: str) -> None:
        """Record that personal data were shown."""
        self.service.note(self.access, self.municipality, what, number)


Asked = Annotated[Caller, Depends(caller)]
Quick = Annotated[Caller, Depends(quick_caller)]


def office(asked: Asked, ibge: Municipality) -> Office:
    """The caller within the municipality of the path.

    Raises NothingHere, alike for a municipality that is not the key's and for one that does not exist.
    """
    if not asked.access.may_read(ibge) or not _is_known(ibge):
        raise NothingHere()
    return Office(asked.service, asked.access, asked.request, ibge)


def _is_known(ibge: str) -> bool:
    from legalbasis import InputError

    try:
        return bool(laws_of(ibge))
    except InputError:
        return False


InOffice = Annotated[Office, Depends(office)]


def day_of(text: str | None, name: str) -> date | None:
    """The day that a parameter gives. Raises InputError, which names it."""
    return Moment.parse(text, zone("UTC"), field=name).day if text is not None else None
