"""Numbers of the register: given at the end of the unit of work, under the counter's lock, by (inscription date,
auto).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from procedure.domain.case import Case
from procedure.domain.fold import give_number
from procedure.domain.vocabulary import Act

REGISTER = 0  # the year under which the counter of the whole register, for livro and folha, is kept
PER_FOLHA = "divida_ativa.inscricoes_por_folha"
FOLHAS = "divida_ativa.folhas_por_livro"


Take = Callable[[str, int, int], int]  # municipality, year and count: locks the counter, gives the first number


@dataclass(frozen=True, slots=True)
class Entry:
    """The place of an inscription in the register."""

    number: int
    livro: int
    folha: int


def entries(
    municipality: str, days: Sequence[date], take: Take, settings: Mapping[str, str]
) -> Iterator[Entry]:
    """The places of new inscriptions, whose days are in order. The counters are locked in key order."""
    if not days:
        return
    entry = take(municipality, REGISTER, len(days))
    for year, group in groupby(days, key=lambda day: day.year):
        count = len(list(group))
        first = take(municipality, year, count)
        for number in range(first, first + count):
            yield Entry(number, *place_in_register(entry, settings))
            entry += 1


def number_inscriptions(cases: Sequence[Case], take: Take, settings: Mapping[str, str]) -> list[Case]:
    """Number every new inscription of ``cases`` (one municipality). Returns them in the order of their numbers."""
    fresh = sorted(
        (c for c in cases if c.inscription is not None and not c.inscription.number),
        key=lambda c: (c.inscription.day, c.auto) if c.inscription else (),
    )
    days = [case.inscription.day for case in fresh if case.inscription]
    places = entries(fresh[0].municipality, days, take, settings) if fresh else ()
    for case, entry in zip(fresh, places, strict=True):
        give(case, entry)
    return fresh


def give(case: Case, entry: Entry) -> None:
    """Write the place of the register into the case's new inscription and its act."""
    assert case.inscription is not None  # only inscribed cases are numbered
    number = f"{entry.number}/{case.inscription.year}"
    give_number(case.inscription, number, entry.livro, entry.folha)
    for act in case.new_acts:
        if act.kind == Act.INSCRICAO and act.seq == case.inscription.seq:
            act.payload.update(number=number, livro=entry.livro, folha=entry.folha)


def place_in_register(entry: int, settings: Mapping[str, str]) -> tuple[int, int]:
    """The livro and folha of the register's ``entry``-th inscription (1-based)."""
    per_folha = int(settings.get(PER_FOLHA, "1"))
    folhas = int(settings.get(FOLHAS, "200"))
    sheet = (entry - 1) // per_folha
    return sheet // folhas + 1, sheet % folhas + 1
