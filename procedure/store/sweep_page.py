"""One page of a sweep: its cases decided by groups where they are alike, one by one where not, in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from legalbasis import PosturasError
from procedure.domain.case import Case, Inscription
from procedure.domain.chain import canonical, seal
from procedure.domain.facts_text import lines_of, value_at
from procedure.domain.numbering import entries, give, unnumbered
from procedure.domain.probe import AMOUNTS, VIEWS, Carried, Part, Unseen, carried_day, json_inside
from procedure.services.context import Contexts
from procedure.services.ports import MunicipalData
from procedure.services.sweep import Chunk, decide_cases
from procedure.store.bulk import Row
from procedure.store.due import CASE, read_page, write_page
from procedure.store.plan import Member, Plan, count_in, write
from procedure.store.repository import SqlRepository
from procedure.store.templates import FACT, Alike, Template, build

if TYPE_CHECKING:
    from sqlalchemy import Connection

UNKNOWN, ALONE = -1, -2  # no template yet; none can be: the group's cases are decided one by one
MOST_TEMPLATES = 3_000  # some ten kilobytes each
PLACE = {name: CASE.index(name) for name in (*AMOUNTS, "fact_date")}

Shape = tuple[Any, ...]
Reader = tuple[str, int, Callable[[Any], tuple[Part, Carried]] | None]  # head of a fact, or a column; its view


class Groups:
    """The templates of a run, learnt as its cases come."""

    def __init__(self, municipality: str, before_epoch: int, recorded_at: str) -> None:
        self.municipality, self._before, self._recorded_at = municipality, before_epoch, recorded_at
        self._names: dict[Shape, tuple[str, ...]] = {}
        self._known: dict[tuple[Any, ...], int] = {}
        self._data: MunicipalData | None = None
        self.templates: list[Template] = []

    def under(self, contexts: Contexts) -> None:
        """Forget what was decided under other data of the municipality."""
        data = contexts.data(self.municipality)
        if data != self._data or len(self._known) > MOST_TEMPLATES:
            self._known.clear()
            self.templates.clear()
        self._data, self._contexts = data, contexts

    def member(self, row: Row, running: tuple[Row, ...]) -> tuple[int, Member] | None:
        """The case as a member of its group, with the group's number; None when it is decided by itself."""
        if row[-1] or json_inside(row[0]) != row[0]:  # inscribed already, or of a name that JSON writes otherwise
            return None
        lines = lines_of(row[15])
        if len(running) == 1:
            ((_, kinds, _, _, first, *_),) = running
        else:
            kinds, first = tuple([item[1] for item in running]), min([item[4] for item in running])
        shape = (row[2:6], kinds)
        # The last act's moment tells nothing where it is before every expiry; any earlier one is as good.
        last_at = "" if row[8][:10] < first[:10] else row[8]
        while True:
            names = self._names.get(shape, ())
            parts, carried = _parts(names, row, lines) if names else ((), ())
            key = (shape, row[6], last_at, running, parts)
            number = self._known.get(key, UNKNOWN)
            if number != UNKNOWN:
                break
            try:
                number = self._known[key] = self._learn(key, names)
                break
            except Unseen as unseen:
                if unseen.name in names:
                    raise
                self._names[shape] = (*names, unseen.name)
        if number == ALONE:
            return None
        return number, Member(self.templates[number], row[0], row[1], row[7], row[11], lines, carried)

    def _learn(self, key: tuple[Any, ...], names: tuple[str, ...]) -> int:
        """The number of a new template; ALONE where the group's cases are decided one by one. Raises Unseen."""
        ((law, version, state, timezone), _), last_seq, last_at, running, parts = key
        alike = Alike(
            self.municipality, law, version, state, timezone, last_seq, last_at, running, names, parts
        )
        try:
            ctx = self._contexts.of(self.municipality, law, version)
            if any(rule.again for rule in ctx.book.deadlines.values()):
                return ALONE  # a term that depends on those that ended, which are not read
            made = build(alike, ctx, self._before, self._recorded_at)
        except Unseen:
            raise
        except Exception:  # whatever it is, deciding the case by itself will say it, of that case
            return ALONE
        made.number = len(self.templates)
        self.templates.append(made)
        return len(self.templates) - 1


def _parts(names: Sequence[str], row: Row, lines: list[str]) -> tuple[tuple[Part, ...], Sequence[str]]:
    """What the case has of each name: what tells its group, and what it carries."""
    parts: list[Part] = []
    carried: list[str] = []
    for head, place, view in _readers(tuple(names)):
        value = value_at(lines, head) if head else row[place]
        if view is None or value is None:
            parts.append(value)
        else:
            part, own = view(value)
            parts.append(part)
            carried += own
    return tuple(parts), carried


@lru_cache(maxsize=1_024)
def _readers(names: tuple[str, ...]) -> list[Reader]:
    return [_reader(name) for name in names]


def _reader(name: str) -> Reader:
    if not name.startswith(FACT):
        return "", PLACE[name], carried_day if name == "fact_date" else None
    member = name.removeprefix(FACT)
    return f"{canonical(member)}:", 0, VIEWS[member][0] if member in VIEWS else None


def sweep_page(
    repo: SqlRepository,
    groups: Groups,
    autos: Sequence[str],
    before_epoch: int,
    recorded_at: str,
    *,
    turn: Callable[[], object] = bool,
) -> Chunk:
    """Conclude the cases among ``autos`` that are due and free, number and write them. Nothing is committed.

    ``turn`` is called when all is written that has no number in the register: it may wait until another page of this
    process is committed.
    """
    connection, municipality = repo.connection, groups.municipality
    contexts = Contexts(repo)
    groups.under(contexts)
    chunk = Chunk(last=autos[-1])
    due, running = read_page(connection, municipality, autos, before_epoch)
    _keep_laws(contexts, municipality, due)
    members, alone, counted = _grouped(groups, due, running)
    chunk.examined += len(members)
    chunk.passed_over += len(autos) - len(due)
    done: list[Case] = []
    if alone:
        done = decide_cases(
            repo, contexts, municipality, alone, chunk, before_epoch=before_epoch, recorded_at=recorded_at
        )
    inscribed = [member for member in members if member.template.inscription]
    _write(connection, municipality, [member for member in members if not member.template.inscription])
    turn()
    _number(repo, contexts, municipality, inscribed, done)
    for case in done:
        seal(case)
    _write(connection, municipality, inscribed)
    repo.save(done)
    count_in(chunk, counted, groups.templates)
    return chunk


def _write(connection: Connection, municipality: str, members: Sequence[Member]) -> None:
    plan = Plan(municipality, compact=connection.dialect.name == "postgresql")
    for member in members:
        write(plan, member)
    write_page(connection, plan)


def _keep_laws(contexts: Contexts, municipality: str, due: Sequence[Row]) -> None:
    """Have the laws and days of the page kept in its transaction: templates may come from one that was undone."""
    for law, version in {(row[2], row[3]) for row in due}:
        with suppress(PosturasError):  # deciding the cases by themselves will say it
            contexts.of(municipality, law, version)


def _grouped(
    groups: Groups, due: Sequence[Row], running: dict[str, tuple[Row, ...]]
) -> tuple[list[Member], list[str], Counter[int]]:
    members: list[Member] = []
    alone: list[str] = []
    counted: list[int] = []
    for row in due:
        try:
            found = groups.member(row, running[row[0]])
        except Exception:  # a row that cannot be read; deciding the case by itself says what is wrong with it
            found = None
        if found is None:
            alone.append(row[0])
        else:
            counted.append(found[0])
            members.append(found[1])
    return members, alone, Counter(counted)


def _number(
    repo: SqlRepository, contexts: Contexts, municipality: str, members: Sequence[Member], done: Sequence[Case]
) -> None:
    """Give the chunk's inscriptions their numbers by (day, auto), grouped cases and others alike."""
    fresh: list[tuple[Any, str, int, Member | tuple[Case, Inscription]]] = [
        (m.template.inscription.day, m.auto, 0, m) for m in members if m.template.inscription
    ]
    fresh += [(item.day, case.auto, item.seq, (case, item)) for case in done for item in unnumbered(case)]
    if not fresh:
        return
    fresh.sort(key=lambda item: item[:3])
    first = fresh[0][3]
    law = first[0].law if isinstance(first, tuple) else first.template.law
    settings = contexts.data(municipality).options.get(law, {})
    places = entries(municipality, [day for day, *_ in fresh], repo.take_numbers, settings)
    for (*_, one), place in zip(fresh, places, strict=True):
        if isinstance(one, tuple):
            give(*one, place)
        else:
            one.number, one.livro, one.folha = place.number, place.livro, place.folha
