"""What is priced is what a neighboring graph can change: measured on releases before their noise."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.curator.extremal import apart, crowded, spread, star
from torch import nn

import hushgraph as hg
from hushgraph.curator import (
    DPDGC,
    DPMLP,
    DPSAGE,
    GAP,
    NIPGNN,
    Ballots,
    CuratorMethod,
    PublishedNIPGNN,
    dp_sgd,
    dpdgc,
    gap,
    nip_gnn,
    nip_sound,
    sums,
)
from hushgraph.privacy.sensitivities import Changes

METHODS = {
    GAP: {"hops": 1, "embedding": 4},
    # Every message is longer than its clip, so that all have norm 1.
    DPSAGE: {"message_clip": 1e-6},
    DPDGC: {"embedding": 4},
}
PERSONS = ["node-removal", "node-replacement"]
NOBODY = np.array([], int)


@pytest.fixture
def untrained(monkeypatch):
    """Both worlds get the same networks, as the theorems have it: what was released before is given.

    GAP's encoder is linear, so that who has the opposite features says the opposite.
    """
    monkeypatch.setattr(dp_sgd, "train", lambda *_, **__: None)
    mlp = gap.mlp

    def linear(width, *widths):
        if len(widths) < 3:
            return mlp(width, *widths)
        return nn.Sequential(nn.Linear(width, widths[1], bias=False), nn.SELU(), nn.Linear(*widths[1:]))

    monkeypatch.setattr(gap, "mlp", linear)


@pytest.fixture
def released(monkeypatch):
    """What a method releases of a graph, with the priorities of a pair."""

    def release(method, graph, pair=None, **settings):
        if pair is not None:
            monkeypatch.setattr(
                "hushgraph.curator.run.capped",
                lambda edges, people, cap, _: sums.capped(edges, people, cap, pair.priorities[tuple(edges)]),
            )
        seen = []
        model = method(4.0, epochs=1, random_state=0, **METHODS[method], **settings)
        split = hg.Split(np.arange(graph.num_nodes), NOBODY, NOBODY)
        model.fit(graph, split, observe=seen.append, first_weights=1)
        (only,) = seen
        return only

    return release


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize("method", [GAP, DPSAGE])
def test_an_edge_changes_sums_by_its_price_and_no_more(method, released):
    pair = star("node-removal", 3)
    graphs = (pair.graph(friends, 1) for friends in (pair.friends[0][:1], []))
    here, there = (released(method, graph, relation="edge") for graph in graphs)
    assert here.sensitivity == there.sensitivity == math.sqrt(2)
    assert np.linalg.norm(here.clean - there.clean) == pytest.approx(math.sqrt(2), rel=1e-5)


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize("relation", PERSONS)
@pytest.mark.parametrize("method", [GAP, DPSAGE])
@pytest.mark.parametrize(("build", "degree", "bounded"), [(star, 4, True), (crowded, 49, False)])
def test_a_person_changes_sums_by_their_price_and_no_more(method, relation, build, degree, bounded, released):
    pair = build(relation, degree)
    here, there = (
        released(method, graph, pair, relation=relation, max_degree=degree, bounded=bounded)
        for graph in pair.graphs(relation)
    )
    assert here.sensitivity == there.sensitivity
    changed = np.linalg.norm(here.clean - there.clean)
    assert 0.99 * here.sensitivity <= changed <= here.sensitivity * (1 + 1e-5)


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize("relation", PERSONS)
def test_people_above_the_cap_would_break_the_price_of_graphs_without_them(relation, released):
    """What was promised before: noise as if nobody were above, on a graph where somebody is."""
    pair = crowded(relation, 49)
    here, there = (
        released(GAP, graph, pair, relation=relation, max_degree=49) for graph in pair.graphs(relation)
    )
    price = Changes(relation, 49, bounded=True).l2_of_sums
    assert np.linalg.norm(here.clean - there.clean) > 2 * price


@pytest.fixture
def turned(monkeypatch):
    """DPDGC's network on neighbor lists as it may be at worst: every list is at one end of the ball."""

    def given(pair):
        def train(network, *_, **__):
            if isinstance(network[1], dpdgc._UnitBall):
                with torch.no_grad():
                    network[0].weight.zero_()
                    network[0].bias.zero_()
                    network[0].weight[0] = 100 * torch.tensor(pair.weights)
                    network[0].bias[0] = -2

        monkeypatch.setattr(dp_sgd, "train", train)

    return given


def measured(here, there):
    """What changed, over what is priced."""
    assert here.sensitivity == there.sensitivity
    assert np.linalg.norm(here.clean, axis=1).max() <= 1 + 1e-6
    return np.linalg.norm(here.clean - there.clean) / here.sensitivity


@pytest.mark.parametrize("relation", PERSONS)
@pytest.mark.parametrize(("build", "bounded"), [(apart, True), (spread, False)])
def test_a_person_changes_embeddings_by_their_price_and_no_more(relation, build, bounded, released, turned):
    pair = build(relation, 3)
    turned(pair)
    here, there = (
        released(DPDGC, graph, pair, relation=relation, max_degree=3, bounded=bounded)
        for graph in pair.graphs(relation)
    )
    assert measured(here, there) == pytest.approx(1, rel=1e-5)


def test_an_edge_changes_embeddings_by_its_price_and_no_more(released, turned):
    pair = apart("node-removal", 3)
    turned(pair)
    graphs = (pair.graph(friends, 1) for friends in (pair.friends[0][:1], []))
    assert measured(*(released(DPDGC, graph, relation="edge") for graph in graphs)) == pytest.approx(1, 1e-5)


# As docs/privacy.md has it, for D = 10.
PRICES = {
    ("edge", True): (2, math.sqrt(2), 2, 2, 1),
    ("edge", False): (2, math.sqrt(2), 2, 2, 1),
    ("node-removal", True): (11, math.sqrt(20), 20, 20, 10),
    ("node-removal", False): (21, math.sqrt(70 + 20 * math.sqrt(10)), 40, 20, 20),
    ("node-replacement", True): (21, math.sqrt(80 - 2 * math.sqrt(10)), 40, 20, 20),
    ("node-replacement", False): (41, math.sqrt(160 + 40 * math.sqrt(10)), 80, 20, 40),
}


@pytest.mark.parametrize(("relation", "bounded"), PRICES)
def test_the_table_of_the_documents_is_what_is_priced(relation, bounded):
    changes = Changes(relation, 10, bounded)
    samples, l2, l1, degrees, pairs = PRICES[relation, bounded]
    assert changes.l2_of_sums == pytest.approx(l2)
    assert (changes.samples, changes.l1_of_sums, changes.l1_of_degrees, changes.pairs) == (
        samples, l1, degrees, pairs,
    )  # fmt: skip


@pytest.mark.parametrize(("method", "part"), [(DPSAGE, "training"), (DPDGC, "topology")])
@pytest.mark.parametrize(("bounded", "samples"), [(False, 2 * 9 + 1), (True, 9 + 1)])
def test_every_sample_that_a_person_changes_is_accounted(method, part, bounded, samples, graph, split):
    assert np.bincount(graph.edges.ravel()).max() <= 9
    run = method(4.0, max_degree=9, bounded=bounded, random_state=0).begin(graph, split)
    assert next(one.touched for one in run.accounted if one.name == part) == samples


def test_scales_follow_from_released_values_alone(monkeypatch):
    """Two graphs whose noisy degrees and noisy graph happen to be the same get the same scales."""
    pair = spread("node-removal", 3)
    people = len(pair.signs)
    given = np.arange(1.0, people + 1)
    scales = []
    laplace = nip_gnn.discrete_laplace
    monkeypatch.setattr(nip_sound, "noisy_degrees", lambda *_: given)
    monkeypatch.setattr(nip_gnn, "sound_edges", lambda *_: np.array([[0, 1, 2], [3, 4, 5]], np.int32))
    monkeypatch.setattr(
        nip_gnn, "discrete_laplace", lambda scale, rng: scales.append(scale) or laplace(scale, rng)
    )
    for graph in pair.graphs("node-removal"):
        split = hg.Split(np.arange(people), NOBODY, NOBODY)
        NIPGNN(4.0, max_degree=3, epochs=1, batch_size=4, random_state=0).fit(graph, split)
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
    whole, few = (GAP(4.0, max_degree=cap, random_state=0).begin(graph, split).edges for cap in (39, 1))
    assert whole.shape[1] == graph.num_edges > few.shape[1]


def test_priorities_are_drawn_anew_and_from_the_operating_system(graph, split, monkeypatch):
    """Who knows the order of the priorities learns nothing from that, but nobody has to know it."""
    kept = {GAP(4.0, max_degree=2).begin(graph, split).edges.tobytes() for _ in range(5)}
    assert len(kept) == 5
    monkeypatch.setattr("numpy.random.default_rng", None)
    GAP(4.0, max_degree=2).begin(graph, split)


@pytest.mark.parametrize("method", [GAP, DPSAGE, DPDGC, NIPGNN])
@pytest.mark.parametrize("relation", PERSONS)
def test_where_it_is_public_that_nobody_is_above_the_cap_somebody_who_is_is_refused(
    method, relation, graph, split
):
    most = int(np.bincount(graph.edges.ravel()).max())
    for cap, message in ((most - 1, "somebody has more than max_degree"), (most, None)):
        # The others learn from everybody at a time, which is accounted in no time.
        batch = {"batch_size": 10} if method is NIPGNN else {}
        model = method(4.0, relation=relation, max_degree=cap, bounded=True, epochs=1, **batch)
        if message is None:
            assert "nobody in either with more than" in model.fit(graph, split).guarantee.relation
            continue
        with pytest.raises(ValueError, match=message):
            model.fit(graph, split)


EVERY = [DPMLP, DPSAGE, DPDGC, GAP, NIPGNN, PublishedNIPGNN]
# Whoever is not queried has no cap.
UNCAPPED = [Ballots]


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
    fitted = method(4.0, epochs=2, batch_size=19, random_state=0, **capped)
    before = fitted.fit(graph, split).predict_proba()
    with_another_graph(monkeypatch, lambda whole: replace(whole, edges=np.empty((2, 0), int)))
    assert (fitted.fit(graph, split).predict_proba() == before).all()


@pytest.mark.parametrize("method", [*EVERY, *UNCAPPED])
def test_no_method_reads_the_labels_of_those_who_are_tested(method, graph, split, monkeypatch):
    def forgotten(whole):
        labels = whole.labels.copy()
        labels[split.test] = (labels[split.test] + 1) % 3
        return replace(whole, labels=labels)

    batch = {} if method is Ballots else {"batch_size": 19}
    fitted = method(4.0, epochs=2, random_state=0, **batch)
    before = fitted.fit(graph, split).predict_proba()
    with_another_graph(monkeypatch, forgotten)
    assert (fitted.fit(graph, split).predict_proba() == before).all()
