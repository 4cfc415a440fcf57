"""Does the record hold? Each case's chain recomputed, its acts replayed, what is stored compared with what they give.

Reads a page of cases at a time. The defects of one case never hide those of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from procedure.domain.case import GENESIS, Case, Deadline, Inscription, RecordedAct
from procedure.domain.chain import act_hash
from procedure.domain.fold import fold
from procedure.domain.vocabulary import Act
from procedure.services.ports import Repository

PAGE = 500
PersonVersion = tuple[str, int]
Progress = Callable[[int], None]
DAMAGED = (ValueError, KeyError, TypeError, AttributeError, IndexError, StopIteration)
"""What a payload that was changed raises when it is read."""

CASE_FIELDS = (
    "state", "last_seq", "last_hash", "last_at", "rulebook_version", "person_id", "person_key", "fact_date",
    "arbitrada", "acrescimo", "diaria", "custos", "pago", "facts",
)  # fmt: skip
DEADLINE_FIELDS = tuple(f.name for f in fields(Deadline) if f.name not in ("dirty", "stored"))
INSCRIPTION_FIELDS = tuple(f.name for f in fields(Inscription) if f.name != "dirty")


@dataclass(frozen=True, slots=True)
class Defect:
    """Something that does not hold. ``seq`` is the act's, None for the case or the register.

    ``auto`` is "" for the register. ``what`` is Portuguese text and never carries personal data.
    """

    auto: str
    seq: int | None
    code: str
    what: str


@dataclass(slots=True)
class Stored:
    """What the store holds of one auto, as far as it can be read. ``case`` None: its row is gone or cannot be read."""

    auto: str
    case: Case | None
    acts: list[RecordedAct]
    inscriptions: int
    defects: list[Defect]


@dataclass(slots=True)
class Proven:
    """A case that holds: how many acts it has, and the persons they name, each with the act's seq."""

    acts: int
    persons: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)


@dataclass(slots=True)
class Verified:
    """What was looked at in a municipality and what does not hold."""

    municipality: str
    cases: int = 0
    acts: int = 0
    erased_persons: set[str] = field(default_factory=set)
    defects: list[Defect] = field(default_factory=list)

    def merge(self, part: Verified) -> None:
        """Add what was found in other cases of the municipality."""
        self.cases += part.cases
        self.acts += part.acts
        self.erased_persons |= part.erased_persons
        self.defects += part.defects

    def end(self, register: Iterable[Defect]) -> None:
        """Put the defects in the order of their autos, and those of the register after them."""
        self.defects.sort(key=lambda defect: defect.auto)
        self.defects += register


class Archive(Repository, Protocol):
    """What verifying asks of the store beside the repository."""

    def recorded_autos(self, municipality: str, *, after: str, limit: int, last: str | None = None) -> list[str]:
        """Every auto of which any row is stored, in key order, those after ``after`` and up to ``last``."""
        ...

    def proven(self, municipality: str, autos: Sequence[str]) -> dict[str, Proven]:
        """Those of a page of ``recorded_autos`` that plainly hold, for all that verifying asks but persons."""
        ...

    def stored(self, municipality: str, autos: Sequence[str]) -> list[Stored]:
        """What is stored of each, with what is wrong in the rows themselves."""
        ...

    def people(self, municipality: str, wanted: Iterable[PersonVersion]) -> dict[PersonVersion, dict[str, Any] | None]:
        """The fields of many versions of persons, None for the erased; those not on record are left out."""
        ...

    def proven_people(self, municipality: str, named: Mapping[PersonVersion, str]) -> set[PersonVersion]:
        """Those of the versions whose stored fields plainly have the digest given."""
        ...

    def person_digest(self, fields: dict[str, Any]) -> str:
        """The keyed digest of the fields."""
        ...

    def register_years(self, municipality: str) -> list[tuple[int, int, int, int]]:
        """(year, how many inscriptions, their highest number, the counter) of each year."""
        ...


class Deeper(Protocol):
    """What ``--deep`` adds to each act, before it is replayed."""

    def check(self, case: Case, act: RecordedAct) -> Iterator[tuple[str, str]]:
        """(code, what) of everything that the law's rules, applied again, give otherwise."""
        ...


def verify(
    archive: Archive,
    municipality: str,
    *,
    auto: str | None = None,
    deeper: Deeper | None = None,
    progress: Progress | None = None,
) -> Verified:
    """Verify every case of the municipality, or the one of ``auto``; then the numbers of the register."""
    result = Verified(municipality)
    if auto is not None:
        _verify_page(archive, [auto], deeper, result)
        return result
    result.merge(verify_range(archive, municipality, deeper=deeper, progress=progress))
    result.end(check_register(archive, municipality))
    return result


def verify_range(
    archive: Archive,
    municipality: str,
    *,
    after: str = "",
    last: str | None = None,
    deeper: Deeper | None = None,
    progress: Progress | None = None,
) -> Verified:
    """Verify the cases of the autos after ``after``, up to ``last``, without the numbers of the register."""
    result = Verified(municipality)
    while page := archive.recorded_autos(municipality, after=after, limit=PAGE, last=last):
        _verify_page(archive, page, deeper, result)
        after = page[-1]
        if progress:
            progress(len(page))
    return result


def _verify_page(archive: Archive, autos: Sequence[str], deeper: Deeper | None, result: Verified) -> None:
    """Verify some cases: at once those that plainly hold, unless the rules are applied again; then the others."""
    municipality = result.municipality
    proven = archive.proven(municipality, autos) if deeper is None else {}
    stored = archive.stored(municipality, [auto for auto in autos if auto not in proven])
    named = [(auto, seq, reference) for auto, held in proven.items() for seq, reference in held.persons]
    for item in stored:
        result.defects += _check(item, municipality, deeper)
        named += [(item.auto, act.seq, ref) for act in item.acts for ref in person_references(act.payload)]
    result.cases += len(autos)
    result.acts += sum(held.acts for held in proven.values()) + sum(len(item.acts) for item in stored)
    _check_persons(archive, municipality, named, result)


def _check(item: Stored, municipality: str, deeper: Deeper | None) -> Iterator[Defect]:
    yield from item.defects
    yield from check_chain(municipality, item.auto, item.acts)
    if item.case is None:
        return
    replayed = Case(
        municipality,
        item.auto,
        law=item.case.law,
        timezone=item.case.timezone,
        rulebook_version=item.acts[0].rulebook_version if item.acts else "",
    )
    failed = False
    for defect in _replay(replayed, item.acts, deeper):
        failed = failed or defect.code == "ato_irreproduzivel"
        yield defect
    if not failed:
        yield from _compare(item, replayed)


def check_chain(municipality: str, auto: str, acts: Sequence[RecordedAct]) -> Iterator[Defect]:
    """The acts are numbered without gaps, each names the hash before it, and its own hash is that of its row."""
    head = GENESIS
    for number, act in enumerate(acts, 1):
        if act.seq != number:
            yield Defect(auto, act.seq, "ato_ausente", f"o {number}º ato do processo tem o número {act.seq}")
        if act.prev_hash != head:
            yield Defect(auto, act.seq, "cadeia_partida", "o hash anterior não é o do ato que o precede")
        if act_hash(municipality, auto, act) != act.hash:
            yield Defect(auto, act.seq, "ato_alterado", "o conteúdo não confere com o hash")
        head = act.hash


def _replay(case: Case, acts: Sequence[RecordedAct], deeper: Deeper | None) -> Iterator[Defect]:
    for act in acts:
        seq = act.seq
        state = case.state.value if case.state else None
        try:
            if act.payload["from"] != state:
                what = f"o ato parte de “{act.payload['from']}” e o processo estava em “{state}”"
                yield Defect(case.auto, seq, "estado_divergente", what)
            if deeper is not None:
                yield from (Defect(case.auto, seq, code, what) for code, what in deeper.check(case, act))
            fold(case, act)
        except DAMAGED as error:
            what = f"o ato não pôde ser refeito ({type(error).__name__})"
            yield Defect(case.auto, seq, "ato_irreproduzivel", what)
            return
    case.last_hash = acts[-1].hash if acts else GENESIS
    case.new_acts = []


def _compare(item: Stored, replayed: Case) -> Iterator[Defect]:
    stored = item.case
    assert stored is not None  # the caller asks only where there is a row
    differing = [name for name in CASE_FIELDS if getattr(stored, name) != getattr(replayed, name)]
    if differing:
        what = f"o processo guardado difere do que os atos dão em: {', '.join(differing)}"
        yield Defect(item.auto, None, "processo_alterado", what)
    yield from _compare_deadlines(item.auto, stored.deadlines, replayed.deadlines)
    yield from _compare_inscription(item.auto, stored.inscription, replayed.inscription)
    given = sum(a.kind == Act.INSCRICAO and a.payload.get("outcome") == "apta" for a in item.acts)
    if given != item.inscriptions:
        what = f"os atos dão {given} inscrição(ões) e há {item.inscriptions} no registro"
        yield Defect(item.auto, None, "inscricao_alterada", what)


def _compare_deadlines(auto: str, stored: Sequence[Deadline], replayed: Sequence[Deadline]) -> Iterator[Defect]:
    kept = {(d.number, d.kind): d for d in stored}
    given = {(d.number, d.kind): d for d in replayed}
    for number, kind in sorted(kept.keys() | given.keys()):
        name = f"o prazo {kind} do ato {number}"
        mine, theirs = kept.get((number, kind)), given.get((number, kind))
        if mine is None or theirs is None:
            what = f"falta {name}" if mine is None else f"{name} não vem de ato nenhum"
            yield Defect(auto, number, "prazo_alterado", what)
            continue
        differing = [f for f in DEADLINE_FIELDS if getattr(mine, f) != getattr(theirs, f)]
        if differing:
            yield Defect(auto, number, "prazo_alterado", f"{name} difere em: {', '.join(differing)}")


def _compare_inscription(auto: str, stored: Inscription | None, replayed: Inscription | None) -> Iterator[Defect]:
    if stored is None or replayed is None:
        if stored is not replayed:
            what = "falta no registro" if stored is None else "não vem de ato nenhum"
            number = (stored or replayed).label  # type: ignore[union-attr]  # one of the two is there
            yield Defect(auto, None, "inscricao_alterada", f"a inscrição {number} {what}")
        return
    differing = [f for f in INSCRIPTION_FIELDS if getattr(stored, f) != getattr(replayed, f)]
    if differing:
        what = f"a inscrição {replayed.label} difere em: {', '.join(differing)}"
        yield Defect(auto, stored.seq, "inscricao_alterada", what)


def _check_persons(
    archive: Archive, municipality: str, named: Sequence[tuple[str, int, Mapping[str, Any]]], result: Verified
) -> None:
    digests = {(ref["person"], ref["version"]): ref["digest"] for _, _, ref in named}
    proven = archive.proven_people(municipality, digests)
    people = archive.people(municipality, digests.keys() - proven)
    for auto, seq, ref in named:
        key = (ref["person"], ref["version"])
        if key in proven and ref["digest"] == digests[key]:
            continue
        if key in proven:  # two acts name one version by different digests
            people.update(archive.people(municipality, [key]))
        if key not in people:
            result.defects.append(Defect(auto, seq, "pessoa_ausente", "falta o registro de uma pessoa do ato"))
        elif (known := people[key]) is None:
            result.erased_persons.add(ref["person"])
        elif archive.person_digest(known) != ref["digest"]:
            what = "os dados de uma pessoa do ato não conferem com o resumo gravado nele"
            result.defects.append(Defect(auto, seq, "pessoa_alterada", what))


def person_references(payload: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every ``{person, version, digest}`` of a payload, wherever it stands."""
    pending: list[Any] = [payload]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            if "digest" in value and isinstance(value.get("person"), str) and isinstance(value.get("version"), int):
                yield value
            pending.extend(item for item in value.values() if isinstance(item, dict | list))
        elif isinstance(value, list):
            pending.extend(item for item in value if isinstance(item, dict | list))


def check_register(archive: Archive, municipality: str) -> Iterator[Defect]:
    """The register of each year: numbered without gaps, up to its counter."""
    for year, count, highest, counter in archive.register_years(municipality):
        if not count == highest == counter:
            what = f"em {year} há {count} inscrição(ões), a mais alta é a {highest} e o contador está em {counter}"
            yield Defect("", None, "numeracao_com_falha", what)
