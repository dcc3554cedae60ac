"""Ballots where friendships are protected: each is one unit in one place, and the noise on it is enough."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.curator import linear
from hushgraph.curator.edge_ballots import LABELLED, QUERIED, SILENT, Places, likeliest
from hushgraph.curator.whole_noise import FINE, laplace_rate, whole_laplace

RATE = FINE


def world(rng, people=12, classes=3):
    """Who is who, friendships, scores, labels and noise, at random."""
    places = Places(rng.integers(0, 3, people), classes)
    edges = np.argwhere(np.triu(rng.random((people, people)) < 0.4, 1)).T
    scores, labels = rng.normal(size=(people, classes)), rng.integers(0, classes, people)
    return places, edges, scores, labels, whole_laplace(places.shape, RATE, rng)


def test_with_given_votes_a_friendship_is_one_unit_in_one_place(rng):
    for _ in range(30):
        places, edges, _, votes, _ = world(rng)
        whole = places.counted(edges, votes)
        # Whoever is neither first nor second of a pair has no part in where it counts.
        one_by_one = [places.counted(edges[:, [i]], votes) for i in range(edges.shape[1])]
        assert all(one.sum() == one.max() == 1 and one.min() == 0 for one in one_by_one)
        assert (whole == sum(one_by_one)).all()


def test_for_any_noise_there_is_one_a_unit_away_that_releases_the_same_without_a_friendship(rng):
    """So a friendship costs what a unit of Laplace noise costs, though later votes read earlier rows."""
    for _ in range(12):
        places, edges, scores, labels, noise = world(rng)
        out = places.released(edges, scores, labels, noise, RATE)
        for gone in range(edges.shape[1]):
            less = np.delete(edges, gone, axis=1)
            heard = places.heard(scores, out, RATE, SILENT)
            first, then = (
                places.counted(less, np.where(places.rank == LABELLED, labels, said.argmax(1)))
                for said in (scores, heard)
            )
            other = out - np.concatenate([first[: places.silent.stop], then[places.queried]])
            assert np.abs(other - noise).sum() == 1
            assert (places.released(less, scores, labels, other, RATE) == out).all()


def test_whoever_is_silent_votes_by_what_their_friends_told():
    """Features say class 0 of person 16; all eight friends are of class 1, and so is the vote for 17."""
    places = Places(np.array([LABELLED] * 16 + [SILENT, QUERIED]), 2)
    labels = np.repeat([0, 1, 0], [8, 8, 2])
    camps = [(one, two) for one in range(16) for two in range(one) if labels[one] == labels[two]]
    pairs = [*camps, *((one, 16) for one in range(8, 16)), (16, 17)]
    scores, silence = np.tile([0.5, 0.0], (18, 1)), np.zeros(places.shape, int)
    out = places.released(np.array(pairs).T, scores, labels, silence, 64 * FINE)
    assert out.tolist() == [[28, 0], [0, 28], [0, 8], [0, 1]]
    assert places.alike(out) > 0.9
    found = places.heard(places.heard(scores, out, 64 * FINE, SILENT), out, 64 * FINE, QUERIED)
    assert found.argmax(1)[16:].tolist() == [1, 1]


def test_the_likeliest_logits_are_taken_at_the_scale_that_labels_bear_out(rng):
    labels = rng.integers(0, 3, 400)
    truth = np.log(np.where(np.eye(3, dtype=bool)[labels], 0.6, 0.2))
    drawn = np.array([rng.choice(3, p=np.exp(one)) for one in truth])
    sure, known = truth * 8, np.arange(400)
    found = likeliest([rng.normal(size=(400, 3)), sure], known, drawn)
    assert np.abs(found - truth).max() < 0.3
    # With nobody to tell, the first as they are.
    assert (likeliest([truth, sure], known[:0], drawn) == linear.log_softmax(truth)).all()


@pytest.fixture(scope="module")
def people():
    return hg.datasets.social(n=600, features=60, classes=3, mean_degree=8.0, seed=12, homophily=0.9)


def test_noise_is_on_every_place_at_the_rate_of_all_epsilon(people, monkeypatch):
    split = hg.random_split(people, train=0.5, val=0.2, seed=1, everyone=True)
    seen, drawn = [], []

    def watched(shape, rate, rng):
        drawn.append((shape, rate))
        return whole_laplace(shape, rate, rng)

    monkeypatch.setattr("hushgraph.curator.ballots.whole_laplace", watched)
    model = hg.Ballots(2.0, relation="edge", epochs=2, random_state=1)
    model.fit(people, split, observe=seen.append)
    places = 3 + split.val.size + split.test.size
    assert drawn == [((places, 3), laplace_rate(2.0, 1))]
    assert [(one.part, one.values.shape) for one in seen] == [("ballots", (places, 3))]
    assert math.isclose(model.guarantee.epsilon, 2.0)
    alike = (people.labels[people.edges[0]] == people.labels[people.edges[1]]).mean()
    assert abs(model.homophily_ - alike) < 0.1


def test_friends_are_worth_having(people, monkeypatch):
    """Where likes say little and friends are alike: by 15 points on average over two splits."""
    plain = hg.Graph(people.edges, people.features[:, :6], people.labels, num_classes=3)
    splits = [hg.random_split(plain, train=0.75, val=0.1, seed=seed, everyone=True) for seed in (100, 101)]

    def accuracy():
        model = hg.Ballots(2.0, relation="edge", epochs=2, random_state=1)
        return np.mean([hg.accuracy(model.fit(plain, one), plain, one.test) for one in splits])

    found = accuracy()
    monkeypatch.setattr(Places, "heard", lambda _self, scores, *_: scores.copy())
    assert found > accuracy() + 0.15
