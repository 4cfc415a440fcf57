"""Reading a monthly series as a municipality has it."""

from decimal import Decimal

import pytest

from legalbasis import ErrorGroup
from penalties.index_series import IndexSeries, IndexValueUnknown, InvalidSeries, months_between, read_percents


@pytest.mark.parametrize(
    "text",
    [
        "data;valor\n01/01/2015;0,89\n01/02/2015;1,33\n",
        "\ufeff01/01/2015;0,89\r\n01/02/2015;1,33\r\n",
        "01/2015;0.89\n02/2015;1.33",
        '"data";"valor"\n"01/01/2015";"0,89"\n"01/02/2015";"1,33"\n',
        '"2015-01","0,89"\n"2015-02","1,33"',
        "2015-01,0,89\n2015-02,1,33",
        "2015-01-01\t0,89%\n2015-02-01\t1,33 %\n\n",
        "02/2015;1,33\n01/2015;0,89\n01/2015;0,89",
    ],
)
def test_one_series_however_it_is_written(text: str) -> None:
    assert read_percents(text) == {(2015, 1): Decimal("0.89"), (2015, 2): Decimal("1.33")}


def test_a_month_of_deflation() -> None:
    assert read_percents("07/2022;-0,68") == {(2022, 7): Decimal("-0.68")}


def test_every_bad_line_is_named_at_once() -> None:
    with pytest.raises(ErrorGroup) as caught:
        read_percents("01/2015;0,89\n13/2015;1\n02/2015;abc\n15/03/2015;0,1\n04/2015\n", place="selic.csv")
    places = [error.place for error in caught.value.errors]
    assert places == [f"selic.csv, linha {n}" for n in (2, 3, 4, 5)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nenhum mês"),
        ("data;valor", "nenhum mês"),
        ("01/2015;0,89\n01/2015;0,90", "dois valores"),
        ("01/2015;99999", "não pode ser a variação"),
        ("01/2015;-100", "não pode ser a variação"),
        ("01/1900;1", "não é um mês de"),
        ("01/2015;1;2", "não é mês e percentual"),
        ("15/01/2015;0,04", "parece diária"),
        ("01/2015;1\n" * 6000, "mais de 5000 linhas"),
    ],
)
def test_what_is_refused_and_why(text: str, said: str) -> None:
    with pytest.raises(InvalidSeries, match=said):
        read_percents(text)


def test_a_month_the_series_lacks_is_an_error_that_says_how_to_supply_it() -> None:
    series = IndexSeries("IPCA-E", {(2015, 1): Decimal("0.89")}, "teste")
    with pytest.raises(IndexValueUnknown, match="IPCA-E de 02/2015") as caught:
        series.percent((2015, 2))
    assert "posturas indice import" in str(caught.value.remedy)


def test_months_cross_the_year() -> None:
    assert list(months_between((2014, 11), (2015, 2))) == [(2014, 11), (2014, 12), (2015, 1), (2015, 2)]
    assert list(months_between((2015, 2), (2015, 1))) == []
