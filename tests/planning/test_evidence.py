"""The expected z of the test of features is what the test then finds, on average."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hushgraph.local.cascade.feature_evidence import feature_evidence
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.reported_features import ReportedFeatures
from hushgraph.planning.campaigns import Asked, Campaign, Taking
from hushgraph.planning.evidence import chance_that_features_count, expected_evidence
from hushgraph.planning.labels import draw_labels

DRAWS = 30


@pytest.mark.parametrize(
    ("features", "epsilon_x", "informativeness"), [(20, 1.0, 0.0), (20, 1.0, 0.2), (8, 4.0, 0.05)]
)
def test_the_z_of_many_campaigns_is_the_expected_one_on_average(
    places, thirds, features, epsilon_x, informativeness
):
    expected, found = [], []
    for seed in range(DRAWS):
        labels = draw_labels(places, thirds, 0.6, 0.4, np.random.default_rng(seed)).labels
        campaign = Campaign(places, labels, thirds, informativeness, Taking(), seed)
        expected.append(
            expected_evidence(
                *campaign.votes(2.0), thirds,
                epsilon=epsilon_x, features=features, informativeness=informativeness,
            )
        )  # fmt: skip
        collected = campaign.collected(Asked(2.0, epsilon_x, features=features))
        reported, reports = ReportedFeatures(collected, torch.device("cpu")), LabelReports.of(collected)
        found.append(feature_evidence(reported, places.walk, reports, np.random.default_rng(seed)))
    # A mean of 30 has a deviation of 0.2: false alarm at three and a half, 1 in 2,000 for each.
    assert np.mean(found) == pytest.approx(np.mean(expected), abs=0.7)
    assert np.std(expected) < 0.5


def test_more_people_fewer_features_and_larger_budgets_make_it_clearer(places, thirds):
    campaign = Campaign(
        places,
        draw_labels(places, thirds, 0.6, 0.4, np.random.default_rng(0)).labels,
        thirds,
        0.1,
        Taking(),
        0,
    )
    votes, labels = campaign.votes(2.0)

    def z(people=600, epsilon=1.0, features=20):
        some = slice(0, people)
        asked = {"epsilon": epsilon, "features": features, "informativeness": 0.1}
        return expected_evidence(votes[some], labels[some], thirds, **asked)

    assert z(people=300) < z() < z(epsilon=2.0)
    assert z(features=100) < z() < z(features=5)


def test_the_test_says_yes_of_noise_once_in_740():
    assert chance_that_features_count(0.0) == pytest.approx(1 / 740, rel=0.01)
    assert chance_that_features_count(6.0) > 0.99
