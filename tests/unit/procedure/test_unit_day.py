"""The day whose unit value a fine takes, by the reading in use."""

from __future__ import annotations

from datetime import date

import pytest

from procedure.domain.errors import UnitDayUnknown
from procedure.domain.fines import unit_day

FACT = {"date": "2013-03-01", "until": "2013-03-05"}
DRAWN, DECIDED = date(2013, 3, 8), date(2013, 5, 2)


@pytest.mark.parametrize(
    ("reading", "day"), [({}, date(2013, 3, 5)), ("fato", date(2013, 3, 5)), ("lavratura", DRAWN), ("decisao", DECIDED)]
)
def test_each_reading_has_its_day(reading: str | dict[str, str], day: date) -> None:
    switches = {"dia_da_unidade": reading} if isinstance(reading, str) else reading
    assert unit_day(switches, FACT, DRAWN, DECIDED) == day


def test_the_day_of_the_payment_is_not_known_when_the_fine_is_fixed() -> None:
    with pytest.raises(UnitDayUnknown) as caught:
        unit_day({"dia_da_unidade": "pagamento"}, FACT, DRAWN, DECIDED)
    assert (caught.value.error_code, "option set" in str(caught.value.remedy)) == ("dia_da_unidade_por_vir", True)
