"""The increase for late payment, the sharing of payments, and the days of a daily fine (spec 03 items 4, 5, 8, 9)."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalties import (
    Allocation,
    OpenPart,
    PaymentOrder,
    SurchargeBase,
    allocate,
    centavos,
    days_accrued,
    from_centavos,
    surcharge,
)
from penalties.errors import NegativeAmount, PaidPartUnknown, TooManyDecimals, ZeroAmount


def reais(text: str) -> Decimal:
    return Decimal(text)


def test_ten_per_cent_of_the_whole_fine() -> None:
    result = surcharge(reais("330.00"), article="35-A")
    assert (result.amount, result.balance) == (33, 363)
    assert result.line is not None
    assert (result.line.product(), result.line.penalty_article, result.line.surcharge) == (33, "35-A", False)
    assert result.other_amount == 33


def test_part_paid_in_time_by_the_letter_and_by_the_balance() -> None:
    data = surcharge(reais("330.00"), reais("130.00"), article="35-A").to_dict()
    assert (data["base"], data["amount"], data["balance"]) == ("multa_arbitrada", "33.00", "233.00")
    assert (data["other_base"], data["other_amount"], data["other_balance"]) == ("saldo", "20.00", "220.00")
    saldo = surcharge(reais("330.00"), reais("130.00"), base=SurchargeBase.SALDO)
    assert (saldo.amount, saldo.balance, saldo.other_amount, saldo.other_balance) == (20, 220, 33, 233)


@pytest.mark.parametrize("paid", ["330.00", "400.00"])
def test_nothing_open_no_increase(paid: str) -> None:
    result = surcharge(reais("330.00"), reais(paid))
    assert (result.line, result.amount, result.balance) == (None, 0, 0)
    assert result.to_dict()["amount"] == "0.00"


def test_one_centavo_open_is_a_balance_open() -> None:
    assert surcharge(reais("330.00"), reais("329.99")).balance == Decimal("33.01")


@pytest.mark.parametrize(
    ("fine", "amount"), [("0.04", "0.00"), ("0.05", "0.01"), ("212.82", "21.28"), ("1.25", "0.13")]
)
def test_the_increase_rounds_half_up(fine: str, amount: str) -> None:
    assert surcharge(reais(fine)).to_dict()["amount"] == amount


def test_the_increase_refuses_what_is_no_amount() -> None:
    with pytest.raises(ZeroAmount):
        surcharge(Decimal(0))
    with pytest.raises(NegativeAmount):
        surcharge(reais("330"), reais("-1"))
    with pytest.raises(TooManyDecimals):
        surcharge(reais("330.001"))


DEBT = (OpenPart("arbitrada", reais("330.00")), OpenPart("acrescimo", reais("33.00")))


def shares(allocation: Allocation) -> dict[str, str]:
    return {part.key: str(part.paid) for part in allocation.parts}


def test_by_default_in_proportion() -> None:
    result = allocate(reais("110.00"), DEBT)
    assert shares(result) == {"arbitrada": "100.00", "acrescimo": "10.00"}
    assert [part.remaining for part in result.parts] == [230, 23]
    assert (result.credit, result.paid("acrescimo")) == (0, 10)
    assert "proporção" in result.order


def test_the_centavo_left_over_goes_to_the_largest_remainder() -> None:
    # 0,10 of 1/3 each: 3,33… centavos each; the tie goes to the first.
    thirds = [OpenPart(k, reais("1.00")) for k in ("a", "b", "c")]
    assert shares(allocate(reais("0.10"), thirds)) == {"a": "0.04", "b": "0.03", "c": "0.03"}
    # 1,00 of 2,00, 1,00 and 0,01 (301): 66,44; 33,22; 0,33.
    uneven = [OpenPart("a", reais("2.00")), OpenPart("b", reais("1.00")), OpenPart("c", reais("0.01"))]
    assert shares(allocate(reais("1.00"), uneven)) == {"a": "0.67", "b": "0.33", "c": "0.00"}


def test_an_act_that_gives_the_order() -> None:
    order = PaymentOrder((("acrescimo",), ("custos", "arbitrada")), "Decreto 9/2013")
    result = allocate(reais("43.00"), DEBT, order=order)
    assert shares(result) == {"arbitrada": "10.00", "acrescimo": "33.00"}
    assert "Decreto 9/2013" in result.order


def test_a_part_that_the_order_forgets_comes_after_it() -> None:
    order = PaymentOrder((("acrescimo",),), "Decreto 9/2013")
    assert shares(allocate(reais("34.00"), DEBT, order=order)) == {"arbitrada": "1.00", "acrescimo": "33.00"}


def test_what_the_payment_names_is_obeyed() -> None:
    order = PaymentOrder((("arbitrada",), ("acrescimo",)), "Decreto 9/2013")
    result = allocate(reais("20.00"), DEBT, order=order, pays=["acrescimo"])
    assert shares(result) == {"arbitrada": "0.00", "acrescimo": "20.00"}
    more = allocate(reais("40.00"), DEBT, order=order, pays=["acrescimo"])
    assert shares(more) == {"arbitrada": "7.00", "acrescimo": "33.00"}
    assert more.order.startswith("primeiro o que o pagamento nomeia (acrescimo)")


def test_an_overpayment_is_a_credit() -> None:
    data = allocate(reais("400.00"), DEBT).to_dict()
    assert data["credit"] == "37.00"
    assert data["parts"] == [
        {"key": "arbitrada", "paid": "330.00", "remaining": "0.00"},
        {"key": "acrescimo", "paid": "33.00", "remaining": "0.00"},
    ]
    assert allocate(reais("1.00"), []).credit == 1
    assert allocate(reais("1.00"), [OpenPart("arbitrada", Decimal(0))]).credit == 1


def test_a_name_that_is_no_part() -> None:
    with pytest.raises(PaidPartUnknown) as caught:
        allocate(reais("1.00"), DEBT, pays=["juros"])
    assert caught.value.remedy == "Nomeie uma destas: arbitrada, acrescimo."


def test_payments_that_are_no_amounts() -> None:
    for wrong, error in (("0", ZeroAmount), ("-1", NegativeAmount), ("0.001", TooManyDecimals)):
        with pytest.raises(error):
            allocate(reais(wrong), DEBT)


CENTS = st.integers(0, 10**9)


@given(
    st.integers(1, 10**10),
    st.lists(CENTS, max_size=6),
    st.lists(st.integers(0, 5), max_size=3),
    st.lists(st.lists(st.integers(0, 5), max_size=3), max_size=3),
)
def test_nothing_is_lost_and_nothing_is_made(
    payment: int, owed: list[int], named: list[int], tiers: list[list[int]]
) -> None:
    parts = [OpenPart(str(i), from_centavos(cents)) for i, cents in enumerate(owed)]
    order = PaymentOrder(tuple(tuple(str(i) for i in tier) for tier in tiers), "Decreto") if tiers else None
    pays = [str(i) for i in named if i < len(owed)]
    result = allocate(from_centavos(payment), parts, order=order, pays=pays)
    paid = [centavos(part.paid) for part in result.parts]
    assert sum(paid) + centavos(result.credit) == payment
    assert all(0 <= got <= cents for got, cents in zip(paid, owed, strict=True))
    assert [centavos(part.remaining) for part in result.parts] == [c - g for c, g in zip(owed, paid, strict=True)]
    assert centavos(result.credit) == max(0, payment - sum(owed))
    open_names = {part.key for part in result.parts if part.remaining}
    if open_names & set(pays):
        assert all(part.paid == 0 for part in result.parts if part.key not in pays)


@given(st.integers(1, 10**10), st.lists(CENTS, min_size=1, max_size=6))
def test_in_proportion_means_within_a_centavo(payment: int, owed: list[int]) -> None:
    whole = sum(owed)
    result = allocate(from_centavos(payment), [OpenPart(str(i), from_centavos(c)) for i, c in enumerate(owed)])
    for part, cents in zip(result.parts, owed, strict=True):
        assert abs(centavos(part.paid) * whole - min(payment, whole) * cents) < max(whole, 1)


D = date(2013, 3, 1)


@pytest.mark.parametrize(
    ("spans", "days"),
    [
        ([], 0),
        ([(D, D)], 1),
        ([(D, date(2013, 3, 31))], 31),
        ([(D, date(2013, 3, 10)), (date(2013, 3, 5), date(2013, 3, 15))], 15),
        ([(D, date(2013, 3, 10)), (date(2013, 3, 2), date(2013, 3, 3))], 10),
        ([(date(2013, 3, 20), date(2013, 3, 21)), (D, date(2013, 3, 2))], 4),
    ],
)
def test_each_day_once(spans: list[tuple[date, date]], days: int) -> None:
    assert days_accrued(spans) == days


def test_a_span_backwards_is_refused() -> None:
    with pytest.raises(ValueError, match="before its start"):
        days_accrued([(D, date(2013, 2, 1))])


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=6))
def test_each_day_once_whatever_the_overlap(rows: list[tuple[int, int]]) -> None:
    spans = [(D + timedelta(days=start), D + timedelta(days=start + length)) for start, length in rows]
    expected = {start + offset for start, length in rows for offset in range(length + 1)}
    assert days_accrued(spans) == len(expected)
