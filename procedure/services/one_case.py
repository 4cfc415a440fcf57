"""One case, asked for by the number of its auto."""

from __future__ import annotations

from procedure.domain.case import Case
from procedure.domain.errors import UnknownAuto
from procedure.services.ports import Repository


def one_case(repo: Repository, municipality: str | None, auto: str) -> Case:
    """The case of ``auto``, not locked. Raises UnknownAuto, also where there is no municipality."""
    case = repo.load(municipality, [auto], lock=False).get(auto) if municipality else None
    if case is None:
        raise UnknownAuto(
            f"não existe o auto {auto[:60]}.", field="auto", remedy="Veja os que existem: posturas auto list"
        )
    return case
