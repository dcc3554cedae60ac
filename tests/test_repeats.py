"""Repeated simulations."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.simulate import campaign_for
from hushgraph.repeats import Setting, noise_of, repeat


def test_each_seed_redraws_everything_and_is_reproducible(graph):
    setting = Setting(hg.MultiBit(1.0), hg.RandomizedResponse(1.0), hg.LPGNN(epochs=2))
    epochs = []
    first = list(repeat(graph, setting, [0, 1], on_epoch=lambda *done: epochs.append(done[:2])))
    again = list(repeat(graph, setting, [0, 1]))
    assert [run.accuracy for run in first] == [run.accuracy for run in again]
    assert epochs == [(1, 2), (2, 2), (1, 2), (2, 2)]
    assert (first[0].collected.labels != first[1].collected.labels).any()
    assert [run.model.random_state for run in first] == [0, 1]


@pytest.fixture(scope="module")
def crowd():
    return hg.datasets.social(n=2_000, features=3, classes=3, seed=1)


def flips(graph, epsilon, seed=0, **how):
    """Whose label was changed, of those who gave one; the same people for every budget."""
    setting = Setting(hg.MultiBit(1.0), hg.RandomizedResponse(epsilon), hg.LPGNN(epochs=1))
    (run,) = repeat(graph, setting, [seed], **how)
    people = np.concatenate([run.collected.train, run.collected.val])
    return run.collected.labels[people] != graph.labels[people]


def test_the_same_people_asked_at_two_budgets_get_two_noises(crowd):
    low, high = flips(crowd, 1.0), flips(crowd, 2.0)
    # Of 1,500 independent pairs the correlation has a deviation of 0.026: false alarm below 1e-8.
    assert abs(np.corrcoef(low, high)[0, 1]) < 0.15
    # From common words, whoever is changed at the higher budget is changed at the lower one too: a label that
    # was sent twice and differs is true the second time.
    common = [flips(crowd, epsilon, common_noise=True) for epsilon in (1.0, 2.0)]
    assert not (common[1] & ~common[0]).any()
    assert np.corrcoef(*common)[0, 1] > 0.5


def test_two_repeats_get_two_noises(crowd):
    one, other = (flips(crowd, 1.0, seed) for seed in (0, 1))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.15
    assert (one == flips(crowd, 1.0, 0)).all()


def test_noise_is_derived_apart_from_split_and_weights_and_from_all_that_is_asked_of_whom(graph, split):
    def words(seed=0, people=graph, who=split, **asked):
        budgets = {"features": hg.MultiBit(1.0), "labels": hg.RandomizedResponse(1.0)} | asked
        return noise_of(seed, people, campaign_for(people, **budgets), who).integers(1 << 62)

    other_label = dataclasses.replace(graph, labels=np.roll(graph.labels, 1))
    drawn = [
        words(),
        words(seed=1),
        words(people=other_label),
        words(who=hg.Split(split.train[1:], split.val, split.test)),
        words(features=hg.MultiBit(2.0)),
        words(labels=hg.RandomizedResponse(2.0)),
        *(np.random.default_rng(seed).integers(1 << 62) for seed in (0, [0, 1], [0, 2])),
    ]
    assert len(set(drawn)) == len(drawn)
    assert words() == drawn[0]
