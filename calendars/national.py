"""The one door to the ``holidays`` package: national and state days, with the law of each (``data/br.toml``).

Used to generate the committed answers and to test them, and for a calendar that a host adds; never to count. Only the
public category is asked: the package's optional days (Carnival, Corpus Christi, 28/10 …) are not law for a
municipality.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from dateutil.easter import easter
from holidays import country_holidays, list_supported_countries

from calendars.days import DayFact, DayKind
from calendars.errors import HolidayNotDocumented, UnknownUf
from calendars.files import read_clock
from calendars.rules import DATA
from legalbasis import TomlTable, read_toml

_SEPARATOR = "; "
TO_CONFIRM = "lei estadual a confirmar (conjunto público de feriados)"


@dataclass(frozen=True, slots=True)
class DocumentedHoliday:
    """A day of the package with its law. ``uf`` None: national."""

    name: str
    act: str
    urn: str
    first_day: date
    verified: bool
    uf: str | None
    last_day: date = date.max


@dataclass(frozen=True, slots=True)
class NationalLaw:
    """What ``br.toml`` says: from which day on all is known, holidays by (name, uf), elections, the banks' own days."""

    first_day: date
    holidays: Mapping[tuple[str, str | None], tuple[DocumentedHoliday, ...]]
    elections: tuple[DayFact, ...]
    banks: tuple[BankDay, ...]


@dataclass(frozen=True, slots=True)
class BankDay:
    """A day without banking (or of reduced banking) of every year."""

    fact: DayFact
    easter_offset: int | None


def easter_sunday(year: int) -> date:
    """Easter Sunday of ``year``."""
    sunday: date = easter(year)
    return sunday


def holidays_of(uf: str | None, years: Iterable[int], *, to_confirm: bool = False) -> list[DayFact]:
    """The national days (and those of the state ``uf``) of ``years``, in order, each with its law.

    Raises UnknownUf, HolidayNotDocumented when the package gives a day that ``br.toml`` lacks or a year is older than
    what it knows; with ``to_confirm`` a state's own day of that kind comes unverified, its law to be confirmed.
    """
    listed = sorted(years)
    law = _documented()
    _require_known(listed, law.first_day)
    if uf is not None and uf not in list_supported_countries()["BR"]:
        raise UnknownUf(f"“{uf}” não é a sigla de um estado.", remedy="Use a sigla: ES, MG …")
    given = country_holidays(
        "BR",
        subdiv=uf,
        years=listed,
        expand=False,
        observed=False,
        language="pt_BR",
        categories=("public",),
    )
    # National law first: where a state's own day falls on a national one, the national one names it.
    found = [
        _fact(day, name, uf, law, to_confirm)
        for day in given
        for name in sorted(given[day].split(_SEPARATOR), key=lambda name: (name, None) not in law.holidays)
    ]
    found += [fact for fact in law.elections if fact.day.year in listed]
    return sorted(found, key=lambda fact: fact.day)


def _require_known(years: list[int], first_day: date) -> None:
    if years and years[0] < first_day.year:
        asked = date(years[0], 1, 1)
        raise HolidayNotDocumented(
            f"os feriados nacionais só se conhecem por inteiro desde {first_day.isoformat()}, e o calendário começa em "
            f"{asked.isoformat()}.",
            remedy="Comece o calendário nesse dia, em calendar.first_day.",
        )


def _fact(
    day: date,
    name: str,
    uf: str | None,
    law: NationalLaw,
    to_confirm: bool,
) -> DayFact:
    wordings = law.holidays.get((name, None)) or law.holidays.get((name, uf)) or ()
    holiday = next((h for h in wordings if h.first_day <= day <= h.last_day), None)
    if holiday is None:
        if to_confirm and uf is not None:
            return DayFact(day, DayKind.FECHADO, name, TO_CONFIRM, verified=False)
        raise HolidayNotDocumented(
            f"o pacote de feriados traz “{name}” em {day.isoformat()}, sem lei nos nossos dados.",
            remedy="Acrescente o dia, com a lei e o primeiro ano, a calendars/data/br.toml.",
        )
    return DayFact(day, DayKind.FECHADO, name, holiday.act, verified=holiday.verified)


def bank_days(years: Iterable[int]) -> list[DayFact]:
    """The days without banking of ``years``: the national holidays and the banks' own days, in order."""
    listed = sorted(years)
    own = _documented().banks
    days = {fact.day: fact for fact in (_of_year(bank, year) for year in listed for bank in own)}
    days.update((fact.day, fact) for fact in holidays_of(None, listed))
    return [days[day] for day in sorted(days)]


def _of_year(bank: BankDay, year: int) -> DayFact:
    fact = bank.fact
    if bank.easter_offset is None:
        day = date(year, fact.day.month, fact.day.day)
    else:
        day = easter_sunday(year) + timedelta(days=bank.easter_offset)
    return DayFact(day, fact.kind, fact.description, fact.act, opens=fact.opens, verified=fact.verified)


@cache
def _documented() -> NationalLaw:
    def build(table: TomlTable) -> NationalLaw:
        known = table.table("known")
        first_day = known.date("first_day")
        known.close()
        holidays: dict[tuple[str, str | None], tuple[DocumentedHoliday, ...]] = {}
        for read in map(_read_holiday, table.tables("holiday")):
            holidays[read.name, read.uf] = (*holidays.get((read.name, read.uf), ()), read)
        elections = tuple(fact for t in table.tables("election") for fact in _read_elections(t))
        return NationalLaw(first_day, holidays, elections, tuple(_read_bank_day(t) for t in table.tables("bank")))

    return read_toml(DATA / "br.toml", build)


def _read_holiday(table: TomlTable) -> DocumentedHoliday:
    holiday = DocumentedHoliday(
        table.str("name"),
        table.str("act"),
        table.str("urn"),
        table.date("first_day"),
        table.bool("verified"),
        table.str("uf", None),
        table.date("last_day", date.max),
    )
    table.close()
    return holiday


def _read_elections(table: TomlTable) -> list[DayFact]:
    description, act, verified = table.str("description"), table.str("act"), table.bool("verified")
    table.str("urn")
    days: list[date] = table.raw("days")
    table.close()
    return [DayFact(day, DayKind.FECHADO, description, act, verified=verified) for day in days]


def _read_bank_day(table: TomlTable) -> BankDay:
    offset = table.int("easter_offset", None)
    text = table.str("day", None)
    day = date.fromisoformat(f"2001-{text}") if text else date(2001, 1, 1)
    opens = read_clock(table, "opens")
    kind = DayKind.REDUZIDO if opens else DayKind.FECHADO
    fact = DayFact(day, kind, table.str("description"), table.str("act"), opens=opens, verified=table.bool("verified"))
    table.close()
    return BankDay(fact, offset)
