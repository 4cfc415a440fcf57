"""What a sweep writes for a group of cases, decided once.

A probe (``procedure.domain.probe``) stands for all due cases that are alike in what the decision looks at.
``conclude``, the function by which every expiry is decided, runs on it once; the rows that come out, with tokens where
the cases differ, are the group's template. Each case then fills in its own values and takes its own hashes: no second
table, no law in SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from operator import itemgetter
from typing import Any

from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.chain import canonical, hashed_head
from procedure.domain.context import Context
from procedure.domain.decide import conclude
from procedure.domain.derived import CarriedDay, CarriedText, Derive
from procedure.domain.probe import (
    AMOUNTS,
    FIRST,
    HIDEABLE,
    PLAIN,
    ROOM,
    TOKENS,
    VIEWS,
    WHOLE,
    NotShared,
    ProbeCase,
    ProbeFacts,
    token,
)
from procedure.domain.vocabulary import Act, DeadlineStatus, State
from procedure.services.sweep import Chunk, tally
from procedure.store import rows
from procedure.store.bulk import Row

AUTO, PREVIOUS, HASH, NUMBER, LIVRO, FOLHA, OWN = range(7)  # a case's values, in the order of their tokens
FACT = "facts."
HIDDEN: Any = object()  # what of a deadline no expiry reads: writing it, or asking it anything, fails

Values = list[str]
Fill = Callable[[Values], str]
Derivation = tuple[Derive, tuple[str | int, ...]]  # a function, and its texts or where in a case's values they stand


@dataclass(frozen=True, slots=True)
class Alike:
    """What a group's cases share: the values that its probe holds."""

    municipality: str
    law: str
    rulebook_version: str
    state: str
    timezone: str
    last_seq: int
    last_at: str
    deadlines: tuple[tuple[Any, ...], ...]
    names: tuple[str, ...]
    parts: tuple[Any, ...]


@dataclass(slots=True)
class ActTemplate:
    """One act of the group. ``payload`` is its text, or how it is filled in."""

    seq: int
    head: Fill
    payload: str | Fill
    event: Fill
    event_parts: tuple[str, str, str]  # what stands before, between and after the auto and the hash
    before: Row  # the columns before the payload, the municipality and auto left out
    between: Row  # those after it, before the hashes
    inscribes: bool


@dataclass(slots=True)
class Template:
    """The rows of a group."""

    law: str
    state: str
    last_seq: int
    last_at: str
    acrescimo: int | None
    facts: list[tuple[str, str | Fill | None]]
    acts: list[ActTemplate]
    derived: list[Derivation]
    slices: list[tuple[int, int, int]]
    closed: list[Row]
    opened: list[Row]
    inscription: Inscribed | None
    tally: Chunk
    number: int = 0  # among the run's templates


@dataclass(slots=True)
class Inscribed:
    """The inscription of a group; ``termo`` is filled in by each case."""

    seq: int
    day: date
    money: Row
    days: tuple[str | Fill | None, ...]
    termo: Fill
    beside: str


def build(alike: Alike, ctx: Context, before_epoch: int, recorded_at: str) -> Template:
    """Decide the probe and keep what comes out. Raises Unseen, NotShared and whatever the decision raises."""
    return _Builder(alike, ctx).template(before_epoch, recorded_at)


class _Builder:
    def __init__(self, alike: Alike, ctx: Context) -> None:
        self._alike, self._ctx = alike, ctx
        self._lengths = [WHOLE] * OWN
        self._slices: list[tuple[int, int, int]] = []
        self._derived: list[Derivation] = []
        self._fields: dict[str, Any] = {}
        self._case = self._probe()

    def template(self, before_epoch: int, recorded_at: str) -> Template:
        case, alike = self._case, self._alike
        conclude(case, before_epoch, self._ctx, recorded_at)
        if not case.new_acts:
            raise NotShared("nothing was due after all")
        self._require_only_what_is_written()
        assert case.state is not None  # a due case has one
        count = Chunk()
        tally(case, count)
        facts = self._facts()
        acts = [self._act(act) for act in case.new_acts]
        return Template(
            law=alike.law,
            state=case.state.value,
            last_seq=case.last_seq,
            last_at=case.last_at,
            acrescimo=case.acrescimo if "acrescimo" in case.visible else None,
            facts=facts,
            acts=acts,
            derived=self._derived,
            slices=self._slices,
            closed=[
                (d.status.value, d.closed_by, d.number, d.kind) for d in case.deadlines if d.stored and d.dirty
            ],
            opened=[(d.number, d.kind, *rows.deadline_values(d)) for d in case.deadlines if not d.stored],
            inscription=self._inscription(),
            tally=count,
        )

    def _following(self, length: int) -> str:
        self._lengths.append(length)
        text = CarriedText(token(len(self._lengths) - 1, length))
        text.work_out = self._work_out
        return text

    def _work_out(self, function: Derive, texts: tuple[str, ...]) -> str:
        """The token of what ``function`` gives of each case's own texts. Those carried must stand whole."""
        sources: list[str | int] = []
        for text in texts:
            index = (ord(text[0]) - FIRST) // ROOM if TOKENS.match(text) else -1
            if index >= 0 and (index >= len(self._lengths) or text != token(index, self._lengths[index])):
                raise NotShared("a part of what is carried")
            sources.append(index if index >= 0 else str(text))
        self._derived.append((function, tuple(sources)))
        return self._following(WHOLE)

    def _probe(self) -> ProbeCase:
        alike = self._alike
        case = ProbeCase.__new__(ProbeCase)
        object.__setattr__(case, "visible", set())
        known: dict[str, Any] = {}
        for name, part in zip(alike.names, alike.parts, strict=True):
            if not name.startswith(FACT):
                self._fields[name] = self._field(name, part)
            elif part is not None:
                member = name.removeprefix(FACT)
                known[member] = VIEWS.get(member, PLAIN)[1](part, self._following)
        names = frozenset(name.removeprefix(FACT) for name in alike.names if name.startswith(FACT))
        Case.__init__(
            case,
            municipality=alike.municipality,
            auto=token(AUTO),
            law=alike.law,
            rulebook_version=alike.rulebook_version,
            state=State(alike.state),
            last_seq=alike.last_seq,
            last_at=alike.last_at,
            timezone=alike.timezone,
            facts=ProbeFacts(known, names),
            deadlines=[_deadline(values, alike.timezone) for values in alike.deadlines],
            **self._fields,
        )
        case.visible = set(self._fields)
        return case

    def _field(self, name: str, part: Any) -> Any:
        if name == "fact_date":
            return CarriedDay(self._following(WHOLE)) if part else None
        if name not in AMOUNTS:
            raise NotShared(name)
        return part

    def _require_only_what_is_written(self) -> None:
        """That nothing changed but what a template writes."""
        case, alike = self._case, self._alike
        written = {name for name in case.visible & HIDEABLE if name not in self._fields}
        changed = {name for name, value in self._fields.items() if getattr(case, name) is not value}
        if (written | changed) - {"acrescimo"} or any(d.undone for d in case.deadlines):
            raise NotShared("a column that templates do not write has changed")
        if (case.law, case.rulebook_version, case.timezone) != (alike.law, alike.rulebook_version, alike.timezone):
            raise NotShared("the law of the case has changed")

    def _fill(self, text: str, *, bare: Sequence[int] = ()) -> str | Fill:
        """The text itself when it has no token; else how a case fills it in."""
        for index in range(OWN, len(self._lengths)):
            text = text.replace(f'{{"{token(index)}":0}}', token(index)) if self._lengths[index] == WHOLE else text
        for index in bare:
            text = text.replace(f'"{token(index)}"', token(index))
        pieces: list[str] = []
        picked: list[int] = []
        start = 0
        for run in TOKENS.finditer(text):
            pieces.append(text[start : run.start()].replace("%", "%%"))
            for index in self._picked(run.group()):
                pieces.append("%s")
                picked.append(index)
            start = run.end()
        if not picked:
            return text
        pieces.append(text[start:].replace("%", "%%"))
        return _filler("".join(pieces), picked)

    def _picked(self, run: str) -> list[int]:
        found = []
        while run:
            index, first = divmod(ord(run[0]) - FIRST, ROOM)
            if index >= len(self._lengths):
                raise NotShared("a text of the case looks like a token")
            whole = token(index, self._lengths[index])
            length = 1
            while length < len(run) and ord(run[length]) == ord(run[0]) + length and first + length < len(whole):
                length += 1
            run = run[length:]
            found.append(self._place(index, first, first + length))
        return found

    def _place(self, index: int, first: int, end: int) -> int:
        if (first, end) == (0, self._lengths[index]):
            return index
        if self._lengths[index] == WHOLE:
            raise NotShared("a part of what is carried whole")
        part = (index, first, end)
        if part not in self._slices:
            self._slices.append(part)
        return -1 - self._slices.index(part)

    def _facts(self) -> list[tuple[str, str | Fill | None]]:
        facts = self._case.facts
        assert isinstance(facts, ProbeFacts)
        found: list[tuple[str, str | Fill | None]] = []
        for name in sorted(facts.written):
            value = facts.stored(name)
            found.append((f"{canonical(name)}:", None if value is None else self._fill(canonical(value))))
        return found

    def _act(self, act: RecordedAct) -> ActTemplate:
        case, at = self._case, str(act.at)
        inscribes = act.kind == Act.INSCRICAO and act.payload["outcome"] == "apta"
        if inscribes:
            act.payload.update(number=token(NUMBER), livro=token(LIVRO), folha=token(FOLHA))
        act.payload_text = canonical(act.payload)
        act.prev_hash, act.hash = token(PREVIOUS), token(HASH)
        row = rows.act_row(case, act, at)
        payload, end = rows.ACT_COLUMNS.index("payload"), rows.ACT_COLUMNS.index("prev_hash")
        tail = rows.event_tail(case, act, at)
        before, _, rest = tail.partition(token(AUTO))
        middle, _, end_of_event = rest.partition(token(HASH))
        return ActTemplate(
            seq=act.seq,
            head=self._filled(hashed_head(case.municipality, case.auto, act)),
            payload=self._fill(act.payload_text, bare=(LIVRO, FOLHA)),
            event=self._filled(tail),
            event_parts=(before, middle, end_of_event),
            before=row[2:payload],
            between=row[payload + 1 : end],
            inscribes=inscribes,
        )

    def _filled(self, text: str) -> Fill:
        made = self._fill(text)
        if isinstance(made, str):
            raise NotShared("a text that each case has its own of")
        return made

    def _inscription(self) -> Inscribed | None:
        item = self._case.inscription
        if item is None:
            return None
        termo = self._fill(canonical(item.termo))
        days = (item.exigivel_em, item.prescribes_on, item.warns_on)
        return Inscribed(
            item.seq,
            item.day,
            (item.original_amount, item.charges, item.status),
            tuple(day and self._fill(day) for day in map(rows.iso, days)),
            self._filled(canonical(item.termo)) if not isinstance(termo, str) else lambda _values: termo,
            canonical(item.beside),
        )


def _filler(form: str, picked: list[int]) -> Fill:
    """Fills ``form`` with the values at ``picked``: below zero, the slices, which stand last in reverse order."""
    if len(picked) == 1:
        only = picked[0]
        return lambda values: form % values[only]
    pick = itemgetter(*picked)
    return lambda values: form % pick(values)


def _deadline(values: tuple[Any, ...], timezone: str) -> Deadline:
    """An open deadline with what an expiry reads of it."""
    number, kind, due, expires_on, expires_at, _, expiry_act, track, internal = values
    return Deadline(
        kind=kind,
        number=number,
        status=DeadlineStatus.ABERTO,
        term=HIDDEN,
        counting=HIDDEN,
        starts_on=HIDDEN,
        first_counted=HIDDEN,
        last_counted=HIDDEN,
        due=_day(due),
        due_at=HIDDEN,
        expires_on=_day(expires_on),
        expires_at=rows.moment(expires_at, timezone),
        article=HIDDEN,
        calendar_version=HIDDEN,
        alternatives=HIDDEN,
        expiry_act=expiry_act,
        track=track,
        internal=bool(internal),
        supersedes=HIDDEN,
        stored=True,
    )


def _day(value: Any) -> date:
    return date.fromisoformat(value) if isinstance(value, str) else value
