"""Units: UFIR's values from spec 01, values that the municipality supplies, days with no value."""

from datetime import date
from decimal import Decimal

import pytest

from legalbasis import Dated, Period, Status, TomlDefects, UnitValueUnknown
from penalties.errors import InvalidAmount
from penalties.units import BRL, FiscalUnit, UnitValue, pick_values, shipped_units, units_from_text

# Spec 01, Cruzília: first and last day of each value.
UFIR = [
    ("1995-01-01", "1995-03-31", "0.6767"),
    ("1995-04-01", "1995-06-30", "0.7061"),
    ("1995-07-01", "1995-09-30", "0.7564"),
    ("1995-10-01", "1995-12-31", "0.7952"),
    ("1996-01-01", "1996-06-30", "0.8287"),
    ("1996-07-01", "1996-12-31", "0.8847"),
    ("1997-01-01", "1997-12-31", "0.9108"),
    ("1998-01-01", "1998-12-31", "0.9611"),
    ("1999-01-01", "1999-12-31", "0.9770"),
    ("2000-01-01", "2000-12-31", "1.0641"),
    ("2001-01-01", "2026-12-31", "1.0641"),
]


@pytest.mark.parametrize(("first", "last", "value"), UFIR)
def test_ufir(first: str, last: str, value: str) -> None:
    unit = shipped_units()["UFIR"]
    for day in (first, last):
        held = unit.value_on(date.fromisoformat(day))
        assert held.value == Decimal(value)
        assert held.citation is not None


def test_ufir_after_its_end_says_it_is_the_last_value() -> None:
    unit = shipped_units()["UFIR"]
    assert not unit.value_on(date(2000, 12, 31)).last
    after = unit.value_on(date(2001, 1, 1))
    assert after.last
    assert after.act is None
    assert after.status is Status.SUBSIDIARIO
    assert "extinta" in (after.note or "")


def test_ufir_before_its_first_value_is_unknown() -> None:
    with pytest.raises(UnitValueUnknown) as caught:
        shipped_units()["UFIR"].value_on(date(1994, 12, 31))
    assert "UFIR" in caught.value.message
    assert "31/12/1994" in caught.value.message


def test_no_value_names_unit_day_and_command() -> None:
    unit = FiscalUnit("VRSGP", "Valor de Referência", Dated(()), "es-3204708/lei-1522-2005")
    with pytest.raises(UnitValueUnknown) as caught:
        unit.value_on(date(2013, 3, 8))
    assert caught.value.message == "Não se conhece o valor de VRSGP em 08/03/2013."
    assert caught.value.remedy is not None
    command = "posturas rulebook unit set --law es-3204708/lei-1522-2005 --unit VRSGP --from 2013-03-08 --value"
    assert command in caught.value.remedy


def value(number: str) -> UnitValue:
    return UnitValue(Decimal(number), f"Decreto {number}")


def test_a_supplied_value_holds_to_the_next_known_start() -> None:
    unit = FiscalUnit("V", "V", Dated([Period(date(2010, 1, 1), date(2011, 1, 1), value("10"))]))
    supplied = unit.with_values(
        [Period(date(2012, 1, 1), None, value("12")), Period(date(2009, 1, 1), None, value("9"))]
    )
    days = [date(2009, 6, 1), date(2010, 6, 1), date(2012, 1, 1), date(2030, 1, 1)]
    assert [supplied.value_on(day).value for day in days] == [9, 10, 12, 12]
    with pytest.raises(UnitValueUnknown):
        supplied.value_on(date(2011, 6, 1))


def test_a_supplied_value_replaces_what_was_there() -> None:
    ufir = shipped_units()["UFIR"].with_values([Period(date(2005, 1, 1), None, value("1.50"))])
    assert ufir.value_on(date(2004, 12, 31)).last
    assert ufir.value_on(date(2005, 1, 1)).act == "Decreto 1.50"
    part = FiscalUnit("V", "V", Dated([Period(date(2010, 1, 1), None, value("10"))])).with_values(
        [Period(date(2011, 1, 1), date(2012, 1, 1), value("11"))]
    )
    days = [date(2010, 12, 31), date(2011, 1, 1), date(2011, 12, 31), date(2012, 1, 1)]
    assert [part.value_on(day).value for day in days] == [10, 11, 11, 10]


def test_picks_each_unit_once_and_needs_none_for_reais() -> None:
    picked = pick_values(shipped_units(), ["UFIR", BRL, "UFIR"], date(1997, 5, 5))
    assert {code: held.value for code, held in picked.items()} == {"UFIR": Decimal("0.9108")}
    with pytest.raises(UnitValueUnknown):
        pick_values(shipped_units(), ["UPFM"], date(2013, 1, 1))


def test_a_value_comes_back_from_the_payload_of_an_act() -> None:
    for day in (date(1997, 1, 1), date(2013, 1, 1)):
        held = shipped_units()["UFIR"].value_on(day)
        assert UnitValue.from_dict(held.to_dict()) == held


@pytest.mark.parametrize("number", ["0", "-1", "NaN", "10000000000000.01"])
def test_a_value_must_be_a_positive_number(number: str) -> None:
    with pytest.raises(InvalidAmount):
        UnitValue(Decimal(number), "Decreto")


def test_the_file_is_read_strictly_and_all_defects_are_told() -> None:
    text = """
[[unit]]
code = "V"
name = "V"
colour = "red"
[[unit.value]]
from = 2010-01-01
until = 2009-01-01
value = "1"
[[unit.value]]
from = 2011-01-01
value = "-1"
"""
    with pytest.raises(TomlDefects) as caught:
        units_from_text(text, file="v.toml")
    assert {d.key for d in caught.value.defects} == {
        "unit[0].colour",
        "unit[0].value[0].until",
        "unit[0].value[1].value",
    }


def test_overlapping_values_are_a_defect() -> None:
    row = '[[unit.value]]\nfrom = {0}-01-01\nvalue = "1"\n'
    with pytest.raises(TomlDefects) as caught:
        units_from_text('[[unit]]\ncode = "V"\nname = "V"\n' + row.format(2010) + row.format(2011), file="v.toml")
    assert [d.key for d in caught.value.defects] == ["unit[0].value"]
