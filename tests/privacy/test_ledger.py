import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushgraph.privacy import BudgetExceededError, Guarantee, Ledger

ONE = Guarantee("features", 1.0)
HALF = Guarantee("label", 0.5, 1e-6)
REFUTED = Guarantee("features", 1.0, status="refuted")
UNPROTECTED = Guarantee("features", math.inf, status="none")


@pytest.fixture(params=["in memory", "in a file"])
def make(request, tmp_path):
    """Makes a ledger; one in a file is opened again."""

    def made(*limit, **named):
        if request.param == "in memory":
            return Ledger(*limit, **named)
        Ledger(*limit, **named, path=tmp_path / "ledger.db")
        return Ledger.open(tmp_path / "ledger.db")

    return made


def state(ledger, people=("0", "1", "2")):
    return [ledger.spent(person) for person in people], ledger.people, ledger.entries


def test_spending_adds_up_over_features_label_and_campaigns(make):
    ledger = make(5.0, delta=1e-5)
    for campaign in ("spring", "summer"):
        ledger.spend(f"{campaign}/features", ONE, ["ann", "bo", "cy"])
        ledger.spend(f"{campaign}/label", HALF, ["cy", "ann"])
    assert [ledger.spent(person) for person in ("ann", "bo", "cy")] == [(3.0, 2e-6), (2.0, 0.0), (3.0, 2e-6)]
    assert [ledger.remaining(person) for person in ("ann", "bo", "cy", "di")] == [2.0, 3.0, 2.0, 5.0]
    assert [(entry.what, entry.epsilon, entry.delta, entry.people) for entry in ledger.entries] == [
        line
        for campaign in ("spring", "summer")
        for line in ((f"{campaign}/features", 1.0, 0.0, 3), (f"{campaign}/label", 0.5, 1e-6, 2))
    ]
    assert (ledger.people, ledger.most_spent) == (3, (3.0, 2e-6))


def test_threads_share_a_ledger_and_together_spend_no_more_than_its_limit(make):
    ledger = make(5.0)

    def spend(number):
        try:
            ledger.spend(f"thread {number}", ONE, ["ann", "bo"])
        except BudgetExceededError:
            return 0
        return 1

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(spend, range(20))) == 5
        assert threads.submit(ledger.spent, "ann").result() == (5.0, 0.0)
    assert (ledger.remaining("bo"), len(ledger.entries)) == (0.0, 5)


def test_a_thread_does_not_see_what_another_has_half_done():
    ledger = Ledger(5.0)
    with ThreadPoolExecutor(1) as other:
        with ledger._file.transaction(keep=False) as connection:
            connection.execute("INSERT INTO people VALUES ('ann', 1.0, 0.0)")
            waiting = other.submit(ledger.spent, "ann")
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.2)
        assert waiting.result() == (0.0, 0.0)


def test_text_that_cannot_be_written_down_is_refused(make):
    ledger, half = make(5.0), "\ud800"
    for refused in (
        lambda: ledger.spend("spring", ONE, ["ann", half]),
        lambda: ledger.check("spring", ONE, [half]),
        lambda: ledger.spend(f"spring {half}", ONE, ["ann"]),
        lambda: ledger.spent(half),
        lambda: ledger.remaining(half),
    ):
        with pytest.raises(ValueError, match=r"(who|what|person) must be text that UTF-8 can hold"):
            refused()
    assert (ledger.people, ledger.entries) == (0, [])


def test_a_new_ledger_is_empty(make):
    ledger = make(1.0)
    assert (ledger.entries, ledger.people, ledger.most_spent) == ([], 0, (0.0, 0.0))
    assert ledger.spent("anybody") == (0.0, 0.0)


def test_a_refusal_says_both_numbers_and_one_id_and_records_nothing_for_anyone(make):
    ledger = make(2.0)
    ledger.spend("spring", ONE, range(4))
    ledger.spend("extra", ONE, [3, 1])
    before = state(ledger)
    for refusing in (ledger.spend, ledger.check):
        with pytest.raises(BudgetExceededError) as refusal:
            refusing("summer", ONE, [0, 3, 1])
        assert str(refusal.value) == (
            "summer: insufficient privacy budget for 2 of 3 people: epsilon 3 > 2 for person 3"
        )
        assert state(ledger) == before
    ledger.spend("summer", ONE, [0, 2])
    assert ledger.spent(0) == ledger.spent(1) == (2.0, 0.0)


def test_everybody_pays_everything_or_nobody_anything(make):
    ledger = make(2.0, delta=1e-5)
    dear = [("a", ONE, ["0", "1"]), ("b", HALF, ["1", "2"]), ("c", ONE, ["2", "1"])]
    with pytest.raises(BudgetExceededError, match=r"c: .* for 1 of 2 people: epsilon 2\.5 > 2 for person 1"):
        ledger.spend_all(dear)
    assert state(ledger) == ([(0.0, 0.0)] * 3, 0, [])
    with pytest.raises(BudgetExceededError, match="c: "):
        ledger.check_all(dear)
    for broken in ([*dear[:2], ("c", REFUTED, ["5"])], [*dear[:2], ("c", ONE, ["5", "5"])]):
        with pytest.raises(ValueError, match=r"refuted|more than once"):
            ledger.spend_all(broken)
    assert state(ledger) == ([(0.0, 0.0)] * 3, 0, [])
    ledger.check_all(dear[:2])
    assert ledger.people == 0
    ledger.spend_all(iter(dear[:2]))
    assert [ledger.spent(one)[0] for one in range(3)] == [1.0, 1.5, 0.5]
    assert [entry.what for entry in ledger.entries] == ["a", "b"]


def test_delta_has_its_own_limit_and_none_by_default(make):
    ledger = make(10.0, delta=1.5e-6)
    ledger.spend("first", HALF, [0, 1])
    before = state(ledger)
    with pytest.raises(BudgetExceededError, match=r"delta 2e-06 > 1\.5e-06"):
        ledger.spend("second", HALF, [1])
    assert state(ledger) == before
    with pytest.raises(BudgetExceededError, match="delta 1e-06 > 0"):
        Ledger(10.0).spend("first", HALF, [0])


def test_a_whole_number_is_its_decimal_text_and_other_ids_are_other_people(make):
    ledger = make(1.0)
    ledger.spend("x", ONE, [7])
    for same in ("7", 7, np.int32(7), np.str_("7")):
        assert ledger.spent(same) == (1.0, 0.0)
        with pytest.raises(BudgetExceededError):
            ledger.spend("x", ONE, [same])
    others = ["07", "7 ", " 7", "7.0", "+7", "-7", "７", "a", "A", "é", "e\u0301", "", "a\0b", "a\0c"]
    ledger.spend("x", ONE, others)
    assert ledger.people == 1 + len(others)
    ledger.spend("x", ONE, np.array([8, 9]))
    ledger.spend("x", ONE, np.array(["bo", "cy"]))
    ledger.spend("x", ONE, {"di"})
    assert all(ledger.spent(one) == (1.0, 0.0) for one in ("8", "9", "bo", "cy", "di"))


@pytest.mark.parametrize(
    "who",
    [
        [0, 0], [0, "0"], ["a", "b", "a"], [0.0], [True], [None], [b"a"], "0", b"0", 0, [[0]],
        np.eye(2, dtype=int), np.array([True, False]), [],
    ],
)  # fmt: skip
def test_what_is_no_list_of_people_who_are_named_once_is_refused(who):
    ledger = Ledger(2.0)
    for refusing in (ledger.spend, ledger.check):
        with pytest.raises((ValueError, TypeError), match="who"):
            refusing("x", ONE, who)
    assert ledger.entries == []


@pytest.mark.parametrize("person", [None, 1.0, True, b"a", ["a"]])
def test_only_an_id_is_a_person(person):
    with pytest.raises(TypeError, match="person must name people by texts or whole numbers"):
        Ledger(2.0).remaining(person)


def test_a_sum_that_is_equal_but_for_rounding_is_accepted(make):
    ledger = make(0.3)
    for price in (0.1, 0.2):
        ledger.spend("x", Guarantee("x", price), [0])
    assert ledger.remaining(0) == 0.0
    with pytest.raises(BudgetExceededError):
        ledger.spend("x", Guarantee("x", 1e-6), [0])


def test_rounding_cannot_be_collected_into_a_budget():
    ledger = Ledger(1.0)
    ledger.spend("all", ONE, [0])
    ledger.spend("a little", Guarantee("x", 6e-10), [0])
    with pytest.raises(BudgetExceededError):
        ledger.spend("a little", Guarantee("x", 6e-10), [0])
    assert ledger.spent(0)[0] <= 1 + 1e-9


@settings(derandomize=True, deadline=None, max_examples=60)
@given(prices=st.lists(st.floats(0, 1) | st.sampled_from([1e-17, 1e-300, 5e-324, 1.0, 0.1]), max_size=30))
def test_no_price_is_too_small_to_be_counted(prices):
    ledger = Ledger(100.0)
    for price in prices:
        ledger.spend("x", Guarantee("x", price), ["ann"])
    spent, exact = Fraction(ledger.spent("ann")[0]), sum(map(Fraction, prices))
    assert exact <= spent <= exact * (1 + Fraction(1, 10**13))


def test_what_is_not_protected_costs_more_than_any_finite_limit(make):
    with pytest.raises(BudgetExceededError, match="epsilon inf > 1000"):
        Ledger(1000.0).spend("x", UNPROTECTED, [0])
    ledger = make(math.inf)
    assert ledger.remaining(0) == math.inf
    ledger.spend("y", ONE, [0])
    assert ledger.remaining(0) == math.inf
    ledger.spend("x", UNPROTECTED, [0])
    ledger.spend("y", ONE, [0])
    assert ledger.spent(0) == (math.inf, 0.0)
    assert ledger.remaining(0) == 0.0


def test_a_promise_that_was_weakened_to_none_costs_infinity_whatever_epsilon_it_names():
    nothing = ONE.weakened("none", "the noise was left out")
    assert nothing.epsilon == 1.0
    with pytest.raises(BudgetExceededError, match="epsilon inf > 2"):
        Ledger(2.0).spend("x", nothing, [0])


@pytest.mark.parametrize("limit", [2.0, math.inf])
def test_a_refuted_promise_is_refused_whatever_the_limit(make, limit):
    ledger = make(limit)
    for refusing in (ledger.spend, ledger.check):
        with pytest.raises(ValueError, match="x: a refuted promise cannot be charged"):
            refusing("x", REFUTED, [0])
    assert state(ledger) == ([(0.0, 0.0)] * 3, 0, [])


@pytest.mark.parametrize(("name", "value"), [("epsilon", math.nan), ("epsilon", -1.0), ("delta", math.nan)])
def test_what_is_no_price_never_gets_in(make, name, value):
    ledger, forged = make(2.0, delta=0.5), Guarantee("x", 1.0)
    object.__setattr__(forged, name, value)
    with pytest.raises(ValueError, match="at least 0"):
        ledger.spend("x", forged, [0])
    assert state(ledger) == ([(0.0, 0.0)] * 3, 0, [])


def test_what_is_spent_must_be_named_and_promised():
    with pytest.raises(TypeError, match="guarantee must be a Guarantee"):
        Ledger(2.0).spend("x", 1.0, [0])
    with pytest.raises(TypeError, match="what must be a text"):
        Ledger(2.0).spend(None, ONE, [0])


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"epsilon": 0.0}, "epsilon"), ({"epsilon": math.nan}, "epsilon"), ({"epsilon": "1"}, "epsilon"),
        ({"epsilon": None}, "epsilon"), ({"epsilon": 1.0, "delta": -1e-9}, "delta"),
        ({"epsilon": 1.0, "delta": math.nan}, "delta"), ({"epsilon": 1.0, "delta": 1.0}, "delta"),
    ],
)  # fmt: skip
def test_a_ledger_with_senseless_limits_is_refused_and_not_made(arguments, name, tmp_path):
    with pytest.raises((ValueError, TypeError), match=name):
        Ledger(**arguments, path=tmp_path / "ledger.db")
    assert list(tmp_path.iterdir()) == []


def test_the_number_of_people_is_taken_with_a_warning_and_not_used():
    with pytest.warns(FutureWarning, match=r"Ledger\(people=…\) is now without it"):
        ledger = Ledger(people=1, epsilon=2.0)
    ledger.spend("x", ONE, range(3))
    assert ledger.people == 3


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    limit=st.floats(0.1, 10),
    wishes=st.lists(
        st.lists(st.tuples(st.floats(0.01, 5), st.sets(st.integers(0, 4), min_size=1)), max_size=3),
        max_size=12,
    ),
)
def test_nobody_ever_spends_more_than_the_limit(limit, wishes):
    ledger, spent, lines = Ledger(limit), np.zeros(5), 0
    for wish in wishes:
        after = spent.copy()
        for price, who in wish:
            after[sorted(who)] += price
        try:
            ledger.spend_all([("wish", Guarantee("wish", price), sorted(who)) for price, who in wish])
        except BudgetExceededError:
            assert after.max() > limit
        else:
            spent, lines = after, lines + len(wish)
    np.testing.assert_allclose([ledger.spent(person)[0] for person in range(5)], spent, rtol=1e-13)
    assert ledger.most_spent[0] <= limit * (1 + 1e-9)
    assert len(ledger.entries) == lines
