"""Targets, knowledge and questions: what they hold, and what they refuse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.spatial import distance as reference
from torch import nn

import hushgraph as hg
from hushgraph.attacks import (
    BlackBox,
    KnownPairs,
    Revealed,
    Shadow,
    Shadows,
    TwoViews,
    attributes,
    extraction,
    links,
    membership,
    of_module,
)
from hushgraph.attacks.answers import most_likely
from hushgraph.attacks.membership.two_views import induced
from hushgraph.attacks.posteriors import confidence, log_odds_of
from hushgraph.attacks.questions import Attribute, Withheld, coins
from hushgraph.attacks.stage import Roles


class Layers(nn.Module):
    """As people write a GNN: layers in a list, a module of activations, log probabilities."""

    def __init__(self, logarithms=True):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 6), nn.Linear(6, 3)])
        self.act, self.logarithms = nn.ReLU(), logarithms

    def forward(self, x, edge_index):
        hidden = self.act(self.layers[0](x))
        logits = self.layers[1](hidden)
        return logits.log_softmax(1) if self.logarithms else logits


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.network = Layers(logarithms=False)

    def forward(self, x, edge_index):
        return self.network(x, edge_index)


@pytest.mark.parametrize("module", [Layers(), Layers(logarithms=False), Wrapped()])
def test_a_module_of_ones_own_is_a_target(module):
    x, edges = torch.rand(5, 4), torch.tensor([[0, 1], [1, 0]])
    box = of_module(module.train(), x, edges)
    inner = getattr(module, "network", module)
    hidden = inner.layers[0](x).relu()
    assert np.allclose(box.embeddings, hidden.detach().numpy(), atol=1e-6)
    assert np.allclose(box.proba, inner.layers[1](hidden).softmax(1).detach().numpy(), atol=1e-6)
    assert module.training, "what it was before"
    assert not any(layer._forward_hooks for layer in module.modules())


def test_a_module_may_have_any_precision_and_layers_that_stay_as_they_are():
    module = Layers().double().train()
    module.act.eval()
    box = of_module(module, torch.rand(5, 4).double(), torch.tensor([[0], [1]]))
    assert np.allclose(box.proba.sum(1), 1)
    assert module.training
    assert not module.act.training


def test_a_module_that_returns_no_logits_is_refused():
    class Both(Layers):
        def forward(self, x, edge_index):
            return super().forward(x, edge_index), x

    with pytest.raises(ValueError, match=r"must return logits \(n, c\), got tuple"):
        of_module(Both(), torch.rand(5, 4), torch.tensor([[0], [1]]))


def test_what_is_no_number_is_no_embedding_and_no_knowledge():
    even, rows = np.full((3, 2), 0.5), np.zeros((3, 4))
    for wrong, why in ((np.where(rows == 0, np.nan, 0), "finite"), (rows[0], "3 rows"), (rows[:2], "3 rows")):
        with pytest.raises(ValueError, match=why):
            BlackBox(even, wrong)
    some = np.array([True, False, True])
    with pytest.raises(ValueError, match="numbers from 0 to 1"):
        Shadow(even * np.nan, some)
    with pytest.raises(TypeError, match="members must be True or False"):
        Shadow(even, some.astype(int))
    with pytest.raises(ValueError, match="labels must be known of everybody"):
        Shadows.of([(even, some), (even, ~some)], np.array([0, -1, 1]))
    with pytest.raises(ValueError, match="log_odds must be finite"):
        Shadows(np.full((1, 3), np.inf), some[None], np.zeros(3, int))


def test_a_pyg_model_is_a_target():
    models = pytest.importorskip("torch_geometric.nn.models")
    network = models.GCN(4, 8, num_layers=2, out_channels=3)
    box = of_module(network, torch.rand(6, 4), torch.tensor([[0, 1, 2], [1, 2, 0]]))
    assert box.proba.shape == (6, 3)
    assert box.embeddings.shape == (6, 8)


def test_every_fitted_model_is_a_target(camps, camps_split):
    model = hg.DPMLP(float("inf"), epochs=2, random_state=0).fit(camps, camps_split)
    said = membership.by_confidence(model, camps_split.train)
    assert said.scores.shape == camps_split.train.shape


class Says:
    def __init__(self, proba):
        self.proba = np.asarray(proba)

    def predict_proba(self):
        return self.proba


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (nn.Linear(3, 2), r"attack hushgraph.attacks.of_module\(module, x, edge_index\)"),
        (np.ones((3, 2)), r"ndarray has none: attack hushgraph.attacks.BlackBox\(proba\)"),
        (Says([[0.5, 0.5], [np.nan, 0.5]]), "numbers from 0 to 1 that add up to 1"),
        (Says([[0.9, 0.9], [0.5, 0.5]]), "numbers from 0 to 1 that add up to 1"),
        (Says([0.5, 0.5]), r"got shape \(2,\)"),
    ],
)
def test_what_is_no_target_is_refused_by_every_attack(target, why):
    rng, nobody = np.random.default_rng(0), np.array([0, 1])
    revealed = Revealed(np.array([0]), np.array([1]), 2)
    pairs = KnownPairs(np.array([[0, 1], [1, 0]]), np.array([True, False]))
    shadow = Shadow(np.full((2, 2), 0.5), np.array([True, False]))
    for attack in (
        lambda: membership.by_confidence(target, nobody),
        lambda: membership.by_shadow(target, nobody, shadow, rng),
        lambda: attributes.by_posteriors(target, nobody, revealed, rng),
        lambda: links.by_distance(target, pairs.pairs),
        lambda: links.by_known_pairs(target, pairs.pairs, pairs, rng),
    ):
        with pytest.raises((TypeError, ValueError), match=why):
            attack()


def test_pairs_are_two_rows_of_people_who_are_there(camps):
    box = Says(np.full((3, 2), 0.5))
    known = KnownPairs(np.array([[0, 1], [1, 2]]), np.array([True, False]))
    for wrong in (np.zeros((5, 2), int), np.zeros((2, 0), int), np.array([[0], [3]]), np.array([[0], [-1]])):
        with pytest.raises(ValueError, match="pairs must"):
            links.by_distance(box, wrong)
        with pytest.raises(ValueError, match="pairs must"):
            links.by_known_pairs(box, wrong, known, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    some = links.balanced(camps.edges, camps.num_nodes, 50, rng, np.arange(camps.num_nodes) < 50)
    assert some.pairs.max() < 50
    assert some.friends.mean() == 0.5


def test_a_copy_takes_features_of_any_range(camps):
    wide = replace(camps, features=camps.features * 9.0 - 4.0)
    target, asked = Says(np.full((camps.num_nodes, 2), 0.5)), np.arange(40)
    learner = hg.attacks.Victim.named("gcn-structure")
    for copy in (None, learner):
        said = extraction.by_queries(target, asked + 40, wide, asked, np.random.default_rng(0), copy=copy)
        assert said.guessed.shape == (40,)
    with pytest.raises(ValueError, match="people names node -1"):
        extraction.by_queries(target, asked - 1, wide, asked, np.random.default_rng(0))


def test_people_are_named_by_their_numbers_and_the_truth_by_yes_or_no():
    box = Says(np.full((3, 2), 0.5))
    for wrong in ([-1, 0], [0, 3], [0, 0]):
        with pytest.raises(ValueError, match="people names"):
            membership.by_confidence(box, np.array(wrong))
    with pytest.raises(ValueError, match="truth must be True or False of each case, got int64"):
        membership.by_confidence(box, np.arange(3)).judged(np.array([0, 1, 2]))
    guessed = attributes.by_posteriors(
        box, np.array([2]), Revealed(np.array([0, 1]), np.array([0, 1]), 2), np.random.default_rng(0)
    )
    with pytest.raises(ValueError, match="truth must be values from 0 on"):
        guessed.judged(np.array([-1]))


def test_confidence_orders_people_as_the_highest_probability_does():
    proba = np.random.default_rng(0).dirichlet(np.ones(4), 50)
    assert (np.argsort(confidence(proba)) == np.argsort(proba.max(1))).all()
    certain = np.array([[1.0, 1e-9, 0], [1.0, 1e-12, 0]], np.float32)
    assert confidence(certain)[1] > confidence(certain)[0], "though both round to 1"
    assert log_odds_of(np.array([[0.8, 0.2]]), np.array([1])) == pytest.approx(np.log(0.2 / 0.8))


@pytest.mark.parametrize(("name", "theirs"), [
    ("cosine", "cosine"), ("euclidean", "euclidean"), ("correlation", "correlation"),
    ("chebyshev", "chebyshev"), ("bray-curtis", "braycurtis"), ("canberra", "canberra"),
    ("manhattan", "cityblock"), ("squared euclidean", "sqeuclidean"),
])  # fmt: skip
def test_the_eight_distances_are_those_of_scipy(name, theirs):
    one, other = np.random.default_rng(0).dirichlet(np.ones(5), (2, 20))
    expected = [getattr(reference, theirs)(*pair) for pair in zip(one, other, strict=True)]
    assert links.DISTANCES[name](one, other) == pytest.approx(np.array(expected))


def test_pairs_are_as_many_friends_as_strangers(camps):
    known = links.balanced(camps.edges, camps.num_nodes, 300, np.random.default_rng(0))
    friends = set(map(tuple, camps.edges.T.tolist()))
    assert [tuple(sorted(pair)) in friends for pair in known.pairs.T.tolist()] == known.friends.tolist()
    assert known.friends.sum() == 300
    assert len({*map(tuple, known.pairs.T.tolist())}) == known.friends.size == 600
    some = np.arange(50)
    within = links.balanced(camps.edges, camps.num_nodes, 300, np.random.default_rng(0), some)
    assert within.pairs.max() < 50


def test_two_views_hold_the_members_graph_and_everybodys(graph):
    members = coins(40, np.random.default_rng(3))
    views = TwoViews.of(graph, members)
    alone = induced(graph, np.flatnonzero(members))
    assert views.graph.num_edges == alone.num_edges + graph.num_edges
    assert (views.graph.labels[40:] == graph.labels).all()
    assert (views.graph.labels[:40][~members] == -1).all()
    assert (views.graph.features[:40][~members] == 0).all()
    assert (views.graph.features[40:] == graph.features).all()
    assert not ((views.graph.edges[0] < 40) & (views.graph.edges[1] >= 40)).any()
    degrees = np.bincount(views.graph.edges[:, views.graph.edges[1] < 40].ravel(), minlength=40)[:40]
    assert (degrees[~members] == 0).all(), "who is no member has no friend among those who train"
    assert views.covered(None) == 1 == views.covered(40)
    hypothetical = [
        sum(
            members[other] for pair in graph.edges.T.tolist() if one in pair for other in pair if other != one
        )
        for one in range(40)
    ]
    assert views.covered(2) == np.mean(np.array(hypothetical) <= 2)


def test_taking_one_member_out_changes_what_node_removal_says(graph):
    """So that a promise for that relation is one about membership."""
    members = coins(40, np.random.default_rng(3))
    person = np.flatnonzero(members)[0]
    without = members.copy()
    without[person] = False
    one, other = (TwoViews.of(graph, which).graph for which in (members, without))
    assert one.num_nodes == other.num_nodes
    differ = (one.labels != other.labels) | (one.features != other.features).any(1)
    assert set(np.flatnonzero(differ)) <= {person}
    gone = {*map(tuple, one.edges.T)} ^ {*map(tuple, other.edges.T)}
    assert all(person in pair for pair in gone)


def test_withheld_friendships_are_gone_and_the_others_stay(camps):
    asked = Withheld.of(camps, 200, np.random.default_rng(0))
    left, others = (set(map(tuple, edges.T.tolist())) for edges in (asked.graph.edges, asked.others))
    assert [tuple(pair) in left for pair in asked.pairs.T.tolist()] == asked.kept.tolist()
    assert 0.3 < asked.kept.mean() < 0.7
    assert asked.graph.num_edges == camps.num_edges - (~asked.kept).sum()
    assert not others & set(map(tuple, asked.pairs.T.tolist()))
    assert len(others) == camps.num_edges - 200


def test_a_withheld_friendship_is_one_edge_of_what_is_learned_from(camps):
    """So that a promise about one friendship is one about it; and who trains has no part in it."""
    roles = Roles.drawn(camps, np.random.default_rng(0), pairs=50)
    both_train = roles.members[roles.withheld.pairs].all(0)
    pair = tuple(roles.withheld.pairs[:, roles.withheld.kept & both_train].T[0].tolist())
    without = [edge for edge in roles.graph.edges.T.tolist() if tuple(edge) != pair]
    other = replace(roles, graph=replace(roles.graph, edges=np.array(without).T))
    one, two = (set(map(tuple, each.views.graph.edges.T.tolist())) for each in (roles, other))
    assert len(one ^ two) == 1


def test_attributes_are_labels_or_features(camps):
    assert (Attribute.of(camps).values == camps.labels).all()
    assert (Attribute.of(camps, "3").values == (camps.features[:, 3] > 0.5)).all()
    with pytest.raises(ValueError, match="attribute must be 'label', a number below 10, got 'height'"):
        Attribute.of(camps, "height")


def test_no_attack_is_told_the_truth(camps):
    """Those who are not revealed are not in what the attacker knows."""
    revealed, asked = Attribute.of(camps).revealed_by(0.1, np.random.default_rng(0))
    assert not np.intersect1d(revealed.people, asked).size
    assert revealed.people.size == 40
    assert asked.size == 360


def test_extreme_shadows_have_a_fallback():
    """Whoever was in all models, or in none, is judged by where people usually lie."""
    rng = np.random.default_rng(0)
    members = rng.random((6, 30)) < 0.5
    members[:, 0], members[:, 1] = True, False
    said = rng.normal(size=(6, 30)) + 4 * members
    shadows = Shadows(said, members, np.zeros(30, np.int64))
    odds = np.exp(np.concatenate([[4.0, 0.0], np.tile([4.0, 0.0], 14)]))
    target = BlackBox(np.column_stack([odds / (1 + odds), 1 / (1 + odds)]))
    for variance in ("pooled", "own"):
        found = membership.by_likelihood_ratio(target, np.arange(30), shadows, variance=variance)
        assert found.said[:2].tolist() == [True, False]


def test_what_is_no_knowledge_is_refused():
    proba, pairs = np.full((3, 2), 0.5), np.array([[0, 1], [1, 2]])
    with pytest.raises(ValueError, match="members must name some"):
        Shadow(proba, np.ones(3, bool))
    with pytest.raises(ValueError, match="friends must hold for some"):
        KnownPairs(pairs, np.zeros(2, bool))
    with pytest.raises(ValueError, match=r"values must lie in 0 … 1"):
        Revealed(np.arange(2), np.array([0, 2]), 2)
    with pytest.raises(ValueError, match="log_odds and members"):
        Shadows(np.zeros((2, 3)), np.zeros((2, 4), bool), np.zeros(3, int))
    one = Shadows(np.zeros((1, 3)), np.ones((1, 3), bool), np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="enough models"):
        membership.by_likelihood_ratio(BlackBox(proba), np.arange(3), one)
    with pytest.raises(ValueError, match="proba must be class probabilities"):
        BlackBox(np.array([[2.0, -1.0]]))
    revealed = Revealed(np.arange(2), np.array([0, 1]), 2)
    with pytest.raises(ValueError, match="shows no embeddings"):
        attributes.by_embeddings(BlackBox(proba), np.arange(3), revealed, np.random.default_rng(0))
    with pytest.raises(ValueError, match="share must be between 0 and 1"):
        most_likely("none", np.zeros(2), 1.0)
    with pytest.raises(ValueError, match="did you mean 'cosine'"):
        links.by_distance(BlackBox(proba), pairs, distance="cosin")
