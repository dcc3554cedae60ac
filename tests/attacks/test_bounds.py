"""What (ε, δ) leaves an attacker: each bound is reached by a mechanism and exceeded by none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hushgraph.attacks import largest_advantage, largest_auc, largest_success, largest_tpr
from hushgraph.attacks.bounds import largest_successes

BUDGETS = [(0.1, 0.0), (1.0, 0.0), (1.0, 0.01), (4.0, 0.2)]


def worst_pair(epsilon, delta):
    """Four answers in two worlds: δ gives the world away, all else is ε-randomised response."""
    keep = (1 - delta) * math.exp(epsilon) / (1 + math.exp(epsilon))
    one = np.array([delta, keep, 1 - delta - keep, 0])
    return one, one[::-1]


@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS)
def test_bounds_are_those_of_the_worst_mechanism(epsilon, delta):
    one, other = worst_pair(epsilon, delta)
    found, alarms = np.cumsum(one), np.cumsum(other)
    assert largest_advantage(epsilon, delta) == pytest.approx((found - alarms).max())
    area = np.trapezoid(np.r_[0, found], np.r_[0, alarms])
    assert largest_auc(epsilon, delta) == pytest.approx(area)
    for tpr, fpr in zip(found, alarms, strict=True):
        assert largest_tpr(fpr, epsilon, delta) == pytest.approx(tpr)


@pytest.mark.parametrize("classes", [2, 5])
def test_randomised_response_reaches_the_bound_on_guesses(classes):
    keep = math.exp(1.3) / (math.exp(1.3) + classes - 1)
    assert largest_success(np.full(classes, 1 / classes), 1.3) == pytest.approx(keep)


def test_no_randomised_response_exceeds_the_bound_whatever_is_known_beforehand():
    rng = np.random.default_rng(0)
    for _ in range(50):
        prior = rng.dirichlet(np.ones(4))
        channel = np.full((4, 4), 1.0) + (math.e - 1) * np.eye(4)
        channel /= channel.sum(1, keepdims=True)
        best = (prior[:, None] * channel).max(0).sum()
        assert prior.max() - 1e-12 <= best <= largest_success(prior, 1.0) + 1e-9


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 2.0, 50.0])
def test_of_many_people_it_is_that_of_each(epsilon):
    priors = np.random.default_rng(1).dirichlet(np.full(5, 0.4), size=20)
    each = [largest_success(prior, epsilon) for prior in priors]
    assert largest_successes(priors, epsilon) == pytest.approx(np.array(each))


def test_without_a_budget_there_is_no_bound_and_with_none_to_spend_nothing_is_told():
    assert (
        largest_tpr(0.0, math.inf)
        == largest_advantage(math.inf)
        == largest_success([0.5, 0.5], math.inf)
        == 1
    )
    assert largest_tpr(0.3, 0.0) == pytest.approx(0.3)
    assert largest_success([0.2, 0.8], 0.0) == pytest.approx(0.8)


@pytest.mark.parametrize("prior", [[], [0.5, 0.6], [-0.5, 1.5], [[1.0]], [float("nan"), 1.0]])
def test_what_is_no_distribution_is_refused(prior):
    with pytest.raises(ValueError, match="prior must list probabilities"):
        largest_success(prior, 1.0)


@pytest.mark.parametrize(("epsilon", "delta"), [(-1, 0), (math.nan, 0), (1, -0.1), (1, 1.1)])
def test_impossible_budgets_are_refused(epsilon, delta):
    for bound in (largest_advantage, largest_auc):
        with pytest.raises(ValueError, match="must be"):
            bound(epsilon, delta)
