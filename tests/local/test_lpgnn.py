"""LPGNN from end to end, on a graph that is easy to learn."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.registry import BACKBONES


def small(**options) -> hg.LPGNN:
    return hg.LPGNN(**{"epochs": 60, "k_x": 2, "k_y": 2} | options)


@pytest.mark.parametrize("backbone", BACKBONES)
def test_every_backbone_learns_from_private_data(backbone, camps, camps_split, camps_collected):
    model = small(backbone=backbone).fit(camps_collected)
    assert hg.accuracy(model, camps, camps_split.test) > 0.9


@pytest.mark.parametrize("loss", ["drop", "forward", "cross_entropy"])
@pytest.mark.parametrize("selection", ["paper", "reference", "last"])
def test_every_loss_and_rule_learns(loss, selection, camps, camps_split, camps_collected):
    model = small(loss=loss, selection=selection).fit(camps_collected)
    assert hg.accuracy(model, camps, camps_split.test) > 0.8


def test_the_factored_and_the_dense_form_predict_the_same(camps_collected):
    factored, dense = (small(form=form, dropout=0.0).fit(camps_collected) for form in ("factored", "dense"))
    np.testing.assert_allclose(factored.predict_proba(), dense.predict_proba(), atol=1e-3)


def test_a_seed_gives_the_same_model_and_leaves_torchs_state_alone(camps_collected):
    torch.manual_seed(123)
    before = torch.get_rng_state()
    first, second, other = (small(random_state=seed).fit(camps_collected) for seed in (5, 5, 6))
    assert torch.equal(torch.get_rng_state(), before)
    np.testing.assert_array_equal(first.predict_proba(), second.predict_proba())
    assert not np.array_equal(first.predict_proba(), other.predict_proba())


def test_the_number_of_threads_is_restored(camps_collected):
    before = torch.get_num_threads()
    small(epochs=1, threads=1).fit(camps_collected)
    assert torch.get_num_threads() == before


def test_the_guarantee_is_that_of_the_collection(camps_collected):
    model = small(epochs=1).fit(camps_collected)
    assert model.guarantee == camps_collected.guarantee
    assert "ε = 4, simulated (else proven)" in str(model.guarantee)


def test_test_labels_are_never_used(camps, camps_split, gather):
    """The same noise with other test labels gives the same model."""

    def learned(graph):
        collected = gather(graph, camps_split)
        return small(epochs=10).fit(collected).predict_proba()

    flipped = camps.labels.copy()
    flipped[camps_split.test] = 1 - flipped[camps_split.test]
    np.testing.assert_array_equal(learned(camps), learned(hg.Graph(camps.edges, camps.features, flipped)))


@pytest.mark.parametrize("kind", ["ones", "degree", "random"])
def test_stand_ins_need_no_features(kind, camps, camps_split, gather):
    collected = gather(camps, camps_split, features=None, labels=hg.RandomizedResponse(np.inf))
    assert small(features=kind, epochs=5).fit(collected).predict().shape == (400,)
    with pytest.raises(ValueError, match="sent features"):
        small(epochs=5).fit(collected)


def test_it_learns_when_half_of_the_people_never_answer(camps, camps_split, gather):
    answered = np.random.default_rng(1).permutation(400)[:200]
    collected = gather(
        camps, camps_split, features=hg.MultiBit(4.0), labels=hg.RandomizedResponse(4.0), answered=answered
    )
    assert hg.accuracy(small().fit(collected), camps, camps_split.test) > 0.9


def test_a_pyg_module_of_ones_own_learns(camps, camps_split, camps_collected):
    models = pytest.importorskip("torch_geometric.nn.models")
    torch.manual_seed(0)
    module = models.GraphSAGE(10, 16, 2, out_channels=2, dropout=0.5)
    before = {name: value.clone() for name, value in module.state_dict().items()}
    assert hg.accuracy(small(backbone=module).fit(camps_collected), camps, camps_split.test) > 0.9
    assert all(torch.equal(value, before[name]) for name, value in module.state_dict().items())


def test_predictions_for_the_same_reports_are_the_same(camps_collected):
    model = small(epochs=5).fit(camps_collected)
    np.testing.assert_allclose(model.predict_proba(camps_collected), model.predict_proba(), atol=1e-6)


class TestDivergence:
    """A module whose output stops being a number after a few calls in training."""

    class Breaking(torch.nn.Module):
        def __init__(self, calls):
            super().__init__()
            self.linear, self.calls = torch.nn.Linear(10, 2), calls

        def forward(self, x, edge_index):
            self.calls -= self.training
            return self.linear(x) * (float("nan") if self.training and self.calls < 0 else 1.0)

    def test_training_keeps_the_best_epoch_before(self, camps_collected):
        with pytest.warns(RuntimeWarning, match=r"not a number after epoch 6; .*Keeping epoch"):
            model = small(backbone=self.Breaking(5)).fit(camps_collected)
        assert 1 <= model.best_epoch_ <= 5
        assert np.isfinite(model.predict_proba()).all()

    def test_without_any_good_epoch_it_is_an_error(self, camps_collected):
        with pytest.raises(ArithmeticError, match=r"a learning_rate below 0\.01 may help"):
            small(backbone=self.Breaking(0)).fit(camps_collected)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("k_x", -1, "k_x must be a whole number ≥ 0, got -1"),
        ("k_y", 1.5, "k_y must be a whole number ≥ 0, got 1.5"),
        ("epochs", 0, "epochs must be a whole number ≥ 1, got 0"),
        ("hidden", 0, "hidden must be a whole number ≥ 1"),
        ("dropout", 1.0, r"dropout must lie in \[0, 1\), got 1.0"),
        ("learning_rate", 0, "learning_rate must be above 0"),
        ("weight_decay", float("nan"), "weight_decay must be a finite number ≥ 0, got nan"),
        ("loss", "hinge", "loss must be one of 'drop', 'smoothed', 'forward', 'cross_entropy'; got 'hinge'"),
        ("selection", "best", "selection must be one of"),
        ("aggregation", "max", "aggregation must be one of"),
        ("features", "clean", "features must be one of"),
        ("backbone", "mlp", "backbone must be one of"),
        ("threads", 0, "threads must be a whole number ≥ 1"),
        ("device", "tpu", "device must be 'auto', 'cpu' or, where there is a GPU, 'cuda'; got 'tpu'"),
    ],
)
def test_a_bad_option_is_named_before_any_work(option, value, message, camps_collected):
    with pytest.raises((ValueError, TypeError), match=message):
        small(**{option: value}).fit(camps_collected)


def test_the_truth_is_not_accepted(camps):
    with pytest.raises(TypeError, match=r"takes a CollectedGraph .*, got Graph"):
        small().fit(camps)


def test_an_unfitted_model_says_so():
    for use in (lambda model: model.predict(), lambda model: model.guarantee, lambda model: model.save("x")):
        with pytest.raises(RuntimeError, match="not fitted yet"):
            use(hg.LPGNN())


def test_validation_people_are_needed_to_choose_an_epoch(camps, gather):
    split = hg.random_split(camps, train=0.5, val=0.0, seed=0)
    collected = gather(camps, split)
    with pytest.raises(ValueError, match="no labelled person to validate on"):
        small().fit(collected)
    assert small(selection="last").fit(collected).best_epoch_ == 60


def test_a_collection_of_other_questions_is_refused(camps, camps_split, camps_collected, gather):
    model = small(epochs=1).fit(camps_collected)
    wider = hg.Graph(camps.edges, np.tile(camps.features, 2), camps.labels)
    other = gather(wider, camps_split, features=hg.MultiBit(1.0), labels=hg.RandomizedResponse(1.0))
    with pytest.raises(ValueError, match=r"collected has \(features, classes\) = \(20, 2\)"):
        model.predict(other)


def test_labels_with_hardly_any_noise_are_learned(camps, camps_split, gather):
    collected = gather(camps, camps_split, features=hg.MultiBit(4.0), labels=hg.RandomizedResponse(100.0))
    assert hg.accuracy(small(k_y=0, learning_rate=0.1).fit(collected), camps, camps_split.test) > 0.9


def test_settings_are_kept_as_given():
    model = hg.LPGNN("gcn", k_x=3)
    assert hg.LPGNN(**model.get_params()).get_params() == model.get_params()
    assert copy.deepcopy(model).k_x == 3
    assert model.set_params(k_x=5).get_params(deep=True)["k_x"] == 5
    with pytest.raises(ValueError, match="LPGNN has no argument depth"):
        model.set_params(depth=3)
    assert "k_x=5" in repr(model)
