"""The study of methods with a trusted curator."""

from __future__ import annotations

import json
import math

import pytest

import hushgraph as hg
from hushgraph.datasets import read
from hushgraph.experiments import declared
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies import curator
from hushgraph.experiments.studies.curator import METHODS, Cell

NONE = Hyperparameters("nobody", {}, {})


def measured(dataset, method, seed=3, known_as=None, **words):
    cell = Cell(dataset=known_as or dataset, method=method, **{"epsilon": 4, "epochs": 2} | words)
    return curator.STUDY.measure(
        read(dataset), curator.configure(cell, NONE), seed, "cpu", lambda _share: None
    )


def test_a_run_is_what_the_library_does(graph_file):
    graph = read(graph_file)
    split = hg.random_split(graph, train=0.75, val=0.1, seed=3)
    for known_as, common in (("social", True), (None, False)):
        model = hg.GAP(4.0, epochs=2, random_state=3)
        model.fit(graph, split, first_weights=3, common_noise=common)
        outcome = measured(graph_file, "gap", known_as=known_as)
        assert outcome.value == hg.accuracy(model, graph, split.test)
        assert outcome.guarantee == model.guarantee
        assert outcome.details == {}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("epsilon", [4.0, math.inf])
def test_every_method_can_be_measured_at_any_budget(method, epsilon, graph_file):
    outcome = measured(graph_file, method, epsilon=epsilon)
    assert 0 <= outcome.value <= 1
    assert (outcome.guarantee.status == "none") == math.isinf(epsilon)


def test_a_configuration_is_plain_and_has_no_seed():
    for cell in declared.packaged()["nip-gnn/figure1"].cells[:40:7]:
        plain = curator.configure(cell, NONE)
        assert json.loads(json.dumps(plain)) == plain
        assert not {"random_state", "device"} & plain["model"].keys()


def test_a_scheme_splits_the_budget_over_what_the_method_has():
    budgets = [
        Cell(dataset="cora", method=method, epsilon=6, scheme="less_for_sums").model().budget
        for method in ("nip-gnn-published", "nip-gnn")
    ]
    assert budgets[0] == {"edges": 2.0, "aggregation": 1.0, "labels": 3.0}
    assert budgets[1] == {"degrees": 1.5, "edges": 1.5, "aggregation": 0.75, "labels": 2.25}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"epsilon": 0}, "epsilon must be above 0"),
        ({"method": "gcn"}, "method must be one of"),
        ({"relation": "person"}, "relation must be one of"),
        ({"method": "dp-mlp", "relation": "edge"}, "relation must be one of"),
        ({"scheme": "none"}, "scheme must be one of"),
        ({"max_degree": 0}, "max_degree"),
    ],
)
def test_bad_words_are_refused(words, message):
    with pytest.raises(ValueError, match=message):
        Cell(**{"dataset": "cora", "method": "nip-gnn", "epsilon": 4} | words)
