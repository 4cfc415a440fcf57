"""The rows of a page, filled in case by case from the templates of their groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from procedure.domain.facts_text import BETWEEN, put
from procedure.services.sweep import Chunk
from procedure.store.bulk import Row
from procedure.store.templates import HASH, PREVIOUS, Inscribed, Template

ACTS_MOST = 10_000  # acts of one template, more than a chain has: an act's code is its template's number and place


@dataclass(slots=True)
class Plan:
    """Rows to be written, set-wise. A case's: state, last_seq, last_hash, last_at, acrescimo, facts, key, version.

    A ``compact`` one holds of an act only what its template does not: auto, code, payload (None: the template's),
    hashes; and no events, which follow from these.
    """

    municipality: str
    compact: bool = False
    templates: dict[int, Template] = field(default_factory=dict)
    cases: list[Row] = field(default_factory=list)
    acts: list[Row] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)
    closed: list[Row] = field(default_factory=list)
    opened: list[Row] = field(default_factory=list)
    inscriptions: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class Member:
    """One case of a group: what it carries, and the place in the register that it is given.

    Its auto stands in JSON as it is.
    """

    template: Template
    auto: str
    version: int
    last_hash: str
    acrescimo: int
    lines: list[str]
    carried: Sequence[str]
    number: int = 0
    livro: int = 0
    folha: int = 0


def write(plan: Plan, member: Member) -> None:
    """The rows of one case: its values filled in, its acts chained."""
    template, auto, place = member.template, member.auto, plan.municipality
    inscribed = template.inscription
    number = f"{member.number}/{inscribed.day.year}" if inscribed else ""
    values = [auto, "", "", number, str(member.livro), str(member.folha), *member.carried]
    for function, sources in template.derived:
        values.append(function(*[values[s] if isinstance(s, int) else s for s in sources]))
    if template.slices:
        values.extend([values[index][first:end] for index, first, end in reversed(template.slices)])
    head = member.last_hash
    plan.templates[template.number] = template
    for place_in, act in enumerate(template.acts):
        shared = act.payload
        payload = shared if isinstance(shared, str) else shared(values)
        values[PREVIOUS] = head
        values[HASH] = after = sha256(f"{act.head(values)}{payload}]".encode()).hexdigest()
        if plan.compact:
            own = None if payload is shared else payload
            plan.acts.append((auto, template.number * ACTS_MOST + place_in, own, head, after))
        else:
            plan.acts.append((place, auto, *act.before, payload, *act.between, head, after))
            plan.events.append((place, auto, act.seq, f"{payload[:-1]},{act.event(values)}"))
        head = after
    lines = member.lines
    for name, text in template.facts:
        put(lines, name, text if text is None or isinstance(text, str) else text(values))
    facts = f"{{{BETWEEN.join(lines)}}}"
    acrescimo = member.acrescimo if template.acrescimo is None else template.acrescimo
    changed = (template.state, template.last_seq, head, template.last_at, acrescimo, facts)
    plan.cases.append((*changed, place, auto, member.version))
    for status, closed_by, *key in template.closed:
        plan.closed.append((status, closed_by, place, auto, *key))
    for row in template.opened:
        plan.opened.append((place, auto, *row))
    if inscribed:
        _inscribe(plan, member, inscribed, values)


def _inscribe(plan: Plan, member: Member, inscribed: Inscribed, values: list[str]) -> None:
    day = inscribed.day
    days = (made if made is None or isinstance(made, str) else made(values) for made in inscribed.days)
    plan.inscriptions.append(
        (
            *(plan.municipality, day.year, member.number, member.auto, inscribed.seq, day.isoformat()),
            *(member.livro, member.folha, *inscribed.money, *days, inscribed.termo(values), inscribed.beside),
        )
    )


def count_in(chunk: Chunk, counted: Counter[int], templates: Sequence[Template]) -> None:
    """Add what the members of each template did."""
    for index, members in counted.items():
        part = templates[index].tally
        for name in ("acts", "expired", "inscribed", "surcharged", "returned_to_origin"):
            setattr(chunk, name, getattr(chunk, name) + members * getattr(part, name))
        for kind, times in part.by_kind.items():
            chunk.by_kind[kind] += members * times
