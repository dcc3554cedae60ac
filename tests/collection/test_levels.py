"""Own budgets: each person's level counts in everything that is made of their answers."""

from __future__ import annotations

import os

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.local.objective import Objective
from hushgraph.sparse import Adjacency

BUDGETS = (0.5, 1.0, 2.0)
LABELS = [hg.RandomizedResponse(budget) for budget in BUDGETS]
FEATURES = [hg.MultiBit(budget) for budget in (1.0, 4.0, 9.0)]  # answers 1, 2 and 4 features


@pytest.fixture
def levels(graph):
    return {
        "features": np.arange(graph.num_nodes) % 3,
        "label": np.random.default_rng(0).integers(0, 3, graph.num_nodes),
        "lists": np.arange(graph.num_nodes) % 2,
    }


def gather(graph, split, levels, seed=0, **changed):
    asked = {"features": FEATURES, "labels": LABELS, "rng": np.random.default_rng(seed)} | changed
    return hg.collect(graph, split, levels=levels, **asked)


@pytest.mark.parametrize("features", [hg.MultiBit(2.0), hg.OneBit(2.0), hg.Laplace(2.0)], ids=str)
def test_one_level_is_bit_identical_to_none(graph, split, features):
    def fitted(wrap, levels):
        collected = hg.collect(
            graph,
            split,
            features=wrap(features),
            labels=wrap(hg.RandomizedResponse(1.0)),
            edges=wrap(hg.AdjacencyRandomizedResponse(4.0)),
            levels=levels,
            rng=np.random.default_rng(3),
        )
        return collected.campaign.id, hg.LPGNN(epochs=10).fit(collected)

    zeros = dict.fromkeys(("features", "label", "lists"), np.zeros(graph.num_nodes, int))
    (one, with_levels), (none, without) = (
        fitted(lambda mechanism: [mechanism], zeros),
        fitted(lambda m: m, None),
    )
    assert one == none
    np.testing.assert_array_equal(with_levels.predict_proba(), without.predict_proba())
    assert with_levels.val_loss_ == without.val_loss_


def test_each_persons_estimate_is_that_of_their_own_mechanism(graph, split, levels):
    collected = gather(graph, split, levels)
    dense = collected.features.toarray()
    for person in range(graph.num_nodes):
        mechanism = FEATURES[levels["features"][person]]
        m = mechanism.sampled(graph.num_features)
        told = dense[person] != 0.5
        assert told.sum() == m
        scale = graph.num_features / m * mechanism._coin(m).scale
        np.testing.assert_allclose(np.abs(dense[person][told] - 0.5), scale, rtol=1e-6)
    channel = collected.label_channel
    for person in np.concatenate([split.train, split.val]):
        own = LABELS[levels["label"][person]].for_classes(3)
        assert channel.keep[person] == own.keep_probability
        assert channel.other[person] == own.other_probability


def test_weights_are_the_inverse_of_the_exact_variances(graph, split, levels):
    weights = gather(graph, split, levels).feature_weights
    middle = np.full(graph.num_features, 0.5)
    exact = np.array([float(mechanism.variance(middle)[0]) for mechanism in FEATURES])
    np.testing.assert_allclose(weights, (exact.min() / exact)[levels["features"]])


@pytest.mark.slow
def test_the_weighted_mean_has_the_least_variance_and_that_is_what_theory_says(chance_of_means):
    """A star: the hub averages 60 leaves, twenty at each level; 2,000 collections."""
    leaves = 60
    taken = np.concatenate([[0], np.arange(leaves) % 3])
    star = hg.Graph(
        [[0] * leaves, list(range(1, leaves + 1))],
        np.full((leaves + 1, 5), 0.5),
        np.arange(leaves + 1) % 2,
        num_classes=2,
    )
    nobody = hg.Split(*(np.zeros(0, np.int64),) * 3)
    adjacency = Adjacency.from_edges(star.edges, leaves + 1)
    rng = np.random.default_rng(11)
    errors = {"weighted": [], "alike": []}
    for _ in range(2000):
        collected = hg.collect(
            star, nobody, features=FEATURES, labels=LABELS[0], levels={"features": taken}, rng=rng
        )
        estimate = torch.from_numpy(collected.features.toarray()).double()
        weights = torch.from_numpy(collected.feature_weights)
        for name, used in (("weighted", weights), ("alike", None)):
            smoothed = hg.kprop(estimate, adjacency, 1, "mean", weights=used, midpoint=0.5)
            errors[name].append(float(smoothed[0, 0]) - 0.5)
    exact = np.array([float(mechanism.variance(np.full(5, 0.5))[0]) for mechanism in FEATURES])[taken[1:]]
    expected = {"weighted": 1 / np.sum(1 / exact), "alike": exact.sum() / leaves**2}
    assert expected["weighted"] < 0.5 * expected["alike"]
    for name, values in errors.items():
        assert chance_of_means(np.square(values), expected[name])


@pytest.fixture
def chance_of_means():
    """Whether a mean explains a sample, with a false alarm of about one in a million."""

    def explains(sample, mean):
        return abs(np.mean(sample) - mean) < 5 * np.std(sample) / np.sqrt(len(sample))

    return explains


def test_losses_see_each_persons_own_noise(graph, split, levels):
    """Forward correction and the validation loss, written out with a transition matrix for each person."""
    collected = gather(graph, split, levels)
    adjacency = Adjacency.from_edges(collected.edges, graph.num_nodes)
    logits = torch.randn(graph.num_nodes, 3, generator=torch.Generator().manual_seed(0))
    objective = Objective(collected, adjacency, "forward", 0, "gcn")
    labels, probability = torch.from_numpy(collected.labels), logits.softmax(1)

    def expected(people):
        total = 0.0
        for person in people.tolist():
            own = LABELS[levels["label"][person]].for_classes(3)
            keep, other = own.keep_probability, own.other_probability
            total -= np.log(other + (keep - other) * probability[person, labels[person]].item())
        return total / len(people)

    assert objective.training_loss(logits).item() == pytest.approx(expected(collected.train), rel=1e-5)
    assert objective.score(logits).val_loss == pytest.approx(expected(collected.val), rel=1e-5)
    gave = np.concatenate([split.train, split.val])
    kept = [LABELS[levels["label"][person]].for_classes(3).keep_probability for person in gave]
    assert objective.perfect_accuracy == pytest.approx(np.mean(kept))


def test_drop_smooths_unbiased_estimates_by_their_precision(graph, split, levels):
    collected = gather(graph, split, levels)
    adjacency = Adjacency.from_edges(collected.edges, graph.num_nodes)
    power = adjacency.propagate(torch.eye(graph.num_nodes), "gcn", 2).numpy()
    votes = np.zeros((graph.num_nodes, 3))
    for person in np.concatenate([split.train, split.val]):
        own = LABELS[levels["label"][person]].for_classes(3)
        stranger = float(own.variance(0)[1])  # of a class that is not one's own
        votes[person] = own.estimate(collected.labels[person]) / stranger
    smoothed = power @ votes
    reached = power @ (collected.labels >= 0) > 0
    expected = np.where(reached, smoothed.argmax(1), collected.labels)
    objective = Objective(collected, adjacency, "drop", 2, "gcn")
    np.testing.assert_array_equal(objective.targets.numpy(), expected[collected.train])


@pytest.mark.parametrize("loss", ["drop", "smoothed", "forward", "cross_entropy"])
def test_every_loss_learns_with_levels_everywhere(camps, camps_split, loss):
    choice = np.random.default_rng(1).integers(0, 3, camps.num_nodes)
    collected = hg.collect(
        camps,
        camps_split,
        features=[hg.MultiBit(budget) for budget in (1.0, 2.0, 4.0)],
        labels=[hg.RandomizedResponse(budget) for budget in (1.0, 2.0, 3.0)],
        edges=[hg.AdjacencyRandomizedResponse(budget) for budget in (5.0, 6.0, 7.0)],
        levels=dict.fromkeys(("features", "label", "lists"), choice),
        rng=np.random.default_rng(2),
    )
    model = hg.LPGNN(loss=loss, epochs=100, selection="last").fit(collected)
    assert hg.accuracy(model, camps, camps_split.test) > 0.9


def test_a_level_says_what_its_person_is_promised_and_pays(graph, split, levels):
    lists = [hg.AdjacencyRandomizedResponse(3.0), hg.AdjacencyRandomizedResponse(5.0)]
    ledger = hg.Ledger(epsilon=20.0)
    collected = gather(graph, split, levels, edges=lists, ledger=ledger)
    gives_label = np.isin(np.arange(40), np.concatenate([split.train, split.val]))
    for person in range(40):
        own = FEATURES[levels["features"][person]].epsilon + lists[levels["lists"][person]].epsilon
        own += BUDGETS[levels["label"][person]] * gives_label[person]
        # A friend may have taken the highest level of lists.
        own = max(own, lists[levels["lists"][person]].epsilon + 5.0)
        assert collected.guarantee_of(person).epsilon == pytest.approx(own)
        assert ledger.spent(person)[0] == pytest.approx(own)
    assert collected.guarantee.epsilon == 9.0 + 2.0 + 5.0
    assert "is no secret: nothing here protects it" in str(collected.guarantee_of(0))


def test_levels_survive_a_file_and_single_reports(graph, split, levels, tmp_path):
    collected = gather(graph, split, levels)
    collected.save(tmp_path / "c.npz")
    singles = hg.assemble(
        collected.campaign, [one.to_json() for one in collected.reports], edges=graph.edges, split=split
    )
    for other in (hg.CollectedGraph.load(tmp_path / "c.npz"), singles):
        np.testing.assert_array_equal(other.features.toarray(), collected.features.toarray())
        np.testing.assert_array_equal(other.feature_weights, collected.feature_weights)
        np.testing.assert_array_equal(other.label_channel.keep, collected.label_channel.keep)
        assert hg.LPGNN(epochs=5).fit(other).val_loss_ == hg.LPGNN(epochs=5).fit(collected).val_loss_


@pytest.mark.parametrize(
    ("levels", "complaint"),
    [
        (None, "levels must say which of 3 levels each person takes of features"),
        ({"features": np.zeros(40, int)}, "takes of label"),
        (
            {"features": np.full(40, 3), "label": np.zeros(40, int)},
            "levels of features must be 40 whole numbers",
        ),
        ({"features": np.zeros(39, int), "label": np.zeros(40, int)}, "levels of features must be 40"),
        ({"features": np.zeros(40), "label": np.zeros(40, int)}, "levels of features must be 40"),
        ({"labels": np.zeros(40, int)}, "levels must be one of 'features', 'label', 'lists'"),
    ],
)
def test_levels_that_are_not_offered_are_refused(graph, split, levels, complaint):
    with pytest.raises(ValueError, match=complaint):
        gather(graph, split, levels)


@pytest.mark.skipif(not os.environ.get("HUSHGRAPH_DATA"), reason="HUSHGRAPH_DATA names no folder with Cora")
def test_on_cora_three_levels_beat_everybody_at_the_lowest():
    """benchmarks/levels.py has the whole of it, and Facebook."""
    cora = hg.datasets.load("cora")
    split = hg.random_split(cora, train=0.5, val=0.25, seed=0)
    choice = np.random.default_rng(9).integers(0, 3, cora.num_nodes)
    found = []
    for budgets, levels in ((BUDGETS[:1], None), (BUDGETS, dict.fromkeys(("features", "label"), choice))):
        collected = hg.collect(
            cora,
            split,
            features=[hg.MultiBit(budget) for budget in budgets],
            labels=[hg.RandomizedResponse(budget) for budget in budgets],
            levels=levels,
            rng=np.random.default_rng(1),
        )
        found.append(hg.accuracy(hg.LPGNN(k_x=16, k_y=8, epochs=100).fit(collected), cora, split.test))
    assert found[1] > found[0] + 0.05


def test_a_very_sure_and_wrong_prediction_has_a_finite_loss(graph, split):
    """Rounding must not make a probability negative where levels differ much."""
    levels = {"label": np.arange(40) % 2}
    labels = [hg.RandomizedResponse(0.5), hg.RandomizedResponse(20.0)]
    rng = np.random.default_rng(0)
    collected = hg.collect(graph, split, features=None, labels=labels, levels=levels, rng=rng)
    adjacency = Adjacency.from_edges(collected.edges, graph.num_nodes)
    for seed in range(20):
        wrong = 60 * torch.randn(40, 3, generator=torch.Generator().manual_seed(seed))
        assert torch.isfinite(Objective(collected, adjacency, "smoothed", 2, "gcn").training_loss(wrong))
