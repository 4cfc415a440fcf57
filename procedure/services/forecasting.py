"""What prescribes within some days, before and after inscription: by the earliest of the theses that warn (spec 04).

Nothing is written off by it: a person who reads it files the suit, or recognises the prescription by an act.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, Protocol

from procedure.domain.amounts import amount
from procedure.domain.case import Case
from procedure.domain.prescribing import prescription_of
from procedure.domain.vocabulary import State
from procedure.services.ports import Repository

NOT_INSCRIBED = (State.DEFINITIVO, State.AGUARDANDO_PAGAMENTO, State.VENCIDO, State.DEVOLVIDO_A_ORIGEM)
PAGE = 500


class Forecast(Repository, Protocol):
    """What the forecast asks of the store beside the repository."""

    def warned(self, municipality: str, until: date) -> list[str]:
        """The autos whose inscription stands and is warned of until that day, in key order."""
        ...

    def page_of_autos(
        self, municipality: str, *, after: str, limit: int, states: Iterable[str], due: tuple[date | None, date | None]
    ) -> list[Case]:
        """Cases by auto, those after ``after``, in one of the states."""
        ...


def forecast(repo: Forecast, municipality: str, on: date, within: int) -> list[dict[str, Any]]:
    """The debts that prescribe within ``within`` days of ``on``, or already have by some reading, the first first.

    Before inscription the 180 days of the register do not count; before the term to pay has ended, the debt is taken
    as due when the decision became final.
    """
    until = on + timedelta(days=within)
    found = [line for case in _cases(repo, municipality, until) if (line := _line(case, on, until)) is not None]
    return sorted(found, key=lambda line: (line["warns_on"], line["auto"]))


def _cases(repo: Forecast, municipality: str, until: date) -> Iterator[Case]:
    warned = repo.warned(municipality, until)
    for start in range(0, len(warned), PAGE):
        yield from repo.load(municipality, warned[start : start + PAGE], lock=False).values()
    after = ""
    while page := repo.page_of_autos(municipality, after=after, limit=PAGE, states=NOT_INSCRIBED, due=(None, None)):
        yield from page
        after = page[-1].auto


def _line(case: Case, on: date, until: date) -> dict[str, Any] | None:
    found = prescription_of(case)
    if found is None or found.warns_on is None or found.warns_on > until:
        return None
    adopted, item = found.prescribes_on, case.inscribed
    earliest = [r for r in found.readings if r.last_day == found.warns_on and r.thesis.role != "alternativa"]
    return {
        "auto": case.auto,
        "number": item.label if item else None,
        "status": item.status if item else str(case.state),
        "saldo": amount(case.saldo),
        "exigivel_em": case.facts.get("exigivel_em"),
        "prescribes_on": adopted.isoformat() if adopted else None,
        "warns_on": found.warns_on.isoformat(),
        "thesis": earliest[0].thesis.name if earliest else None,
        "days_left": (found.warns_on - on).days,
        "prescribed": adopted is not None and adopted < on,
        "alerts": [alert["code"] for alert in case.facts.get("alerts", ())],
    }
