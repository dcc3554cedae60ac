"""What NIP-GNN releases, run for real: private values are read by mechanisms alone, and have their noise."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare, norm
from tests.independence import shared

import hushgraph as hg
from hushgraph.curator import NIPGNN, individual_noise, nip_sound
from hushgraph.curator.influence import ranks, released_influence
from hushgraph.mechanisms import RandomizedResponse
from hushgraph.mechanisms.randomness import rarest_outcome

PRIVATE = ("edges", "features", "labels", "num_edges")


class Guarded:
    """A graph or a run of which private values are read while a mechanism draws, and at no other time."""

    def __init__(self, held, doors):
        self._held, self._doors = held, doors

    def __getattr__(self, name):
        assert name not in PRIVATE or self._doors, f"{name} was read outside a mechanism"
        found = getattr(self._held, name)
        return Guarded(found, self._doors) if name == "graph" else found

    def randomize(self, name, epsilon, draw):
        def watched(rng):
            self._doors.append(name)
            drawn = draw(rng)
            self._doors.pop()
            return drawn

        return self._held.randomize(name, epsilon, watched)


@pytest.mark.parametrize("relation", ["node-removal", "node-replacement"])
@pytest.mark.parametrize("uniform", [True, False])
def test_private_values_are_read_by_mechanisms_alone(relation, uniform, graph, split):
    model = NIPGNN(4.0, relation=relation, uniform=uniform, epochs=1, batch_size=10)
    run = Guarded(model.begin(graph, split), [])
    assert model.learn(run).shape == (40, 3)
    with pytest.raises(AssertionError, match="labels was read outside"):
        run.graph.labels  # noqa: B018


EPSILONS = {"degrees": 1.0, "edges": 3.0, "aggregation": 2.0, "labels": 1.2}
TRUTH = hg.Graph(
    np.array([[0, 0], [1, 2]]), np.array([[0.5, 1.5], [1.0, 0.0], [-1.0, 1.0], [0.0, 0.0]]),
    np.array([0, 1, 2, 1]), num_classes=3,
)  # fmt: skip
SPLIT = hg.Split(np.array([0, 1]), np.array([2, 3]), np.zeros(0, int))
CAP, DRAWS, BUCKETS = 2, 3000, 2


@pytest.fixture(scope="module")
def releases():
    """Everything that left, of many runs on the operating system's randomness."""
    model = NIPGNN(
        math.fsum(EPSILONS.values()), budget=EPSILONS, max_degree=CAP, buckets=BUCKETS, batch_size=2
    )
    found = []
    for _ in range(DRAWS):
        seen = []
        run = model.begin(TRUTH, SPLIT, observe=seen.append)
        model.release(run)
        hg.curator.nip_head._answers(run, RandomizedResponse(EPSILONS["labels"], 3), True, "cpu")
        found.append({release.part: release.values for release in seen})
    return found


# Each test below has a false alarm in a million runs.
NEVER = 1e-6


def test_degrees_have_their_exact_distribution(releases):
    """Of a cap of 2: removal changes degrees by 4 in sum. What is seen is 1 or 2."""
    scale = math.floor(4 / EPSILONS["degrees"]) + 1
    decay = math.exp(-1 / scale)
    for person, degree in enumerate([2, 1, 1, 0]):
        # P(degree + noise ≤ 1) of discrete Laplace noise.
        gap = 1 - degree
        low = 1 - decay ** (gap + 1) / (1 + decay) if gap >= 0 else decay ** (-gap) / (1 + decay)
        counts = Counter(release["degrees"][person] for release in releases)
        assert set(counts) == {1.0, 2.0}
        observed = [counts[1.0], counts[2.0]]
        assert chisquare(observed, [DRAWS * low, DRAWS * (1 - low)]).pvalue > NEVER


def test_pairs_are_answered_with_a_quarter_of_their_budget_and_thinned_by_released_degrees(releases):
    flip = rarest_outcome(EPSILONS["edges"] / (2 * CAP), 2) / 2**64
    for low, high in ((0, 1), (0, 2), (0, 3), (1, 2), (2, 3)):
        friends = (low, high) in ((0, 1), (0, 2))
        excess = variance = 0.0
        for release in releases:
            degrees = release["degrees"]
            share = np.sqrt(np.minimum(1, degrees / (degrees * (1 - 2 * flip) + 3 * flip)))
            p = share[low] * share[high] * (1 - flip if friends else flip)
            excess += release["edges"][low, high] - p
            variance += p * (1 - p)
        assert abs(excess) / math.sqrt(variance) < norm.isf(NEVER / 2)


def test_sums_have_noise_of_the_scales_that_follow_from_what_was_released(releases):
    noise = nip_sound.Noise.planned(EPSILONS, NIPGNN(8.0, max_degree=CAP).changes)
    sums = nip_sound.whole_sums(TRUTH.edges, nip_sound.whole_rows(TRUTH.features, BUCKETS))
    tails, drawn = [], []
    for release in releases:
        scores = released_influence(release["degrees"], release["edges"], NIPGNN(8.0).sensing)
        weights = individual_noise.sound_weights(ranks(scores), CAP, "node-removal")
        drawn.append(np.rint(release["aggregation"].astype(np.float64) * nip_sound.GRID) - sums)
        tails.append(np.exp(-np.abs(drawn[-1]) / noise.sum_scales(weights)[:, None]))
    # The probability of a longer one is uniform, but for the grid.
    for column in np.array(tails).reshape(DRAWS, -1).T:
        counts, _ = np.histogram(column, bins=10, range=(0, 1))
        assert chisquare(counts).pvalue > NEVER
    assert not alike(tails)
    assert not alike(np.sign(drawn))


def alike(samples):
    """Whether two of the numbers that were drawn each time have anything to do with each other."""
    samples = np.array(samples, float).reshape(DRAWS, -1)
    count = samples.shape[1]
    correlations = np.corrcoef(samples.T) - np.eye(count)
    return np.abs(correlations).max() > norm.isf(NEVER / count / (count - 1)) / math.sqrt(DRAWS)


def test_no_two_people_share_the_noise_of_degrees_or_of_labels(releases):
    assert not alike([release["degrees"] for release in releases])
    assert not alike([release["labels"] == TRUTH.labels for release in releases])


@pytest.mark.parametrize("random_state", [0, None])
def test_no_row_and_no_column_of_sums_has_noise_in_common_with_another(random_state, rng):
    """A hundred people with as many features, at once; the false-alarm rate is that of the others."""
    people = 100
    truth = hg.Graph(
        rng.integers(0, people, (2, 300)),
        rng.random((people, 150)),
        rng.integers(0, 3, people),
        num_classes=3,
    )
    everybody = hg.Split(np.arange(people), np.zeros(0, int), np.zeros(0, int))
    model = NIPGNN(4.0, buckets=100, random_state=random_state)
    run = model.begin(truth, everybody)
    sums, _ = model.release(run)
    clean = nip_sound.whole_sums(run.edges, nip_sound.whole_rows(truth.features, 100)) / nip_sound.GRID
    assert clean.shape == (people, 100)
    assert shared(sums - clean, NEVER) == []


def test_labels_are_randomised_response(releases):
    keep = RandomizedResponse(EPSILONS["labels"], 3).keep_probability
    for place, label in enumerate(TRUTH.labels):
        counts = np.bincount([release["labels"][place] for release in releases], minlength=3)
        expected = np.full(3, DRAWS * (1 - keep) / 2)
        expected[label] = DRAWS * keep
        assert chisquare(counts, expected).pvalue > NEVER
