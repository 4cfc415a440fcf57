"""The legal order of staged acts: by moment, then auto; one case's acts of a day with no hour by the machine (spec 05).

The machine is asked for an order in which every act is allowed, over the outcomes that each may have. Where there are
several, the one nearest the lines' order is taken; where there is none, as many acts as can come, then the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from procedure.domain.context import Context
from procedure.domain.rulebook import Row
from procedure.domain.vocabulary import Act
from procedure.services.importing.staging import Item

MOST_ACTS = 9  # of one case on one day that the machine orders: beyond it there are too many orders, and lines decide
NO_HOUR = -(1 << 62)


@dataclass(frozen=True, slots=True)
class Start:
    """Where a case stands before a day's acts. ``owed`` is what is still due, in centavos; None when not yet fixed.

    ``tracks``: where each side track that began stands.
    """

    state: str | None
    owed: int | None
    ctx: Context
    tracks: Mapping[str, str] = field(default_factory=dict)


Group = list[Item]
Stand = tuple[str | None, frozenset[tuple[str, str]]]  # the main state, and that of each side track that began
Auto = tuple[str, str]
Placed = tuple[tuple[int, int, str, str, int], Item]


def by_day(items: Sequence[Item]) -> Iterator[list[Item]]:
    """The items of each day, in the order of the days."""
    for _, day in groupby(sorted(items, key=lambda item: item.day), key=lambda item: item.day):
        yield list(day)


def by_case(items: Sequence[Item]) -> list[Group]:
    """The items of one day by case, in the order of their lines."""
    groups: dict[tuple[str, str], Group] = {}
    for item in items:
        groups.setdefault((item.auto, item.municipality), []).append(item)
    return [sorted(group, key=lambda item: item.line) for _, group in sorted(groups.items())]


def needs_machine(group: Group) -> bool:
    """Whether the clock alone does not order a case's acts of one day."""
    return len(group) > 1 and any(item.clock is None for item in group)


def arrange(groups: Sequence[Group], machine: Callable[[Group], list[Item]]) -> list[Placed]:
    """The items of whole groups of one day, each with its place: sorting the places of a day gives the legal order.

    ``machine`` orders a case's acts where the clock alone does not.
    """
    placed: list[Placed] = []
    for group in groups:
        ordered = machine(group) if needs_machine(group) else sorted(group, key=lambda i: (i.clock or 0, i.line))
        moment = NO_HOUR
        for index, item in enumerate(ordered):
            moment = max(moment, NO_HOUR if item.clock is None else item.clock)
            placed.append(((moment, 0, item.auto, item.municipality, index), item))
    return placed


def in_order(placed: Iterable[Placed]) -> list[Item]:
    """The items of one day in legal order: by their places, but an auto after the one that it names as linked."""
    ordered = sorted(placed, key=lambda each: each[0])
    if any(item.linked for _, item in ordered):
        ordered = sorted(_Linked(ordered).settled(), key=lambda each: each[0])
    return [item for _, item in ordered]


class _Linked:
    """Places of one day where some autos name others: what has no hour waits for the whole day of the auto it names."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self.groups: dict[Auto, list[Placed]] = {}
        for each in placed:
            self.groups.setdefault((each[1].municipality, each[1].auto), []).append(each)
        self.named = {(i.municipality, i.auto): (i.municipality, i.linked) for _, i in placed if i.linked}
        self.found: dict[Auto, tuple[int, int]] = {}
        self.places: list[Placed] = []

    def settled(self) -> list[Placed]:
        for auto in self.groups:
            self._settle(auto)
        return self.places

    def _settle(self, auto: Auto) -> tuple[int, int]:
        """Place the auto's items; its last moment, and how many autos stand before it."""
        if auto in self.found:
            return self.found[auto]
        self.found[auto] = (NO_HOUR, 0)  # autos that name each other in a ring stay where they are
        other = self.named.get(auto)
        last, before = self._settle(other) if other in self.groups else (NO_HOUR, -1)
        moment = NO_HOUR
        for (own, _, number, municipality, index), item in self.groups[auto]:
            waits = last if item.linked and item.clock is None else NO_HOUR
            moment = max(moment, own, waits)
            self.places.append(((moment, before + 1, number, municipality, index), item))
        self.found[auto] = (moment, before + 1)
        return self.found[auto]


def machine_order(group: Group, start: Start) -> list[Item]:
    """One case's acts of one day in the order the machine allows; timed ones keep the order of their clocks."""
    timed = sorted((i for i in group if i.clock is not None), key=lambda i: (i.clock, i.line))
    slots = iter(timed)
    lines = [item if item.clock is None else next(slots) for item in group]
    if len(lines) > MOST_ACTS:
        return lines
    return _Search(lines, start).order()


class _Search:
    """The first order, by lines, in which the machine allows every act; the longest beginning when there is none."""

    def __init__(self, lines: list[Item], start: Start) -> None:
        self.lines = lines
        self.start = start
        self.dead: set[tuple[int, frozenset[Stand]]] = set()
        self.best: list[int] = []

    def order(self) -> list[Item]:
        self._from(0, frozenset({(self.start.state, frozenset(self.start.tracks.items()))}), [])
        rest = [index for index in range(len(self.lines)) if index not in self.best]
        return [self.lines[index] for index in (*self.best, *rest)]

    def _from(self, used: int, states: frozenset[Stand], path: list[int]) -> bool:
        if len(path) > len(self.best):
            self.best = list(path)
        if len(path) == len(self.lines):
            return True
        if (used, states) in self.dead:
            return False
        timed_waiting = True
        for index, item in enumerate(self.lines):
            if used >> index & 1:
                continue
            if item.clock is not None:
                first, timed_waiting = timed_waiting, False
                if not first:
                    continue
            reached = frozenset(t for stand in states for t in self._stands(stand, item, path))
            if reached and self._from(used | 1 << index, reached, [*path, index]):
                return True
        self.dead.add((used, states))
        return False

    def _stands(self, stand: Stand, item: Item, path: list[int]) -> Iterator[Stand]:
        """Where the act may leave the main track and the side ones together."""
        main, tracks = stand
        ctx = self.start.ctx
        moved: list[dict[str, str]] = [dict(tracks)]
        own = {name: [row for row in table.rows if row.act == item.kind] for name, table in ctx.side.items()}
        sides = {name: rows for name, rows in own.items() if rows}
        for name, rows in sides.items():
            targets = {row.target for row in rows if row.origin == dict(tracks).get(name)}
            kept = moved if rows[0].when else []  # it moves the track only where it carries what the rows ask for
            moved = [*kept, *({**each, name: target} for each in moved for target in targets)]
        mains: Iterable[str | None] = self._targets(main, item, path)
        if item.kind is not None and not ctx.table.knows(item.kind):
            mains = [main] if sides and main is not None else []
        yield from ((state, frozenset(each.items())) for state in mains for each in moved)

    def _targets(self, state: str | None, item: Item, path: list[int]) -> Iterator[str]:
        for row in self.start.ctx.book.rows_by_origin.get(state, ()):
            if row.act != item.kind or not self._may_be(row, item, path):
                continue
            yield row.target
            for follower in row.then:
                rows = self.start.ctx.book.rows_by_origin.get(row.target, ())
                yield from (r.target for r in rows if r.act == follower)

    def _may_be(self, row: Row, item: Item, path: list[int]) -> bool:
        if row.switch and self.start.ctx.switches.get(row.switch[0]) != row.switch[1]:
            return False
        if item.kind is Act.PAGAMENTO:
            return self._payment_may_be(row, item, path)
        return row.outcome is None or item.outcome is None or row.outcome == item.outcome

    def _payment_may_be(self, row: Row, item: Item, path: list[int]) -> bool:
        if self.start.owed is None or row.outcome not in ("integral", "parcial"):
            return True
        paid = sum(self.lines[index].centavos for index in path)
        return (row.outcome == "integral") == (paid + item.centavos >= self.start.owed)
