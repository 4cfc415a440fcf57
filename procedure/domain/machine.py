"""The explicit state machine of a law: the one transition table, held by ``transitions``, shared by all cases.

No case is ever registered as a model: the machine fires on a slotted probe, once per (state, act, outcome), and the
answer is kept. There is no other way to change a state. This module is the only door to ``transitions``.
"""

from __future__ import annotations

from transitions import Machine, MachineError

from legalbasis import PosturasError
from procedure.domain.rulebook import Row, Rulebook
from procedure.domain.vocabulary import ENGINE_ACTS, MAIN_TRACK, State, TrackState

START = "inicio"


class ActNotAllowed(PosturasError):
    """O ato não cabe no estado em que o processo está."""

    code = "ato_nao_permitido"


class _Probe:
    __slots__ = ("state",)

    def __init__(self, state: str) -> None:
        self.state = state


class TransitionTable:
    """The machine of one track of one rulebook version."""

    def __init__(self, rulebook: Rulebook, track: str = MAIN_TRACK) -> None:
        self.rulebook = rulebook
        self.track = track
        self.rows = rulebook.rows if track == MAIN_TRACK else rulebook.track_rows[track]
        self._rows = {(r.origin, r.act, r.outcome): r for r in self.rows}
        self._acts = frozenset(r.act for r in self.rows)
        self._by_origin: dict[str | None, tuple[Row, ...]] = {}
        for row in self.rows:
            self._by_origin[row.origin] = (*self._by_origin.get(row.origin, ()), row)
        words: type[State] | type[TrackState] = State if track == MAIN_TRACK else TrackState
        self.machine = Machine(
            model=None,
            states=[START, *(s.value for s in words)],
            initial=START,
            auto_transitions=False,
            send_event=False,
        )
        for row in self.rows:
            self.machine.add_transition(_trigger(row.act, row.outcome), row.origin or START, row.target)
        self._decided: dict[tuple[str | None, str, str | None], Row] = {}

    def knows(self, act: str) -> bool:
        """Whether the act has any row in this track."""
        return act in self._acts

    def move(self, state: str | None, act: str, outcome: str | None, *, place: str) -> Row:
        """The row that applies. Raises ActNotAllowed naming the acts that are allowed and by whom."""
        key = (str(state) if state else None, act, outcome)
        row = self._decided.get(key)
        if row is None:
            row = self._decided[key] = self._fire(key, place)
        return row

    def _fire(self, key: tuple[str | None, str, str | None], place: str) -> Row:
        state, act, outcome = key
        probe = _Probe(state or START)
        event = self.machine.events.get(_trigger(act, outcome))
        try:
            if event is None or not event.trigger(probe):
                raise MachineError(act)
        except MachineError as error:
            raise self.refusal(state, act, outcome, place) from error
        row = self._rows[key]
        assert probe.state == row.target  # the machine and the table are the same rows
        return row

    def refusal(self, state: str | None, act: str, outcome: str | None, place: str) -> ActNotAllowed:
        """The error for an act that has no row in this state."""
        described = f"“{act}”" + (f" com resultado “{outcome}”" if outcome else "")
        nowhere = "em processo que ainda não existe"
        if self.track != MAIN_TRACK:
            nowhere = f"na trilha “{self.track}”, que ainda não começou"
        where = f"no estado “{state}”" if state else nowhere
        return ActNotAllowed(
            f"o ato {described} não cabe {where}.", place=place, field="act", remedy=self._remedy(state)
        )

    def _remedy(self, state: str | None) -> str:
        allowed = self.allowed(state)
        if not allowed and state is None:
            return "Confira o número do auto ou da inscrição."
        if not allowed:
            return "Este estado é final: não há ato que caiba."
        named = [f"{act} ({', '.join(self.roles(act))})" for act in allowed if act not in ENGINE_ACTS]
        return f"Cabem: {'; '.join(named)}." if named else "Cabem só atos do próprio sistema."

    def allowed(self, state: str | None) -> list[str]:
        """The acts that have a row from this state, in the order of the rulebook."""
        return list(dict.fromkeys(r.act for r in self._by_origin.get(state, ())))

    def roles(self, act: str) -> tuple[str, ...]:
        """Who may do the act; empty when the rulebook does not say."""
        competence = self.rulebook.competences.get(act)
        return competence.roles if competence else ()

    def outcomes(self, state: str | None, act: str) -> list[str | None]:
        """The outcomes that have a row for this act in this state."""
        return [r.outcome for r in self._by_origin.get(state, ()) if r.act == act]


def _trigger(act: str, outcome: str | None) -> str:
    return f"{act}|{outcome or ''}"


_TABLES: dict[str, TransitionTable] = {}


def table_of(rulebook: Rulebook, track: str = MAIN_TRACK) -> TransitionTable:
    """The shared machine of a track of a rulebook version, built once."""
    key = f"{rulebook.id}@{rulebook.version}#{track}"
    table = _TABLES.get(key)
    if table is None:
        table = _TABLES[key] = TransitionTable(rulebook, track)
    return table
