"""Arguments are checked where they enter, and the error says what would be accepted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from hushgraph import _check


@pytest.mark.parametrize("value", [1, 0.5, np.float32(2.0), np.int64(3), math.inf])
def test_a_budget_is_any_number_above_zero(value):
    assert _check.epsilon(value) == float(value)
    assert type(_check.epsilon(value)) is float


@pytest.mark.parametrize("value", [0, -1.0, math.nan, -math.inf])
def test_a_budget_that_is_not_above_zero_is_refused(value):
    with pytest.raises(ValueError, match=r"epsilon_x must be above 0 \(math.inf for no privacy\), got"):
        _check.epsilon(value, "epsilon_x")


@pytest.mark.parametrize("value", ["1", None, True, np.bool_(True), [1.0]])
def test_what_is_no_number_is_refused_as_such(value):
    with pytest.raises(TypeError, match="must be a number, got"):
        _check.epsilon(value)
    with pytest.raises(TypeError, match="must be a number, got"):
        _check.fraction(value, "dropout")


def test_delta_has_no_default_and_lies_strictly_between_0_and_1():
    assert _check.delta(1e-6) == 1e-6
    with pytest.raises(ValueError, match=r"delta is required: a number in \(0, 1\), well below 1/n"):
        _check.delta(None)
    for value in (0, 1, -0.1, math.nan):
        with pytest.raises(ValueError, match=r"delta must lie in \(0, 1\), got"):
            _check.delta(value)


def test_a_range_is_finite_and_rises_and_has_no_negative_zero():
    low, high = _check.feature_range(-0.0, 2)
    assert (math.copysign(1, low), high) == (1, 2.0)
    for ends in ((1, 1), (2, 1), (-math.inf, 0), (0, math.nan), (-1e308, 1e308)):
        with pytest.raises(ValueError, match="low and high must be finite with low < high"):
            _check.feature_range(*ends)


def test_a_count_is_a_whole_number_of_any_kind():
    assert _check.count(np.int32(4), "steps") == 4
    assert type(_check.count(np.int32(4), "steps")) is int
    with pytest.raises(TypeError, match=r"steps must be a whole number ≥ 0, got 2\.0"):
        _check.count(2.0, "steps")
    for value in (True, 0):
        with pytest.raises(ValueError, match="epochs must be a whole number ≥ 1, got"):
            _check.count(value, "epochs", minimum=1)


def test_a_fraction_may_leave_out_one():
    assert _check.fraction(1, "share") == 1.0
    with pytest.raises(ValueError, match=r"dropout must lie in \[0, 1\), got 1"):
        _check.fraction(1, "dropout", open_above=True)
    with pytest.raises(ValueError, match=r"share must lie in \[0, 1\], got 1.5"):
        _check.fraction(1.5, "share")


def test_what_must_not_be_negative_must_be_finite_too():
    assert _check.non_negative(0, "weight_decay") == 0.0
    for value in (-1e-9, math.inf, math.nan):
        with pytest.raises(ValueError, match="weight_decay must be a finite number ≥ 0"):
            _check.non_negative(value, "weight_decay")


def test_an_unknown_word_is_answered_with_the_nearest_known_one():
    assert _check.choice("drop", "loss", ("drop", "forward")) == "drop"
    with pytest.raises(ValueError, match=r"'drop', 'forward'; got 'forwards' \(did you mean 'forward'\?\)"):
        _check.choice("forwards", "loss", ("drop", "forward"))
    assert _check.nearest("xyz", ("drop", "forward")) == ""


def test_nodes_are_named_by_number_or_by_a_mask_of_all():
    assert _check.node_ids([3, 1], "train", 5).tolist() == [3, 1]
    assert _check.node_ids([False, True, False, True, False], "train", 5).tolist() == [1, 3]
    assert _check.node_ids([], "val", 5).dtype == np.int64


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.5], "train must be a list of node numbers, got shape .1,. of float64"),
        ([[1, 2]], "train must be a list of node numbers, got shape .1, 2."),
        ([True, False], "train must be a list of node numbers, got shape .2,. of bool"),
        ([5], "train names node 5, but nodes are numbered 0 to 4"),
        ([-1], "train names node -1"),
        ([2, 0, 2], "train names a node more than once"),
    ],
)
def test_what_names_no_nodes_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        _check.node_ids(values, "train", 5)


def test_nobody_both_trains_and_validates():
    _check.disjoint(np.array([0, 1]), np.array([2]), 3)
    with pytest.raises(ValueError, match="train and val must not share people"):
        _check.disjoint(np.array([0, 1]), np.array([1]), 3)


def test_a_frozen_value_keeps_what_was_checked():
    @dataclass(frozen=True)
    class Budget:
        epsilon: float

        def __post_init__(self):
            _check.keep(self, epsilon=_check.epsilon(self.epsilon))

    assert type(Budget(2).epsilon) is float
