import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

import hushgraph as hg


def test_the_parts_are_disjoint_sorted_and_hold_everyone_with_a_label(graph):
    split = hg.random_split(graph, train=0.5, val=0.25, seed=1)
    parts = (split.train, split.val, split.test)
    assert [part.size for part in parts] == [19, 9, 10]
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.flatnonzero(graph.labels >= 0))
    for part in parts:
        np.testing.assert_array_equal(part, np.unique(part))


@pytest.mark.parametrize(("train", "val", "sizes"), [
    (1.0, 0.0, (38, 0, 0)), (0.0, 0.0, (0, 0, 38)), (0.5, 0.5, (19, 19, 0)), (0.1, 0.9, (4, 34, 0)),
])  # fmt: skip
def test_the_rest_is_test(graph, train, val, sizes):
    split = hg.random_split(graph, train=train, val=val, seed=1)
    assert (split.train.size, split.val.size, split.test.size) == sizes
    assert repr(split) == "Split({} train, {} val, {} test)".format(*sizes)


def test_a_seed_gives_the_same_split_and_another_seed_another(graph):
    first, again, other = (hg.random_split(graph, train=0.5, val=0.25, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.train, again.train)
    np.testing.assert_array_equal(first.val, again.val)
    assert not np.array_equal(first.train, other.train)


def test_everyone_with_a_label_is_as_likely_to_train(graph):
    splits = 800
    trained = np.zeros(40)
    for seed in range(splits):
        trained[hg.random_split(graph, train=0.5, val=0.25, seed=seed).train] += 1
    limit = scipy.stats.norm.isf(1e-6 / 2 / 38) * math.sqrt(splits / 4)
    assert (np.abs(trained[2:] - splits / 2) < limit).all()
    assert not trained[:2].any()


@pytest.mark.parametrize(
    ("train", "val", "name"),
    [
        (-0.1, 0.5, "train"),
        (1.1, 0.0, "train"),
        (math.nan, 0.1, "train"),
        (0.5, -0.1, "val"),
        (0.5, math.inf, "val"),
        (0.6, 0.5, r"train \+ val must be at most 1, got 0.6 \+ 0.5"),
    ],
)
def test_senseless_fractions_are_refused(graph, train, val, name):
    with pytest.raises(ValueError, match=name):
        hg.random_split(graph, train=train, val=val, seed=0)


@pytest.mark.parametrize(
    ("train", "val", "name"), [("0.5", 0.1, "train"), (0.5, None, "val"), (True, 0.0, "train")]
)
def test_fractions_must_be_numbers(graph, train, val, name):
    with pytest.raises(TypeError, match=f"{name} must be a number"):
        hg.random_split(graph, train=train, val=val, seed=0)


def test_with_everyone_nobody_moves_when_a_label_goes(graph):
    whole = hg.random_split(graph, train=0.5, val=0.25, seed=3, everyone=True)
    assert sum(part.size for part in (whole.train, whole.val, whole.test)) == graph.num_nodes
    labels = graph.labels.copy()
    labels[whole.train[0]] = -1
    without = hg.random_split(replace(graph, labels=labels), train=0.5, val=0.25, seed=3, everyone=True)
    assert (whole.train == without.train).all()
    assert (whole.test == without.test).all()
