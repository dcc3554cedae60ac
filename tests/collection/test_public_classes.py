"""Which classes there are: from a public list, or off what people hold, and then every statement says so."""

from __future__ import annotations

import itertools

import networkx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.data import Data

import hushgraph as hg
from hushgraph.curator import NIPGNN
from hushgraph.datasets import from_networkx, from_pyg, from_scipy, read, save

PUBLIC = ["0", "1", "2"]
EDGES = np.array([[0, 1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7]])
FEATURES = np.eye(8, 3)
SPLIT = hg.Split(np.array([0, 1, 2, 7]), np.array([4, 5]), np.array([3, 6]))
LABELS = [0, 1, 0, 1, 0, 1, 0, 1]


def by_hand(labels, classes, folder):
    return hg.Graph(EDGES, FEATURES, np.array(labels), num_classes=0 if classes is None else len(classes))


def by_names(labels, classes, folder):
    return hg.Graph(EDGES, FEATURES, np.array(labels), classes=tuple(classes or ()))


def by_tables(labels, classes, folder):
    np.savetxt(folder / "e.csv", EDGES.T, "%d", ",", header="from,to", comments="")
    table = np.column_stack([np.arange(8), FEATURES])
    np.savetxt(folder / "x.csv", table, "%g", ",", header="id,a,b,c", comments="")
    np.savetxt(
        folder / "y.csv", np.column_stack([np.arange(8), labels]), "%d", ",", header="id,y", comments=""
    )
    return read(folder / "e.csv", folder / "x.csv", folder / "y.csv", classes=classes)


def by_file(labels, classes, folder):
    return read(save(by_hand(labels, classes, folder), folder / "graph.npz"))


def by_foreign_file(labels, classes, folder):
    stated = {} if classes is None else {"classes": np.array(classes)}
    np.savez(folder / "graph.npz", edge_index=EDGES, x=FEATURES, y=np.array(labels), **stated)
    return read(folder / "graph.npz")


def by_scipy(labels, classes, folder):
    adjacency = sp.coo_array((np.ones(EDGES.shape[1]), EDGES), shape=(8, 8))
    return from_scipy(adjacency, FEATURES, np.array(labels), classes=classes)


def by_pyg(labels, classes, folder):
    data = Data(torch.from_numpy(FEATURES), torch.from_numpy(EDGES), y=torch.tensor(labels))
    return from_pyg(data, classes=classes)


def by_networkx(labels, classes, folder):
    graph = networkx.Graph(EDGES.T.tolist())
    for person in range(8):
        graph.nodes[person].update(x=FEATURES[person], y=labels[person])
    return from_networkx(graph, classes=classes)


WAYS = [by_hand, by_names, by_tables, by_file, by_foreign_file, by_scipy, by_pyg, by_networkx]


def stated(graph, labels):
    """All that is said in public of a graph and of what is learned from it."""
    collected = hg.collect(graph, SPLIT, features=hg.MultiBit(1.0), labels=labels)
    asked = collected.campaign
    promises = [
        collected.guarantee,
        *map(collected.guarantee_of, (5, 6)),
        NIPGNN(4.0, batch_size=2).promise(graph, SPLIT),
    ]
    texts = [repr(graph), repr(collected), asked.to_json(), asked.id, *map(str, promises)]
    return promises, (graph.classes, graph.num_classes, texts)


def of_both(way, classes, folder, labels=None):
    """What is stated where person 7 has class 1, and where they alone have the last class, 2."""
    return [
        stated(way([*LABELS[:-1], last], classes, folder), labels or hg.RandomizedResponse(1.0))
        for last in (1, 2)
    ]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("labels", [hg.RandomizedResponse(1.0), hg.RandomizedResponse(1.0, num_classes=3)])
def test_with_a_public_list_nobodys_label_changes_anything_that_is_stated(way, labels, tmp_path):
    (promises, one), (_, other) = of_both(way, PUBLIC, tmp_path, labels)
    assert one == other
    assert one[1] == 3
    assert [promised.status for promised in promises] == ["proven"] * 4


@pytest.mark.parametrize("way", WAYS)
def test_a_list_that_is_read_off_labels_makes_every_statement_a_claim(way, tmp_path):
    both = of_both(way, None, tmp_path)
    for promised in itertools.chain.from_iterable(promises for promises, _ in both):
        assert promised.status == "claimed"
        assert "the list of classes was taken from the" in str(promised)


@pytest.mark.parametrize("way", WAYS)
def test_a_mechanism_over_other_classes_than_the_list_is_an_error(way, tmp_path):
    for classes in (PUBLIC, None):
        with pytest.raises(ValueError, match="over 10 classes, but there are"):
            stated(way(LABELS, classes, tmp_path), hg.RandomizedResponse(1.0, num_classes=10))


@pytest.mark.parametrize("way", WAYS)
def test_a_label_outside_the_public_list_is_an_error_that_does_not_repeat_it(way, tmp_path):
    with pytest.raises(ValueError, match=r"class|labels must lie in") as refused:
        way([*LABELS[:-1], 7654], PUBLIC, tmp_path)
    assert "7654" not in str(refused.value)
