"""Hyper-parameters of cells."""

from __future__ import annotations

import math

import pytest

from hushgraph.experiments import declared
from hushgraph.experiments.hyperparameters import Hyperparameters


def test_the_published_choice_is_found_for_the_pair_of_budgets():
    published = Hyperparameters.published()
    assert published.look_up("cora", "private", 0.1, 2.0) == {
        "k_x": 16, "k_y": 4, "learning_rate": 0.01, "weight_decay": 0.001, "dropout": 0.5,
    }  # fmt: skip
    # Stand-ins have their own optimiser and the steps of true features.
    assert published.look_up("facebook", "ones", math.inf, 1.0) == {
        "k_x": 0, "k_y": 2, "learning_rate": 0.0001, "weight_decay": 0.01, "dropout": 0.75,
    }  # fmt: skip


def test_exact_budgets_come_before_those_as_tuned_at_one():
    def row(feature, epsilon_x, epsilon_y, dropout):
        key = {"dataset": "mine", "feature": feature, "epsilon_x": epsilon_x, "epsilon_y": epsilon_y}
        return key | {"learning_rate": 0.01, "weight_decay": 0.1, "dropout": dropout, "k_x": 1, "k_y": 1}

    rows = [row("private", 1, 1, 0.1), row("private", 0.5, 1, 0.2), row("private", "inf", 2, 0.3)]
    rows.append(row("ones", "inf", 1, 0.4))
    steps = [row("private", epsilon_x, epsilon_y, 0) for epsilon_x in (0.5, 2, "inf") for epsilon_y in (1, 2)]
    found = Hyperparameters.from_rows("test", rows, steps)
    assert found.look_up("mine", "private", 0.5, 1.0)["dropout"] == 0.2
    assert found.look_up("mine", "private", 2.0, 1.0)["dropout"] == 0.1
    # A stand-in's own settings, as tuned at 1, come before those of true features.
    assert found.look_up("mine", "ones", math.inf, 2.0)["dropout"] == 0.4
    assert found.look_up("mine", "degree", math.inf, 2.0)["dropout"] == 0.3


def test_what_was_not_chosen_is_not_guessed():
    with pytest.raises(LookupError, match=r"no hyper-parameters for citeseer .*hushgraph tune"):
        Hyperparameters.published().look_up("citeseer", "private", 1.0, 1.0)
    with pytest.raises(LookupError, match=r"\(0.7, 1\)"):
        Hyperparameters.published().look_up("cora", "private", 0.7, 1.0)


def test_a_file_gives_back_what_was_written(tmp_path):
    published = Hyperparameters.published()
    published.write(tmp_path / "found.json")
    again = Hyperparameters.read(tmp_path / "found.json")
    assert (again, again.digest) == (published, published.digest)


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"format": 1, "source": "x", "optimizer": [{}], "steps": []}']
)
def test_another_file_is_refused_by_name(tmp_path, text):
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(ValueError, match=r"other\.json holds no hyper-parameters"):
        Hyperparameters.read(tmp_path / "other.json")


def test_a_newer_file_is_refused(tmp_path):
    (tmp_path / "new.json").write_text('{"format": 99, "source": "x", "optimizer": [], "steps": []}')
    with pytest.raises(ValueError, match="newer hushgraph"):
        Hyperparameters.read(tmp_path / "new.json")


def test_the_talks_cells_have_theirs():
    experiment = declared.packaged()["slides/micro-f1"]
    found = Hyperparameters.packaged(experiment.hyperparameters)
    for cell in experiment.cells:
        if cell.dataset != "lastfm18":  # its features were never at hand to search with
            assert experiment.study.configure(cell, found)["model"]["backbone"] == "gcn"


def test_a_set_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="no hyper-parameters named 'slidez'"):
        Hyperparameters.packaged("slidez")
