"""Numbers of the register: given at the end of the unit of work, under the counter's lock, by (inscription date,
auto).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from procedure.domain.case import Case
from procedure.domain.fold import give_number
from procedure.domain.vocabulary import Act

REGISTER = 0  # the year under which the counter of the whole register, for livro and folha, is kept
PER_FOLHA = "divida_ativa.inscricoes_por_folha"
FOLHAS = "divida_ativa.folhas_por_livro"


def number_inscriptions(
    cases: Sequence[Case], take: Callable[[str, int, int], int], settings: Mapping[str, str]
) -> list[Case]:
    """Number every new inscription of ``cases`` (one municipality). ``take(municipality, year, count)`` locks the
    counter.

    The counters are locked in key order. Returns the cases numbered, in the order of their numbers.
    """
    fresh = sorted(
        (c for c in cases if c.inscription is not None and not c.inscription.number),
        key=lambda c: (c.inscription.day, c.auto) if c.inscription else (),
    )
    if not fresh:
        return []
    municipality = fresh[0].municipality
    entry = take(municipality, REGISTER, len(fresh))
    for year, group in groupby(fresh, key=lambda c: c.inscription.year if c.inscription else 0):
        numbered = list(group)
        first = take(municipality, year, len(numbered))
        for offset, case in enumerate(numbered):
            _number(case, f"{first + offset}/{year}", entry, settings)
            entry += 1
    return fresh


def _number(case: Case, number: str, entry: int, settings: Mapping[str, str]) -> None:
    livro, folha = place_in_register(entry, settings)
    assert case.inscription is not None  # only inscribed cases are numbered
    give_number(case.inscription, number, livro, folha)
    for act in case.new_acts:
        if act.kind == Act.INSCRICAO and act.seq == case.inscription.seq:
            act.payload.update(number=number, livro=livro, folha=folha)


def place_in_register(entry: int, settings: Mapping[str, str]) -> tuple[int, int]:
    """The livro and folha of the register's ``entry``-th inscription (1-based)."""
    per_folha = int(settings.get(PER_FOLHA, "1"))
    folhas = int(settings.get(FOLHAS, "200"))
    sheet = (entry - 1) // per_folha
    return sheet // folhas + 1, sheet % folhas + 1
