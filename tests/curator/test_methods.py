"""What all methods with a trusted curator have in common."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.curator import DPDGC, DPMLP, DPSAGE, GAP, NIPGNN, Ballots, CuratorMethod, PublishedNIPGNN

METHODS = [DPMLP, DPSAGE, GAP, DPDGC, NIPGNN, PublishedNIPGNN, Ballots]
GAUSSIAN = METHODS[:4]
WITH_EDGES = METHODS[1:5]
# Those that learn from a part of the people at a time.
IN_BATCHES = [NIPGNN, PublishedNIPGNN]


def quick(method, epsilon=4.0, **settings):
    """A method that learns for a moment only."""
    short = {"epochs": 2, "random_state": 0, **settings}
    return method(epsilon, **({"batch_size": 10} if method in IN_BATCHES else {}) | short)


@pytest.mark.parametrize("method", METHODS)
def test_without_noise_every_method_learns_the_camps(method, camps, camps_split):
    model = method(math.inf, random_state=0).fit(camps, camps_split)
    assert hg.accuracy(model, camps, camps_split.test) > 0.85
    assert model.guarantee.status == "none"
    assert math.isinf(model.guarantee.epsilon)


@pytest.mark.parametrize("method", [*GAUSSIAN, Ballots])
def test_with_a_large_budget_private_training_learns_them_too(method, camps, camps_split):
    model = method(100.0, random_state=0).fit(camps, camps_split)
    assert hg.accuracy(model, camps, camps_split.test) > 0.8
    assert all(multiplier > 0 for multiplier in model.noise_multipliers_.values())


@pytest.mark.parametrize("method", METHODS)
def test_a_model_predicts_for_everybody_and_says_what_it_protects(method, graph, split):
    model = quick(method).fit(graph, split)
    assert isinstance(model, CuratorMethod)
    assert model.predict_proba().shape == (40, 3)
    assert np.isfinite(model.predict_proba()).all()
    assert (model.predict() == model.predict_proba().argmax(1)).all()
    said = model.guarantee
    assert said.epsilon == 4.0
    assert "add/remove" in said.relation
    assert said.released
    assert "curator" in said.against
    assert [part.protects for part in said.parts] == list(model.budget_)
    assert math.fsum(model.budget_.values()) == pytest.approx(4.0)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_model_and_no_seed_another(method, graph, split):
    first, second = (quick(method).fit(graph, split).predict_proba() for _ in range(2))
    assert (first == second).all()
    unseeded = [quick(method, random_state=None).fit(graph, split).predict_proba() for _ in range(2)]
    assert (unseeded[0] != unseeded[1]).any()


@pytest.mark.parametrize("method", METHODS)
def test_a_seed_is_a_condition_of_the_guarantee(method, graph, split):
    seeded, free = (quick(method, random_state=seed).fit(graph, split).guarantee for seed in (0, None))
    assert any("seed" in condition for condition in seeded.conditions)
    assert not any("seed" in condition for condition in free.conditions)


@pytest.mark.parametrize("method", [*WITH_EDGES, Ballots])
@pytest.mark.parametrize("relation", ["edge", "node-removal", "node-replacement"])
def test_every_adjacency_is_named_and_priced(method, relation, graph, split):
    model = quick(method, relation=relation).fit(graph, split)
    word = {"edge": "one friendship", "node-removal": "add/remove", "node-replacement": "replacement"}[
        relation
    ]
    assert word in model.guarantee.relation
    assert ("not protected" in model.guarantee.released) == (relation == "edge")


@pytest.mark.parametrize("method", GAUSSIAN)
def test_replacing_a_person_takes_more_noise_than_removing_one(method, graph, split):
    removal, replacement = (
        quick(method, relation=relation).fit(graph, split).noise_multipliers_
        for relation in ("node-removal", "node-replacement")
    )
    training = method(1.0).parts()[0].name
    assert replacement[training] > 1.3 * removal[training]


def test_features_alone_protect_no_edge(graph, split):
    with pytest.raises(ValueError, match="relation must be one of 'node-removal', 'node-replacement'"):
        quick(DPMLP, relation="edge").fit(graph, split)


@pytest.mark.parametrize("method", WITH_EDGES)
@pytest.mark.parametrize("relation", ["node-removal", "node-replacement"])
def test_a_promise_survives_dropping_says_whom_it_leaves_out_and_not_how_many(method, relation, graph, split):
    cap = int(np.bincount(graph.edges.ravel()).max())
    hub = np.stack([np.zeros(39, int), np.arange(1, 40)])
    busier = replace(graph, edges=np.concatenate([graph.edges, hub], axis=1))
    model = quick(method, max_degree=cap, relation=relation)
    here, there = (model.fit(one, split).guarantee for one in (graph, busier))
    assert here == there
    assert here.status == ("proven" if method is NIPGNN else "proven over the reals")
    assert f"more than {cap} friends is not covered" in " ".join(here.conditions)
    assert f"at most {cap} of these" in here.relation
    assert not any("drop" in name for name in vars(model))


@pytest.mark.parametrize("method", WITH_EDGES)
def test_where_edges_are_protected_there_is_no_cap(method, graph, split):
    run = quick(method, max_degree=2, relation="edge").begin(graph, split)
    assert run.edges.shape[1] == graph.num_edges


@pytest.mark.parametrize("method", GAUSSIAN)
def test_delta_is_given_or_by_a_rule_that_is_told(method, graph, split):
    by_rule = quick(method).fit(graph, split).guarantee
    assert by_rule.delta == 1e-3
    assert "largest power of ten up to N^-1.5 for N = 40 people" in by_rule.reason
    assert quick(method, delta=1e-4).fit(graph, split).guarantee.delta == 1e-4
    if method is not DPMLP:
        edges = quick(method, relation="edge").promise(graph, split)
        assert edges.delta == 1e-5
        assert "for N = 780 pairs" in edges.reason
    with pytest.warns(UserWarning, match="not below 1/N"):
        quick(method, delta=0.5).fit(graph, split)


@pytest.mark.parametrize("method", GAUSSIAN)
def test_the_accountant_the_sampling_and_the_floating_point_are_told(method, graph, split):
    said = quick(method).fit(graph, split).guarantee
    assert "dp-accounting" in said.reason
    assert "Poisson sampling" in said.reason
    assert said.status == "proven over the reals"
    assert any("floating-point" in gap for gap in said.gaps)


def test_ranges_from_the_data_are_told(graph, split):
    said = quick(DPMLP).fit(graph.rescaled(), split).guarantee
    assert any("ranges" in gap for gap in said.gaps)


@pytest.mark.parametrize("method", METHODS)
def test_a_budget_can_be_split_otherwise(method, graph, split):
    parts = list(quick(method).budget_)
    budget = {name: 4.0 / len(parts) for name in parts}
    assert quick(method, budget=budget).fit(graph, split).budget_ == budget


@pytest.mark.parametrize("method", METHODS)
def test_a_split_that_does_not_add_up_is_refused(method, graph, split):
    parts = list(quick(method).budget_)
    with pytest.raises(ValueError, match="budget must add up to epsilon = 4, but adds up to"):
        quick(method, budget=dict.fromkeys(parts, 3.0)).fit(graph, split)
    with pytest.raises(ValueError, match="budget must name"):
        quick(method, budget={"everything": 4.0}).fit(graph, split)
    with pytest.raises(ValueError, match="must be above 0"):
        quick(method, budget=dict.fromkeys(parts, -1.0)).fit(graph, split)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epsilon": 0}, "epsilon must be above 0"),
        ({"epsilon": -1}, "epsilon must be above 0"),
        ({"epsilon": math.nan}, "epsilon must be above 0"),
        ({"relation": "person"}, "relation must be one of"),
        ({"epochs": 0}, "epochs"),
        ({"batch_size": 1000}, "batch_size must be at most the 19 people who train, got 1000"),
        ({"learning_rate": 0}, "learning_rate must be above 0"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_bad_settings_are_refused(method, settings, message, graph, split):
    if not set(settings) <= set(method(1.0).get_params()):
        return
    with pytest.raises(ValueError, match=message):
        quick(method, **settings).fit(graph, split)


@pytest.mark.parametrize("method", WITH_EDGES)
def test_a_cap_below_one_is_refused(method, graph, split):
    with pytest.raises(ValueError, match="max_degree"):
        quick(method, max_degree=0).fit(graph, split)


@pytest.mark.parametrize("method", METHODS)
def test_people_without_features_are_not_for_a_curator(method, graph, split):
    with pytest.raises(
        ValueError, match=f"{method.__name__} learns from people's features, and 'forty' has none"
    ):
        quick(method).fit(replace(graph, features=None), split)


def test_bad_inputs_are_refused(graph, split):
    with pytest.raises(TypeError, match="takes a Graph and a Split"):
        quick(DPMLP).fit("cora", split)
    with pytest.raises(ValueError, match=r"split.train must name at least one person"):
        quick(DPMLP).fit(graph, replace(split, train=np.array([], int)))
    with pytest.raises(ValueError, match="in more than one of train, val and test"):
        quick(DPMLP).fit(graph, replace(split, val=split.train[:1]))
    with pytest.raises(ValueError, match="nodes are numbered"):
        quick(DPMLP).fit(graph, replace(split, test=np.array([40])))
    with pytest.raises(ValueError, match="somebody who has a label"):
        quick(DPMLP, epsilon=math.inf).fit(graph, replace(split, train=np.array([0, 1])))
    with pytest.raises(RuntimeError, match="not fitted"):
        _ = quick(DPMLP, epsilon=math.inf).guarantee


@pytest.mark.parametrize("method", METHODS)
def test_a_training_set_of_null_records_is_learned_from_like_any_other(method, graph, split):
    """An error would tell that the only one who had a label is gone."""
    labels = graph.labels.copy()
    labels[split.train] = -1
    alone = labels.copy()
    alone[split.train[0]] = 1
    one, other = (quick(method).fit(replace(graph, labels=some), split) for some in (alone, labels))
    assert one.guarantee._changed(parts=()) == other.guarantee._changed(parts=())
    assert method is Ballots or one.guarantee == other.guarantee


@pytest.mark.parametrize("relation", ["node-removal", "node-replacement"])
@pytest.mark.parametrize("method", METHODS)
def test_a_graph_without_a_label_is_learned_from_like_one_with_a_single_label(method, relation):
    if method is PublishedNIPGNN and relation != "node-removal":
        return
    promises = []
    for first in (0, -1):
        graph = hg.Graph([[0, 1], [1, 2]], np.eye(12), [first] + [-1] * 11, num_classes=2)
        split = hg.random_split(graph, train=0.75, val=0.1, seed=3, everyone=True)
        assert 0 in split.train
        model = quick(method, relation=relation, **({"batch_size": 5} if method in IN_BATCHES else {}))
        said = model.fit(graph, split).guarantee
        # How ballots divide their budget follows from noisy numbers, which are others in each fit.
        promises.append(said._changed(parts=()) if method is Ballots else said)
    assert promises[0] == promises[1]


@pytest.mark.parametrize("method", METHODS)
def test_people_without_friends_are_no_trouble(method, graph, split):
    lonely = replace(graph, edges=np.empty((2, 0), int))
    assert np.isfinite(quick(method).fit(lonely, split).predict_proba()).all()


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_place_in_the_training_set_adds_nothing(method, graph, split):
    someone = split.train[0]
    features, labels = graph.features.copy(), graph.labels.copy()
    features[someone], labels[someone] = 0, -1
    edges = graph.edges[:, (graph.edges != someone).all(axis=0)]
    without = replace(graph, features=features, labels=labels, edges=edges)
    assert np.isfinite(quick(method).fit(without, split).predict_proba()).all()


@pytest.mark.parametrize("method", METHODS)
def test_settings_can_be_read_and_changed(method):
    model = method(2.0)
    assert model.get_params()["epsilon"] == 2.0
    assert model.with_params(epsilon=3.0).epsilon == 3.0
    assert repr(model).startswith(f"{method.__name__}(epsilon=2.0")


def test_progress_is_told(graph, split):
    shares = []
    quick(GAP).fit(graph, split, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_more_bad_settings_are_refused(graph, split):
    with pytest.raises(TypeError, match="max_degree must be a whole number"):
        quick(GAP, max_degree=None).fit(graph, split)
    with pytest.raises(ValueError, match="message_clip must be at least 1e-09"):
        quick(DPSAGE, message_clip=0.0).fit(graph, split)
    with pytest.raises(TypeError, match="budget must name training"):
        quick(DPMLP, budget=[4.0]).fit(graph, split)
    with pytest.raises(ArithmeticError, match="lower max_degree"):
        quick(DPSAGE, max_degree=10**7).fit(graph, split)


@pytest.mark.parametrize("method", [*GAUSSIAN, Ballots])
def test_training_that_diverges_ends_in_an_error_and_not_in_rows_that_tell_who_has_friends(
    method, graph, split
):
    with pytest.raises(ArithmeticError, match="diverged"):
        quick(method, learning_rate=1e30).fit(graph, split)


@pytest.mark.parametrize("method", [*GAUSSIAN, Ballots])
def test_a_budget_beyond_reason_is_calibrated_in_no_time(method, graph, split):
    assert quick(method, epsilon=1e4).fit(graph, split).guarantee.epsilon == 1e4


def test_without_a_seed_noise_comes_from_the_operating_system(graph, split, monkeypatch):
    """And never from torch, whose generators have but 2³² states."""

    def never(*_args, **_settings):
        raise AssertionError("a generator drew noise")

    for name in ("randn", "normal", "rand"):
        monkeypatch.setattr(torch, name, never)
    quick(GAP, random_state=0).fit(graph, split)
    monkeypatch.setattr("numpy.random.default_rng", never)
    quick(GAP, random_state=None).fit(graph, split)
    with pytest.raises(AssertionError, match="a generator drew noise"):
        quick(GAP, random_state=0).fit(graph, split)


@pytest.mark.parametrize("method", METHODS)
def test_predictions_that_are_for_one_person_alone_are_marked(method, graph, split):
    alone = quick(method).fit(graph, split)
    assert alone.predictions_are_private == (method not in (NIPGNN, PublishedNIPGNN))
    assert alone.predictions_are_private == ("for that person alone" in alone.guarantee.released)
    if method in WITH_EDGES:
        assert not quick(method, relation="edge").predictions_are_private
    assert not quick(method, epsilon=math.inf).predictions_are_private
