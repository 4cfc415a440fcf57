"""Amounts between the contract's text and centavos."""

from __future__ import annotations

from decimal import Decimal

from penalties.money import centavos, from_centavos, percent_of, to_cents


def to_centavos(text: str) -> int:
    """Centavos of a contract amount: digits, a point, two decimals."""
    whole, _, cents = text.partition(".")
    return int(whole) * 100 + int(cents)


def amount(centavos: int) -> str:
    """The contract's text of an amount in centavos."""
    return f"{centavos // 100}.{centavos % 100:02d}"


def share_of(value: int, percent: Decimal) -> int:
    """``percent`` per cent of an amount in centavos, in centavos, half up."""
    return centavos(to_cents(from_centavos(value) * percent_of(percent)))
