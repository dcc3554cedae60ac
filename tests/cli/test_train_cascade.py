"""The cascade, which is what ``hushgraph train`` learns by default, as a user types it."""

from __future__ import annotations

import csv
import json

import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.cli.app import app

LABELS = ["train", "social", "--nodes", "300", "--epsilon-y", "2"]
TRAIN = [*LABELS, "--epsilon-x", "1"]


@pytest.fixture
def run(few_cascades):
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def test_features_are_not_asked_for_unless_they_have_a_budget(run, tmp_path):
    model, collected, asked = (tmp_path / name for name in ("model.pt", "labels.npz", "both.npz"))
    result = run(*LABELS, "--save", model, "--save-collected", collected)
    assert result.exit_code == 0, result.output
    assert "ε = 2, proven" in result.stdout
    assert "not asked for" in result.stdout
    assert "control" not in result.stdout
    assert hg.CollectedGraph.load(collected).campaign.asked == ("label",)
    loaded = hg.load(model)
    assert isinstance(loaded, hg.Cascade)
    # It predicts for others whether or not those were asked for features.
    assert run(*TRAIN, "--save-collected", asked).exit_code == 0
    there = run("predict", model, "--collected", asked, "--json")
    assert there.exit_code == 0, there.output
    assert json.loads(there.stdout)["guarantees"]["the people predicted"]["epsilon"] == 3.0


def test_it_is_trained_saved_and_predicts(run, tmp_path):
    model, collected, table = tmp_path / "model.pt", tmp_path / "collected.npz", tmp_path / "table.csv"
    result = run(*TRAIN, "--seed", "1", "--json", "--save", model, "--save-collected", collected)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["method"], report["asked"]) == ("cascade", ["features", "label"])
    low, high = report["accuracy_interval"]
    assert 0 <= low <= report["accuracy_estimate"] <= high <= 1
    # Here features tell nothing, so that the model is its own control.
    assert report["uses_features"] is False
    assert report["control"]["without features"]["accuracies"] == report["accuracies"]
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
    result = run("train", "--collected", collected)
    assert result.exit_code == 0, result.output
    assert "accuracy estimated from noisy labels" in result.stdout
    assert "not used" in result.stdout or "used (z" in result.stdout
    labels = tmp_path / "labels.npz"
    run(*LABELS, "--save-collected", labels)
    refused = run("train", "--collected", labels, "--method", "lpgnn")
    assert refused.exit_code == 2
    assert "--method lpgnn needs features: nobody here sent any" in " ".join(refused.output.split())
    ones = run(
        "train", "--collected", labels, "--method", "lpgnn", "--model-features", "ones", "--epochs", "2"
    )
    assert ones.exit_code == 0, ones.output


def test_private_lists_and_repeats(run):
    result = run(*TRAIN, "--epsilon-a", "6", "--repeats", "2", "--seed", "3", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert len(report["accuracies"]) == len(report["control"]["without features"]["accuracies"]) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*TRAIN, "--k-x", "2"], "Cascade has no --k-x: a setting of lpgnn and solitude; add --method lpgnn"),
        ([*TRAIN, "--backbone", "gcn", "--epochs", "9"], "--epochs: settings of lpgnn and solitude; add"),
        ([*TRAIN, "--model-features", "ones"], "no --model-features: a setting of lpgnn; add --method lpgnn"),
        (
            [*TRAIN, "--setting", "lambda_1=2"],
            "no --setting lambda_1: a setting of solitude; add --method sol",
        ),
        ([*LABELS, "--mechanism", "laplace"], "--mechanism is for features: ask for them with --epsilon-x"),
        ([*LABELS, "--delta", "1e-6"], "--delta is for features"),
        (
            [*LABELS, "--method", "lpgnn"],
            "needs features: give --epsilon-x, or --model-features ones, degree",
        ),
        ([*LABELS, "--method", "solitude"], "solitude needs features: give --epsilon-x, or --method cascade"),
        (["train", "--collected", "c.npz", "--k-y", "2"], "Cascade has no --k-y"),
    ],
)
def test_what_does_not_go_together_is_refused_with_what_does(run, words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
