"""Putting together the law, the office's days, the units and the readings of a municipality, once per unit of work."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from zoneinfo import ZoneInfo

from calendars import OfficeCalendar, fact_from_document, load_calendar
from legalbasis import Dated, InputError, Period
from penalties import FiscalUnit, UnitValue, shipped_units
from procedure.domain.admission import LawEnd, LawStart
from procedure.domain.context import Context
from procedure.domain.machine import table_of
from procedure.domain.moment import zone
from procedure.domain.rulebook import Rulebook
from procedure.domain.rulebook_reader import read_rulebook
from procedure.domain.rulebook_versions import compose, split
from procedure.domain.rulebooks import counting_rule, known_laws, rulebook_of
from procedure.domain.update_rule import payment_order, update_rule
from procedure.services.ports import MunicipalData, Repository


def laws_of(municipality: str) -> list[str]:
    """The laws of a municipality. Raises InputError ``municipio_desconhecido`` when it has none."""
    found = _among(known_laws(), municipality)
    if not found:
        raise InputError(
            f"não há lei codificada do município {municipality}.",
            code="municipio_desconhecido",
            field="municipality",
            remedy=f"Codificadas: {', '.join(known_laws())}.",
        )
    return list(found)


@lru_cache(maxsize=64)
def _among(laws: tuple[str, ...], municipality: str) -> tuple[str, ...]:
    return tuple(law for law in laws if law.split("/")[0].endswith(f"-{municipality}"))


def law_of(municipality: str, named: str | None) -> str:
    """The law an act is under: the one it names, else the municipality's only one."""
    laws = laws_of(municipality)
    if named is None:
        if len(laws) > 1:
            raise InputError("o município tem mais de uma lei: diga qual.", field="law", remedy=", ".join(laws))
        return laws[0]
    if named not in laws:
        raise InputError(
            f"“{named}” não é lei codificada do município {municipality}.",
            code="lei_desconhecida",
            field="law",
            remedy=f"Codificadas: {', '.join(laws)}.",
        )
    return named


def zone_of(municipality: str) -> ZoneInfo:
    """The zone of a municipality, from its law. Raises InputError ``municipio_desconhecido``."""
    return zone(rulebook_of(laws_of(municipality)[0]).timezone)


def supplied_end(data: MunicipalData, law: str) -> LawEnd | None:
    """The end of the law that the municipality supplied."""
    end = data.ends.get(law)
    return LawEnd(end.day, end.act) if end else None


def supplied_start(data: MunicipalData, law: str) -> LawStart | None:
    """The first day of the law that the municipality supplied."""
    start = data.starts.get(law)
    return LawStart(start.day, start.act) if start else None


def switches_of(book: Rulebook, data: MunicipalData) -> dict[str, str]:
    """Every switch at the municipality's value, else at its default."""
    chosen = data.options.get(book.id, {})
    return {name: chosen.get(name, switch.default) for name, switch in book.switches.items()}


def units_of(book: Rulebook, data: MunicipalData) -> dict[str, FiscalUnit]:
    """The shipped units and those whose values the municipality supplied."""
    units: dict[str, FiscalUnit] = {**shipped_units()}
    by_unit: dict[str, list[Period[UnitValue]]] = {}
    for value in data.unit_values.get(book.id, ()):
        by_unit.setdefault(value.unit, []).append(Period(value.start, None, UnitValue(value.value, value.act)))
    for code, periods in by_unit.items():
        base = units.get(code) or FiscalUnit(code, code, Dated(()), book.id)
        units[code] = base.with_values(periods)
    for period in {p.base.unit for ps in book.penalties.values() for p in ps}:
        units.setdefault(period, FiscalUnit(period, period, Dated(()), book.id))
    return units


def office_calendar(book: Rulebook, data: MunicipalData) -> OfficeCalendar:
    """The shipped calendar with the days that the municipality supplied."""
    return _with_facts(book.calendar, json.dumps(data.calendar_facts, sort_keys=True))


@lru_cache(maxsize=64)
def _with_facts(calendar_id: str, facts: str) -> OfficeCalendar:
    """The calendar with a municipality's facts: built once for the same facts, since its tables take a while."""
    documents = json.loads(facts)
    calendar = load_calendar(calendar_id)
    return calendar.with_facts([fact_from_document(doc) for doc in documents]) if documents else calendar


def build_context(
    book: Rulebook,
    data: MunicipalData,
    calendar: OfficeCalendar | None = None,
    texts: Callable[[str], Context] | None = None,
) -> Context:
    """The context of a law under a municipality's data; ``texts`` gives that of another text of it."""
    office = calendar or office_calendar(book, data)
    settings = data.options.get(book.id, {})
    return Context(
        book=book,
        table=table_of(book),
        side={track: table_of(book, track) for track in book.track_rows},
        calendar=office,
        rule=counting_rule(book),
        units=units_of(book, data),
        switches=switches_of(book, data),
        settings=settings,
        end=supplied_end(data, book.id),
        start=supplied_start(data, book.id),
        tz=zone(book.timezone),
        update=update_rule(settings, data.series),
        payment_order=payment_order(settings, data.option_acts.get(book.id, {})),
        texts=texts,
    )


class Contexts:
    """The contexts of one unit of work: read once per municipality and law, versions kept in the store as they are
    used.
    """

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._data: dict[str, MunicipalData] = {}
        self._built: dict[tuple[str, str, str], Context] = {}

    def data(self, municipality: str) -> MunicipalData:
        """The municipality's own data, read once."""
        if municipality not in self._data:
            self._data[municipality] = self._repo.municipal_data(municipality)
        return self._data[municipality]

    def of(self, municipality: str, law: str, version: str | None = None) -> Context:
        """The context of a law; of an older text of it when a case was opened under ``version``."""
        book = self._book(law, version)
        key = (municipality, law, book.version)
        context = self._built.get(key)
        if context is None:
            context = self._built[key] = build_context(
                book, self.data(municipality), texts=lambda other: self.of(municipality, law, other)
            )
            if split(book.version)[0] == split(book.version)[1]:  # of both texts, each is kept already
                self._repo.keep_rulebook(book.version, law, book.text)
            if not self._repo.has_calendar(context.calendar.version):
                self._repo.keep_calendar(context.calendar.version, context.calendar.to_document())
        return context

    def _book(self, law: str, version: str | None) -> Rulebook:
        current = rulebook_of(law)
        if version in (None, "", current.version):
            return current
        procedure, sanction = split(str(version))
        if procedure != sanction:
            return compose(self._book(law, procedure), self._book(law, sanction))
        text = self._repo.rulebook_text(str(version))
        return _kept(text, str(version)) if text else current


@lru_cache(maxsize=16)
def _kept(text: str, version: str) -> Rulebook:
    return read_rulebook(text, file=version)

