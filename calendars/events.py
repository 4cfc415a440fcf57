"""What may befall a running term. Three different operations: a suspension keeps what has run, an interruption
restarts the whole term on the first day after it, an extension moves an end inside its window to a fixed date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from calendars.days import ExtensionFact, SuspensionFact
from calendars.errors import InvalidRange


@dataclass(frozen=True, slots=True)
class Suspension:
    """This term does not run from ``first`` to ``last`` (both included). Raises InvalidRange."""

    first: date
    last: date
    reason: str = "prazo suspenso"
    act: str | None = None

    def __post_init__(self) -> None:
        SuspensionFact(self.first, self.last)

    def fact(self) -> SuspensionFact:
        """The suspension as days of a calendar."""
        return SuspensionFact(self.first, self.last, self.reason, self.act)


@dataclass(frozen=True, slots=True)
class Interruption:
    """The whole term restarts on the first day after ``last``, treated as day 1 is. Raises InvalidRange."""

    first: date
    last: date
    reason: str = "prazo interrompido"
    act: str | None = None

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise InvalidRange(
                f"a interrupção de {self.first.isoformat()} a {self.last.isoformat()} termina antes de começar."
            )


@dataclass(frozen=True, slots=True)
class Extension:
    """An end from ``window_from`` to ``window_to`` (both included) moves to ``to``. Raises InvalidRange."""

    window_from: date
    window_to: date
    to: date
    act: str | None = None

    def __post_init__(self) -> None:
        ExtensionFact(self.window_from, self.window_to, self.to)

    def fact(self) -> ExtensionFact:
        """The extension as a setting of a calendar."""
        return ExtensionFact(self.window_from, self.window_to, self.to, self.act)


Event = Suspension | Interruption | Extension
