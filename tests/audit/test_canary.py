"""Canary tests of every method with DP-SGD or Gaussian noise; planted bugs are found."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.audit import audit, lower_bound
from hushgraph.curator import DPDGC, DPMLP, DPSAGE, GAP, aggregation, gaussian_method, private_training

FRIENDS = 4
PROMISE = 3.0
# A clip that every gradient exceeds, so that the canary's is as long as it may be.
TIGHT = {"delta": 0.01, "epochs": 1, "hidden": 2, "clip": 0.01}
METHODS = {
    "DP-MLP": lambda seed: DPMLP(PROMISE, random_state=seed, **TIGHT),
    "GAP, training": lambda seed: GAP(
        PROMISE, embedding=2, hops=1, max_degree=FRIENDS, random_state=seed, **TIGHT,
        budget={"encoder": 2.7, "aggregation": 0.2, "classifier": 0.1},
    ),
    "GAP, sums": lambda seed: GAP(
        PROMISE, embedding=2, hops=1, max_degree=FRIENDS, random_state=seed, **TIGHT,
        budget={"encoder": 0.1, "aggregation": 2.8, "classifier": 0.1},
    ),
    "DP-SAGE": lambda seed: DPSAGE(
        PROMISE, max_degree=FRIENDS, message_clip=1e-4, random_state=seed, **TIGHT,
        budget={"training": 0.1, "inference": 2.9},
    ),
    "DPDGC": lambda seed: DPDGC(
        PROMISE, embedding=2, max_degree=FRIENDS, random_state=seed, **TIGHT,
        budget={"topology": 0.1, "embeddings": 0.1, "classifier": 2.8},
    ),
}  # fmt: skip
# Half of DPDGC's noise hides behind embeddings of random direction: a quarter does not.
WEAKENED = {"DPDGC": 0.25}


@pytest.fixture(scope="module")
def worlds():
    """Eight people, with the canary and without: a hub that has a feature of its own."""
    people = 8
    features = np.zeros((people, 3))
    features[1::2, 0] = features[2::2, 1] = features[0, 2] = 1
    labels = np.arange(people) % 2
    friends = np.array([[0] * FRIENDS + [5, 6], [*range(1, FRIENDS + 1), 6, 7]])
    nobody = np.array([], int)
    split = hg.Split(np.arange(people), nobody, nobody)
    whole = hg.Graph(friends, features, labels, num_classes=2)
    features, labels = features.copy(), labels.copy()
    features[0], labels[0] = 0, -1
    return (whole, split), (hg.Graph(friends[:, FRIENDS:], features, labels, num_classes=2), split)


@pytest.mark.parametrize("name", METHODS)
def test_no_method_tells_more_than_it_promises(name, worlds):
    found = audit(METHODS[name], *worlds, trials=600)
    assert found.passed, str(found)
    # The test has teeth: the canary is seen.
    assert found.lower_bound > 0.1


@pytest.mark.parametrize("name", METHODS)
def test_too_little_noise_is_found(name, worlds, monkeypatch):
    calibrate = gaussian_method.GaussianMethod._calibrate

    def too_little(self, task):
        calibrate(self, task)
        self.noise_multipliers_ = {
            part: WEAKENED.get(name, 0.5) * value for part, value in self.noise_multipliers_.items()
        }

    monkeypatch.setattr(gaussian_method.GaussianMethod, "_calibrate", too_little)
    found = audit(METHODS[name], *worlds, trials=1200)
    assert not found.passed, str(found)
    assert "broken" in str(found)


@pytest.mark.parametrize("name", ["DP-MLP", "GAP, training", "DPDGC"])
def test_gradients_that_are_not_clipped_are_found(name, worlds, monkeypatch):
    steps = private_training._private_steps

    def unclipped(network, schedule, generator, learning_rate, noise_multiplier, clip):
        # The noise stays as it was; nothing is cut off.
        return steps(network, schedule, generator, learning_rate, noise_multiplier * clip / 100, 100.0)

    monkeypatch.setattr(private_training, "_private_steps", unclipped)
    assert not audit(METHODS[name], *worlds, trials=200).passed


def test_messages_that_are_not_clipped_are_found(worlds, monkeypatch):
    monkeypatch.setattr("hushgraph.curator.dp_sage.clipped_rows", lambda rows, _norm: rows)
    monkeypatch.setattr("hushgraph.curator.aggregation.clipped_rows", lambda rows, _norm: rows)
    assert not audit(METHODS["DP-SAGE"], *worlds, trials=200).passed


def test_sums_that_are_too_long_are_found(worlds, monkeypatch):
    def long_messages(messages, edges, num_nodes, max_degree):
        return aggregation.clipped_sums(5 * messages, edges, num_nodes, None)

    monkeypatch.setattr("hushgraph.curator.gap.clipped_sums", long_messages)
    assert not audit(METHODS["GAP, sums"], *worlds, trials=200).passed


def test_the_bound_is_below_the_truth_and_close_to_it(rng):
    """Gaussian noise at a distance of 2 deviations: δ = 0.01 belongs to ε = 6.0."""
    one, other = rng.normal(2, 1, 40_000), rng.normal(0, 1, 40_000)
    assert 4.5 < lower_bound(one, other, delta=0.01) < 6.0


def test_worlds_that_are_the_same_have_no_bound(rng):
    assert lower_bound(rng.normal(size=1000), rng.normal(size=1000), delta=0.0) < 0.3


def test_progress_is_told(worlds):
    shares = []
    audit(METHODS["DP-MLP"], *worlds, trials=4, progress=shares.append)
    assert shares[-1] == 1.0
