"""What one report says, against enumeration and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hushgraph.mechanisms import MultiBit, RandomizedResponse
from hushgraph.planning import theory


def enumerated(epsilon, shares):
    """The mutual information from the whole table of classes and reports."""
    response = RandomizedResponse(epsilon, len(shares))
    likely = np.full((len(shares),) * 2, response.other_probability)
    np.fill_diagonal(likely, response.keep_probability)
    joint = np.array(shares)[:, None] * likely
    independent = np.outer(shares, joint.sum(0))
    return float((joint * np.log2(joint / independent)).sum())


@pytest.mark.parametrize("shares", [[0.5, 0.5], [0.7, 0.2, 0.1], [0.1] * 10])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_information_of_a_label_is_that_of_the_whole_table(epsilon, shares):
    assert theory.label_information(epsilon, shares) == pytest.approx(enumerated(epsilon, shares), rel=1e-9)


def test_without_noise_a_report_says_all_and_is_worth_one_label():
    shares = [0.5, 0.25, 0.25]
    assert theory.label_information(math.inf, shares) == theory.entropy(shares) == 1.5
    assert theory.worth(math.inf, 100, shares) == 100
    assert theory.worth(0.5, 100, shares) < theory.worth(1.0, 100, shares) < 100


def test_the_information_of_features_is_that_of_their_signs_to_first_order():
    """Two classes whose features lie at either side of the middle, by as much as r says."""
    informativeness, features = 0.01, 5
    mechanism = MultiBit(1.0)
    assert mechanism.sampled(features) == 1
    sign = math.sqrt(informativeness) * math.tanh(0.5)
    exact = 1 - theory.entropy([(1 + sign) / 2, (1 - sign) / 2])
    assert theory.feature_information(1.0, features, informativeness) == pytest.approx(exact, rel=0.01)


def test_an_average_over_friends_is_off_by_what_is_foretold():
    rng, response, people = np.random.default_rng(0), RandomizedResponse(1.0, 4), 40_000
    degrees = np.array([0, 3, 8])
    errors = []
    for degree in degrees:
        reports = response.randomize(np.zeros((people, degree + 1), int), rng)
        errors.append(response.estimate(reports)[..., 1].mean(1))
    found = math.sqrt(np.mean(np.square(errors)))
    # The mean square of 120,000 errors has a deviation of half a percent: false alarm below 1e-6.
    assert found == pytest.approx(theory.aggregation_error(1.0, 4, degrees), rel=0.03)
