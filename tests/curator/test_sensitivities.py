"""What is priced is what a neighboring graph can change: measured on releases before their noise."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.curator import (
    DPDGC,
    DPMLP,
    DPSAGE,
    GAP,
    NIPGNN,
    CuratorMethod,
    PublishedNIPGNN,
    dp_sgd,
    nip_gnn,
    nip_sound,
)
from hushgraph.privacy import sensitivities

D = 3
PEOPLE = 12
NOBODY = np.array([], int)
SPLIT = hg.Split(np.arange(PEOPLE), NOBODY, NOBODY)
METHODS = {
    GAP: {"hops": 1, "embedding": 4},
    # Every message is longer than its clip, so that all have norm 1.
    DPSAGE: {"message_clip": 1e-6},
    DPDGC: {"embedding": 4},
}
# The hub of the first graph has D friends who all say the same; the others say something else.
KINDS = np.array([0] + [1] * D + [2] * (PEOPLE - D - 1))


def world(friends, hub=0):
    """Everybody's features say of which kind they are; the hub's friends are its only edges."""
    features, labels = np.eye(4)[KINDS], np.arange(PEOPLE) % 2
    features[0] = np.eye(4)[hub] if hub is not None else 0
    labels[0] = 0 if hub is not None else -1
    edges = np.array([[0] * len(friends), friends]) if len(friends) else np.empty((2, 0), int)
    return hg.Graph(edges, features, labels, num_classes=2)


FIRST = range(1, D + 1)
# Two neighboring graphs of each relation, and which share of the price they reach: a person who is replaced
# keeps friends or gets others, and cannot do the worst in both.
PAIRS = {
    "edge": (world([1]), world([]), 0.99),
    "node-removal": (world(FIRST), world([], hub=None), 0.99),
    "node-replacement": (world(FIRST), world(range(D + 1, 2 * D + 1), hub=3), 0.6),
}


@pytest.fixture
def untrained(monkeypatch):
    """Both worlds get the same networks, as the theorems have it: what was released before is given."""
    monkeypatch.setattr(dp_sgd, "train", lambda *_, **__: None)


def released(method, relation, graph):
    seen = []
    model = method(4.0, relation=relation, max_degree=D, epochs=1, random_state=0, **METHODS[method])
    model.fit(graph, SPLIT, observe=seen.append, first_weights=1)
    (release,) = seen
    return release


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize("relation", PAIRS)
@pytest.mark.parametrize("method", [GAP, DPSAGE])
def test_sums_change_by_their_price_and_no_more(method, relation):
    one, other, reached = PAIRS[relation]
    here, there = (released(method, relation, graph) for graph in (one, other))
    assert here.sensitivity == there.sensitivity
    changed = np.linalg.norm(here.clean - there.clean)
    assert reached * here.sensitivity <= changed <= here.sensitivity * (1 + 1e-5)


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize("relation", PAIRS)
def test_embeddings_stay_in_the_ball_and_change_in_as_many_rows_as_are_priced(relation):
    one, other, _ = PAIRS[relation]
    here, there = (released(DPDGC, relation, graph) for graph in (one, other))
    assert np.linalg.norm(here.clean, axis=1).max() <= 1 + 1e-6
    rows = int((here.clean != there.clean).any(axis=1).sum())
    assert rows <= {"edge": 2, "node-removal": D + 1, "node-replacement": 2 * D + 1}[relation]
    assert here.sensitivity == pytest.approx(2 * math.sqrt(rows))


@pytest.mark.parametrize(
    ("relation", "samples", "sums", "l1", "degrees", "pairs"),
    [
        ("edge", 2, math.sqrt(2), 2, 2, 1),
        ("node-removal", 11, math.sqrt(20), 20, 20, 10),
        ("node-replacement", 21, 2 * math.sqrt(20), 40, 20, 20),
    ],
)
def test_the_table_of_the_documents_is_what_is_priced(relation, samples, sums, l1, degrees, pairs):
    assert sensitivities.changed_samples(relation, 10) == samples
    assert sensitivities.l2_of_sums(relation, 10) == pytest.approx(sums)
    assert sensitivities.l1_of_sums(relation, 10) == l1
    assert sensitivities.l1_of_degrees(relation, 10) == degrees
    assert sensitivities.changed_pairs(relation, 10) == pairs


@pytest.mark.parametrize(("method", "part"), [(DPSAGE, "training"), (DPDGC, "topology")])
def test_every_sample_that_a_person_is_in_is_accounted(method, part, graph, split):
    run = method(4.0, max_degree=D, random_state=0).begin(graph, split)
    assert next(one.touched for one in run.accounted if one.name == part) == D + 1


def test_scales_follow_from_released_values_alone(monkeypatch):
    """Two graphs whose noisy degrees and noisy graph happen to be the same get the same scales."""
    given = np.arange(1.0, PEOPLE + 1)
    scales = []
    laplace = nip_gnn.discrete_laplace
    monkeypatch.setattr(nip_sound, "noisy_degrees", lambda *_: given)
    monkeypatch.setattr(nip_gnn, "sound_edges", lambda *_: np.array([[0, 1, 2], [3, 4, 5]], np.int32))
    monkeypatch.setattr(
        nip_gnn, "discrete_laplace", lambda scale, rng: scales.append(scale) or laplace(scale, rng)
    )
    for graph in PAIRS["node-removal"][:2]:
        NIPGNN(4.0, max_degree=D, epochs=1, batch_size=4, random_state=0).fit(graph, SPLIT)
    assert (scales[0] == scales[1]).all()


def test_one_persons_features_change_no_other_row(rng):
    features = rng.normal(size=(20, 300))
    other = features.copy()
    other[7] = rng.normal(size=300)
    changed = (nip_sound.whole_rows(features, 16) != nip_sound.whole_rows(other, 16)).any(axis=1)
    assert np.flatnonzero(changed).tolist() == [7]


def test_without_a_seed_nothing_that_leaves_is_the_same_twice(graph, split):
    def seen():
        found = []
        NIPGNN(4.0, epochs=1, batch_size=10).fit(graph, split, observe=found.append)
        return {release.part: release.values for release in found}

    one, other = seen(), seen()
    # Labels have the smallest chance to differ: 28 answers of three classes.
    assert all(abs(one[part] - other[part]).sum() > 0 for part in one)


def test_nothing_leaves_without_noise(graph, split, monkeypatch):
    begin = GAP.begin

    def forgotten(self, *arguments, **hooks):
        run = begin(self, *arguments, **hooks)
        run.multipliers = dict.fromkeys(run.multipliers, 0.0)
        return run

    monkeypatch.setattr(GAP, "begin", forgotten)
    with pytest.raises(RuntimeError, match="has no noise: nothing may leave"):
        GAP(4.0, epochs=1, random_state=0).fit(graph, split)


def test_a_cap_above_everybody_drops_nothing(graph, split):
    assert GAP(4.0, max_degree=39, random_state=0).begin(graph, split).dropped == 0
    assert GAP(4.0, max_degree=1, random_state=0).begin(replace(graph), split).dropped > 0


EVERY = [DPMLP, DPSAGE, DPDGC, GAP, NIPGNN, PublishedNIPGNN]


def with_another_graph(monkeypatch, change):
    """Methods see another graph than the one that the run was made of."""
    begin = CuratorMethod.begin

    def changed(self, *arguments, **hooks):
        run = begin(self, *arguments, **hooks)
        run.graph = change(run.graph)
        return run

    monkeypatch.setattr(CuratorMethod, "begin", changed)


@pytest.mark.parametrize("method", EVERY)
def test_no_method_reads_friendships_past_the_cap(method, graph, split, monkeypatch):
    """What is left under the cap is the run's; the graph itself may as well have no edges."""
    capped = {} if method is DPMLP else {"max_degree": 2}
    fitted = method(4.0, epochs=2, batch_size=10, random_state=0, **capped)
    before = fitted.fit(graph, split).predict_proba()
    with_another_graph(monkeypatch, lambda whole: replace(whole, edges=np.empty((2, 0), int)))
    assert (fitted.fit(graph, split).predict_proba() == before).all()


@pytest.mark.parametrize("method", EVERY)
def test_no_method_reads_the_labels_of_those_who_are_tested(method, graph, split, monkeypatch):
    def forgotten(whole):
        labels = whole.labels.copy()
        labels[split.test] = (labels[split.test] + 1) % 3
        return replace(whole, labels=labels)

    fitted = method(4.0, epochs=2, batch_size=10, random_state=0)
    before = fitted.fit(graph, split).predict_proba()
    with_another_graph(monkeypatch, forgotten)
    assert (fitted.fit(graph, split).predict_proba() == before).all()
