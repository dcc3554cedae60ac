"""The command, as a user types it."""

from __future__ import annotations

import contextlib
import csv
import json
import subprocess
import sys
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.cli import demo_runs
from hushgraph.cli.app import app
from hushgraph.experiments.pool import end_with_parent

NETWORK = ["--method", "lpgnn", "--epochs", "5"]
TRAIN = ["train", "social", "--nodes", "300", "--epsilon-x", "1", "--epsilon-y", "1", *NETWORK]


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def test_help_names_every_command(run):
    for words in ([], ["--help"]):
        output = run(*words).output
        assert all(
            command in output
            for command in ("train", "curate", "predict", "ledger", "datasets", "report", "demo")
        )


def test_the_version_is_the_packages(run):
    assert hg.__version__ in run("--version").stdout


def test_training_ends_in_a_table_and_a_privacy_statement(run):
    result = run(*TRAIN)
    assert result.exit_code == 0, result.output
    assert "test accuracy" in result.stdout
    assert "ε = 2, proven" in result.stdout


def test_private_friendships_are_collected_learned_from_and_stated(run, tmp_path):
    collected = tmp_path / "collected.npz"
    result = run(*TRAIN, "--epsilon-a", "6", "--save-collected", collected)
    assert result.exit_code == 0, result.output
    assert "Privacy of friendships: ε = 6, proven" in result.stdout
    assert "one friendship, which both ends report: ε = 12" in " ".join(result.stdout.split())
    assert hg.CollectedGraph.load(collected).edge_noise == hg.AdjacencyRandomizedResponse(6.0)
    again = run("train", "--collected", collected, "--structure", "both", *NETWORK)
    assert again.exit_code == 0, again.output
    assert "Privacy of friendships: ε = 6, proven" in again.stdout


def test_json_is_one_document_on_standard_output(run):
    result = run(*TRAIN, "--repeats", "2", "--seed", "0", "--json")
    report = json.loads(result.stdout)
    assert len(report["accuracies"]) == 2
    assert report["test_accuracy"] == pytest.approx(np.mean(report["accuracies"]))
    assert report["guarantee"]["epsilon"] == 2.0


def test_a_saved_model_predicts(run, tmp_path):
    model, collected, table = tmp_path / "model.pt", tmp_path / "collected.npz", tmp_path / "predictions.csv"
    assert run(*TRAIN, "--save", model, "--save-collected", collected).exit_code == 0
    result = run("predict", model, "--collected", collected, "--output", table)
    assert result.exit_code == 0, result.output
    assert "Predictions for 300 people" in result.stdout
    with table.open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["node"]) for row in rows] == list(range(300))
    np.testing.assert_array_equal([int(row["class"]) for row in rows], hg.LPGNN.load(model).predict())
    predictions = json.loads(run("predict", model, "--json").stdout)["predictions"]
    assert predictions == [row["class"] for row in rows]


def test_predictions_state_the_privacy_of_those_learned_from_and_of_those_predicted(run, tmp_path):
    model, raw = tmp_path / "model.pt", tmp_path / "raw.npz"
    run(*TRAIN, "--save", model)
    run("train", "social", "--nodes", "300", "--epsilon-x", "inf", "--epsilon-y", "inf", *NETWORK,
        "--save-collected", raw)  # fmt: skip
    guarantees = json.loads(run("predict", model, "--collected", raw, "--json").stdout)["guarantees"]
    assert guarantees["the people learned from"]["epsilon"] == 2.0
    assert guarantees["the people predicted"]["status"] == "none"
    assert "not protected" in run("predict", model, "--collected", raw).stdout


def test_a_real_collection_is_learned_without_the_truth(run, tmp_path):
    collected = tmp_path / "collected.npz"
    run(*TRAIN, "--save-collected", collected)
    result = run("train", "--collected", collected, *NETWORK, "--json")
    report = json.loads(result.stdout)
    assert "test_accuracy" not in report
    assert report["guarantee"]["epsilon"] == 2.0


def test_ones_own_tables_are_learned_from(run, tmp_path):
    edges, features, labels = (tmp_path / f"{name}.csv" for name in ("edges", "features", "labels"))
    people = [f"person {number}" for number in range(24)]
    edges.write_text("from,to\n" + "".join(f"{one},{other}\n" for one, other in pairwise(people)))
    features.write_text("id,tea,cake\n" + "".join(f"{one},{k % 2},0.5\n" for k, one in enumerate(people)))
    labels.write_text(
        "id,mood\n" + "".join(f"{one},{'calm' if k % 2 else 'merry'}\n" for k, one in enumerate(people))
    )
    tables = ["--edges", edges, "--features", features, "--labels", labels]
    result = run("train", *tables, "--epsilon-x", "1", "--epsilon-y", "1", *NETWORK)
    assert result.exit_code == 0, result.output
    assert "24 nodes, 23 edges, 2 features, 2 classes" in " ".join(result.stdout.replace("│", " ").split())


def test_datasets_lists_names_and_sizes(run):
    graphs = {row["name"]: row for row in json.loads(run("datasets", "--json").stdout)["graphs"]}
    assert graphs["cora"]["nodes"] == 2708
    assert graphs["social"]["at_hand"] == "built in"
    assert "facebook" in run("datasets").stdout


@pytest.mark.usefixtures("few_cascades")
def test_the_demo_ends_in_a_table_a_statement_and_a_picture(run, tmp_path):
    small = ["--nodes", "200", "--repeats", "1", "--epochs", "3", "--budgets", "1,2", "--jobs", "1"]
    result = run("demo", "--output", tmp_path, *small)
    assert result.exit_code == 0, result.output
    assert "ε = ∞ is not private" in " ".join(result.stdout.split())
    assert "control" in result.stdout
    assert "ε = 2, simulated (else proven)" in result.stdout
    assert (tmp_path / "accuracy.png").read_bytes().startswith(b"\x89PNG")
    report = json.loads((tmp_path / "accuracy.json").read_text())
    # What it says of privacy is of what was run: at ε = 2, all of it on the label.
    assert [part["protects"] for part in report["guarantee"]["parts"]] == ["label"]
    accuracy = {(row["name"], row["epsilon"]): row["accuracy"] for row in report["rows"]}
    assert {epsilon for _, epsilon in accuracy} == {1.0, 2.0, "inf"}
    # Without noise a network has no control: of the same features it would learn nothing of anybody.
    assert [name for name, epsilon in accuracy if epsilon == "inf" and "control" in name] == [
        "Cascade, without features (control)"
    ]
    # Half of ε = 2 on features and half on the label: the control has the label's half alone.
    assert accuracy["Cascade, without features (control)", 2.0] == accuracy["Cascade, all on the label", 1.0]
    refused = run("demo", "--output", tmp_path, "--budgets", "1,inf")
    assert (refused.exit_code, "--budgets must be numbers above 0" in refused.output) == (2, True)


def test_processes_of_the_demo_end_with_it(monkeypatch):
    """That those end of whom it is asked stands in test_runner.py."""
    started = []

    class Pool(contextlib.nullcontext):
        def __init__(self, jobs, **how):
            started.append((jobs, how["initializer"]))
            super().__init__(SimpleNamespace(map=map))

    monkeypatch.setattr(demo_runs, "ProcessPoolExecutor", Pool)
    assert list(demo_runs.measure_all([], 2)) == []
    assert started == [(2, end_with_parent)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["train", "social", "--epsilon-x", "1"], "--epsilon-y is required: the budget of a person's label"),
        (["train", "social", "--epsilon-x", "-1", "--epsilon-y", "1"], "epsilon must be above 0"),
        (["train", "corra", "--epsilon-x", "1", "--epsilon-y", "1"], "did you mean 'cora'"),
        (["train", "--epsilon-x", "1", "--epsilon-y", "1"], "name a graph"),
        ([*TRAIN, "--mechanism", "gaussian"], "delta is required"),
        ([*TRAIN, "--delta", "1e-6"], "the mechanism 'multi-bit' takes no delta"),
        ([*TRAIN, "--k-x", "-1"], "k_x must be a whole number"),
        ([*TRAIN, "--low", "0.5"], "features must lie in"),
        (
            ["train", "cora", "--nodes", "9", "--epsilon-x", "1", "--epsilon-y", "1"],
            "--nodes is for the built-in",
        ),
        ([*TRAIN, "--device", "abacus"], "device must be 'auto', 'cpu'"),
        ([*TRAIN, "--repeats", "2"], "only a simulation may, so give --seed"),
        ([*TRAIN, "--model-features", "ones"], "--epsilon-x is for collected features"),
        (["train", "--collected", "c.npz", "--epsilon-x", "1"], "--epsilon-x is for simulations"),
        (["train", "cora", "--collected", "c.npz"], "the graph is for simulations"),
        ([*TRAIN, "--structure", "both"], "--structure is for private neighbour lists: give --epsilon-a"),
        ([*TRAIN, "--epsilon-a", "0"], "epsilon must be above 0"),
        (["train", "--collected", "c.npz", "--epsilon-a", "1"], "--epsilon-a is for simulations"),
        (["tune-solitude", "lpgnn/table2"], "lpgnn/table2 has no private lists: see 'hushgraph tune'"),
        (["tune-solitude", "solitude/table3", "--datasets", "github"], "no cell is left"),
        (["predict", "nothing.pt"], "nothing.pt"),
        (["train", "--collected", "nothing.npz"], "nothing.npz"),
    ],
)
def test_bad_input_ends_in_one_clear_line(run, words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert message in " ".join(result.output.split())


CURATE = ["curate", "social", "--nodes", "300", "--epsilon", "4"]


def test_a_curator_learns_and_is_told_what_is_protected_and_whom_it_leaves_out(run):
    result = run(*CURATE, "--method", "nip-gnn", "--max-degree", "3")
    assert result.exit_code == 0, result.output
    assert "test accuracy" in result.stdout
    assert "private: for the curator alone" in result.stdout
    assert "with more than 3 friends is not covered" in result.stdout
    assert "Privacy of one person's features, label and friendships: ε = 4" in result.stdout
    assert "released:" in result.stdout


def test_a_curators_budget_can_be_split_and_printed_as_json(run):
    result = run(*CURATE, "--budget", "training=4", "--method", "dp-mlp", "--seed", "1", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["guarantee"]["delta"] == 1e-4
    assert 0 <= report["private"]["test_accuracy"] <= 1
    assert set(report) == {"method", "private", "guarantee"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["curate", "social"], "--epsilon is required"),
        ([*CURATE, "--budget", "encoder=1"], "budget must name encoder, aggregation, classifier"),
        ([*CURATE, "--budget", "half"], "--budget must be like"),
        ([*CURATE, "--method", "nip-gnn", "--delta", "0.001"], "NIPGNN has no --delta"),
        ([*CURATE, "--method", "dp-mlp", "--relation", "edge"], "relation must be one of"),
        ([*CURATE, "--max-degree", "0"], "max_degree"),
        ([*CURATE, "--setting", "epsilon=50"], "--setting epsilon=… has an option of its own"),
        ([*CURATE, "--setting", "random_state=5"], "--setting random_state=… has an option of its own"),
    ],
)
def test_a_curators_mistakes_end_in_one_clear_line(words, message, run):
    result = run(*words)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize("method", ["gap", "dpdgc", "dp-sage", "dp-mlp", "nip-gnn", "nip-gnn-published"])
def test_a_curators_model_of_any_method_is_saved_loaded_and_predicts(run, tmp_path, method):
    model = tmp_path / "model.pt"
    result = run(*CURATE, "--method", method, "--seed", "7", "--setting", "epochs=2", "--save", model)
    assert result.exit_code == 0, result.output
    told = json.loads(run("predict", model, "--json").stdout)
    assert len(told.get("private", told)["predictions"]) == 300
    assert told["guarantees"]["the people learned from"]["epsilon"] == 4.0
    loaded = hg.load(model)
    assert (loaded.epsilon, loaded.epochs) == (4.0, 2)
    # Whoever has the seed can take the noise off again.
    assert loaded.random_state is None
    refused = run("predict", model, "--collected", tmp_path / "c.npz")
    assert refused.exit_code == 2


def test_solitude_is_trained_saved_loaded_and_predicts(run, tmp_path):
    model = tmp_path / "model.pt"
    result = run(
        *TRAIN, "--epsilon-a", "6", "--method", "solitude", "--setting", "lambda_1=0.002",
        "--setting", "step=proximal", "--save", model,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    loaded = hg.load(model)
    assert isinstance(loaded, hg.Solitude)
    assert (loaded.lambda_1, loaded.step, loaded.selection) == (0.002, "proximal", "reference")
    assert len(json.loads(run("predict", model, "--json").stdout)["predictions"]) == 300


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "lpggn"], "did you mean 'lpgnn'"),
        (["--setting", "lamda_1=1"], "--setting must be one of"),
        (["--method", "solitude", "--model-features", "ones"], "Solitude has no --model-features"),
    ],
)
def test_a_method_and_its_settings_are_checked(run, words, message):
    budgets = ["--epsilon-y", "1", "--epsilon-x", "1"]
    result = run("train", "social", "--nodes", "300", *budgets, *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


@pytest.mark.parametrize(
    "command",
    [
        None,
        "train",
        "curate",
        "predict",
        "assemble",
        "ledger",
        "datasets",
        "reproduce",
        "report",
        "tune",
        "demo",
    ],
)
def test_help_loads_nothing_that_computes(command):
    code = (
        "import sys; from typer.testing import CliRunner; from hushgraph.cli.app import app;"
        f"assert CliRunner().invoke(app, {[*([command] if command else []), '--help']}).exit_code == 0;"
        "print([name for name in ('torch', 'scipy', 'matplotlib', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_predictions_that_are_for_one_person_alone_are_marked_wherever_they_go(run, tmp_path):
    model = tmp_path / "model.pt"
    for method, private in (("dp-mlp", True), ("nip-gnn", False)):
        assert run(*CURATE, "--method", method, "--save", model).exit_code == 0
        document = json.loads(run("predict", model, "--json").stdout)
        assert ("private" in document) == private
        assert len((document["private"] if private else document)["predictions"]) == 300
        assert ("each prediction is for that person alone" in run("predict", model).stdout) == private
