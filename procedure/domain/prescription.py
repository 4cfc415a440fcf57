"""Until when a debt may be taken to court: each thesis by its name, with the steps to its date (spec 04).

The theses are data (``data/prescription.toml``). Dates are never rolled to a day of expediente; once the debt is in
court no date is given. What is computed here warns; nothing is written off by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any

from legalbasis import TomlDefects, TomlTable, load_toml

HALF_MONTHS_A_YEAR = 6


class Role(StrEnum):
    """What a thesis is for: the date printed, a date that can only come earlier, one that can only come later."""

    ADOTADA = "adotada"
    CAUTELA = "cautela"
    ALTERNATIVA = "alternativa"


class Start(StrEnum):
    """The day a thesis starts from."""

    EXIGIVEL_EM = "exigivel_em"
    FINAL_ON = "final_on"


class Fraction(StrEnum):
    """What runs again after an interruption: the whole term, or half of it (never below the first one's end)."""

    INTEIRO = "inteiro"
    METADE = "metade"


class Interrupts(StrEnum):
    """What may interrupt."""

    RECONHECIMENTO = "reconhecimento"
    PARCELAMENTO = "parcelamento"
    PROTESTO = "protesto"


@dataclass(frozen=True, slots=True)
class Interruption:
    """``kind`` on ``day``; an agreement of instalments runs again from ``resumes``, the day it was broken."""

    kind: Interrupts
    day: date
    resumes: date | None = None


@dataclass(frozen=True, slots=True)
class Debt:
    """The days that count: ``exigivel_em`` the first day it could be collected, ``final_on`` the first day after the
    decision became final (also as a text that begins with it), ``inscribed_on`` and ``filed_on`` when they happened.
    """

    exigivel_em: date
    final_on: date | str
    inscribed_on: date | None = None
    filed_on: date | None = None
    interruptions: tuple[Interruption, ...] = ()


@dataclass(frozen=True, slots=True)
class Thesis:
    """One reading of when the time starts and what restarts it; ``since`` is the day of its source."""

    id: str
    role: Role
    name: str
    start: Start
    years: int
    restarts: tuple[str, ...]
    fraction: Fraction
    sources: tuple[str, ...]
    since: date


@dataclass(frozen=True, slots=True)
class Suspension:
    """The days after inscription that do not run."""

    most_days: int
    name: str
    source: str
    since: date


@dataclass(frozen=True, slots=True)
class Step:
    """One step to the date: the day reached, why, and what says so."""

    day: date
    reason: str
    source: str

    def to_dict(self) -> dict[str, str]:
        """JSON-able."""
        return {"day": self.day.isoformat(), "reason": self.reason, "source": self.source}


@dataclass(frozen=True, slots=True)
class Reading:
    """A thesis applied: ``last_day`` to file, None when the time stands still (an agreement being paid)."""

    thesis: Thesis
    last_day: date | None
    steps: tuple[Step, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "thesis": self.thesis.id,
            "role": self.thesis.role.value,
            "name": self.thesis.name,
            "sources": list(self.thesis.sources),
            "since": self.thesis.since.isoformat(),
            "prescribes_on": self.last_day.isoformat() if self.last_day else None,
            "steps": [step.to_dict() for step in self.steps],
        }


@dataclass(frozen=True, slots=True)
class Prescription:
    """Every thesis applied to one ``debt``, each when it is asked for."""

    debt: Debt

    @property
    def in_court(self) -> bool:
        """Whether it was filed: then no date is given any more."""
        return self.debt.filed_on is not None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Every thesis, the adopted one first."""
        return tuple(self._of(*Role))

    @property
    def prescribes_on(self) -> date | None:
        """The last day to file by the adopted thesis; None in court or while the time stands still."""
        return None if self.in_court else self._of(Role.ADOTADA)[0].last_day

    @property
    def warns_on(self) -> date | None:
        """The earliest last day among the adopted and the cautious theses: the one that a forecast warns by."""
        if self.in_court:
            return None
        days = [r.last_day for r in self._of(Role.ADOTADA, Role.CAUTELA) if r.last_day is not None]
        return min(days, default=None)

    def _of(self, *roles: Role) -> list[Reading]:
        suspension, known = _known()
        return [_reading(thesis, self.debt, suspension) for thesis in known if thesis.role in roles]

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there. In court the readings stay, as they were on the day of filing."""
        return {
            "in_court": self.in_court,
            "prescribes_on": self.prescribes_on.isoformat() if self.prescribes_on else None,
            "warns_on": self.warns_on.isoformat() if self.warns_on else None,
            "readings": [r.to_dict() for r in self.readings],
        }


def prescription(debt: Debt) -> Prescription:
    """Every known thesis applied to ``debt``, with its steps.

    An agreement counts as in force until ``resumes``. Interruptions after the time had run out restart nothing.
    """
    return Prescription(debt)


def years_after(day: date, years: int) -> date:
    """The same day and month years on; 29 February becomes 1 March (Lei 810/1949, art. 3º)."""
    return months_after(day, 12 * years)


def months_after(day: date, months: int) -> date:
    """The same day months on; where that month has no such day, the first of the next (Lei 810/1949, art. 3º)."""
    number = day.year * 12 + day.month - 1 + months
    year, month = number // 12, number % 12 + 1
    try:
        return date(year, month, day.day)
    except ValueError:
        return date(year + month // 12, month % 12 + 1, 1)


def _reading(thesis: Thesis, debt: Debt, suspension: Suspension) -> Reading:
    start = debt.exigivel_em if thesis.start is Start.EXIGIVEL_EM else _day(debt.final_on)
    last = years_after(start, thesis.years)
    basis = "; ".join(thesis.sources)
    steps = [
        Step(start, f"começa a correr: {thesis.name}", basis),
        Step(last, f"{thesis.years} anos depois, no mesmo dia e mês", basis),
    ]
    interruption = _first_interruption(thesis, debt, last)
    if interruption is not None:
        if interruption.kind is Interrupts.PARCELAMENTO and interruption.resumes is None:
            steps.append(Step(interruption.day, "parcelamento em curso: o prazo não corre", basis))
            return Reading(thesis, None, tuple(steps))
        last = _restarted(thesis, interruption, last, steps)
    return Reading(thesis, _suspended(debt, last, suspension, steps), tuple(steps))


def _day(given: date | str) -> date:
    return given if isinstance(given, date) else date.fromisoformat(given[:10])


def _first_interruption(thesis: Thesis, debt: Debt, last: date) -> Interruption | None:
    """The one that counts: the time is interrupted only once (Decreto 20.910/1932, art. 8º), and only while it runs."""
    running = [i for i in debt.interruptions if i.kind.value in thesis.restarts and i.day <= last]
    return min(running, key=lambda i: i.day, default=None)


def _restarted(thesis: Thesis, interruption: Interruption, last: date, steps: list[Step]) -> date:
    again = interruption.resumes or interruption.day
    basis = "; ".join(thesis.sources)
    what = f"interrompido por {interruption.kind.value}, uma só vez"
    if thesis.fraction is Fraction.METADE:
        half = months_after(again, thesis.years * HALF_MONTHS_A_YEAR)
        steps.append(Step(again, f"{what}; recomeça pela metade", basis))
        steps.append(Step(max(half, last), "fim da metade, nunca antes dos cinco anos", basis))
        return max(half, last)
    whole = years_after(again, thesis.years)
    steps.append(Step(again, f"{what}; recomeça por inteiro", basis))
    steps.append(Step(whole, f"{thesis.years} anos depois, no mesmo dia e mês", basis))
    return whole


def _suspended(debt: Debt, last: date, suspension: Suspension, steps: list[Step]) -> date:
    if debt.inscribed_on is None or debt.inscribed_on > last:
        return last
    days = suspension.most_days
    if debt.filed_on is not None:
        days = max(0, min(days, (debt.filed_on - debt.inscribed_on).days))
    until = last + timedelta(days=days)
    steps.append(Step(until, f"mais {days} dias de {suspension.name}", suspension.source))
    return until


@lru_cache(maxsize=1)
def _known() -> tuple[Suspension, tuple[Thesis, ...]]:
    name = "prescription.toml"
    root = load_toml((files("procedure.domain") / "data" / name).read_text(encoding="utf-8"), file=name)
    table = root.table("suspension")
    suspension = Suspension(table.int("most_days"), table.str("name"), table.str("source"), table.date("since"))
    table.close()
    theses = tuple(_thesis(row) for row in root.tables("thesis"))
    root.close()
    if root.defects:
        raise TomlDefects(root.defects)
    return suspension, theses


def _thesis(row: TomlTable) -> Thesis:
    thesis = Thesis(
        id=row.str("id"),
        role=row.enum("role", Role),
        name=row.str("name"),
        start=row.enum("start", Start),
        years=row.int("years"),
        restarts=tuple(row.strings("restarts")),
        fraction=row.enum("fraction", Fraction),
        sources=tuple(row.strings("sources")),
        since=row.date("since"),
    )
    row.close()
    return thesis


def theses() -> Sequence[Thesis]:
    """Every thesis known, the adopted one first."""
    return _known()[1]
