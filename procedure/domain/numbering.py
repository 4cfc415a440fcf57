"""Numbers of the register: given at the end of the unit of work, under the counter's lock, by (inscription date,
auto).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from procedure.domain.case import Case, Inscription
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


def number_inscriptions(cases: Sequence[Case], take: Take, settings: Mapping[str, str]) -> None:
    """Number every new inscription of ``cases`` (one municipality), those undone or replaced since included."""
    fresh = sorted(
        ((case, item) for case in cases for item in unnumbered(case)),
        key=lambda pair: (pair[1].day, pair[0].auto, pair[1].seq),
    )
    days = [item.day for _, item in fresh]
    places = entries(fresh[0][0].municipality, days, take, settings) if fresh else ()
    for (case, item), entry in zip(fresh, places, strict=True):
        give(case, item, entry)


def unnumbered(case: Case) -> list[Inscription]:
    """What the unit of work inscribed, in the order in which it did: the register keeps what was undone, too."""
    return [item for item in (*case.former, case.inscription) if item is not None and not item.number]


def give(case: Case, item: Inscription, entry: Entry) -> None:
    """Write the place of the register into a new inscription, its act and the act that cancelled it, if any."""
    give_number(item, f"{entry.number}/{item.year}", entry.livro, entry.folha)
    for act in case.new_acts:
        if act.kind == Act.INSCRICAO and act.seq == item.seq:
            act.payload.update(number=item.label, livro=item.livro, folha=item.folha)
        elif "cancels" in act.payload and any(undone["seq"] == item.seq for undone in act.payload["undoes"]):
            act.payload["cancels"]["inscription"] = item.label


def place_in_register(entry: int, settings: Mapping[str, str]) -> tuple[int, int]:
    """The livro and folha of the register's ``entry``-th inscription (1-based)."""
    per_folha = int(settings.get(PER_FOLHA, "1"))
    folhas = int(settings.get(FOLHAS, "200"))
    sheet = (entry - 1) // per_folha
    return sheet // folhas + 1, sheet % folhas + 1
