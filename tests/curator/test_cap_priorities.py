"""Which friendships a cap drops follows from words alone that nobody's data has touched."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.curator import run as runs
from hushgraph.curator.parts import Terms, randomized
from hushgraph.curator.run import PrivateRun
from hushgraph.mechanisms import SecureRandom
from hushgraph.mechanisms.randomness import words

PEOPLE, CAP = 12, 2
NOBODY = np.array([], int)
SPLIT = hg.Split(np.arange(PEOPLE), NOBODY, NOBODY)
TERMS = Terms("node-removal", 1.0, None, CAP, (randomized("sums", 1.0, "sums"),), {"sums": 1.0})


class Scripted(SecureRandom):
    """Gives the words that were written down."""

    def __init__(self, script):
        self.script = script

    def _words(self, count):
        assert count == self.script.size
        return self.script.copy()


def people(rng, density):
    friends = np.triu(rng.random((PEOPLE, PEOPLE)) < density, 1)
    return hg.Graph(np.stack(np.nonzero(friends)), rng.random((PEOPLE, 3)), rng.integers(0, 2, PEOPLE), 2)


def without(graph, person):
    features, labels = graph.features.copy(), graph.labels.copy()
    features[person], labels[person] = 0, -1
    edges = graph.edges[:, (graph.edges != person).all(axis=0)]
    return replace(graph, edges=edges, features=features, labels=labels)


@pytest.fixture
def begun(monkeypatch):
    """A run, and the priority of each pair that the cap was given."""

    def begin(graph, table=None, **settings):
        given = {}

        def watched(edges, count, cap, priorities):
            assert (count, cap) == (PEOPLE, CAP)
            given.update(zip(pairs(edges), priorities.tolist(), strict=True))
            return capped(edges, count, cap, priorities)

        def source(run, stream):
            return Scripted(table[tuple(graph.edges)]) if stream == "cap" else SecureRandom()

        with monkeypatch.context() as patch:
            patch.setattr(runs, "capped", watched)
            if table is not None:
                patch.setattr(PrivateRun, "_source", source)
            return PrivateRun(TERMS, graph, SPLIT, **settings), given

    capped = runs.capped
    return begin


def pairs(edges):
    return list(zip(*edges.tolist(), strict=True))


def first_of_both(graph, table):
    """The friendships that are among the first of both ends, one by one."""
    lists = {
        person: sorted((pair for pair in pairs(graph.edges) if person in pair), key=lambda pair: table[pair])
        for person in range(PEOPLE)
    }
    return {pair for pair in pairs(graph.edges) if all(pair in lists[end][:CAP] for end in pair)}


def test_a_pair_has_its_own_word_whoever_else_is_there_and_one_person_moves_few(begun, rng):
    """Each word belongs to a pair: with somebody gone, every other pair keeps its own."""
    most = 0
    for density in (0.2, 0.4, 0.6) * 20:
        graph = people(rng, density)
        table = rng.integers(0, 2**64, (PEOPLE, PEOPLE), np.uint64)
        whole, given = begun(graph, table)
        assert given == {pair: int(table[pair]) for pair in pairs(graph.edges)}
        assert set(pairs(whole.edges)) == first_of_both(graph, table)
        degrees = np.bincount(graph.edges.ravel(), minlength=PEOPLE)
        for person in np.flatnonzero(degrees <= CAP)[:2]:
            rest, still = begun(without(graph, person), table)
            assert still == {pair: word for pair, word in given.items() if person not in pair}
            most = max(most, len(set(pairs(whole.edges)) ^ set(pairs(rest.edges))))
    assert most == 2 * CAP


def test_with_a_seed_the_words_are_those_that_were_drawn(begun, rng):
    graph = people(rng, 0.5)
    run, given = begun(graph, random_state=3)
    assert list(given.values()) == words(run.coins("cap"), graph.num_edges).tolist()
