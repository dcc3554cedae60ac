"""How many samples a neighboring graph changes: counted in what networks are trained on."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from tests.curator.extremal import apart, spread

import hushgraph as hg
from hushgraph.curator import DPDGC, DPMLP, DPSAGE, GAP, dp_sgd, sums
from hushgraph.curator.run import PrivateRun

PERSONS = ["node-removal", "node-replacement"]
NOBODY = np.array([], int)
DEGREE = 3


@pytest.fixture
def samples(monkeypatch):
    """The inputs and labels of each training, and how many samples are accounted for.

    What was released before is given: the theorems go from one release to the next.
    """
    release = PrivateRun.release
    seen = []

    def given(run, name, values, sensitivity):
        return torch.zeros_like(release(run, name, values, sensitivity))

    def train(network, inputs, labels, *_, **__):
        matrix = inputs.matrix
        seen.append((matrix.toarray() if sp.issparse(matrix) else matrix, labels.numpy()))

    monkeypatch.setattr(PrivateRun, "release", given)
    monkeypatch.setattr(dp_sgd, "train", train)

    def trained(method, graph, pair=None, **settings):
        if pair is not None:
            monkeypatch.setattr(
                "hushgraph.curator.run.capped",
                lambda edges, people, cap, _: sums.capped(edges, people, cap, pair.priorities[tuple(edges)]),
            )
        seen.clear()
        model = method(4.0, epochs=1, random_state=0, **settings)
        split = hg.Split(np.arange(graph.num_nodes), NOBODY, NOBODY)
        touched = {part.name: part.touched for part in model.begin(graph, split).accounted}
        model.fit(graph, split, first_weights=1)
        trainings = [part.name for part in model.parts() if part.kind == "training"]
        return dict(zip(trainings, seen, strict=True)), {name: touched.get(name, 0) for name in trainings}

    return trained


def changed(here, there):
    """How many samples of each training are others."""
    return {
        name: int(((rows != there[name][0]).any(axis=1) | (labels != there[name][1])).sum())
        for name, (rows, labels) in here.items()
    }


@pytest.mark.parametrize("method", [DPMLP, DPSAGE, DPDGC, GAP])
@pytest.mark.parametrize("relation", PERSONS)
@pytest.mark.parametrize(("build", "bounded"), [(apart, True), (spread, False)])
def test_a_person_changes_as_many_samples_as_are_accounted(method, relation, build, bounded, samples):
    pair = build(relation, DEGREE)
    cap = {} if method is DPMLP else {"max_degree": DEGREE, "bounded": bounded}
    (here, accounted), (there, same) = (
        samples(method, graph, pair, relation=relation, **cap) for graph in pair.graphs(relation)
    )
    assert accounted == same == changed(here, there)


@pytest.mark.parametrize("method", [DPSAGE, DPDGC, GAP])
def test_an_edge_changes_as_many_samples_as_are_accounted(method, samples):
    pair = apart("node-removal", DEGREE)
    (here, accounted), (there, same) = (
        samples(method, pair.graph(friends, 1), relation="edge") for friends in (pair.friends[0][:1], [])
    )
    assert accounted == same == changed(here, there)
