"""One chunk of the sweep: every deadline that has passed gets its legal consequence, once, case by case isolated
(spec 05).

The runner (``procedure.store.sweeping``) opens one transaction per chunk; what is decided here is what recording an act
would have decided, by the same functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from legalbasis import PosturasError
from procedure.domain.case import Case
from procedure.domain.chain import seal
from procedure.domain.decide import conclude
from procedure.domain.numbering import number_inscriptions
from procedure.domain.vocabulary import Act
from procedure.services.context import Contexts
from procedure.services.ports import Repository

COUNTS = ("examined", "expired", "inscribed", "surcharged", "returned_to_origin")
INTERNAL_ERROR = "erro_interno"
UNREADABLE_CASE = "caso_ilegivel"
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError)  # what a damaged row raises when it is read


@dataclass(slots=True)
class Chunk:
    """What one chunk did. ``last`` is the last auto looked at, "" when nothing was due; ``passed_over`` counts the
    cases that another transaction held or had done; failures are auto → (code, message).
    """

    last: str = ""
    examined: int = 0
    passed_over: int = 0
    acts: int = 0
    expired: int = 0
    inscribed: int = 0
    surcharged: int = 0
    returned_to_origin: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)

    def add(self, part: Chunk) -> None:
        """Count a part of the chunk in."""
        for name in (*COUNTS, "passed_over", "acts"):
            setattr(self, name, getattr(self, name) + getattr(part, name))
        self.by_kind.update(part.by_kind)
        self.failures.update(part.failures)


def sweep_chunk(
    repo: Repository,
    contexts: Contexts,
    municipality: str,
    *,
    before_epoch: int,
    after: str,
    limit: int,
    recorded_at: str,
    skip_locked: bool = True,
    autos: Sequence[str] | None = None,
) -> Chunk:
    """Claim up to ``limit`` due cases after the auto ``after``, decide them all, number, write. Nothing is
    committed.
    """
    chunk = Chunk()
    claimed = autos or repo.claim_due(municipality, before_epoch, after, limit, skip_locked)
    if not claimed:
        return chunk
    chunk.last = claimed[-1]
    done = decide_cases(
        repo,
        contexts,
        municipality,
        claimed,
        chunk,
        before_epoch=before_epoch,
        recorded_at=recorded_at,
        skip_locked=skip_locked,
    )
    if done:
        settings = contexts.data(municipality).options.get(done[0].law, {})
        number_inscriptions(done, repo.take_numbers, settings)
        for case in done:
            seal(case)
        repo.save(done)
    return chunk


def decide_cases(
    repo: Repository,
    contexts: Contexts,
    municipality: str,
    autos: Sequence[str],
    chunk: Chunk,
    *,
    before_epoch: int,
    recorded_at: str,
    skip_locked: bool = True,
) -> list[Case]:
    """Load and conclude each case by itself; those with something to write. What fails is set aside in ``chunk``."""
    cases = _loaded(repo, municipality, autos, skip_locked, chunk)
    return [case for case in cases.values() if _decided(case, contexts, before_epoch, recorded_at, chunk)]


def _loaded(
    repo: Repository, municipality: str, claimed: Sequence[str], skip_locked: bool, chunk: Chunk
) -> dict[str, Case]:
    """The claimed cases; when a row of one cannot be read, it is set aside and the others are loaded one by one."""
    try:
        return repo.load(municipality, claimed, lock=True, skip_locked=skip_locked)
    except UNREADABLE:
        pass
    cases: dict[str, Case] = {}
    for auto in claimed:
        try:
            cases.update(repo.load(municipality, [auto], lock=True, skip_locked=skip_locked))
        except UNREADABLE as error:
            chunk.examined += 1
            chunk.failures[auto] = (UNREADABLE_CASE, f"a linha do processo não pôde ser lida ({type(error).__name__})")
    return cases


def _decided(case: Case, contexts: Contexts, before_epoch: int, recorded_at: str, chunk: Chunk) -> bool:
    """Conclude one case; a case that fails is set aside whole and the chunk goes on."""
    chunk.examined += 1
    try:
        ctx = contexts.of(case.municipality, case.law, case.rulebook_version)
        conclude(case, before_epoch, ctx, recorded_at)
    except PosturasError as error:
        chunk.failures[case.auto] = (error.error_code, error.message)
        return False
    except Exception as error:  # a poisoned case must not stop the others; its class is reported
        chunk.failures[case.auto] = (INTERNAL_ERROR, f"{type(error).__name__} ao decidir o caso")
        return False
    tally(case, chunk)
    return bool(case.new_acts)


def tally(case: Case, chunk: Chunk) -> None:
    """Count what was written into the case."""
    chunk.acts += len(case.new_acts)
    for act in case.new_acts:
        if act.deadline and act.kind != Act.INSCRICAO:
            chunk.expired += 1
            chunk.by_kind[act.deadline.split(":")[0]] += 1
        if act.kind == Act.ACRESCIMO:
            chunk.surcharged += 1
        if act.kind == Act.INSCRICAO:
            if act.payload["outcome"] == "apta":
                chunk.inscribed += 1
            else:
                chunk.returned_to_origin += 1
