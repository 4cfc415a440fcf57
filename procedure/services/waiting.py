"""What waits, in a case, for somebody to decide or do: the ``pending`` of ``auto show`` and of ``auto list``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from procedure.domain.case import Case, RecordedAct
from procedure.domain.undoing import standing
from procedure.services.collecting import collections_of, to_give_back
from procedure.services.context import Contexts
from procedure.services.ports import Repository
from procedure.services.showing_tracks import (
    TO_CANCEL,
    counted_autos,
    dropped_autos,
    licence_to_decide,
    pending_choices,
    pending_goods,
    pending_licence,
    recalculation,
    restored,
)


class Archive(Repository, Protocol):
    """What a listing's tasks ask of the store beside the repository."""

    def autos_cancelling_or_lowered(self, municipality: str, autos: Sequence[str]) -> set[str]:
        """Of those autos, those with an act, undone or not, that cancels the licence or lowers the fine."""
        ...


def pending_of(repo: Repository, case: Case, contexts: Contexts, stand: Sequence[RecordedAct]) -> list[str]:
    """The names of what waits; ``stand`` are the acts of the case that are not undone."""
    others = repo.load(case.municipality, sorted(counted_autos(case) | dropped_autos(case)), lock=False)
    return _waiting(repo, case, contexts, stand, others)


def pending_of_page(repo: Archive, municipality: str, page: Sequence[Case]) -> dict[str, list[str]]:
    """What waits in each case of a page, by auto: the other autos are read once for them all, and the acts only of
    the cases in which they may tell of something that waits.
    """
    contexts = Contexts(repo)
    autos = {auto for case in page for auto in counted_autos(case) | dropped_autos(case)}
    others = repo.load(municipality, sorted(autos), lock=False)
    decided = [case.auto for case in page if case.facts.get("decisions") or dropped_autos(case)]
    told = repo.autos_cancelling_or_lowered(municipality, decided)
    found = {}
    for case in page:
        stand = standing(repo.acts(municipality, case.auto)) if case.auto in told else ()
        found[case.auto] = _waiting(repo, case, contexts, stand, others)
    return found


def _waiting(
    repo: Repository, case: Case, contexts: Contexts, stand: Sequence[RecordedAct], others: Mapping[str, Case]
) -> list[str]:
    to_cancel = any(found["counted"] for found in case.facts.get("recidivism", ())) and licence_to_decide(
        case, contexts.of(case.municipality, case.law, case.rulebook_version)
    )
    return [
        *pending_choices(case),
        *pending_goods(case),
        *pending_licence(case, stand),
        *(recalculation(case, others) or restored(case, others, stand)),
        *to_give_back(repo, case, collections_of(repo, case)),
        *([TO_CANCEL] if to_cancel else []),
    ]
