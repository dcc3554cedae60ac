"""The cascade, as a user types it."""

from __future__ import annotations

import csv
import json

import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.cli.app import app

TRAIN = ["train", "social", "--nodes", "300", "--epsilon-x", "1", "--epsilon-y", "2", "--method", "cascade"]


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def test_it_is_trained_saved_and_predicts(run, tmp_path):
    model, collected, table = tmp_path / "model.pt", tmp_path / "collected.npz", tmp_path / "table.csv"
    result = run(*TRAIN, "--seed", "1", "--json", "--save", model, "--save-collected", collected)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    low, high = report["accuracy_interval"]
    assert 0 <= low <= report["accuracy_estimate"] <= high <= 1
    assert report["uses_features"] in (True, False)
    predicted = run("predict", model, "--output", table)
    assert predicted.exit_code == 0, predicted.output
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["class"] for row in rows] == hg.load(model).predict().astype(str).tolist()
    again = run("predict", model, "--collected", collected, "--json")
    assert json.loads(again.stdout)["same_reports"]


def test_it_learns_from_a_collection_and_says_how_right_it_is(run, tmp_path):
    collected = tmp_path / "collected.npz"
    run(*TRAIN, "--save-collected", collected)
    result = run("train", "--collected", collected, "--method", "cascade")
    assert result.exit_code == 0, result.output
    assert "accuracy estimated from noisy labels" in result.stdout
    assert "not used" in result.stdout or "used (z" in result.stdout


def test_private_lists_and_repeats(run):
    result = run(*TRAIN, "--epsilon-a", "6", "--repeats", "2", "--seed", "3", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert len(report.get("private", report)["accuracies"]) == 2


def test_settings_of_a_network_are_refused(run):
    result = run(*TRAIN, "--k-x", "2")
    assert result.exit_code != 0
    assert "Cascade has no --k-x" in result.output
