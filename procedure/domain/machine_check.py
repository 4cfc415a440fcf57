"""What is proved of a rulebook's rows and deadlines: reachable, covered, without dead ends, each term with its end.

It reads the tables of the file, not the ``Rulebook`` built from them, so that every defect has its place in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from procedure.domain.rulebook_reader import SAME_STATE
from procedure.domain.vocabulary import ENGINE_ACTS, MAIN_TRACK, Act, State

Note = Callable[[str, str], None]
TERMINAL = frozenset(
    {State.REGULARIZADO, State.INSUBSISTENTE, State.PAGO, State.QUITADO, State.CANCELADO, State.ANULADO}
)
_LEAVE_THE_END = frozenset({Act.ANULACAO})
_STAY_AT_THE_END = frozenset({Act.PAGAMENTO, Act.RESTITUICAO, Act.RECALCULO_MULTA})
_WHOLE_OR_PART = frozenset({"parcial", "integral"})
_ALONE = (frozenset({"deposito"}), frozenset({"credito"}))
_LEAVES_DUE = (Act.MULTA_DIARIA_CONSOLIDADA, Act.EXECUCAO_PELA_PREFEITURA)
_IMMINENT = "perigo_iminente"
_COLLECTS = "cobranca"
_BY_NOTICE = "prior_notice"
WAITS_FOR = {"decisao_notificada": Act.CIENCIA_DECISAO}  # by requirement, the act that satisfies it


@dataclass(frozen=True, slots=True)
class Move:
    """One row for one origin and one outcome; ``index`` is the row's place in the file.

    ``by_default``: it needs no reading of the law but the default ones.
    """

    index: int
    origin: str | None
    act: str
    outcome: str | None
    target: str
    opens: tuple[str, ...]
    then: tuple[str, ...]
    requires: tuple[str, ...]
    by_default: bool = True
    array: str = "row"

    @property
    def key(self) -> str:
        """Where the row is in the file."""
        return f"{self.array}[{self.index}]"

    @property
    def stays(self) -> bool:
        """Whether the state is the same after it."""
        return self.origin == self.target


@dataclass(slots=True)
class Machine:
    """The rows of a file, expanded, with what the checks ask of them."""

    moves: list[Move]
    outcomes: Mapping[str, Mapping[str, Any]]
    deadlines: list[tuple[int, Mapping[str, Any]]]
    by_origin: dict[str | None, list[Move]] = field(default_factory=dict)
    side: dict[str, Machine] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for move in self.moves:
            self.by_origin.setdefault(move.origin, []).append(move)

    def states(self) -> list[str]:
        """Every state used, in the order of the file."""
        named = [s for m in self.moves for s in (m.origin, m.target) if s]
        return list(dict.fromkeys(named))

    def acts(self) -> dict[str, Move]:
        """Each act that has a row, with its first one."""
        found: dict[str, Move] = {}
        for move in (*self.moves, *(m for track in self.side.values() for m in track.moves)):
            found.setdefault(move.act, move)
        return found

    def has(self, state: str | None, act: str) -> bool:
        """Whether the act has any row in the state."""
        return any(m.act == act for m in self.by_origin.get(state, ()))


def tables_of(data: Mapping[str, Any], key: str) -> list[tuple[int, Mapping[str, Any]]]:
    """The tables of an array, with their places; what is no table is a defect of reading, noted elsewhere."""
    listed = data.get(key)
    if not isinstance(listed, list):
        return []
    return [(index, table) for index, table in enumerate(listed) if isinstance(table, Mapping)]


def words(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of strings of a table; empty when it is not one."""
    value = table.get(key)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def machine_from(data: Mapping[str, Any]) -> Machine:
    """The machine that the tables of a file make."""
    outcomes = data.get("outcomes")
    named = {k: v for k, v in outcomes.items() if isinstance(v, Mapping)} if isinstance(outcomes, Mapping) else {}
    switches = data.get("switches")
    readings = switches if isinstance(switches, Mapping) else {}
    moves = [m for index, table in tables_of(data, "row") for m in _moves(index, table, readings)]
    terms: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    for index, table in tables_of(data, "deadline"):
        terms.setdefault(str(table.get("track", MAIN_TRACK)), []).append((index, table))
    machine = Machine(moves, named, terms.pop(MAIN_TRACK, []))
    tracks: dict[str, list[Move]] = {track: [] for track in terms}
    for index, table in tables_of(data, "track_row"):
        tracks.setdefault(str(table.get("track")), []).extend(_moves(index, table, readings, "track_row"))
    machine.side = {track: Machine(rows, named, terms.get(track, [])) for track, rows in tracks.items()}
    return machine


def _moves(
    index: int, table: Mapping[str, Any], readings: Mapping[str, Any], array: str = "row"
) -> Iterator[Move]:
    act, target = table.get("act"), table.get("to")
    if not isinstance(act, str) or not isinstance(target, str):
        return
    for origin in words(table, "from") or (None,):
        for outcome in words(table, "outcome") or (None,):
            end = (origin or "") if target == SAME_STATE else target
            opens, then, requires = (words(table, key) for key in ("opens", "then", "requires"))
            default = _by_default(table, readings)
            yield Move(index, origin, act, outcome, end, opens, then, requires, default, array)


def _by_default(table: Mapping[str, Any], readings: Mapping[str, Any]) -> bool:
    needed = table.get("switch")
    if not isinstance(needed, Mapping):
        return True
    declared = {name: switch.get("default") for name, switch in readings.items() if isinstance(switch, Mapping)}
    return all(declared.get(name) == value for name, value in needed.items())


def check_machine(machine: Machine, note: Note) -> None:
    """Note every defect of the rows and deadlines."""
    for check in _CHECKS:
        check(machine, note)
    for track in machine.side.values():
        for check in (_distinct, _reachable, _triggered, _deadlines, _collected):
            check(track, note)


def _distinct(machine: Machine, note: Note) -> None:
    seen: dict[tuple[str | None, str, str | None], Move] = {}
    for move in machine.moves:
        first = seen.setdefault((move.origin, move.act, move.outcome), move)
        if first is not move:
            note(move.key, f"{_said(move)} já está em {first.key}: a máquina não saberia para onde ir")


def _said(move: Move) -> str:
    outcome = f" com resultado “{move.outcome}”" if move.outcome else ""
    return f"“{move.act}”{outcome} {_in(move.origin)}"


def _in(state: str | None) -> str:
    return f"no estado “{state}”" if state else "em processo que ainda não existe"


def _reachable(machine: Machine, note: Note) -> None:
    """Under the default readings."""

    def following(state: str | None) -> Iterator[str]:
        moves = machine.by_origin.get(state, ())
        return (m.target for m in moves if m.by_default)

    reached = _closure([None], following)
    for state in machine.states():
        if state not in reached:
            note(_first(machine, state), f"nenhum caminho leva ao estado “{state}”")


def _closure(starts: Iterable[str | None], following: Callable[[str | None], Iterable[str]]) -> set[str | None]:
    found = set(starts)
    pending = list(found)
    while pending:
        new = set(following(pending.pop())) - found
        found |= new
        pending.extend(new)
    return found


def _first(machine: Machine, state: str) -> str:
    return next(m.key for m in machine.moves if state in (m.origin, m.target))


def _ends(machine: Machine, note: Note) -> None:
    """Final states have no way out, and take only what is kept beside: a credit, its return, the undoing."""
    for move in machine.moves:
        if move.origin not in TERMINAL or move.act in _LEAVE_THE_END:
            continue
        if not move.stays:
            note(f"{move.key}.to", f"“{move.origin}” é final e “{move.act}” o levaria a “{move.target}”")
        elif move.act not in _STAY_AT_THE_END:
            note(f"{move.key}.act", f"“{move.origin}” é final e não recebe “{move.act}”")


def _no_dead_end(machine: Machine, note: Note) -> None:
    """From every other state the case can end by itself, annulment apart."""
    leads: dict[str | None, set[str]] = {}
    for move in machine.moves:
        if move.act not in _LEAVE_THE_END and move.origin is not None:
            leads.setdefault(move.target, set()).add(move.origin)
    ending = _closure(TERMINAL, lambda s: leads.get(s, ()))
    for state in machine.states():
        if state not in ending:
            note(_first(machine, state), f"do estado “{state}” não se chega a nenhum estado final")


def _annullable(machine: Machine, note: Note) -> None:
    for state in machine.states():
        if state not in TERMINAL and not machine.has(state, Act.ANULACAO):
            note(
                _first(machine, state), f"o auto não se poderia anular {_in(state)}: falta a linha de “{Act.ANULACAO}”"
            )


def _covered(machine: Machine, note: Note) -> None:
    """Where an act has any row, it has one for each outcome that it can have there."""
    for origin, moves in machine.by_origin.items():
        for act in dict.fromkeys(m.act for m in moves):
            rule = machine.outcomes.get(act)
            if rule is None:
                continue
            here = [m for m in moves if m.act == act]
            present = frozenset(m.outcome for m in here if m.outcome)
            if rule.get("by") == "field" and all(m.stays for m in here):
                continue  # it moves nothing there: the outcomes with an effect are refused, as any act out of place
            missing = _missing(machine, origin, rule, present)
            if missing:
                listed = ", ".join(f"“{value}”" for value in sorted(missing))
                note(here[0].key, f"“{act}” {_in(origin)} não diz para onde vai o resultado {listed}")


def _missing(machine: Machine, origin: str | None, rule: Mapping[str, Any], present: frozenset[str]) -> set[str]:
    coverage = COVERAGE.get(str(rule.get("by")))
    return coverage(machine, origin, set(words(rule, "values")), present) if coverage else set()


def _all(machine: Machine, origin: str | None, values: set[str], present: frozenset[str]) -> set[str]:
    return values - present


def _prior_notice(machine: Machine, origin: str | None, values: set[str], present: frozenset[str]) -> set[str]:
    # While the notice runs the auto comes only by imminent danger: the function refuses anything else.
    # An auto that collects has a number of its own: it never follows a notice in the same one.
    wanted = {_IMMINENT} if origin == State.NOTIFICADO else values - ({_COLLECTS} if origin else set())
    return wanted - present


def _payment_cover(machine: Machine, origin: str | None, values: set[str], present: frozenset[str]) -> set[str]:
    # Before the judgment a payment is a deposit, after the end a credit; in between it covers the whole or a part.
    return set() if present in _ALONE else set(_WHOLE_OR_PART - present)


def _reached(machine: Machine, origin: str | None, values: set[str], present: frozenset[str]) -> set[str]:
    # The row says whom the notice served, or what the deposit covers, where that matters.
    return set()


COVERAGE: dict[str, Callable[[Machine, str | None, set[str], frozenset[str]], set[str]]] = {
    "field": _all,
    "inscription_gate": _all,
    "prior_notice": _prior_notice,
    "payment_cover": _payment_cover,
    "deposit_made": _all,
    "decision": _all,
    "notice_to": _reached,
}


def _produced(machine: Machine, note: Note) -> None:
    """Every outcome listed has a row somewhere; an undoing has none: it returns where the acts that stand lead."""
    for act, rule in machine.outcomes.items():
        rows = [m for m in machine.moves if m.act == act]
        for value in words(rule, "values"):
            if not any(m.outcome == value for m in rows):
                note(f"outcomes.{act}.values", f"nenhuma linha de “{act}” tem o resultado “{value}”")
    for move in machine.moves:
        if move.act == Act.DESFAZIMENTO:
            note(f"{move.key}.act", f"“{move.act}” não tem linha: o caso volta aonde o levam os atos que ficam")


def _collected(machine: Machine, note: Note) -> None:
    """What becomes due beside the fine can be collected by another auto, from the state in which it became so."""
    leaving = [move for move in machine.moves if move.act in _LEAVES_DUE]
    for move in leaving:
        if not machine.has(move.target, Act.COBRANCA):
            lacking = f"falta a linha de “{Act.COBRANCA}” {_in(move.target)}"
            note(move.key, f"o que fica devido por “{move.act}” não se pode cobrar: {lacking}")
    drawing = machine.outcomes.get(Act.LAVRATURA, {})
    if leaving and drawing.get("by") == _BY_NOTICE and _COLLECTS not in words(drawing, "values"):
        note(f"outcomes.{Act.LAVRATURA}.values", f"falta “{_COLLECTS}”, o resultado do auto que o cobra")


def _followed(machine: Machine, note: Note) -> None:
    for move in machine.moves:
        for act in move.then:
            if not machine.has(move.target, act):
                note(f"{move.key}.then", f"“{act}” não tem linha no estado “{move.target}”")


def _satisfiable(machine: Machine, note: Note) -> None:
    """What a row waits for can happen where it waits."""
    for move in machine.moves:
        for name in move.requires:
            act = WAITS_FOR.get(name)
            if act is not None and not machine.has(move.origin, act):
                note(f"{move.key}.requires", f"espera “{act}”, que não tem linha {_in(move.origin)}")


def _triggered(machine: Machine, note: Note) -> None:
    """The engine's own acts are the expiry of some term, or follow another act; nobody else can write them."""
    expiries = {str(table.get("expiry")) for _, table in machine.deadlines}
    follow = {act for move in machine.moves for act in move.then}
    for act, move in {m.act: m for m in reversed(machine.moves)}.items():
        if act in ENGINE_ACTS and act not in expiries | follow | {Act.DESFAZIMENTO, Act.COBRANCA}:
            note(f"{move.key}.act", f"“{act}” é ato do sistema, e nada o provoca: nem prazo, nem outro ato")


def _deadlines(machine: Machine, note: Note) -> None:
    seen: dict[str, int] = {}
    for index, table in machine.deadlines:
        kind, key = table.get("kind"), f"deadline[{index}]"
        if not isinstance(kind, str):
            continue
        if seen.setdefault(kind, index) != index:
            note(f"{key}.kind", f"o prazo “{kind}” está repetido")
        opening = [m for m in machine.moves if kind in m.opens]
        if not opening:
            note(f"{key}.kind", f"nenhuma linha abre o prazo “{kind}”")
            continue
        if not any(m.act == table.get("starts") for m in opening):
            note(f"{key}.starts", f"“{table.get('starts')}” não abre o prazo “{kind}”")
        # Any move to another state closes what was open: a term runs in the states in which it is opened.
        for state in dict.fromkeys(m.target for m in opening):
            _runs_in(machine, note, key, table, state)


def _runs_in(machine: Machine, note: Note, key: str, table: Mapping[str, Any], state: str) -> None:
    kind, expiry = table.get("kind"), table.get("expiry")
    if isinstance(expiry, str) and not machine.has(state, expiry):
        note(f"{key}.expiry", f"o prazo “{kind}” corre {_in(state)}, que não tem linha de “{expiry}”")
    for act in words(table, "answers"):
        if not machine.has(state, act):
            note(f"{key}.answers", f"o prazo “{kind}” corre {_in(state)}, que não tem linha de “{act}”")


_CHECKS: tuple[Callable[[Machine, Note], None], ...] = (
    _distinct, _reachable, _ends, _no_dead_end, _annullable, _covered, _produced, _followed, _satisfiable, _triggered,
    _deadlines,
)  # fmt: skip
