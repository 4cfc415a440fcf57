"""Fiscal units: what one is worth on a day, by which act. Values come from data; none is ever guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Any

from legalbasis import Citation, Dated, Period, Status, TomlDefects, TomlTable, UnitValueUnknown, load_toml
from penalties.errors import InvalidAmount
from penalties.money import check_rate, unit_value_text

BRL = "BRL"
"""The code of the real itself: a fine fixed in reais is a quantity of this unit, each worth R$ 1,00."""


class UnitDay(StrEnum):
    """Which day of the case picks the unit's value (a rulebook switch; default ``fato``)."""

    FATO = "fato"
    LAVRATURA = "lavratura"
    DECISAO = "decisao"
    PAGAMENTO = "pagamento"


@dataclass(frozen=True, slots=True)
class UnitValue:
    """``value`` reais for one unit, set by ``act`` of ``act_date`` (None where the act or its day is not known).

    ``last`` marks the last value of a unit that no longer exists, used for want of an act that names an index.
    """

    value: Decimal
    act: str | None
    act_date: date | None = None
    status: Status = Status.TEXTO
    citation: Citation | None = None
    last: bool = False
    note: str | None = None

    def __post_init__(self) -> None:
        check_rate(self.value, field="value")

    def to_dict(self) -> dict[str, Any]:
        """Keys value, act, act_date, status, citation, last, note: what an act that fixes a fine keeps."""
        return {
            "value": unit_value_text(self.value),
            "act": self.act,
            "act_date": self.act_date.isoformat() if self.act_date else None,
            "status": self.status.value,
            "citation": self.citation.to_dict() if self.citation else None,
            "last": self.last,
            "note": self.note,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> UnitValue:
        """The value that ``to_dict`` wrote."""
        citation = data["citation"]
        return cls(
            Decimal(data["value"]),
            data["act"],
            date.fromisoformat(data["act_date"]) if data["act_date"] else None,
            Status(data["status"]),
            Citation(**{**citation, "status": Status(citation["status"])}) if citation else None,
            data["last"],
            data["note"],
        )


REAL = UnitValue(Decimal(1), None)


@dataclass(frozen=True, slots=True)
class FiscalUnit:
    """A unit and its dated values. ``law_id`` is the rulebook's id, used only in the command that supplies a value."""

    code: str
    name: str
    values: Dated[UnitValue]
    law_id: str = "ID"

    def value_on(self, day: date) -> UnitValue:
        """The value on ``day``. Raises UnitValueUnknown naming the unit, the day and the command that supplies it."""
        value = self.values.on(day)
        if value is None:
            raise unknown_value(self.code, day, self.law_id)
        return value

    def with_values(self, supplied: Iterable[Period[UnitValue]]) -> FiscalUnit:
        """The unit with values supplied by the municipality over the shipped ones.

        Each holds from its start to its own end or, with none, to the next known start of any value; where it holds,
        it replaces what was there.
        """
        new = sorted(supplied, key=lambda p: p.start)
        starts = sorted({p.start for p in (*self.values.periods, *new)})
        fresh = [Period(p.start, p.end or next((s for s in starts if s > p.start), None), p.value) for p in new]
        kept = list(self.values.periods)
        for period in fresh:
            kept = [piece for old in kept for piece in _outside(old, period)]
        return FiscalUnit(self.code, self.name, Dated((*kept, *fresh)), self.law_id)


def unknown_value(code: str, day: date, law_id: str = "ID") -> UnitValueUnknown:
    """The error for a unit with no value on ``day``."""
    return UnitValueUnknown(
        f"Não se conhece o valor de {code} em {day:%d/%m/%Y}.",
        remedy=(
            f"Informe-o com: posturas rulebook unit set --law {law_id} --unit {code} --from {day.isoformat()} "
            '--value VALOR --act "Decreto …"'
        ),
        field="unit",
    )


def pick_values(units: Mapping[str, FiscalUnit], codes: Iterable[str], day: date) -> dict[str, UnitValue]:
    """The value on ``day`` of each unit in ``codes`` (the real needs none). Raises UnitValueUnknown."""
    picked = {}
    for code in sorted(set(codes) - {BRL}):
        if code not in units:
            raise unknown_value(code, day)
        picked[code] = units[code].value_on(day)
    return picked


def unit_from_table(table: TomlTable, *, law_id: str = "ID") -> FiscalUnit:
    """One ``[[unit]]``: code, name and ``[[unit.value]]`` rows; defects are noted in ``table``.

    Row keys: from, until (first day it no longer holds), value, act, act_date, status, citation {urn, norm, provision,
    address}, last, note.
    """
    code, name = table.str("code"), table.str("name")
    periods = [_period(row) for row in table.tables("value")]
    table.close()
    try:
        values = Dated(p for p in periods if p is not None)
    except ValueError as error:
        table.defect("value", f"os períodos não formam uma série: {error}")
        values = Dated(())
    return FiscalUnit(code, name, values, law_id)


def units_from_text(text: str, *, file: str) -> dict[str, FiscalUnit]:
    """The units of a TOML text, by code. Raises TomlDefects."""
    table = load_toml(text, file=file)
    units = [unit_from_table(row) for row in table.tables("unit")]
    table.close()
    if table.defects:
        raise TomlDefects(table.defects)
    return {unit.code: unit for unit in units}


SHIPPED = frozenset({"UFIR"})  # the codes in shipped_units, known without reading the file


@lru_cache(maxsize=1)
def shipped_units() -> Mapping[str, FiscalUnit]:
    """The units whose values are public and ship with the package (UFIR), by code."""
    from importlib.resources import files  # it pulls tempfile, hashlib and random: only when UFIR is asked for

    resource = files("penalties") / "data" / "units.toml"
    return units_from_text(resource.read_text(encoding="utf-8"), file="penalties/data/units.toml")


def _period(row: TomlTable) -> Period[UnitValue] | None:
    start, end = row.date("from"), row.date("until", None)
    number = row.decimal("value")
    cited = row.table("citation", optional=True)
    citation = None
    status = row.enum("status", Status, Status.TEXTO)
    if cited.keys():
        urn, norm, provision = cited.str("urn"), cited.str("norm"), cited.str("provision", "")
        citation = Citation(urn, norm, provision, status, cited.str("address", None))
        cited.close()
    act, act_date = row.str("act", None), row.date("act_date", None)
    last, note = row.bool("last", False), row.str("note", None)
    row.close()
    try:
        value = UnitValue(number, act, act_date, status, citation, last, note)
    except InvalidAmount as error:
        row.defect("value", error.message)
        return None
    if end is not None and end <= start:
        row.defect("until", "deve ser depois de “from”")
        return None
    return Period(start, end, value)


def _outside(old: Period[UnitValue], new: Period[UnitValue]) -> list[Period[UnitValue]]:
    """The pieces of ``old`` that ``new`` does not cover."""
    pieces = []
    if old.start < new.start:
        end = new.start if old.end is None else min(old.end, new.start)
        pieces.append(Period(old.start, end, old.value))
    if new.end is not None and (old.end is None or new.end < old.end):
        pieces.append(Period(max(old.start, new.end), old.end, old.value))
    return pieces
