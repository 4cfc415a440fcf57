"""A law's machine as a picture: Mermaid's text, or SVG drawn here. The same rows give the same text, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from procedure.domain.labels import TRACKS
from procedure.domain.machine_check import TERMINAL
from procedure.domain.rulebook import Row, Rulebook
from procedure.domain.vocabulary import MAIN_TRACK, Act, Track

START = "inicio"
BOX, GAP, LINE, PAD = 270, 34, 14, 8  # pixels
LABELS, LANE, TOP = 330, 14, 56
WRAP = 44  # characters of the small text inside a box


@dataclass(frozen=True, slots=True)
class Edge:
    """All the acts that lead from one state to another. ``source`` None: the case does not exist yet."""

    source: str | None
    target: str
    label: str


def rows_of(book: Rulebook, track: str = MAIN_TRACK) -> tuple[Row, ...]:
    """The rows of a track; none when the law does not have it."""
    return book.rows if track == MAIN_TRACK else tuple(book.track_rows.get(track, ()))


def tracks_of(book: Rulebook) -> list[str]:
    """The tracks that the law has, the main one first."""
    return [MAIN_TRACK, *book.track_rows]


def edges_of(book: Rulebook, track: str = MAIN_TRACK) -> list[Edge]:
    """The rows, those between the same two states together, in the order of the file."""
    grouped: dict[tuple[str | None, str], dict[str, list[str]]] = {}
    for row in rows_of(book, track):
        acts = grouped.setdefault((row.origin, row.target), {})
        outcomes = acts.setdefault(_act(row), [])
        if row.outcome:
            outcomes.append(row.outcome)
    return [Edge(*key, _label(acts)) for key, acts in grouped.items()]


def _act(row: Row) -> str:
    if row.when:
        return f"{row.act} [{row.when}]"
    return f"{row.act} [{row.switch[0]} = {row.switch[1]}]" if row.switch else row.act


def _label(acts: dict[str, list[str]]) -> str:
    return " / ".join(f"{act} ({', '.join(outcomes)})" if outcomes else act for act, outcomes in acts.items())


def states_of(book: Rulebook, track: str = MAIN_TRACK) -> list[str]:
    """The states by the longest way to each, those equally far in the order of the file, the final ones last."""
    named = list(dict.fromkeys(s for row in rows_of(book, track) for s in (row.origin, row.target) if s))
    far, final = _distances(book, track), finals_of(book, track)
    return sorted(named, key=lambda s: (s in final, 0 if s in final else far.get(s, 0), named.index(s)))


def finals_of(book: Rulebook, track: str = MAIN_TRACK) -> frozenset[str]:
    """The final states: of the main track the law's own; of a side track those that no row leaves."""
    if track == MAIN_TRACK:
        return frozenset(TERMINAL)
    rows = rows_of(book, track)
    return frozenset({r.target for r in rows} - {str(r.origin) for r in rows if r.origin != r.target})


def _distances(book: Rulebook, track: str) -> dict[str | None, int]:
    """The length of the longest way from the start to each state."""
    following: dict[str | None, list[str]] = {}
    for edge in edges_of(book, track):
        following.setdefault(edge.source, []).append(edge.target)
    forward: list[tuple[str | None, list[str]]] = []
    done: set[str | None] = set()

    def visit(state: str | None, way: tuple[str | None, ...]) -> None:
        ahead = [target for target in following.get(state, ()) if target not in way]
        done.add(state)
        for target in ahead:
            if target not in done:
                visit(target, (*way, target))
        forward.append((state, ahead))

    visit(None, (None,))
    far: dict[str | None, int] = {None: 0}
    for state, ahead in reversed(forward):
        for target in ahead:
            far[target] = max(far.get(target, 0), far[state] + 1)
    return far


def title_of(book: Rulebook, track: str = MAIN_TRACK) -> str:
    """The picture's title."""
    of = "" if track == MAIN_TRACK else f", trilha {TRACKS[Track(track)]}"
    return f"{book.norm}, {book.municipality_name}/{book.uf}{of}: os estados e os atos"


def mermaid(book: Rulebook, track: str = MAIN_TRACK) -> str:
    """A track as a Mermaid ``stateDiagram-v2``. What every state admits alike is a note, not a line from each."""
    states, final, edges = states_of(book, track), finals_of(book, track), edges_of(book, track)
    running = {s for s in states if s not in final}
    from_any = [e for e in edges if e.label == Act.ANULACAO]
    shared = bool(from_any) and {e.source for e in from_any} >= running and len({e.target for e in from_any}) == 1
    named = book.id if track == MAIN_TRACK else f"{book.id}, {track}"
    lines = [f"%% {book.norm} ({book.municipality_name}/{book.uf}), {named}", "stateDiagram-v2", "    direction TB"]
    lines += [f"    {_start(e.source)} --> {e.target}: {e.label}" for e in edges if not (shared and e in from_any)]
    lines += [f"    {state} --> [*]" for state in states if state in final]
    if shared:
        target = from_any[0].target
        lines += [
            f"    note right of {target}",
            f"        {Act.ANULACAO}: de qualquer estado não final",
            "    end note",
        ]
    return "\n".join(lines) + "\n"


def _start(state: str | None) -> str:
    return state or "[*]"


@dataclass(frozen=True, slots=True)
class _Box:
    """A state drawn: its top, its height, the small lines inside it."""

    name: str
    top: int
    height: int
    inside: tuple[str, ...]

    @property
    def foot(self) -> int:
        return self.top + self.height


def svg(book: Rulebook, track: str = MAIN_TRACK) -> str:
    """A track as SVG: states in one column, what goes down on the left, what returns on the right.

    Lines to the same state share one lane; each line carries its acts where it leaves.
    """
    return "\n".join(_Drawing(book, track).lines()) + "\n"


class _Drawing:
    def __init__(self, book: Rulebook, track: str) -> None:
        self.title = title_of(book, track)
        self.final = finals_of(book, track)
        self.order: list[str] = [START, *states_of(book, track)]
        edges = [(e.source or START, e) for e in edges_of(book, track)]
        self.inside = {s: [e.label for source, e in edges if source == s == e.target] for s in self.order}
        moving = [(source, e) for source, e in edges if source != e.target]
        self.straight = [(s, e) for s, e in moving if self._at(e.target) == self._at(s) + 1]
        far = [(s, e) for s, e in moving if (s, e) not in self.straight]
        self.left = [(s, e) for s, e in far if self._at(e.target) > self._at(s)]
        self.right = [(s, e) for s, e in far if self._at(e.target) < self._at(s)]
        self.lanes_left = self._lanes(self.left)
        self.lanes_right = self._lanes(self.right)
        self.x = LABELS + LANE * (len(set(self.lanes_left.values())) + 1)
        self.boxes = self._boxes()

    def _at(self, state: str) -> int:
        return self.order.index(state)

    def _lanes(self, edges: list[tuple[str, Edge]]) -> dict[str, int]:
        """A lane for each target; two targets share one when their lines never run beside each other."""
        spans: dict[str, tuple[int, int]] = {}
        for source, edge in edges:
            low, high = sorted((self._at(source), self._at(edge.target)))
            first, last = spans.get(edge.target, (low, high))
            spans[edge.target] = (min(low, first), max(high, last))
        taken: list[list[tuple[int, int]]] = []
        lanes: dict[str, int] = {}
        for target, span in sorted(spans.items(), key=lambda pair: (pair[1][1] - pair[1][0], pair[1])):
            free = (n for n, lane in enumerate(taken) if all(span[1] < a or b < span[0] for a, b in lane))
            number = next(free, len(taken))
            if number == len(taken):
                taken.append([])
            taken[number].append(span)
            lanes[target] = number
        return lanes

    def _boxes(self) -> dict[str, _Box]:
        boxes: dict[str, _Box] = {}
        top = TOP
        for state in self.order:
            inside = tuple(line for text in self.inside[state] for line in _wrapped(text))
            ports = max(self._ports(state, self.left), self._ports(state, self.right))
            height = max(2 * PAD + LINE * (1 + len(inside)), 2 * PAD + LINE * ports)
            boxes[state] = _Box(state, top, height, inside)
            top += height + GAP
        return boxes

    @staticmethod
    def _ports(state: str, edges: list[tuple[str, Edge]]) -> int:
        return sum(s == state for s, _ in edges) + any(e.target == state for _, e in edges)

    def lines(self) -> Iterator[str]:
        """The elements of the picture."""
        right = self.x + BOX + LABELS + LANE * (len(set(self.lanes_right.values())) + 1)
        bottom = max(box.foot for box in self.boxes.values()) + GAP
        title = escape(self.title)
        yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {bottom}" role="img" aria-label="{title}">'
        yield from _STYLE
        yield f'<rect class="page" width="{right}" height="{bottom}"/>'
        yield f'<text class="title" x="{right // 2}" y="30">{title}</text>'
        for source, edge in self.straight:
            yield from self._down(source, edge)
        yield from self._side(self.left, self.lanes_left, left=True)
        yield from self._side(self.right, self.lanes_right, left=False)
        for box in self.boxes.values():
            yield from self._box(box)
        yield "</svg>"

    def _box(self, box: _Box) -> Iterator[str]:
        middle = self.x + BOX // 2
        kind = "final" if box.name in self.final else "start" if box.name == START else "state"
        yield f'<rect class="{kind}" x="{self.x}" y="{box.top}" width="{BOX}" height="{box.height}" rx="6"/>'
        rows = 1 + len(box.inside)
        first = box.top + (box.height - LINE * rows) // 2 + 11
        yield f'<text class="name" x="{middle}" y="{first}">{escape(box.name)}</text>'
        for number, text in enumerate(box.inside, 1):
            yield f'<text class="inside" x="{middle}" y="{first + LINE * number}">{escape(text)}</text>'

    def _down(self, source: str, edge: Edge) -> Iterator[str]:
        x, top, foot = self.x + BOX // 2, self.boxes[source].foot, self.boxes[edge.target].top
        yield f'<path class="line" d="M{x} {top}V{foot - 2}" marker-end="url(#head)"/>'
        yield f'<text class="act" x="{x + 8}" y="{(top + foot) // 2 + 3}">{escape(edge.label)}</text>'

    def _side(self, edges: list[tuple[str, Edge]], lanes: dict[str, int], *, left: bool) -> Iterator[str]:
        used: dict[str, int] = {}
        entries = {target: self._port(target, used) for target in dict.fromkeys(e.target for _, e in edges)}
        edge_of_box = self.x if left else self.x + BOX
        away = -1 if left else 1
        for source, edge in edges:
            lane = edge_of_box + away * (LABELS + LANE * lanes[edge.target])
            leaves, enters = self._port(source, used), entries[edge.target]
            points = f"M{edge_of_box} {leaves}H{lane}V{enters}H{edge_of_box + 2 * away}"
            yield f'<path class="line" d="{points}" marker-end="url(#head)"/>'
            anchor = ' text-anchor="end"' if left else ""
            yield f'<text class="act" x="{edge_of_box + 8 * away}" y="{leaves - 3}"{anchor}>{escape(edge.label)}</text>'

    def _port(self, state: str, used: dict[str, int]) -> int:
        number = used[state] = used.get(state, 0) + 1
        return self.boxes[state].top + PAD + LINE * number - 4


def _wrapped(text: str) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > WRAP:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


_STYLE = (
    "<style>",
    "text{font:11px sans-serif;fill:#222}.title{font-size:16px;text-anchor:middle}",
    ".name{font-weight:bold;font-size:12px;text-anchor:middle}.inside{font-size:10px;text-anchor:middle;fill:#555}",
    ".act{fill:#234;paint-order:stroke;stroke:#fff;stroke-width:3px}.page{fill:#fff}",
    ".state{fill:#eef3fa;stroke:#356}.final{fill:#f4f4f0;stroke:#555;stroke-width:2}.start{fill:#fff;stroke:#999}",
    ".line{fill:none;stroke:#567;stroke-width:1}",
    "</style>",
    '<defs><marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto">'
    '<path d="M0 0L7 3L0 6z" fill="#567"/></marker></defs>',
)
