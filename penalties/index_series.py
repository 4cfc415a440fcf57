"""Monthly series of an index (IPCA-E, Selic …), as a municipality supplies them: one percentage for each month.

The text is the one that public sources publish and old ERPs keep: ``date;value`` with a decimal comma. A month that is
not in the series is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from legalbasis import ErrorGroup, InputError

Month = tuple[int, int]
"""Year and month."""

FIRST_YEAR, LAST_YEAR = 1964, 2199  # correction by index begins in 1964 (Lei 4.357)
MOST_PERCENT = Decimal(1000)  # of one month: Brazil's worst was 82%; more is a column read wrong
MOST_LINES = 5_000
_DAY_BR = re.compile(r"(?:(\d{2})/)?(\d{2})/(\d{4})\Z")
_DAY_ISO = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?\Z")
_PERCENT = re.compile(r"(-?)(\d{1,6})(?:[.,](\d{1,10}))?%?\Z")


class InvalidSeries(InputError):
    """A série do índice não pôde ser lida."""

    code = "serie_invalida"
    default_remedy = "Cada linha: mês e percentual do mês, como “01/2015;0,89”."


class IndexValueUnknown(InputError):
    """Não se conhece o índice desse mês."""

    code = "indice_desconhecido"


@dataclass(frozen=True, slots=True)
class IndexSeries:
    """``percents`` holds the change in each month, in per cent (0.89 is 0,89%); ``source`` says where it came from."""

    name: str
    percents: Mapping[Month, Decimal]
    source: str

    def percent(self, month: Month) -> Decimal:
        """The change in ``month``, in per cent. Raises IndexValueUnknown naming series, month and the command."""
        value = self.percents.get(month)
        if value is None:
            raise IndexValueUnknown(
                f"não se conhece o {self.name} de {month_br(month)}.",
                field="index",
                remedy=f"Informe-o com: posturas indice import ARQUIVO --name {self.name} --source FONTE",
            )
        return value


def month_br(month: Month) -> str:
    """A month for people: "01/2015"."""
    return f"{month[1]:02d}/{month[0]}"


def month_iso(month: Month) -> str:
    """A month as the contract writes it: "2015-01"."""
    return f"{month[0]}-{month[1]:02d}"


def months_between(first: Month, last: Month) -> Iterator[Month]:
    """Every month from ``first`` to ``last``, both included; none when ``last`` is before ``first``."""
    for number in range(first[0] * 12 + first[1] - 1, last[0] * 12 + last[1]):
        yield number // 12, number % 12 + 1


def read_percents(text: str, *, place: str = "") -> dict[Month, Decimal]:
    """The months and percentages of a CSV: ``date;value``, ``,`` or tab between, decimal comma or point.

    A date is a month (``01/2015``, ``2015-01``) or its first day (``01/01/2015``, ``2015-01-01``). A first line with no
    digit is a header. Raises InvalidSeries, or an ErrorGroup of them with every bad line: nothing is read by halves.
    """
    found: dict[Month, Decimal] = {}
    defects: list[InvalidSeries] = []
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MOST_LINES:
        raise InvalidSeries(f"mais de {MOST_LINES} linhas: uma série mensal não chega a tanto.", place=place or None)
    for number, line in enumerate(lines, 1):
        if not line.strip() or (not found and not defects and not any(c.isdigit() for c in line)):
            continue
        where = f"{place}, linha {number}" if place else f"linha {number}"
        try:
            month, percent = _line(line)
            if found.setdefault(month, percent) != percent:
                raise InvalidSeries(f"{month_br(month)} aparece com dois valores.")
        except InvalidSeries as error:
            error.at(where)
            defects.append(error)
    if len(defects) > 1:
        raise ErrorGroup(defects, place=place or None)
    if defects:
        raise defects[0]
    if not found:
        raise InvalidSeries("não há nenhum mês.", place=place or None)
    return found


def _line(line: str) -> tuple[Month, Decimal]:
    cells = _cells(line)
    if len(cells) < 2 or any(cells[2:]):
        raise InvalidSeries(f"“{line[:40]}” não é mês e percentual.", field="value")
    return _month(cells[0]), _percent(cells[1])


def _cells(line: str) -> Sequence[str]:
    """The date and the value; where commas separate too ("2015-01,0,89"), the first one does."""
    bare = line.replace('"', "")
    separator = next((s for s in (";", "\t") if s in bare), None)
    cells = bare.split(separator) if separator else bare.split(",", 1)
    return [cell.strip() for cell in cells]


def _month(text: str) -> Month:
    br, iso = _DAY_BR.match(text), _DAY_ISO.match(text)
    if br:
        day, month, year = int(br[1] or 1), int(br[2]), int(br[3])
    elif iso:
        year, month, day = int(iso[1]), int(iso[2]), int(iso[3] or 1)
    else:
        raise InvalidSeries(f"“{text[:24]}” não é um mês.", field="date")
    if not FIRST_YEAR <= year <= LAST_YEAR or not 1 <= month <= 12:
        raise InvalidSeries(f"“{text}” não é um mês de {FIRST_YEAR} a {LAST_YEAR}.", field="date")
    if day != 1:
        raise InvalidSeries(
            f"“{text}” não é o primeiro dia do mês: a série parece diária.",
            field="date",
            remedy="Informe a série mensal, um valor por mês.",
        )
    return year, month


def _percent(text: str) -> Decimal:
    match = _PERCENT.match(text.replace(" ", ""))
    if not match:
        raise InvalidSeries(f"“{text[:24]}” não é um percentual.", field="value")
    value = Decimal(f"{match[1]}{match[2]}.{match[3] or 0}")
    if abs(value) > MOST_PERCENT or value <= -100:
        raise InvalidSeries(f"{text} não pode ser a variação de um mês.", field="value")
    return value
