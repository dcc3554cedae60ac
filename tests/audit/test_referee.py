"""The referee: exact worst-case losses over all small graphs and all their neighbours."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chisquare

from hushgraph.audit import worst_answer_loss, worst_laplace_loss
from hushgraph.curator import nip_sound
from hushgraph.curator.individual_noise import published_weights, sound_weights
from hushgraph.curator.nip_head import label_answers
from hushgraph.curator.noisy_edges import published_lists
from hushgraph.curator.sums import adjacency_matrix, capped
from hushgraph.mechanisms import AdjacencyRandomizedResponse, RandomizedResponse
from hushgraph.privacy.sensitivities import Changes

RELATIONS = ["edge", "node-removal", "node-replacement"]
EPSILON = 1.5
# Nothing, two columns, and a row that is spread over both; in one column for five people.
GRID = np.array([[0, 0], [1, 0], [0, 1], [-0.5, 0.5]])
COLUMN = np.array([[0.0], [1.0], [-1.0]])


def noise_of(relation, max_degree, bounded=True):
    """What the release itself plans, with the whole of ε for each part in turn."""
    budget = dict.fromkeys(("degrees", "edges", "aggregation"), EPSILON)
    return nip_sound.Noise.planned(budget, Changes(relation, max_degree, bounded))


def sums(edges, rows):
    """What the sound release adds noise to, for many assignments of rows."""
    many, people, width = rows.shape
    whole = nip_sound.whole_rows(rows.reshape(-1, width), 64).reshape(many, people, width)
    summed = nip_sound.whole_sums(edges, np.moveaxis(whole, 1, 0).reshape(people, -1))
    return np.moveaxis(summed.reshape(people, many, width), 0, 1)


def sound_sums(people, relation, max_degree, ranks):
    scales = noise_of(relation, max_degree).sum_scales(sound_weights(ranks, max_degree, relation))
    return lambda edges, rows: (sums(edges, rows), scales)


def published_sums(people, epsilon=EPSILON):
    """With ranks that are public, which is more than the paper has."""

    def release(edges, rows):
        degrees = np.bincount(edges.ravel(), minlength=people)
        weights = published_weights(np.arange(1, people + 1), edges, people)
        return adjacency_matrix(edges, people).toarray() @ rows, 2 * max(1, degrees.max()) / (
            epsilon * weights
        )

    return release


def cap_of(relation, max_degree):
    return None if relation == "edge" else max_degree


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(
    ("people", "max_degree"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 2), (5, 4)]
)
def test_sound_sums_keep_their_budget(relation, people, max_degree):
    release = sound_sums(people, relation, max_degree, np.arange(1, people + 1))
    grid = GRID if people < 5 else COLUMN
    found = worst_laplace_loss(release, people, grid, relation, cap_of(relation, max_degree))
    assert 0 < found.loss <= EPSILON
    # The worst pair again, in exact arithmetic.
    one, other = (release(edges, rows[None]) for edges, rows in (found.one, found.other))
    changed = np.abs(one[0] - other[0])[0].sum(axis=1)
    exact = sum(Fraction(int(c), int(s)) for c, s in zip(changed, one[1], strict=True))
    assert exact <= Fraction(EPSILON)


@pytest.mark.parametrize(("relation", "people"), [("edge", 3), ("node-removal", 4), ("node-replacement", 5)])
def test_the_budget_is_reached(relation, people):
    """By the same weight for everybody, where there are enough people for a whole new circle of friends."""
    ranks = np.full(people, people)
    release = sound_sums(people, relation, 2, ranks)
    found = worst_laplace_loss(release, people, COLUMN, relation, cap_of(relation, 2))
    assert found.loss == pytest.approx(EPSILON, rel=1e-3)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(("people", "max_degree"), [(3, 2), (4, 2), (5, 2), (5, 4)])
def test_noisy_degrees_keep_their_budget(relation, people, max_degree):
    scale = noise_of(relation, max_degree).degree_scale

    def release(edges, rows):
        degrees = np.bincount(edges.ravel(), minlength=people)
        return np.broadcast_to(degrees[None, :, None], (len(rows), people, 1)), np.full(people, scale)

    found = worst_laplace_loss(release, people, [[0]], relation, cap_of(relation, max_degree))
    assert 0 < found.loss <= EPSILON
    # Scales are whole numbers, rounded up.
    if relation == "node-removal":
        assert found.loss >= EPSILON * (scale - 2) / scale


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("kept", [1.0, 0.5, 0.01])
@pytest.mark.parametrize(("people", "max_degree"), [(4, 2), (5, 2), (5, 4)])
def test_the_randomised_graph_keeps_its_budget_however_it_is_thinned(relation, kept, people, max_degree):
    response = AdjacencyRandomizedResponse(noise_of(relation, max_degree).pair_epsilon)

    def probabilities(edges):
        friends = adjacency_matrix(edges, people).toarray()[np.triu_indices(people, 1)] > 0
        return [kept * float(response.probability(True, bool(entry))) for entry in friends]

    found = worst_answer_loss(probabilities, people, relation, cap_of(relation, max_degree))
    assert 0 < found.loss <= EPSILON * (1 + 1e-9)
    if relation != "node-replacement" or people > 2 * max_degree:
        assert found.loss == pytest.approx(EPSILON, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.5, 8.0])
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_label_answers_keep_their_budget_and_an_empty_place_looks_like_everybody(epsilon, classes):
    response = RandomizedResponse(epsilon, classes)
    answers = [
        [float(response.probability(answer, label)) for answer in range(classes)] for label in range(classes)
    ]
    drawn = label_answers(np.full(60_000, -1), response, np.random.default_rng(0))
    counts = np.bincount(drawn, minlength=classes)
    assert chisquare(counts).pvalue > 1e-4
    answers.append([1 / classes] * classes)
    losses = [abs(np.log(one) - np.log(other)).max() for one in map(np.array, answers) for other in answers]
    assert max(losses) <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("people", [3, 4, 5])
def test_the_published_noise_violates_every_budget(people):
    found = worst_laplace_loss(published_sums(people), people, COLUMN, "node-removal")
    assert found.loss == np.inf


@pytest.mark.parametrize("leaves", [2, 4, 168])
def test_the_hub_of_a_star_costs_more_than_claimed_even_with_the_same_scales(leaves):
    """ε_A·(D + 1)/2, as computed by hand."""
    star = np.stack([np.zeros(leaves, np.int32), np.arange(1, leaves + 1, dtype=np.int32)])
    release = published_sums(leaves + 1)
    before, scales = release(star, np.ones((leaves + 1, 1)))
    after, _ = release(np.empty((2, 0), np.int32), np.zeros((leaves + 1, 1)))
    loss = (np.abs(before - after).sum(axis=1) / scales).sum()
    assert loss == pytest.approx(EPSILON * (leaves + 1) / 2)


@pytest.mark.parametrize("reading", ["text", "equations"])
def test_the_published_graph_has_outcomes_that_only_one_of_two_neighbours_can_have(reading):
    people, draws = 3, 400
    rng = np.random.default_rng(0)

    def probabilities(edges):
        named = np.zeros((people, people))
        for _ in range(draws):
            rows = published_lists(edges, people, EPSILON, rng, sampling=True, reading=reading)
            np.add.at(named, rows, 1)
        return named.ravel() / draws

    found = worst_answer_loss(probabilities, people, "node-removal")
    assert found.loss == np.inf


def kept_by(order, people, max_degree):
    """What a cap leaves of a graph, where pairs have priorities in this order."""
    priorities = np.zeros((people, people), np.uint64)
    priorities[np.triu_indices(people, 1)] = order
    return lambda edges: capped(edges, people, max_degree, priorities[tuple(edges)])


@pytest.fixture(params=range(3))
def order(request):
    """Of the ten pairs of five people."""
    return np.random.default_rng(request.param).permutation(10)


PERSONS = ["node-removal", "node-replacement"]
# The budget is reached where there are enough people to be moved up, whatever the order.
UNDER_A_CAP = [(1, "node-removal", 1.0), (1, "node-replacement", 1.0), (2, "node-removal", 0.5)]


@pytest.mark.parametrize(("max_degree", "relation", "reached"), UNDER_A_CAP)
def test_sums_under_a_cap_keep_their_budget_whoever_else_is_there(max_degree, relation, reached, order):
    kept = kept_by(order, 5, max_degree)
    weights = sound_weights(np.full(5, 5), max_degree, relation)
    scales = noise_of(relation, max_degree, bounded=False).sum_scales(weights)
    found = worst_laplace_loss(
        lambda edges, rows: (sums(kept(edges), rows), scales),
        5, COLUMN, relation, max_degree, bounded=False,
    )  # fmt: skip
    assert reached * EPSILON * (1 - 1e-3) <= found.loss <= EPSILON


@pytest.mark.parametrize("relation", PERSONS)
def test_individual_weights_under_a_cap_keep_their_budget(relation, order):
    kept = kept_by(order, 5, 1)
    scales = noise_of(relation, 1, bounded=False).sum_scales(sound_weights(np.arange(1, 6), 1, relation))
    found = worst_laplace_loss(
        lambda edges, rows: (sums(kept(edges), rows), scales), 5, COLUMN, relation, 1, bounded=False
    )
    assert 0 < found.loss <= EPSILON


@pytest.mark.parametrize("relation", PERSONS)
@pytest.mark.parametrize("max_degree", [1, 2])
def test_degrees_and_pairs_under_a_cap_keep_their_budget(relation, max_degree, order):
    kept, noise = kept_by(order, 5, max_degree), noise_of(relation, max_degree, bounded=False)
    response = AdjacencyRandomizedResponse(noise.pair_epsilon)
    yes = {friends: float(response.probability(True, friends)) for friends in (True, False)}

    def degrees(edges, rows):
        counted = np.bincount(kept(edges).ravel(), minlength=5)
        return np.broadcast_to(counted[None, :, None], (len(rows), 5, 1)), np.full(5, noise.degree_scale)

    def answers(edges):
        friends = adjacency_matrix(kept(edges), 5).toarray()[np.triu_indices(5, 1)] > 0
        return [yes[bool(entry)] for entry in friends]

    found = worst_laplace_loss(degrees, 5, [[0]], relation, max_degree, bounded=False)
    assert EPSILON * (1 - 2 / noise.degree_scale) <= found.loss <= EPSILON
    found = worst_answer_loss(answers, 5, relation, max_degree, bounded=False)
    assert 0 < found.loss <= EPSILON * (1 + 1e-9)
    if max_degree == 1:
        assert found.loss == pytest.approx(EPSILON, rel=1e-9)


@pytest.mark.parametrize("relation", PERSONS)
def test_without_a_price_for_what_moves_up_a_cap_breaks_its_promise(relation, order):
    """What was promised before: the price of graphs in which nobody is above the cap."""
    kept, scales = kept_by(order, 5, 1), noise_of(relation, 1).sum_scales(np.ones(5))
    found = worst_laplace_loss(
        lambda edges, rows: (sums(kept(edges), rows), scales), 5, COLUMN, relation, 1, bounded=False
    )
    assert found.loss == pytest.approx(2 * EPSILON, rel=1e-3)


def test_people_above_the_cap_are_not_covered(order):
    kept, scales = kept_by(order, 5, 1), noise_of("node-removal", 1, bounded=False).sum_scales(np.ones(5))
    release = lambda edges, rows: (sums(kept(edges), rows), scales)  # noqa: E731
    assert worst_laplace_loss(release, 5, COLUMN, "node-removal", bounded=False).loss > EPSILON
