"""Amounts in reais: exact arithmetic, bounds, reading and writing. ``Decimal`` in lines, ``int`` centavos in sums.

Every operation runs in a context of its own, so a host's decimal context cannot change a centavo. Rounding is half up
to the centavo, once per line; a product that could not be held exactly raises instead of losing a digit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow
from enum import StrEnum

from penalties.errors import (
    AmbiguousAmount,
    AmountTooLarge,
    InvalidAmount,
    NegativeAmount,
    NotANumber,
    TooManyDecimals,
    ZeroAmount,
)

MAX_AMOUNT = Decimal("10000000000000.00")
"""R$ 10 trillion, the largest amount accepted or produced."""
QUANTITY_DECIMALS = 4
RATE_DECIMALS = 10
ROUNDING = "por linha, ao centavo, meio para cima"
"""How lines are rounded, as every output says it."""

_CENT = Decimal("0.01")
_TRAPS = [InvalidOperation, DivisionByZero, Overflow]
_EXACT = Context(prec=120, rounding=ROUND_HALF_UP, traps=[*_TRAPS, Inexact])
_ROUNDING = Context(prec=120, rounding=ROUND_HALF_UP, traps=list(_TRAPS))

_POINT = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?\Z")
_COMMA = re.compile(r"(0|[1-9][0-9]{0,2}(\.[0-9]{3})+|[1-9][0-9]*)(,[0-9]+)?\Z")
_LONGEST = 40


class AmountStyle(StrEnum):
    """How a text writes decimals: the contract's point, the comma of old ERPs, or a file that mixes both."""

    PONTO = "ponto"
    VIRGULA = "virgula"
    AMBOS = "ambos"


def multiply(*factors: Decimal) -> Decimal:
    """The exact product."""
    result = Decimal(1)
    for factor in factors:
        result = _EXACT.multiply(result, factor)
    return result


def percent_of(percent: Decimal) -> Decimal:
    """``percent`` as an exact multiplier (10 → 0.10)."""
    return _EXACT.scaleb(percent, -2)


def power(base: Decimal, exponent: int) -> Decimal:
    """``base`` multiplied by itself ``exponent`` times, exactly."""
    return multiply(*([base] * exponent))


def add(left: Decimal, right: Decimal) -> Decimal:
    """The exact sum."""
    return _EXACT.add(left, right)


def to_cents(value: Decimal) -> Decimal:
    """``value`` rounded half up to the centavo. Raises AmountTooLarge beyond the bound, NotANumber if not finite."""
    if not value.is_finite():
        raise NotANumber
    if value.copy_abs() > MAX_AMOUNT:
        raise AmountTooLarge
    return value.quantize(_CENT, context=_ROUNDING)


def centavos(value: Decimal) -> int:
    """``value`` reais as whole centavos. Raises TooManyDecimals when it has a fraction of a centavo."""
    if not value.is_finite():
        raise NotANumber
    scaled = _EXACT.scaleb(value, 2)
    if scaled != scaled.to_integral_value():
        raise TooManyDecimals(f"{decimal_text(value)} tem fração de centavo.")
    return int(scaled)


def from_centavos(value: int) -> Decimal:
    """Whole centavos as reais with two decimals."""
    return _EXACT.scaleb(Decimal(value), -2)


def total(values: Iterable[Decimal]) -> Decimal:
    """The sum of amounts that are already whole centavos, with two decimals. Raises AmountTooLarge beyond the bound."""
    return to_cents(from_centavos(sum(centavos(v) for v in values)))


def check_amount(value: Decimal, *, allow_zero: bool = False, field: str | None = None) -> Decimal:
    """``value`` if it is an amount in reais within bounds, with two decimals; a typed error otherwise."""
    _check_number(value, decimals=2, allow_zero=allow_zero, field=field)
    return to_cents(value)


def check_quantity(value: Decimal, *, allow_zero: bool = False, field: str | None = None) -> Decimal:
    """``value`` if it is a quantity of at most four decimals within bounds; a typed error otherwise."""
    _check_number(value, decimals=QUANTITY_DECIMALS, allow_zero=allow_zero, field=field)
    return value


def check_rate(value: Decimal, *, allow_zero: bool = False, field: str | None = None) -> Decimal:
    """``value`` if it is a factor, percentage or unit value of at most ten decimals; a typed error otherwise."""
    _check_number(value, decimals=RATE_DECIMALS, allow_zero=allow_zero, field=field)
    return value


def parse_amount(
    value: object, *, style: AmountStyle = AmountStyle.PONTO, allow_zero: bool = False, field: str | None = None
) -> Decimal:
    """An amount in reais from text (or an exact ``Decimal``), with two decimals.

    ``style`` says which decimal mark the text may use; with AMBOS a text that reads two ways ("1.234") is refused.
    Raises NotANumber, AmbiguousAmount, NegativeAmount, ZeroAmount, TooManyDecimals, AmountTooLarge.
    """
    return check_amount(_read(value, style, field), allow_zero=allow_zero, field=field)


def parse_quantity(
    value: object, *, style: AmountStyle = AmountStyle.PONTO, allow_zero: bool = False, field: str | None = None
) -> Decimal:
    """A quantity (at most four decimals) from text, ``int`` or ``Decimal``. Raises as ``parse_amount``."""
    number = Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else _read(value, style, field)
    return check_quantity(number, allow_zero=allow_zero, field=field)


def decimal_text(value: Decimal) -> str:
    """The contract's text of a number: plain, exact, no exponent, no trailing zeros ("6", "0.5")."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def amount_text(value: Decimal) -> str:
    """The contract's text of an amount: a point and two decimals ("1234.56")."""
    cents = centavos(value)
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def unit_value_text(value: Decimal) -> str:
    """The contract's text of a unit's value: exact, at least two decimals ("30.00", "1.0641")."""
    whole, _, fraction = decimal_text(value).partition(".")
    return f"{whole}.{fraction.ljust(2, '0')}"


def decimal_br(value: Decimal, *, least: int = 0) -> str:
    """A number for people: "1.234,5"; at least ``least`` decimals."""
    whole, _, fraction = decimal_text(value).partition(".")
    sign = "-" if whole.startswith("-") else ""
    grouped = f"{int(whole.lstrip('-')):,}".replace(",", ".")
    fraction = fraction.ljust(least, "0")
    return f"{sign}{grouped},{fraction}" if fraction else f"{sign}{grouped}"


def money_br(value: Decimal) -> str:
    """An amount for people: "R$ 1.234,56" (a unit's value keeps its further decimals: "R$ 1,0641")."""
    text = decimal_br(value.copy_abs(), least=2)
    return f"-R$ {text}" if value < 0 else f"R$ {text}"


def _read(value: object, style: AmountStyle, field: str | None) -> Decimal:
    if isinstance(value, Decimal):
        return value
    if not isinstance(value, str):
        raise NotANumber("O valor deve vir como texto, para não perder centavos.", field=field)
    text = value.strip()
    negative = text.startswith("-")
    text = text.removeprefix("-")
    if len(text) > _LONGEST:
        raise NotANumber(f"“{text[:_LONGEST]}…” não é um valor.", field=field)
    number = _plain(text, style, field)
    if number is None:
        raise NotANumber(f"“{value}” não é um valor.", field=field)
    return number.copy_negate() if negative else number


def _plain(text: str, style: AmountStyle, field: str | None) -> Decimal | None:
    point = _POINT.match(text) is not None and style is not AmountStyle.VIRGULA
    comma = _COMMA.match(text) is not None and style is not AmountStyle.PONTO
    as_point = Decimal(text) if point else None
    as_comma = Decimal(text.replace(".", "").replace(",", ".")) if comma else None
    if as_point is not None and as_comma is not None and as_point != as_comma:
        raise AmbiguousAmount(f"“{text}” pode ser lido de dois modos.", field=field)
    return as_point if as_point is not None else as_comma


def _check_number(value: Decimal, *, decimals: int, allow_zero: bool, field: str | None) -> None:
    error: InvalidAmount | None = None
    if not value.is_finite():
        error = NotANumber(field=field)
    elif value < 0:
        error = NegativeAmount(field=field)
    elif value == 0 and not allow_zero:
        error = ZeroAmount(field=field)
    elif value > MAX_AMOUNT:
        error = AmountTooLarge(field=field)
    elif len(decimal_text(value).partition(".")[2]) > decimals:
        error = TooManyDecimals(f"O valor tem mais de {decimals} decimais.", field=field)
    if error is not None:
        raise error
