"""Nothing leaves as it is: every part of a collection, on both sources of randomness."""

import math
from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.columns import to_columns
from hushgraph.collection.simulate import campaign_for, simulate_reports
from hushgraph.mechanisms import Factored, NeighborLists

EVERY_KIND = {
    "multi-bit": hg.MultiBit(9.0),
    "1-bit": hg.OneBit(3.0),
    "Laplace": hg.Laplace(3.0),
    "Gaussian": hg.AnalyticGaussian(3.0, 1e-5),
    "levels": [hg.MultiBit(1.0), hg.MultiBit(9.0)],
}


def dense(features):
    return features.toarray() if isinstance(features, Factored) else features


@pytest.mark.parametrize("rng", [None, np.random.default_rng(5)], ids=["operating system", "seed"])
def test_everything_that_is_sent_was_randomised(rng):
    """At ε = 0.01 reports hardly depend on the truth: agreement is chance, in every part of the collection.

    2,000 people hold a sure answer to everything; each bound is seven standard deviations away.
    """
    people = 2000
    truth = hg.Graph(
        np.stack([np.arange(people - 1), np.arange(1, people)]),
        np.ones((people, 4)),
        np.ones(people, int),
        num_classes=2,
    )
    split = hg.Split(np.arange(900), np.arange(900, 1800), np.arange(1800, people))
    small = 0.01
    for mechanism in (
        hg.MultiBit(small, m=4), hg.OneBit(small), hg.Laplace(small), hg.AnalyticGaussian(small, 1e-6),
    ):  # fmt: skip
        collected = hg.collect(truth, split, features=mechanism, labels=hg.RandomizedResponse(0.01), rng=rng)
        for part in (collected.train, collected.val):
            assert abs(np.mean(collected.labels[part] == 1) - 0.5) < 0.12
        plus = dense(collected.features) > 0.5
        assert (np.abs(plus.mean(axis=0) - 0.5) < 0.08).all()
        # Neither people nor features share a coin.
        assert np.abs(np.corrcoef(plus.T) - np.eye(4)).max() < 0.16
        assert abs(np.corrcoef(plus[:-1, 0], plus[1:, 0])[0, 1]) < 0.16
        assert abs(np.corrcoef(plus[:1800, 0], collected.labels[:1800])[0, 1]) < 0.17
    assert (collected.labels[1800:] == -1).all()


def test_the_two_lists_of_a_pair_are_two_answers(rng):
    """Strangers at ε = 1: a pair names each other with p², not with p."""
    people = 150
    strangers = hg.Graph(np.zeros((2, 0), int), np.ones((people, 1)), np.arange(people) % 2, num_classes=2)
    lists = hg.AdjacencyRandomizedResponse(1.0)
    split = hg.Split(*(np.zeros(0, int),) * 3)
    collected = hg.collect(
        strangers, split, features=None, labels=hg.RandomizedResponse(1.0), edges=lists, rng=rng
    )
    found, p = collected.friendships, lists.flip_probability
    pairs = people * (people - 1) // 2
    for votes, share in ((1, 2 * p * (1 - p)), (2, p * p)):
        spread = math.sqrt(share * (1 - share) / pairs)
        assert abs(np.count_nonzero(found.votes == votes) / pairs - share) < 6 * spread


@pytest.mark.parametrize("features", EVERY_KIND.values(), ids=EVERY_KIND)
def test_what_one_person_holds_changes_their_own_report_and_nothing_else(graph, split, features, tmp_path):
    """With the same words, all that is stored or printed is compared: grids, samples and headers too."""
    person = int(split.train[3])
    values, labels = graph.features.copy(), graph.labels.copy()
    values[person], labels[person] = 1 - np.round(values[person]), (labels[person] + 1) % 3
    levels = {"features": np.arange(40) % 2} if isinstance(features, list) else None
    stored, printed = [], []
    for held in (graph, replace(graph, features=values, labels=labels)):
        collected = hg.collect(
            held, split, features=features, labels=hg.RandomizedResponse(1.0), levels=levels,
            edges=hg.AdjacencyRandomizedResponse(4.0), rng=np.random.default_rng(3),
        )  # fmt: skip
        collected.save(tmp_path / "collected.npz")
        with np.load(tmp_path / "collected.npz") as arrays:
            stored.append(dict(arrays))
        printed.append((repr(collected), str(collected.guarantee), collected.campaign.to_json()))
    one, other = stored
    assert printed[0] == printed[1]
    changed = {name for name in one if not np.array_equal(one[name], other[name])}
    assert {name.partition(".")[0] for name in changed} == {"features", "label"}
    # Which features are answered, and in which order, is public: it must tell nothing.
    assert {name.rpartition(".")[2] for name in changed} <= {"signs", "values", "label"}
    for name in changed:
        people = one[f"{name.rpartition('.')[0]}.people"]
        assert set(people[np.unique(np.nonzero(one[name] != other[name])[0])]) == {person}


@pytest.mark.parametrize("features", EVERY_KIND.values(), ids=EVERY_KIND)
def test_what_leaves_is_what_the_mechanism_of_ones_own_level_draws(graph, split, features):
    """From the same coins, to the bit: at the budget that was asked for, of everybody who sends something."""
    labels = [hg.RandomizedResponse(1.0, 3), hg.RandomizedResponse(4.0, 3)]
    lists = hg.AdjacencyRandomizedResponse(4.0)
    asked = campaign_for(graph, features=features, labels=labels, lists=lists)
    own = np.arange(graph.num_nodes) % 2
    levels = {"label": own} | ({"features": own} if isinstance(features, list) else {})
    sent = simulate_reports(asked, graph, split, rng=np.random.default_rng(3), levels=levels)
    held = {
        "label": graph.labels,
        "lists": NeighborLists.from_edges(graph.edges, graph.num_nodes),
        "features": graph.features,
    }
    given = {
        "label": labels,
        "lists": [lists],
        "features": features if isinstance(features, list) else [features],
    }
    coins = np.random.default_rng(3)
    for answers in sent.answers:
        mechanism, truth = given[answers.question][answers.level], held[answers.question]
        assert (levels.get(answers.question, 0 * own)[answers.people] == answers.level).all()
        drawn = mechanism.randomize(truth if answers.question == "lists" else truth[answers.people], coins)
        expected = {"label": drawn} if answers.question == "label" else to_columns(drawn)
        assert set(answers.parts) == set(expected)
        for part, values in expected.items():
            np.testing.assert_array_equal(answers.parts[part], values)
