"""How often experiments ask the same people."""

from __future__ import annotations

import dataclasses
import math

import pytest

import hushgraph as hg
from hushgraph.datasets import read, save
from hushgraph.experiments import tune, tune_lists
from hushgraph.experiments.asked import OWN, asked_by, charge, sentences
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.runner import make_plan
from hushgraph.experiments.store import Result, ResultStore
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.studies.solitude import Cell as ListCell
from hushgraph.experiments.studies.study import Outcome

ADAM = {"learning_rate": 0.01, "weight_decay": 0.001, "dropout": 0.5}
STATED = {"k_x": 2, "k_y": 1, **ADAM, "epochs": 2}


@pytest.fixture
def plan_of():
    def plan(study, cells, repeats=1):
        made = tuple(STUDIES[study].cell(**words) for words in cells)
        return make_plan([Experiment("test", "", "", STUDIES[study], made)], repeats)

    return plan


@pytest.fixture
def named(graph_file, tmp_path):
    """The same people with ids."""
    graph = read(graph_file)
    return str(
        save(
            dataclasses.replace(graph, ids=[f"p{k}" for k in range(graph.num_nodes)]), tmp_path / "named.npz"
        )
    )


def test_runs_on_the_same_reports_are_one_collection(plan_of, graph_file):
    def cells(**words):
        return [{"dataset": graph_file, "epsilon_x": 1.0, "epsilon_y": 0.5, **STATED, **words}]

    same = [*cells(), *cells(k_x=4), *cells(backbone="gat"), *cells(loss="forward")]
    asked = asked_by(plan_of("lpgnn", same))
    assert [one.guarantee.epsilon for one in asked] == [1.5]
    assert sentences(asked) == [
        f"small: 1 collection; for each person: ε = 1.5, simulated (else proven).{OWN}"
    ]
    # Another budget and another repeat ask anew.
    asked = asked_by(plan_of("lpgnn", [*same, *cells(epsilon_y=1.0)], repeats=3))
    assert len({one.key for one in asked}) == len(asked) == 6
    assert sentences(asked) == [
        "small: 6 collections of the same people; added up, for each person: ε = 10.5, simulated (else"
        f" proven).{OWN}"
    ]


def test_stand_ins_share_the_collection_of_labels(plan_of, graph_file):
    cells = [
        {"dataset": graph_file, "features": kind, "epsilon_y": 0.5, **STATED} for kind in ("ones", "degree")
    ]
    assert [one.guarantee.epsilon for one in asked_by(plan_of("lpgnn", cells))] == [0.5]


def test_every_run_of_a_curator_is_a_release(plan_of, graph_file):
    cells = [{"dataset": graph_file, "method": "gap", "epsilon": 2.0, "epochs": epochs} for epochs in (2, 3)]
    asked = asked_by(plan_of("curator", cells, repeats=2))
    assert sentences(asked) == [
        "small: 4 releases of the same people; added up, for each person: ε = 8, δ = 0.0004, simulated"
        f" (else proven over the reals).{OWN}"
    ]


def test_what_is_not_protected_is_said_and_so_is_whose_data_is_public(plan_of, graph_file):
    cells = [
        {"dataset": dataset, "features": "raw", "epsilon_y": 1.0, **STATED}
        for dataset in ("social", graph_file)
    ]
    plan = plan_of("lpgnn", cells)
    assert [one.dataset for one in asked_by(plan)] == ["social", graph_file]
    (said,) = sentences(asked_by(plan, own_people=True))
    assert said == f"small: 1 collection; for each person: not protected (ε = ∞), simulated.{OWN}"


def test_a_cell_that_fails_before_it_asks_anybody_is_left_out(plan_of, graph_file):
    cell = {"dataset": graph_file, "epsilon_x": 1.0, "epsilon_y": 1.0, **STATED, "low": 0.0, "high": 0.5}
    assert asked_by(plan_of("lpgnn", [cell])) == []


@pytest.mark.parametrize(
    ("words", "collections", "epsilon"),
    [
        ({}, 1, 0.2),
        ({"as_published": True}, 2, 2.2),
        ({"as_published": True, "epsilon_x": (0.1, 1.0), "epsilon_y": (0.1, 1.0)}, 4, 4.4),
        ({"epsilon_x": (0.1, 1.0)}, 2, 1.3),
        ({"repeats": 3}, 3, 0.6),
        ({"features": ("private", "ones", "degree")}, 2, 0.3),
        ({"features": ("ones",), "as_published": True}, 1, 1.0),
    ],
)
def test_a_search_takes_one_collection_for_each_pair_of_budgets(graph_file, words, collections, epsilon):
    budgets = {"epsilon_x": (0.1,), "epsilon_y": (0.1,)}
    asked = tune.asked(tune.Search(datasets=(graph_file,), **budgets | words))
    assert len(asked) == collections
    assert math.fsum(one.guarantee.epsilon for one in asked) == pytest.approx(epsilon)


def test_with_private_lists_the_sum_has_those_too(graph_file):
    def cells(*methods, epsilon_a=5.0):
        words = {"dataset": graph_file, "epsilon_x": 1.0, "epsilon_y": 0.5, "epsilon_a": epsilon_a}
        return [ListCell(method=method, **words) for method in methods]

    # One friendship, which stands in two lists, has more than a person's answers.
    asked = tune_lists.asked(cells("base", "lpgnn", "solitude", "blocks"), repeats=1)
    assert [one.guarantee.epsilon for one in asked] == [10.0]
    asked = tune_lists.asked([*cells("base", "solitude"), *cells("base", epsilon_a=7.0)], repeats=2)
    assert sentences(asked) == [
        "small: 4 collections of the same people; added up, for each person: ε = 48, simulated (else proven)."
        f"{OWN}"
    ]
    assert tune_lists.asked([ListCell(dataset="social", epsilon_x=1.0, epsilon_a=5.0)], repeats=1) == []


@pytest.fixture
def ledger(tmp_path):
    return hg.Ledger(4.0, path=tmp_path / "people.ledger")


def test_people_are_charged_by_their_ids_and_once_for_what_is_the_same(plan_of, named, ledger, tmp_path):
    cells = [{"dataset": named, "epsilon_x": 1.0, "epsilon_y": 0.5, **STATED}]
    results = ResultStore(tmp_path / "out", {})
    asked = asked_by(plan_of("lpgnn", cells, repeats=2))
    said = charge(ledger.path, "reproduce", asked, results, None)
    assert said.endswith("everybody is charged for 2 of 2")
    assert ledger.spent("p0") == ledger.spent("p199") == (3.0, 0.0)
    assert ledger.people == 200
    # The same command after a kill: the same seeds, the same reports.
    assert "0 of 2; the others were charged before" in charge(ledger.path, "reproduce", asked, results, None)
    assert ledger.spent("p0") == (3.0, 0.0)
    # What another folder knows it by, the ledger cannot tell: it is charged again rather than not at all.
    with pytest.raises(hg.BudgetExceededError):
        charge(ledger.path, "reproduce", asked, ResultStore(tmp_path / "t", {}), None)


def test_a_ledger_tells_nothing_of_what_people_hold(plan_of, graph_file, ledger, tmp_path):
    """Its words are made of a secret of the folder: whoever guesses the data cannot confirm it by them."""
    asked = asked_by(
        plan_of("lpgnn", [{"dataset": graph_file, "epsilon_x": 0.5, "epsilon_y": 0.5, **STATED}])
    )
    for folder in ("one", "other"):
        charge(ledger.path, "tune", asked, ResultStore(tmp_path / folder, {}), None)
    one, other = (entry.what for entry in ledger.entries)
    assert one.rpartition(" ")[0] == other.rpartition(" ")[0]
    assert one != other


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ({"method": "nip-gnn-published", "epsilon": 4.0}, "for each person: refuted, and no ε is known."),
        ({"method": "gap", "epsilon": 4.0, "relation": "edge"}, "for each friendship: ε = 4, δ ="),
    ],
)
def test_what_a_sum_is_about_and_how_well_it_is_founded_is_said(cell, said, plan_of, graph_file):
    asked = asked_by(plan_of("curator", [{"dataset": graph_file, "epochs": 1, **cell}]))
    (sentence,) = sentences(asked)
    assert said in sentence


def test_other_people_who_hold_the_same_are_charged_too(plan_of, graph_file, named, ledger, tmp_path):
    results = ResultStore(tmp_path / "out", {})
    for dataset in (graph_file, named):
        cells = [{"dataset": dataset, "epsilon_x": 1.0, "epsilon_y": 0.5, **STATED}]
        charge(ledger.path, "reproduce", asked_by(plan_of("lpgnn", cells)), results, None)
    assert ledger.spent(0) == ledger.spent("p0") == (1.5, 0.0)


def test_what_was_drawn_without_the_ledger_is_charged_too(plan_of, graph_file, ledger, tmp_path):
    cells = [{"dataset": graph_file, "epsilon_x": 1.0, "epsilon_y": 0.5, **STATED}]
    plan = plan_of("lpgnn", cells, repeats=2)
    results = ResultStore(tmp_path / "out", {})
    first = next(iter(plan.distinct.values()))
    results.put(first, Result(Outcome(0.5, 1.0, hg.Guarantee("label", 1.0)), {}))
    assert results.collections() == {first.collection}
    charge(ledger.path, "reproduce", asked_by(plan), results, None)
    # People without ids go by their numbers.
    assert ledger.spent(0) == ledger.spent("199") == (3.0, 0.0)


def test_all_are_charged_for_all_or_nobody_for_anything(plan_of, graph_file, named, ledger, tmp_path):
    cells = [
        {"dataset": dataset, "epsilon_x": epsilon, "epsilon_y": 1.0, **STATED}
        for dataset, epsilon in ((graph_file, 1.0), (named, 1.0), (named, 2.0))
    ]
    asked = asked_by(plan_of("lpgnn", cells))
    with pytest.raises(hg.BudgetExceededError, match="epsilon 5 > 4"):
        charge(ledger.path, "reproduce", asked, ResultStore(tmp_path / "out", {}), None)
    assert ledger.people == 0


def test_nobody_is_charged_for_public_graphs(plan_of, ledger, tmp_path):
    asked = asked_by(plan_of("lpgnn", [{"dataset": "social", "epsilon_x": 1.0, "epsilon_y": 1.0, **STATED}]))
    with pytest.raises(ValueError, match="for graphs of your own"):
        charge(ledger.path, "tune", asked, ResultStore(tmp_path / "out", {}), None)
