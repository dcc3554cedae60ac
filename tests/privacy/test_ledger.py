import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushgraph.privacy import BudgetExceededError, Guarantee, Ledger

ONE = Guarantee("features", 1.0)
HALF = Guarantee("label", 0.5, 1e-6)


def state(ledger):
    return ledger.spent_epsilon.tolist(), ledger.spent_delta.tolist(), list(ledger.entries)


def test_spending_adds_up_over_features_label_and_campaigns():
    ledger = Ledger(people=3, epsilon=5.0, delta=1e-5)
    for campaign in ("spring", "summer"):
        ledger.spend(f"{campaign}/features", ONE)
        ledger.spend(f"{campaign}/label", HALF, who=[2, 0])
    assert ledger.spent_epsilon.tolist() == [3.0, 2.0, 3.0]
    assert ledger.spent_delta.tolist() == [2e-6, 0.0, 2e-6]
    assert [ledger.remaining(person) for person in range(3)] == [2.0, 3.0, 2.0]
    assert [(entry.what, entry.epsilon, entry.people) for entry in ledger.entries] == [
        line
        for campaign in ("spring", "summer")
        for line in ((f"{campaign}/features", 1.0, 3), (f"{campaign}/label", 0.5, 2))
    ]


def test_a_refusal_says_both_numbers_and_records_nothing_for_anyone():
    ledger = Ledger(people=3, epsilon=2.0)
    ledger.spend("spring", ONE)
    ledger.spend("extra", ONE, who=[1])
    before = state(ledger)
    with pytest.raises(
        BudgetExceededError,
        match="summer: insufficient privacy budget for 1 of 3 people: epsilon 3 > 2 for person 1",
    ):
        ledger.spend("summer", ONE)
    assert state(ledger) == before
    ledger.spend("summer", ONE, who=[0, 2])
    assert ledger.spent_epsilon.tolist() == [2.0, 2.0, 2.0]


def test_delta_has_its_own_limit_and_none_by_default():
    ledger = Ledger(people=2, epsilon=10.0, delta=1.5e-6)
    ledger.spend("first", HALF)
    before = state(ledger)
    with pytest.raises(BudgetExceededError, match=r"delta 2e-06 > 1\.5e-06"):
        ledger.spend("second", HALF)
    assert state(ledger) == before
    with pytest.raises(BudgetExceededError, match="delta 1e-06 > 0"):
        Ledger(people=2, epsilon=10.0).spend("first", HALF)


def test_a_sum_that_is_equal_but_for_rounding_is_accepted():
    ledger = Ledger(people=1, epsilon=0.3)
    for price in (0.1, 0.2):
        ledger.spend("x", Guarantee("x", price))
    assert ledger.remaining(0) == 0.0
    with pytest.raises(BudgetExceededError):
        ledger.spend("x", Guarantee("x", 1e-6))


def test_rounding_cannot_be_collected_into_a_budget():
    ledger = Ledger(people=1, epsilon=1.0)
    ledger.spend("all", ONE)
    for _ in range(50):
        try:
            ledger.spend("a little", Guarantee("x", 5e-10))
        except BudgetExceededError:
            break
    assert ledger.spent_epsilon[0] <= 1 + 1e-8


def test_what_is_not_protected_costs_more_than_any_finite_limit():
    unprotected = Guarantee("features", math.inf, status="none")
    with pytest.raises(BudgetExceededError, match="epsilon inf > 1000"):
        Ledger(people=1, epsilon=1000.0).spend("x", unprotected)
    ledger = Ledger(people=1, epsilon=math.inf)
    ledger.spend("x", unprotected)
    ledger.spend("y", ONE)
    assert ledger.spent_epsilon[0] == math.inf


@pytest.mark.parametrize("who", [[3], [-1], [0, 0], [0.0], [True, False], "0", [[0]]])
def test_people_who_do_not_exist_or_are_named_twice_are_refused(who):
    ledger = Ledger(people=3, epsilon=2.0)
    with pytest.raises(ValueError, match="who"):
        ledger.spend("x", ONE, who=who)
    assert ledger.entries == []


def test_the_remaining_budget_of_an_unknown_person_is_an_error():
    with pytest.raises(ValueError, match="person names node 3"):
        Ledger(people=3, epsilon=2.0).remaining(3)


def test_a_check_records_nothing():
    ledger = Ledger(people=3, epsilon=2.0)
    before = state(ledger)
    np.testing.assert_array_equal(ledger.check("x", ONE, who=[2, 1]), [2, 1])
    with pytest.raises(BudgetExceededError):
        ledger.check("x", Guarantee("x", 3.0))
    assert state(ledger) == before


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"people": 0, "epsilon": 1.0}, "people"), ({"people": 2.0, "epsilon": 1.0}, "people"),
        ({"people": 2, "epsilon": 0.0}, "epsilon"), ({"people": 2, "epsilon": math.nan}, "epsilon"),
        ({"people": 2, "epsilon": "1"}, "epsilon"), ({"people": 2, "epsilon": 1.0, "delta": -1e-9}, "delta"),
        ({"people": 2, "epsilon": 1.0, "delta": math.nan}, "delta"),
    ],
)  # fmt: skip
def test_a_ledger_with_senseless_limits_is_refused(arguments, name):
    with pytest.raises((ValueError, TypeError), match=name):
        Ledger(**arguments)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    limit=st.floats(0.1, 10),
    wishes=st.lists(st.tuples(st.floats(0.01, 5), st.sets(st.integers(0, 4), min_size=1)), max_size=12),
)
def test_nobody_ever_spends_more_than_the_limit(limit, wishes):
    ledger = Ledger(people=5, epsilon=limit)
    spent = np.zeros(5)
    for price, who in wishes:
        try:
            ledger.spend("wish", Guarantee("wish", price), who=sorted(who))
        except BudgetExceededError:
            assert max(spent[sorted(who)]) + price > limit
        else:
            spent[sorted(who)] += price
    np.testing.assert_array_equal(ledger.spent_epsilon, spent)
    assert spent.max() <= limit * (1 + 1e-9)
