"""Applying staged acts in legal order over one unit of work: what is known, what is held, what is refused (spec 07).

A refused act leaves nothing behind, since the repository given here keeps a case only when an act was saved; what came
before it in its auto stays, and what comes after is held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Protocol

from legalbasis import PosturasError
from procedure.domain.act_input import ActInput
from procedure.domain.case import Case, RecordedAct
from procedure.domain.decide import conclude
from procedure.domain.moment import Moment
from procedure.services.importing.errors import Held, KeyWithOtherContent
from procedure.services.importing.ordering import Group, Placed, Start, arrange, machine_order
from procedure.services.importing.staging import INTERNAL_ERROR, Item, Rejection, Staging
from procedure.services.persons import PERSON_FIELDS, person_references
from procedure.services.ports import PersonRef, Repository
from procedure.services.record import Recorder

Place = tuple[str, str]
_COMPUTED = frozenset(
    {*PERSON_FIELDS, "by", "signature", "witnesses", "fact", "infractions", "from", "to", "article", "outcome"}
)


class ChunkRepository(Repository, Protocol):
    """A repository that reads a whole chunk at once, keeps it in memory and writes it at the end."""

    def prefetch(self, acts: Sequence[ActInput]) -> None:
        """Read, set-wise, everything that recording these acts will ask."""
        ...

    def discard(self) -> None:
        """Forget what the act in hand had begun."""
        ...

    def content_key(self, municipality: str, content: bytes) -> str:
        """The idempotence key of an act that came without one: a digest under the installation's key."""
        ...

    def act_of_key(self, municipality: str, key: str) -> tuple[str, RecordedAct] | None:
        """The auto and the recorded act of a key."""
        ...

    def person_digest(self, fields: dict[str, Any]) -> str:
        """The keyed digest of a person's fields."""
        ...


@dataclass(slots=True)
class Result:
    """What applying some items did; merged into the import's report once it is committed."""

    applied: int = 0
    already_known: int = 0
    seen: int = 0
    rejected: list[Rejection] = field(default_factory=list)
    cases: set[Place] = field(default_factory=set)
    blocked: dict[Place, int] = field(default_factory=dict)  # to the line that was rejected
    undone: list[dict[str, Any]] = field(default_factory=list)  # what acts that came late undid, by line


class Applier:
    """Applies items over one repository. ``blocked`` are the autos already stopped, by the line that stopped them."""

    def __init__(
        self, repo: ChunkRepository, staging: Staging, blocked: Mapping[Place, int], recorded_at: datetime
    ) -> None:
        self.repo = repo
        self.staging = staging
        self.blocked = dict(blocked)
        self.recorded_at = recorded_at
        self.recorder = Recorder(repo)
        self.result = Result()
        self._acts: dict[int, ActInput] = {}

    def prepare(self, items: Iterable[Item]) -> None:
        """Read the acts back and everything that recording them will ask."""
        for item in items:
            if not item.stone:
                self._acts[id(item)] = self.staging.act(item, self._key(item))
        self.repo.prefetch(list(self._acts.values()))

    def _key(self, item: Item) -> str:
        return item.key or self.repo.content_key(item.municipality, item.content)

    def arranged(self, groups: Sequence[Group]) -> list[Placed]:
        """The items of whole groups of one day, each with its place in legal order."""
        return arrange(groups, self._by_machine)

    def _by_machine(self, group: Group) -> list[Item]:
        """One case's acts of one day. Those already recorded come first: the machine has passed them."""
        known = [item for item in group if self._is_known(item)]
        rest = [item for item in group if item not in known]
        if len(rest) < 2 or all(item.stone for item in rest):
            return [*known, *rest]
        return [*known, *machine_order(rest, self._start(rest))]

    def _is_known(self, item: Item) -> bool:
        return not item.stone and self.repo.auto_of_key(item.municipality, self._key(item)) is not None

    def _start(self, group: Group) -> Start:
        """Where the case stands when the day begins, its expired terms concluded."""
        first = next((self._acts[id(item)] for item in group if not item.stone), None)
        case = self._case(group[0])
        law = case.law or str(first.law if first else "")
        ctx = self.recorder.contexts.of(case.municipality, law, case.rulebook_version)
        if case.state is not None:
            day = Moment.parse(_iso_day(group[0].day), ctx.tz)
            try:
                conclude(case, day.epoch, ctx, day.instant.isoformat())
            except PosturasError:
                case = self._case(group[0])
        owed = case.total - case.pago if case.arbitrada else None
        return Start(case.state.value if case.state else None, owed, ctx, case.facts.get("tracks", {}))

    def _case(self, item: Item) -> Case:
        found = self.repo.load(item.municipality, [item.auto], lock=True)
        return found.get(item.auto) or Case(item.municipality, item.auto)

    def apply(self, item: Item) -> None:
        """Apply one item, in its turn."""
        place = (item.municipality, item.auto)
        self.result.seen += 1
        if item.stone:
            self._block(place, item.line)
            return
        try:
            self._apply(item, self._acts[id(item)], place)
        except PosturasError as error:
            self._reject(item, error, place)
        except Exception as error:  # a poisoned act must not stop the others; its class is reported
            self._reject(item, PosturasError(f"{type(error).__name__} ao gravar o ato.", code=INTERNAL_ERROR), place)

    def _apply(self, item: Item, act: ActInput, place: Place) -> None:
        known = self.repo.auto_of_key(act.municipality, str(act.key))
        if known is not None:
            self._require_same(act)
            self.result.already_known += 1
            return
        if place in self.blocked:
            line = self.blocked[place]
            raise Held(f"a linha {line}, do mesmo auto e anterior a esta, foi rejeitada.")
        done = self.recorder.record(act, recorded_at=self.recorded_at)
        self.result.applied += 1
        if done.reach is not None:
            self.result.undone.append({"line": item.line, "act": act.kind, "date": str(act.at), **done.reach})
        self.result.cases.add(place)

    def _reject(self, item: Item, error: PosturasError, place: Place) -> None:
        self.repo.discard()
        self.result.rejected.append(Rejection.of(item.line, item.auto, error))
        self._block(place, item.line)

    def _block(self, place: Place, line: int) -> None:
        if place not in self.blocked:
            self.blocked[place] = self.result.blocked[place] = line

    def _require_same(self, act: ActInput) -> None:
        """That the recorded act of this key says the same. Raises KeyWithOtherContent."""
        found = self.repo.act_of_key(act.municipality, str(act.key))
        if found is None:
            return
        auto, recorded = found
        if auto != act.auto or not _same(recorded, act, self.repo):
            raise KeyWithOtherContent(f"a chave já é de um ato do auto {auto}, com outro conteúdo.", field="key")


def _same(recorded: RecordedAct, act: ActInput, repo: ChunkRepository) -> bool:
    """Whether the recorded act says what this one says, as far as the record keeps what was said."""
    if (recorded.kind, str(recorded.at), recorded.actor, recorded.role) != (
        act.kind,
        str(act.at),
        act.actor,
        act.role,
    ):
        return False
    plain = {name: value for name, value in act.fields.items() if name not in _COMPUTED}
    if any(recorded.payload.get(name) != value for name, value in plain.items()):
        return False
    said, kept = _references(repo, act), recorded.payload
    return all(_digests(said[name]) == _digests(kept.get(name)) for name in said)


def _references(repo: ChunkRepository, act: ActInput) -> dict[str, Any]:
    return person_references(_Digests(repo), act)  # type: ignore[arg-type]  # of a repository it asks put_person alone


def _digests(reference: Any) -> list[str]:
    """The digests of the persons under a payload's field, in order."""
    if isinstance(reference, list):
        return [digest for item in reference for digest in _digests(item)]
    if not isinstance(reference, dict):
        return []
    if "digest" in reference:
        return [reference["digest"]]
    return [digest for item in reference.values() for digest in _digests(item)]


class _Digests:
    """Names persons by their digest alone: nothing is stored."""

    def __init__(self, repo: ChunkRepository) -> None:
        self._repo = repo

    def put_person(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """The person as a payload would name it, without id or version."""
        return PersonRef("", 0, self._repo.person_digest(fields), None)


def _iso_day(ordinal: int) -> str:
    return date.fromordinal(ordinal).isoformat()
