"""The token bucket, its clock in hand."""

from __future__ import annotations

import threading

import pytest

from procedure.http.limits import Buckets, Verdict

SECOND = 10**9


def test_a_full_bucket_gives_its_burst_and_then_the_rate() -> None:
    buckets = Buckets(rate=2, burst=3)
    assert [buckets.take("k", 0).remaining for _ in range(3)] == [2, 1, 0]
    assert buckets.take("k", 0) == Verdict(False, 3, 0, reset_seconds=2, retry_seconds=1)
    assert not buckets.take("k", SECOND // 2 - 1).allowed
    assert buckets.take("k", SECOND // 2).allowed
    assert not buckets.take("k", SECOND // 2).allowed
    assert [buckets.take("k", 100 * SECOND).allowed for _ in range(4)] == [True, True, True, False]


def test_asking_often_loses_nothing() -> None:
    buckets = Buckets(rate=3, burst=1)
    assert buckets.take("k", 0).allowed
    granted = sum(buckets.take("k", at).allowed for at in range(0, 100 * SECOND + 1, SECOND // 1_000))
    assert granted in (299, 300)  # the last third of a second is no whole number of milliseconds


def test_one_key_does_not_pay_for_another() -> None:
    buckets = Buckets(rate=1, burst=1)
    assert buckets.take("a", 0).allowed
    assert not buckets.take("a", 0).allowed
    assert buckets.take("b", 0).allowed


def test_a_clock_that_goes_back_gives_nothing() -> None:
    buckets = Buckets(rate=1, burst=1)
    assert buckets.take("k", 10 * SECOND).allowed
    assert not buckets.take("k", 0).allowed
    assert not buckets.take("k", 10 * SECOND).allowed
    assert buckets.take("k", 11 * SECOND).allowed


def test_looking_takes_nothing() -> None:
    buckets = Buckets(rate=1, burst=2)
    assert [buckets.look("k", 0).remaining for _ in range(3)] == [2, 2, 2]
    buckets.take("k", 0, 2)
    assert buckets.look("k", 0) == Verdict(False, 2, 0, reset_seconds=2, retry_seconds=1)


def test_the_names_are_bounded() -> None:
    buckets = Buckets(rate=1, burst=1, most=2)
    for name in "abc":
        buckets.take(name, 0)
    assert [buckets.look(name, 0).allowed for name in "abc"] == [True, False, False]


def test_threads_get_no_more_than_there_is() -> None:
    buckets = Buckets(rate=1, burst=100)
    granted: list[bool] = []
    ask = [
        threading.Thread(target=lambda: granted.extend(buckets.take("k", 0).allowed for _ in range(50)))
        for _ in range(8)
    ]
    for thread in ask:
        thread.start()
    for thread in ask:
        thread.join(30)
    assert (len(granted), sum(granted)) == (400, 100)


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (1, 0), (-1, 5)])
def test_a_bucket_needs_a_rate_and_room(rate: int, burst: int) -> None:
    with pytest.raises(ValueError, match="positive"):
        Buckets(rate, burst)
