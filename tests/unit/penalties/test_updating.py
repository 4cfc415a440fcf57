"""Update and interest, against fractions worked out here month by month."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalties.index_series import IndexSeries, IndexValueUnknown
from penalties.updating import FirstMonth, InterestBase, LastMonth, UpdateRule, UpdateRuleInvalid, update

ACT = "Lei Municipal 9.999/2012, art. 3º"
IPCA_E = IndexSeries(
    "IPCA-E",
    {(2013, 5): Decimal("0.46"), (2013, 6): Decimal("0.38"), (2013, 7): Decimal("0.07"), (2013, 8): Decimal("0.16")},
    "invented for the test",
)
SELIC = IndexSeries("Selic", dict.fromkeys(IPCA_E.percents, Decimal("0.60")), "invented for the test")
DUE, ON = date(2013, 4, 27), date(2013, 8, 15)


def cents(value: Fraction) -> Decimal:
    return Decimal(floor(value * 100 + Fraction(1, 2))).scaleb(-2)


def test_the_index_compounds_from_the_month_after_to_the_month_before() -> None:
    got = update(Decimal("363.00"), DUE, ON, UpdateRule(act=ACT, index=IPCA_E))
    factor = Fraction(10046, 10000) * Fraction(10038, 10000) * Fraction(10007, 10000)
    assert got.total == cents(363 * factor) == Decimal("366.31")
    assert [step.month for step in got.months] == [(2013, 5), (2013, 6), (2013, 7)]
    assert (got.update, got.interest) == (Decimal("3.31"), Decimal("0.00"))


def test_one_per_cent_a_month_is_simple_and_falls_on_the_updated_amount() -> None:
    rule = UpdateRule(act=ACT, index=IPCA_E, interest_percent=Decimal(1))
    got = update(Decimal("363.00"), DUE, ON, rule)
    assert got.interest == cents(Fraction(36631, 100) * 3 / 100) == Decimal("10.99")
    original = UpdateRule(
        act=ACT, index=IPCA_E, interest_percent=Decimal(1), interest_base=InterestBase.ORIGINAL
    )
    assert update(Decimal("363.00"), DUE, ON, original).interest == Decimal("10.89")


def test_the_month_of_the_due_day_and_of_the_payment_count_where_the_act_says_so() -> None:
    rule = UpdateRule(
        act=ACT,
        interest_percent=Decimal(1),
        first_month=FirstMonth.MES_DO_VENCIMENTO,
        last_month=LastMonth.MES_DO_PAGAMENTO,
    )
    assert update(Decimal("100.00"), DUE, ON, rule).interest == Decimal("5.00")  # April to August


def test_the_selic_sums_and_the_month_of_payment_is_one_per_cent() -> None:
    rule = UpdateRule(act=ACT, interest_index=SELIC, month_of_payment_percent=Decimal(1))
    got = update(Decimal("1000.00"), DUE, ON, rule)
    assert got.interest == Decimal("28.00")  # 3 × 0.60 and 1
    assert got.months[-1].interest_percent == Decimal(1)


def test_the_whole_addition_stops_at_the_selic() -> None:
    rule = UpdateRule(act=ACT, index=IPCA_E, interest_percent=Decimal(1), cap=SELIC)
    got = update(Decimal("1000.00"), DUE, ON, rule)
    factor = Fraction(10046, 10000) * Fraction(10038, 10000) * Fraction(10007, 10000)
    updated = cents(1000 * factor)
    assert got.uncapped == updated + cents(Fraction(updated) * 3 / 100)
    assert got.total == Decimal("1018.00")
    assert got.capped
    assert got.update + got.interest == Decimal("18.00")
    assert got.to_dict()["months"][2]["cap_total"] == "1.8"


def test_under_the_selic_nothing_is_taken_off() -> None:
    got = update(Decimal("1000.00"), DUE, ON, UpdateRule(act=ACT, index=IPCA_E, cap=SELIC))
    assert not got.capped
    assert got.total == got.uncapped == Decimal("1009.12")  # 1.0046 × 1.0038 × 1.0007 = 1.00912337…


def test_deflation_counts_but_never_below_what_was_owed() -> None:
    falling = IndexSeries("IPCA-E", {(2013, 5): Decimal("-2"), (2013, 6): Decimal("1"), (2013, 7): Decimal("0")}, "x")
    assert update(Decimal("100.00"), DUE, ON, UpdateRule(act=ACT, index=falling)).total == Decimal("100.00")


@pytest.mark.parametrize("on", [date(2013, 4, 27), date(2013, 4, 30), date(2013, 5, 31), date(2013, 4, 1)])
def test_before_a_whole_month_nothing_is_added(on: date) -> None:
    got = update(Decimal("363.00"), DUE, on, UpdateRule(act=ACT, index=IPCA_E, cap=SELIC))
    assert (got.total, got.months) == (Decimal("363.00"), ())


def test_a_month_beyond_the_series_is_an_error_not_a_guess() -> None:
    with pytest.raises(IndexValueUnknown, match="09/2013"):
        update(Decimal("363.00"), DUE, date(2013, 10, 1), UpdateRule(act=ACT, index=IPCA_E))


@pytest.mark.parametrize(
    "wrong",
    [
        {"act": " ", "index": IPCA_E},
        {"act": ACT},
        {"act": ACT, "interest_percent": Decimal(1), "interest_index": SELIC},
    ],
)
def test_a_rule_that_does_not_hold_together_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UpdateRuleInvalid):
        UpdateRule(**wrong)  # type: ignore[arg-type]  # wrong on purpose


@given(
    amount=st.integers(1, 10**9),
    percents=st.lists(st.decimals("-3", "9", places=2), min_size=1, max_size=60),
    interest=st.decimals("0.01", "3", places=2),
)
def test_any_series_agrees_with_fractions(amount: int, percents: list[Decimal], interest: Decimal) -> None:
    months = [(2001 + n // 12, n % 12 + 1) for n in range(len(percents))]
    series = IndexSeries("X", dict(zip(months, percents, strict=True)), "generated")
    last = months[-1]
    on = date(last[0] + last[1] // 12, last[1] % 12 + 1, 10)
    original = Decimal(amount).scaleb(-2)
    got = update(original, date(2000, 12, 31), on, UpdateRule(act=ACT, index=series, interest_percent=interest))
    factor = Fraction(1)
    for percent in percents:
        factor *= 1 + Fraction(percent) / 100
    updated = max(cents(Fraction(original) * factor), original)
    assert got.update == updated - original
    assert got.interest == cents(Fraction(updated) * Fraction(interest) * len(percents) / 100)
