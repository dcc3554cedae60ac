"""So much at once, so much for long, and memory that does not grow."""

from __future__ import annotations

import pytest

from hushgraph.collector import allowance
from hushgraph.collector.allowance import Allowance


def test_a_bucket_is_used_up_and_fills_again() -> None:
    now = 100.0
    one = Allowance(3, 0.5, lambda: now)
    assert [one.take("a") for _ in range(5)] == [True, True, True, False, False]
    assert not one.has("a")
    assert one.take("b")
    now += 4
    assert [one.take("a") for _ in range(3)] == [True, True, False]
    now += 1_000
    assert [one.take("a") for _ in range(5)] == [True, True, True, False, False]


def test_what_costs_more_takes_more() -> None:
    one = Allowance(10, 0.001)
    assert one.take("a", 8)
    assert not one.take("a", 8)
    assert not one.has("a")


def test_keys_unheard_of_for_longest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "MOST_KNOWN", 100)
    one = Allowance(1, 0.001)
    for key in range(1_000):
        assert one.take(key)
    assert len(one._left) == 100
    assert not one.take(999)
    assert one.take(0)
