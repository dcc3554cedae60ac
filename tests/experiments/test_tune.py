"""The search for hyper-parameters."""

from __future__ import annotations

import json
import math

import pytest

from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.runs import digest_of
from hushgraph.experiments.store import ResultStore
from hushgraph.experiments.tune import Search, asked, search

SMALL = {
    "epochs": 3,
    "learning_rates": (0.01,),
    "weight_decays": (0.001,),
    "dropouts": (0.0, 0.5),
    "steps": (0, 2),
}


def test_both_stages_are_searched_and_the_result_is_usable(graph_file, tmp_path):
    budgets = {"epsilon_x": (0.5, math.inf), "epsilon_y": (1.0, math.inf)}
    wanted = Search(datasets=(graph_file,), **budgets, features=("private", "ones"), **SMALL)
    results = ResultStore(tmp_path / "runs", {})
    stages = []

    def searched():
        return search(
            wanted, results, jobs=2, device="cpu", on_progress=lambda stage, _: stages.append(stage)
        )

    found = searched()
    assert list(dict.fromkeys(stages)) == ["Adam's settings", "KProp's steps", "stand-ins"]
    assert {key[1:] for key in found.optimizer} == {
        *(("private", x, y) for x in (0.5, math.inf) for y in (1.0, math.inf)),
        ("ones", math.inf, 1.0),
        ("ones", math.inf, math.inf),
    }
    assert {key[1:] for key in found.steps if key[1] == "private"} == {
        ("private", x, y) for x in (0.5, math.inf) for y in (1.0, math.inf)
    }
    assert all(steps["k_y"] == 0 for key, steps in found.steps.items() if math.isinf(key[3]))
    found.write(tmp_path / "tuned.json")
    again = Hyperparameters.read(tmp_path / "tuned.json")
    assert again.look_up(graph_file, "ones", math.inf, 1.0)["k_x"] == 0
    assert set(again.look_up(graph_file, "private", 0.5, 1.0)) == {
        "k_x", "k_y", "learning_rate", "weight_decay", "dropout",
    }  # fmt: skip

    # Finished trials are not repeated.
    stages.clear()
    assert searched() == found
    assert stages == []


@pytest.mark.parametrize(
    ("how", "budgets_of_adam", "adds_up"),
    [
        ({}, {(0.1, 0.1)}, "1 collection; for each person: ε = 0.2, simulated"),
        (
            {"as_published": True},
            {(1.0, 1.0)},
            "2 collections of the same people; added up, for each person: ε = 2.2",
        ),
        (
            {"repeats": 2},
            {(0.1, 0.1)},
            "2 collections of the same people; added up, for each person: ε = 0.4",
        ),
    ],
)
def test_what_is_said_to_be_asked_is_what_is_asked(graph_file, tmp_path, how, budgets_of_adam, adds_up):
    wanted = Search(datasets=(graph_file,), epsilon_x=(0.1,), epsilon_y=(0.1,), **how, **SMALL)
    results = ResultStore(tmp_path / "runs", {})
    found = search(wanted, results, jobs=2, device="cpu")
    assert {key[2:] for key in found.optimizer} == budgets_of_adam
    assert results.collections() == {one.key for one in asked(wanted)}
    assert adds_up in found.source
    # Whatever way they were found, they are found again.
    assert found.look_up(graph_file, "private", 0.1, 0.1)["learning_rate"] == 0.01


def test_the_lowest_validation_loss_wins(graph_file, tmp_path):
    wanted = Search(datasets=(graph_file,), epsilon_x=(1.0,), epsilon_y=(1.0,), **SMALL)
    results = ResultStore(tmp_path / "runs", {})
    found = search(wanted, results, jobs=1, device="cpu")
    losses = {}
    for path in (tmp_path / "runs" / "runs").iterdir():
        document = json.loads(path.read_text())
        model, outcome = document["run"]["configuration"]["model"], document["outcome"]
        rank = (not outcome["details"]["within_limit"], outcome["value"])
        losses[digest_of(model)] = (rank, model)
    chosen = found.look_up(graph_file, "private", 1.0, 1.0)
    second_stage = [pair for pair in losses.values() if pair[1]["k_x"] in SMALL["steps"]]
    _, best = min(second_stage, key=lambda pair: pair[0])
    assert (best["k_x"], best["k_y"]) == (chosen["k_x"], chosen["k_y"])


def test_a_trial_that_fails_cannot_win_and_stand_ins_are_found_at_their_own_budget(graph_file, tmp_path):
    wild = {**SMALL, "learning_rates": (1e30, 0.01), "dropouts": (0.5,)}
    wanted = Search(datasets=(graph_file,), epsilon_x=(1.0,), epsilon_y=(0.5,), features=("ones",), **wild)
    failures = []
    found = search(
        wanted, ResultStore(tmp_path / "runs", {}), jobs=1, device="cpu", on_failure=failures.append
    )
    assert len(failures) == 1
    assert "not a number" in failures[0]
    assert found.look_up(graph_file, "ones", math.inf, 0.5)["learning_rate"] == 0.01


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"epsilon_x": ()}, "epsilon_x must name at least one value"),
        ({"features": ("onse",)}, "did you mean 'ones'"),
        ({"repeats": 0}, "repeats must be a whole number"),
    ],
)
def test_a_search_without_sense_is_refused(words, message):
    with pytest.raises(ValueError, match=message):
        Search(**{"datasets": ("cora",), "epsilon_x": (1.0,), "epsilon_y": (1.0,), **words})
