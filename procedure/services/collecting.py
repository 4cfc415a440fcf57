"""Autos that collect what another's obligation left due: the origin is read, locked and told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.case import Case
from procedure.domain.collecting import no_longer_stands
from procedure.domain.decide import FELL, Stamp, mark_collected
from procedure.domain.vocabulary import State
from procedure.services.context import Contexts
from procedure.services.ports import Repository

GIVE_BACK = "restituir_cobranca"
_PAID = (State.PAGO, State.QUITADO)  # nothing is left to annul


def autos_of_collection(repo: Repository, act: ActInput) -> set[str]:
    """The autos that an auto which collects must look at: its origin, and those that collected from it before."""
    named = act.fields.get("linked_auto")
    if not act.fields.get("collects") or not named:
        return set()
    origin = repo.load(act.municipality, [named], lock=False).get(named)
    return {named, *collecting_autos(origin)} if origin else set()


def collecting_autos(origin: Case) -> list[str]:
    """The autos that were drawn up to collect from a case, in order."""
    return list(dict.fromkeys(item["auto"] for item in origin.facts.get("collected", ())))


def origin_of(act: ActInput, cases: Sequence[Case]) -> Case | None:
    """The case from which an auto collects, among those loaded for it; None for any other act."""
    named = act.fields.get("linked_auto") if act.fields.get("collects") else None
    return next((case for case in cases if case.auto == named), None)


def fallen(origin: Case | None, cases: Sequence[Case]) -> tuple[str, ...]:
    """The autos that collected from the origin and no longer stand."""
    before = collecting_autos(origin) if origin else []
    return tuple(case.auto for case in cases if case.auto in before and no_longer_stands(case))


def tell_origin(contexts: Contexts, origin: Case, collecting: Case, act: ActInput, stamp: Stamp) -> None:
    """Write in the origin that it is collected elsewhere. Raises ActNotAllowed where its law has no row for it."""
    ctx = contexts.of(origin.municipality, origin.law, origin.rulebook_version)
    mark_collected(origin, collecting, act.at, ctx, stamp)


def require_nothing_collected(repo: Repository, case: Case) -> None:
    """An auto does not fall while another collects what it left due. Raises CollectionStands."""
    if case.state not in FELL:
        return
    found = repo.load(case.municipality, sorted(collecting_autos(case)), lock=False).values()
    standing = [other.auto for other in found if other.state not in (*FELL, *_PAID)]
    if standing:
        raise errors.CollectionStands(
            f"o auto {', '.join(standing)} cobra o que o auto {case.auto} deixou devido.",
            field="auto",
            remedy=f"Anule antes o auto {', '.join(standing)}.",
        )


def fallen_origin(repo: Repository, case: Case) -> str | None:
    """The auto from which this one collects, where it fell after this one was paid; None where it stands."""
    named = (case.facts.get("collection") or {}).get("auto")
    origin = repo.load(case.municipality, [named], lock=False).get(named) if named else None
    return origin.auto if origin is not None and origin.state in FELL else None


def to_give_back(repo: Repository, case: Case, collecting: Mapping[str, Case]) -> list[str]:
    """``restituir_cobranca`` while money collected for an auto that fell was not given back, in it and in the other."""
    paid = [case] if fallen_origin(repo, case) else collecting.values() if case.state in FELL else ()
    return [GIVE_BACK] if any(other.pago > 0 for other in paid) else []


def collections_of(repo: Repository, case: Case) -> Mapping[str, Case]:
    """The cases that collect from this one, by auto."""
    return repo.load(case.municipality, sorted(collecting_autos(case)), lock=False)
