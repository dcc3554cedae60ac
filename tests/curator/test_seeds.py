"""A seed of a simulation: noise follows from all that is learned of whom, and weights tell nothing of it."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.curator import DPMLP, GAP, NIPGNN, Ballots, CuratorMethod, PublishedNIPGNN

METHODS = [DPMLP, GAP, NIPGNN, PublishedNIPGNN]
# Those that cannot learn from everybody at a time; the others do, for that is accounted in no time.
IN_BATCHES = {NIPGNN: {"batch_size": 10}, PublishedNIPGNN: {"batch_size": 10}}
# In no state of a generator by chance, and nowhere else in a pickle.
SEED = 0x5EED_0123_4567_89AB


class OtherGAP(GAP):
    """Another method with the same settings."""


def noise_of(method, graph, split, epsilon=4.0, how=None, **settings):
    """The noise of the first release."""
    seen = []
    model = method(epsilon, **{"epochs": 1, "random_state": 5} | settings)
    model.fit(graph, split, observe=seen.append, **how or {})
    return ((seen[0].values - seen[0].clean) / seen[0].deviation).ravel()


def other_features(graph):
    features = graph.features.copy()
    features[3] = 1 - features[3]
    return replace(graph, features=features)


def other_split(graph):
    return hg.random_split(graph, train=0.5, val=0.25, seed=8)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda graph, split: (GAP, graph, other_split(graph), {}), id="split"),
        pytest.param(lambda graph, split: (GAP, graph, split, {"hidden": 16}), id="setting"),
        pytest.param(lambda graph, split: (GAP, graph, split, {"epsilon": 2.0}), id="budget"),
        pytest.param(lambda graph, split: (GAP, graph, split, {"random_state": 6}), id="seed"),
        pytest.param(lambda graph, split: (OtherGAP, graph, split, {}), id="method"),
        pytest.param(lambda graph, split: (GAP, other_features(graph), split, {}), id="features"),
    ],
)
def test_two_releases_about_the_same_people_share_no_noise(other, graph, split):
    """What they had in common would cancel in their difference."""
    method, people, whom, settings = other(graph, split)
    edges = {"relation": "edge", "hops": 1}
    one = noise_of(GAP, graph, split, **edges)
    two = noise_of(method, people, whom, **edges | settings)
    # Six deviations of a correlation by chance: a false alarm in 10⁹ seeds.
    assert abs(np.corrcoef(one, two)[0, 1]) < 6 / math.sqrt(one.size)
    assert (one == noise_of(GAP, graph, split, **edges)).all()


def test_training_on_two_versions_of_the_data_shares_no_noise(graph, split):
    one, two = (noise_of(DPMLP, people, split) for people in (graph, other_features(graph)))
    assert abs(np.corrcoef(one, two)[0, 1]) < 6 / math.sqrt(one.size)


def test_a_list_of_classes_that_nobody_has_makes_other_noise(graph, split):
    more = replace(graph, num_classes=4, classes=())
    words = [GAP(4.0, random_state=5).begin(one, split).coins("noise").random() for one in (graph, more)]
    assert words[0] != words[1]


def test_noise_is_common_where_that_is_asked_for_alone(graph, split):
    edges = {"relation": "edge", "hops": 1, "how": {"common_noise": True}}
    one, two = (noise_of(GAP, graph, split, hidden=hidden, **edges) for hidden in (64, 16))
    np.testing.assert_allclose(one, two, atol=1e-3)


def test_settings_of_any_kind_are_told_apart(graph, split):
    def words(influence):
        run = NIPGNN(4.0, random_state=5, influence=influence, batch_size=10).begin(graph, split)
        return run.coins("noise").random()

    scores = np.arange(40.0)
    assert words(scores) == words(torch.from_numpy(scores)) == words(scores.tolist())
    assert words(scores) != words(scores[::-1])


@pytest.mark.parametrize("method", METHODS)
def test_first_weights_tell_nothing_of_the_seed_of_the_noise(method, graph, split, monkeypatch):
    """Torch keeps 32 bits of a seed, which are found by trying all: they are no bits of this one."""
    given, seed = [], torch.manual_seed
    monkeypatch.setattr(torch, "manual_seed", lambda number: given.append(number) or seed(number))
    for random_state in (7, 7 + 2**32):
        model = method(4.0, epochs=1, random_state=random_state, **IN_BATCHES.get(method, {}))
        model.fit(graph, split)
    low = {number % 2**32 for number in given}
    assert len(low) == 2
    assert 7 not in low


def test_first_weights_do_not_depend_on_what_people_hold(graph, split):
    def weights(people, random_state):
        clean = []
        model = DPMLP(4.0, epochs=1, random_state=random_state)
        model.fit(people, split, observe=lambda release: clean.append(release.clean))
        return clean[0]

    features = graph.features.copy()
    features[split.test] = 0
    assert (weights(graph, 5) == weights(replace(graph, features=features), 5)).all()
    assert (weights(graph, 5) != weights(graph, 6)).any()


def holds(seed, stored):
    return seed.to_bytes(8, "little") in stored or str(seed).encode() in stored


@pytest.mark.parametrize("method", [*METHODS, Ballots])
def test_a_fitted_model_of_a_curator_holds_no_seed_in_a_pickle_a_copy_or_in_print(method, graph, split):
    model = method(4.0, epochs=1, random_state=SEED, **IN_BATCHES.get(method, {}))
    assert holds(SEED, pickle.dumps(model))
    model.fit(graph, split)
    assert not holds(SEED, pickle.dumps(model))
    assert not holds(SEED, repr(model).encode())
    read = pickle.loads(pickle.dumps(model))
    assert isinstance(read, CuratorMethod)
    assert read.random_state is copy.deepcopy(model).random_state is None
    assert (read.predict_proba() == model.predict_proba()).all()
    # Whoever fitted it may go on with it.
    assert model.random_state == SEED


def test_a_fitted_model_of_a_server_holds_no_seed_either(graph, split):
    collected = hg.collect(graph, split, features=hg.MultiBit(1.0), labels=hg.RandomizedResponse(1.0))
    model = hg.LPGNN(epochs=1, random_state=SEED)
    assert holds(SEED, pickle.dumps(model))
    model.fit(collected)
    assert not holds(SEED, pickle.dumps(model))
    assert not holds(SEED, repr(model).encode())
    assert (pickle.loads(pickle.dumps(model)).predict() == model.predict()).all()
