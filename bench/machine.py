"""The part ``machine``: a table of 15 states and 30 rows, in the product and in other packages.

Every contender moves its cases through the same random events; each end state is checked against a plain dict.
The product keeps one machine for all cases, and of a case only its state; the others keep one machine per case.
"""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from typing import Any

from bench.measuring import ROUNDS, busy_seconds, interleaved, ratios, spread
from bench.targets import Targets, require

STATES, EVENTS = 15, ("avanca", "volta")
STEPS = 12  # events a case
CASES, SLOW_CASES, SLOWEST_CASES = 20_000, 200, 40
DRAW = 15
Path = tuple[str, ...]
Move = Callable[[Any, Path], str]  # a case and its events -> the name of its last state
Contender = tuple[Callable[[], Any], Move, int]  # makes a case, moves it, how many cases at full size


def names() -> list[str]:
    """The states: fifteen words that the product knows."""
    from procedure.domain.vocabulary import State

    return [state.value for state in list(State)[:STATES]]


def rows() -> dict[tuple[str, str], str]:
    """The thirty rows: one step on, or two back, round the circle of states."""
    circle = names()
    return {
        (origin, event): circle[(at + step) % STATES]
        for at, origin in enumerate(circle)
        for event, step in zip(EVENTS, (1, -2), strict=True)
    }


def run(targets: Targets, scale: float) -> None:
    """Measure each package that is installed; name those that are not. Nothing here is judged."""
    table = rows()
    require((len(names()), len(table)) == (STATES, 2 * STATES), "the table has not 15 states and 30 rows")
    contenders: dict[str, Contender] = {}
    for label, make in (("posturas", _product), ("a dict", _dictionary), *PEERS.items()):
        try:
            contenders[label] = make()
        except ImportError as error:
            print(f"  {label}: not measured, it cannot be imported ({error.name}); see requirements/bench.txt")
    sizes = {label: max(10, int(size * min(1, scale))) for label, (_, _, size) in contenders.items()}
    paths = _paths(max(sizes.values()))

    def measured(label: str) -> float:
        make, move, _ = contenders[label]
        size, ends = sizes[label], []
        cases = [make() for _ in range(size)]
        took = busy_seconds(lambda: ends.extend([move(c, p) for c, p in zip(cases, paths[:size], strict=True)]))
        require(ends == [_walked(table, path) for path in paths[:size]], f"{label}: a case ended in another state")
        return took / size / STEPS

    times = interleaved({label: lambda label=label: measured(label) for label in contenders})  # type: ignore[misc]  # bound at once
    print(f"{STATES} states, {len(table)} rows, {STEPS} events a case; medians [least..most] of {ROUNDS} rounds")
    for label, each in times.items():
        made = _bytes_each(contenders[label][0], sizes[label])
        against = ratios(each, times["posturas"]).median
        micro = spread(t * 1e6 for t in each)
        print(f"  {label:<28} {micro:.2f} µs an event  {against:8.1f} ×   {made:9,.0f} bytes a case")


def _paths(size: int) -> list[Path]:
    draw = random.Random(DRAW)
    return [tuple(draw.choices(EVENTS, k=STEPS)) for _ in range(size)]


def _walked(table: dict[tuple[str, str], str], path: Path) -> str:
    state = next(iter(table))[0]
    for event in path:
        state = table[state, event]
    return state


def _bytes_each(make: Callable[[], Any], size: int) -> float:
    """The memory that a case keeps, its place in a list included."""
    make()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    cases = [make() for _ in range(size)]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(cases)


def _product() -> Contender:
    from types import SimpleNamespace

    from legalbasis import Citation
    from procedure.domain.machine import TransitionTable
    from procedure.domain.rulebook import Row

    cite = Citation("urn:lex:br:federal:lei:1999-01-29;9784", "Lei 9.784/1999", "66")
    listed = tuple(Row(o, event, None, target, (), (), (), None, cite) for (o, event), target in rows().items())
    # Of a rulebook the table reads its rows alone.
    table: Any = TransitionTable(SimpleNamespace(rows=listed, track_rows={}))  # type: ignore[arg-type]  # only rows
    first = names()[0]

    def move(case: str, path: Path) -> str:
        state = case
        for event in path:
            state = table.move(state, event, None, place="bench").target
        return state

    return (lambda: first), move, CASES


def _dictionary() -> Contender:
    table, first = rows(), names()[0]
    return (lambda: first), (lambda case, path: _walked(table, path)), CASES


def _transitions() -> Contender:
    from transitions import Machine

    listed = [{"trigger": event, "source": origin, "dest": target} for (origin, event), target in rows().items()]
    circle = names()

    def make() -> Any:
        return Machine(states=circle, transitions=listed, initial=circle[0], auto_transitions=False)

    def move(case: Any, path: Path) -> str:
        for event in path:
            case.trigger(event)
        return str(case.state)

    return make, move, SLOW_CASES


def _transitions_shared() -> Contender:
    from transitions import Machine

    listed = [{"trigger": event, "source": origin, "dest": target} for (origin, event), target in rows().items()]
    machine = Machine(model=None, states=names(), transitions=listed, initial=names()[0], auto_transitions=False)
    fire = {event: machine.events[event].trigger for event in EVENTS}

    class Case:
        __slots__ = ("state",)

        def __init__(self) -> None:
            self.state = first

    first = names()[0]

    def move(case: Any, path: Path) -> str:
        for event in path:
            fire[event](case)
        return str(case.state)

    return Case, move, 10 * SLOW_CASES


def _statemachine() -> Contender:
    from statemachine.io import create_machine_class_from_definition

    states: dict[str, Any] = {name: {"on": {}} for name in names()}
    states[names()[0]]["initial"] = True
    for (origin, event), target in rows().items():
        states[origin]["on"][event] = [{"target": target}]
    machine: Any = create_machine_class_from_definition("Bench", states)

    def move(case: Any, path: Path) -> str:
        for event in path:
            case.send(event)
        return str(next(iter(case.configuration)).id)

    return machine, move, SLOW_CASES


def _spiff() -> Contender:
    from SpiffWorkflow.operators import Attrib, Equal
    from SpiffWorkflow.specs.ExclusiveChoice import ExclusiveChoice
    from SpiffWorkflow.specs.WorkflowSpec import WorkflowSpec
    from SpiffWorkflow.util.task import TaskState
    from SpiffWorkflow.workflow import Workflow

    spec, table = WorkflowSpec(name="bench", addstart=True), rows()
    choices = {name: ExclusiveChoice(spec, name, manual=True) for name in names()}
    spec.start.connect(choices[names()[0]])
    for name, choice in choices.items():
        choice.connect_if(Equal(Attrib("event"), EVENTS[0]), choices[table[name, EVENTS[0]]])
        choice.connect(choices[table[name, EVENTS[1]]])

    def make() -> Any:
        case = Workflow(spec)
        case.run_next()
        return case

    def move(case: Any, path: Path) -> str:
        for event in path:
            task = case.get_tasks(state=TaskState.READY)[0]
            task.set_data(event=event)
            task.run()
        return str(case.get_tasks(state=TaskState.READY)[0].task_spec.name)

    return make, move, SLOWEST_CASES


PEERS: dict[str, Callable[[], Contender]] = {
    "transitions, one a case": _transitions,
    "transitions, one for all": _transitions_shared,
    "python-statemachine": _statemachine,
    "SpiffWorkflow": _spiff,
}
