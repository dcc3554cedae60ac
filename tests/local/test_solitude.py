"""Solitude: the graph is learned with the network."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.datasets import social
from hushgraph.denoise import collected_adjacency
from hushgraph.local.calibration import Calibration
from hushgraph.local.objective import Objective
from hushgraph.sparse import Adjacency


@pytest.fixture(scope="module")
def people():
    return social(n=300, features=12, classes=3, mean_degree=8.0, seed=5)


@pytest.fixture(scope="module")
def split_of_people(people):
    return hg.random_split(people, train=0.5, val=0.25, seed=1)


@pytest.fixture(scope="module")
def collected(people, split_of_people):
    return hg.collect(
        people,
        split_of_people,
        features=hg.MultiBit(4.0),
        labels=hg.RandomizedResponse(math.inf),
        edges=hg.AdjacencyRandomizedResponse(5.0),
        rng=np.random.default_rng(2),
    )


def small(**changed):
    return hg.Solitude(**{"k_x": 2, "k_y": 2, "epochs": 30, "device": "cpu"} | changed)


def test_it_learns_and_states_the_guarantee(people, split_of_people, collected):
    model = small(epochs=150, dropout=0.0).fit(collected)
    assert hg.accuracy(model, people, split_of_people.test) > 0.5
    assert model.guarantee == collected.guarantee
    assert model.predict().shape == (300,)
    assert 0 <= model.val_accuracy_ <= 1


@pytest.mark.parametrize("backbone", ["sage", "gcn", "gat", "gin"])
def test_every_backbone_and_step_calibrates_within_the_collected_edges(collected, backbone):
    for step in ("adam", "proximal"):
        model = small(backbone=backbone, step=step, selection="last").fit(collected)
        edges, weights = model.calibrated_
        assert {(v, u) for u, v in edges.T.tolist()} == set(map(tuple, collected.edges.T.tolist()))
        assert weights.min() >= 0
        assert weights.max() <= 1
        assert np.unique(weights).size > 2


def test_the_same_seed_gives_the_same_model(collected):
    one, other = (small(random_state=4).fit(collected) for _ in range(2))
    np.testing.assert_array_equal(one.predict_proba(), other.predict_proba())
    np.testing.assert_array_equal(one.calibrated_[1], other.calibrated_[1])


def test_the_chosen_epochs_graph_is_kept_with_its_weights(collected):
    """Predictions come from the network and the graph of the same epoch."""
    model = small(selection="paper", epochs=60).fit(collected)
    edges, weights = model.calibrated_
    graph = collected_adjacency(collected, "directed").with_values(torch.from_numpy(weights))
    np.testing.assert_array_equal(graph.edge_index.numpy(), edges)
    with torch.no_grad():
        features = model._features(collected, collected_adjacency(collected, "directed"))
        again = model.backbone_.eval()(features, graph).softmax(1)
    np.testing.assert_allclose(again.numpy(), model.predict_proba(), atol=1e-6)


def test_heavy_penalties_close_every_edge_and_a_heavy_anchor_keeps_all(collected):
    closed = small(step="proximal", lambda_1=1.0, lambda_2=10.0, selection="last").fit(collected)
    assert closed.calibrated_[1].max() == 0
    kept = small(step="proximal", lambda_1=100.0, lambda_2=0.0, selection="last").fit(collected)
    assert kept.calibrated_[1].min() > 0.99
    by_adam = small(lambda_1=1.0, lambda_2=10.0, learning_rate=0.1, selection="last").fit(collected)
    assert by_adam.calibrated_[1].max() == 0


def test_without_a_loss_both_steps_find_the_closed_form():
    """The penalties alone are least at 1 - λ_2 / (2 λ_1)."""
    graph = Adjacency.from_lists(np.array([0, 2, 3, 3]), np.array([1, 2, 0]))
    for step, rounds in (("adam", 400), ("proximal", 1)):
        calibration = Calibration(graph, 0.5, 0.4, step, 0.01)
        for _ in range(rounds):
            calibration.step(lambda adjacency: 0 * adjacency.values.sum())
        torch.testing.assert_close(calibration.values.detach(), torch.full((3,), 0.6), atol=1e-3, rtol=0)


def test_an_edge_that_the_loss_wants_stays_and_one_that_it_does_not_goes():
    graph = Adjacency.from_lists(np.array([0, 2, 2, 2]), np.array([1, 2]))
    for step in ("adam", "proximal"):
        calibration = Calibration(graph, 0.05, 0.05, step, 0.05)
        for _ in range(100):
            calibration.step(lambda adjacency: adjacency.values @ torch.tensor([-1.0, 1.0]))
        assert calibration.values.tolist() == [1.0, 0.0]


def test_noisy_labels_are_corrected_for(people, split_of_people):
    collected = hg.collect(
        people,
        split_of_people,
        features=hg.MultiBit(4.0),
        labels=hg.RandomizedResponse(1.5),
        edges=hg.AdjacencyRandomizedResponse(5.0),
        rng=np.random.default_rng(3),
    )
    assert hg.accuracy(small(epochs=150).fit(collected), people, split_of_people.test) > 0.4


def test_a_public_graph_can_be_calibrated_too(people, split_of_people):
    collected = hg.collect(
        people,
        split_of_people,
        features=hg.MultiBit(4.0),
        labels=hg.RandomizedResponse(1.0),
        rng=np.random.default_rng(3),
    )
    model = small().fit(collected)
    assert model.calibrated_[1].size == 2 * people.num_edges


def test_the_posterior_can_be_calibrated_and_is_where_it_starts(collected):
    model = small(structure="posterior", step="proximal", lambda_1=100.0, lambda_2=0.0).fit(collected)
    posterior = collected_adjacency(collected, "posterior")
    np.testing.assert_allclose(model.calibrated_[1], posterior.values.numpy(), atol=1e-3)


def test_nobody_but_those_learned_from_is_predicted(collected):
    with pytest.raises(ValueError, match="predicts for the people it learned from"):
        small(epochs=2).fit(collected).predict(collected)


def test_a_saved_model_predicts_the_same_and_is_read_by_its_own_class(collected, tmp_path):
    model = small().fit(collected)
    model.save(tmp_path / "model.pt")
    loaded = hg.Solitude.load(tmp_path / "model.pt")
    np.testing.assert_array_equal(loaded.predict_proba(), model.predict_proba())
    assert loaded.get_params() == model.get_params() | {"device": "auto"}
    with pytest.raises(ValueError, match=r"it holds a Solitude: read it with hushgraph.load"):
        hg.LPGNN.load(tmp_path / "model.pt")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("lambda_1", -1.0, "lambda_1"),
        ("lambda_2", math.nan, "lambda_2"),
        ("step", "adma", "did you mean 'adam'"),
        ("structure", "any", "structure must be one of"),
        ("k_y", -1, "k_y"),
    ],
)
def test_a_bad_option_is_named_before_any_work(name, value, message):
    with pytest.raises(ValueError, match=message):
        small(**{name: value}).check_params()


def test_proximal_steps_need_an_anchor():
    with pytest.raises(ValueError, match="lambda_1 must be above 0 for proximal steps"):
        small(step="proximal", lambda_1=0.0).check_params()


class Weighted(torch.nn.Module):
    """A stranger's module that takes edge weights as PyG's do."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(12, 3))

    def forward(self, x, edge_index, edge_weight=None):
        messages = x[edge_index[0]] * edge_weight.unsqueeze(1)
        return (x + torch.zeros_like(x).index_add(0, edge_index[1], messages)) @ self.weight


def test_a_strangers_module_is_given_the_weights_or_refused(collected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = small(backbone=Weighted(), form="dense", selection="last").fit(collected)
    assert np.unique(model.calibrated_[1]).size > 2

    class Blind(torch.nn.Module):
        def forward(self, x, edge_index):
            return x[:, :3]

    with pytest.raises(ValueError, match="takes no edge_weight"):
        small(backbone=Blind()).fit(collected)


class Deaf(Weighted):
    """Takes the weights and does not use them."""

    def forward(self, x, edge_index, edge_weight=None):
        return x @ self.weight


def test_a_module_that_ignores_the_weights_is_named(collected):
    with pytest.raises(ValueError, match="does not use the weights of edges"):
        small(backbone=Deaf()).fit(collected)


@pytest.mark.parametrize("k_y", [1, 2])
def test_people_whom_nothing_reaches_keep_their_own_prediction(people, split_of_people, k_y):
    collected = hg.collect(
        people,
        split_of_people,
        features=hg.MultiBit(4.0),
        labels=hg.RandomizedResponse(math.inf),
        edges=hg.AdjacencyRandomizedResponse(7.0),
        rng=np.random.default_rng(2),
        answered=np.arange(0, 300, 2),
    )
    adjacency = collected_adjacency(collected, "directed")
    reached = adjacency.propagate(torch.ones(300, 1), "gcn", k_y)[collected.train].ravel() > 0
    assert not reached.all()
    model = small(k_y=k_y, floor=0.0).fit(collected)
    assert all(math.isfinite(epoch.train_loss) for epoch in model.history_)
    logits = torch.randn(300, 3, generator=torch.Generator().manual_seed(1), requires_grad=True)
    objective = Objective(collected, adjacency, "smoothed", k_y, "gcn", floor=0.0)
    (gradient,) = torch.autograd.grad(objective.training_loss(logits), logits)
    assert gradient.isfinite().all()
    assert (gradient[collected.train][~reached].abs().sum(1) > 0).all()


def test_a_grid_is_searched(collected):
    search = hg.GridSearch(small(epochs=5), {"lambda_2": [1e-3, 1e-2]}).fit(collected)
    assert len(search.trials_) == 2
    with pytest.raises(ValueError, match="which Solitude does not have"):
        hg.GridSearch(small(), {"features": ["ones"]}).fit(collected)
    with pytest.raises(ValueError, match="cannot vary 'structure'"):
        hg.GridSearch(small(), {"structure": ["both", "blocks"]}).fit(collected)


def test_ones_own_subclass_adds_settings(collected):
    class Mine(hg.Solitude):
        def __init__(self, extra: int = 1, **settings: object) -> None:
            super().__init__(**settings)
            self.extra = extra

    assert Mine(extra=3, k_x=1, epochs=2).fit(collected).extra == 3


def test_the_smoothed_loss_is_the_papers(collected):
    adjacency = collected_adjacency(collected, "directed")
    logits = torch.randn(300, 3, generator=torch.Generator().manual_seed(0))
    objective = Objective(collected, adjacency, "smoothed", 2, "gcn", floor=0.0)
    smoothed = adjacency.propagate(logits.softmax(1), "gcn", 2)
    shares = (smoothed / smoothed.sum(1, keepdim=True))[collected.train]
    labels = torch.from_numpy(collected.labels[collected.train])
    expected = -shares.log().gather(1, labels.unsqueeze(1)).mean()
    torch.testing.assert_close(objective.training_loss(logits), expected)
