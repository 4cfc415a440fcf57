"""Amounts: reading, writing, rounding and bounds. Expected values from the spec and from arithmetic done by hand."""

from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalties.errors import (
    AmbiguousAmount,
    AmountTooLarge,
    InvalidAmount,
    NegativeAmount,
    NotANumber,
    TooManyDecimals,
    ZeroAmount,
)
from penalties.money import (
    MAX_AMOUNT,
    AmountStyle,
    amount_text,
    centavos,
    check_amount,
    check_quantity,
    decimal_br,
    decimal_text,
    from_centavos,
    money_br,
    multiply,
    parse_amount,
    parse_quantity,
    to_cents,
    unit_value_text,
)


@pytest.mark.parametrize(
    ("text", "style", "value"),
    [
        ("212.82", "ponto", "212.82"),
        ("0.01", "ponto", "0.01"),
        ("330", "ponto", "330.00"),
        ("10000000000000.00", "ponto", "10000000000000.00"),
        ("212,82", "virgula", "212.82"),
        ("1.234,56", "virgula", "1234.56"),
        ("1234,56", "virgula", "1234.56"),
        ("1.234", "virgula", "1234.00"),
        ("1.234.567", "virgula", "1234567.00"),
        ("212.82", "ambos", "212.82"),
        ("212,82", "ambos", "212.82"),
        ("1.234,56", "ambos", "1234.56"),
        (" 33.00 ", "ponto", "33.00"),
    ],
)
def test_reads_amounts(text: str, style: str, value: str) -> None:
    read = parse_amount(text, style=AmountStyle(style))
    assert str(read) == value


@pytest.mark.parametrize(
    ("text", "style", "error"),
    [
        ("212,82", "ponto", NotANumber),
        ("1.234,56", "ponto", NotANumber),
        ("1,234.56", "ambos", NotANumber),
        ("1.23.456,00", "virgula", NotANumber),
        ("212.82", "virgula", NotANumber),
        ("1.234", "ambos", AmbiguousAmount),
        ("-1.00", "ponto", NegativeAmount),
        ("0.00", "ponto", ZeroAmount),
        ("-0.00", "ponto", ZeroAmount),
        ("1.001", "ponto", TooManyDecimals),
        ("10000000000000.01", "ponto", AmountTooLarge),
        ("9" * 41, "ponto", NotANumber),
        ("NaN", "ponto", NotANumber),
        ("Infinity", "ponto", NotANumber),
        ("1e3", "ponto", NotANumber),
        ("", "ponto", NotANumber),
        ("-", "ponto", NotANumber),
        ("007", "ponto", NotANumber),
        ("\u0661\u0662", "ponto", NotANumber),  # Arabic-Indic digits: Decimal would take them
        ("R$ 10,00", "virgula", NotANumber),
        ("1_000", "ponto", NotANumber),
    ],
)
def test_refuses_what_is_no_amount(text: str, style: str, error: type[InvalidAmount]) -> None:
    with pytest.raises(InvalidAmount) as caught:
        parse_amount(text, style=AmountStyle(style), field="amount")
    assert type(caught.value) is error
    assert caught.value.field == "amount"


@pytest.mark.parametrize("value", [212.82, 212, True, None, b"212.82"])
def test_an_amount_that_is_not_text_is_refused(value: object) -> None:
    with pytest.raises(NotANumber):
        parse_amount(value)


def test_zero_only_where_allowed() -> None:
    assert parse_amount("0.00", allow_zero=True) == 0


@pytest.mark.parametrize("value", ["NaN", "sNaN", "Infinity", "-Infinity"])
def test_a_decimal_that_is_no_number_is_refused(value: str) -> None:
    with pytest.raises(NotANumber):
        check_amount(Decimal(value))


def test_quantities_have_at_most_four_decimals() -> None:
    assert parse_quantity("0.0001") == Decimal("0.0001")
    assert parse_quantity(3) == 3
    assert check_quantity(Decimal("1.50000")) == Decimal("1.5")
    with pytest.raises(TooManyDecimals):
        parse_quantity("0.00001")
    with pytest.raises(NotANumber):
        parse_quantity(1.5)
    with pytest.raises(NotANumber):
        parse_quantity(True)


@pytest.mark.parametrize(
    ("exact", "rounded"),
    [
        ("0.005", "0.01"),
        ("0.015", "0.02"),
        ("0.025", "0.03"),
        ("0.0149", "0.01"),
        ("2.675", "2.68"),
        ("-0.005", "-0.01"),
    ],
)
def test_rounds_half_up(exact: str, rounded: str) -> None:
    assert str(to_cents(Decimal(exact))) == rounded


def test_products_beyond_the_bound_are_refused() -> None:
    assert to_cents(MAX_AMOUNT) == MAX_AMOUNT
    with pytest.raises(AmountTooLarge):
        to_cents(multiply(MAX_AMOUNT, Decimal(2)))


def test_centavos_lose_nothing() -> None:
    assert centavos(Decimal("330.00")) == 33000
    assert centavos(Decimal("1E+2")) == 10000
    with pytest.raises(TooManyDecimals):
        centavos(Decimal("0.001"))


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_centavos_and_reais_are_inverse(cents: int) -> None:
    reais = from_centavos(cents)
    assert centavos(reais) == cents
    assert Fraction(reais) == Fraction(cents, 100)
    assert Decimal(amount_text(reais)) == reais
    assert len(amount_text(reais).split(".")[1]) == 2


@given(st.integers(min_value=1, max_value=10**15))
def test_what_is_written_is_read_back(cents: int) -> None:
    reais = from_centavos(cents)
    assert parse_amount(amount_text(reais)) == reais
    assert parse_amount(money_br(reais).removeprefix("R$ "), style=AmountStyle.VIRGULA) == reais


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1234.56", "R$ 1.234,56"),
        ("0", "R$ 0,00"),
        ("1.0641", "R$ 1,0641"),
        ("-500", "-R$ 500,00"),
        ("1E+6", "R$ 1.000.000,00"),
    ],
)
def test_writes_reais_for_people(value: str, text: str) -> None:
    assert money_br(Decimal(value)) == text


def test_writes_numbers() -> None:
    assert decimal_text(Decimal("11.0000")) == "11"
    assert decimal_text(Decimal("1E+3")) == "1000"
    assert decimal_text(Decimal("0.50")) == "0.5"
    assert decimal_br(Decimal("1234.5")) == "1.234,5"
    assert unit_value_text(Decimal(30)) == "30.00"
    assert unit_value_text(Decimal("1.0641")) == "1.0641"


def test_a_hosts_decimal_context_changes_nothing() -> None:
    with localcontext() as context:
        context.prec = 3
        context.rounding = ROUND_DOWN
        assert parse_amount("9876543210.99") == Decimal("9876543210.99")
        assert parse_amount("-0.00", allow_zero=True) == 0
        assert to_cents(Decimal("123456.785")) == Decimal("123456.79")
        with pytest.raises(AmountTooLarge):
            to_cents(Decimal("10000000000000.01"))
        assert multiply(Decimal("123456.78"), Decimal(2)) == Decimal("246913.56")
        assert money_br(Decimal("-123456.78")) == "-R$ 123.456,78"
