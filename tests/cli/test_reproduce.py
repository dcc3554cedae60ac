"""``hushgraph reproduce`` and ``hushgraph tune``, as a user types them."""

from __future__ import annotations

import json
import shlex

import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.cli.app import app
from hushgraph.datasets import save, social
from hushgraph.experiments.asked import OWN

EXPERIMENT = """
[quick]
title = "A [quick] look [/b]"
study = "lpgnn"
chart = [{{ x = "epsilon_x", lines = "features" }}]

[[quick.cells]]
dataset = ["{graph}", "citeseer_lcc"]
epsilon_x = [1, inf]
epsilon_y = 1
epochs = 3
"""


ASKED = "tiny: 4 collections of the same people; added up, for each person: not protected (ε = ∞), simulated."
GRID = [
    "--epochs", 2, "--steps", "0,2", "--learning-rates", "0.01", "--weight-decays", "0.001",
    "--dropouts", "0.5,0.75", "--device", "cpu",
]  # fmt: skip


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def graph(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSHGRAPH_DATA", str(tmp_path / "no-data"))
    return save(social(n=150, features=8, classes=2, mean_degree=5.0, seed=1), tmp_path / "tiny.npz")


@pytest.fixture
def experiment(graph, tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(EXPERIMENT.format(graph=graph))
    return path


def test_list_names_every_experiment(run):
    shown = run("reproduce", "list").stdout
    assert all(name in shown for name in ("lpgnn/table2", "lpgnn/figure4", "slides/micro-f1"))
    listed = json.loads(run("reproduce", "list", "--json").stdout)
    assert {row["name"]: row["cells"] for row in listed}["lpgnn/table2"] == 64


def test_searched_hyperparameters_are_used_and_all_is_written(run, graph, experiment, tmp_path):
    tuned = tmp_path / "tuned.json"
    result = run(
        "tune", graph, "--epsilon-x", "1,inf", "--epsilon-y", "1", "--epochs", 2, "--steps", "0,2",
        "--learning-rates", "0.01", "--weight-decays", "0.001", "--dropouts", "0.5",
        "--jobs", 1, "--device", "cpu", "--runs", tmp_path / "trials", "--output", tuned,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "Lowest validation loss on noisy labels" in result.stdout
    adds_up = (
        "tiny: 2 collections of the same people; added up, for each person: not protected (ε = ∞), simulated."
    )
    assert adds_up in " ".join(result.stdout.split())
    assert adds_up in " ".join(result.stderr.split())
    assert adds_up in json.loads(tuned.read_text())["source"]

    words = ["reproduce", experiment, "--repeats", 2, "--jobs", 1, "--device", "cpu",
             "--output", tmp_path / "out"]  # fmt: skip
    missing = run(*words)
    assert missing.exit_code == 2
    assert "chose no hyper-parameters" in " ".join(missing.output.split())

    result = run(*words, "--hyperparameters", tuned)
    assert result.exit_code == 0, result.output
    assert "2 missing" in result.stdout
    assert "measured without a published figure" in result.stdout
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert files == {
        "folder.json", "runs", "statements", "own-quick.csv", "own-quick.png", "own-quick.svg", "report.html",
    }  # fmt: skip
    assert ASKED in " ".join(result.stdout.split())
    assert ASKED in " ".join(result.stderr.split())
    assert ASKED.partition(" (ε")[0] in (tmp_path / "out" / "report.html").read_text()
    tables = json.loads(run(*words, "--hyperparameters", tuned, "--json").stdout)
    assert tables[0]["asked"] == [ASKED + OWN]
    assert [row["repeats"] for row in tables[0]["rows"]] == [2, 2, 0, 0]
    assert tables[0]["rows"][2]["trouble"] == "data not available"
    # One row is of a public graph, whose figures are everybody's.
    assert ["private" in row for row in tables[0]["rows"]] == [True, True, False, False]
    assert 0 <= tables[0]["rows"][0]["private"]["mean"] <= 100
    assert not {"mean", "half_width", "difference", "verdict"} & tables[0]["rows"][0].keys()
    assert sum(tables[0]["private"]["counts"].values()) == 4
    for file in (tmp_path / "out" / "runs").iterdir():
        assert "whoever holds the data" in json.loads(file.read_text())["for"]

    made = {name: (tmp_path / "out" / name) for name in files if name.endswith((".png", ".svg", ".html"))}
    before = {name: path.read_bytes() for name, path in made.items()}
    for path in made.values():
        path.unlink()
    again = json.loads(run("report", tmp_path / "out", experiment, "--json").stdout)
    for row, read in zip(tables[0]["rows"], again[0]["rows"], strict=True):
        assert {name: pytest.approx(value, abs=0.005) for name, value in read.items()} == row
    assert {path.name for path in (tmp_path / "out").iterdir()} == files
    assert "Read from CSV files" in made["report.html"].read_text()
    assert b"Read from CSV files" not in before["report.html"]
    unknown = run("report", tmp_path / "out")
    assert unknown.exit_code == 2
    assert "is of no known experiment" in " ".join(unknown.output.split())

    unchanged = run(*words, "--hyperparameters", tuned, "--repeats", 3, "--finished-only", "--json")
    assert [row["repeats"] for row in json.loads(unchanged.stdout)[0]["rows"]] == [2, 2, 0, 0]
    assert len(list((tmp_path / "out" / "runs").iterdir())) == 4

    other = run(*words)
    assert other.exit_code == 2
    assert "holds results with other settings" in " ".join(other.output.split())


def test_a_search_is_charged_before_it_asks_anybody(run, graph, tmp_path):
    file, runs = tmp_path / "people.ledger", tmp_path / "trials"
    ledger = hg.Ledger(0.3, path=file)
    words = ["tune", graph, "--epsilon-x", "0.1", "--epsilon-y", "0.1", *GRID, "--jobs", 1, "--runs", runs,
             "--output", tmp_path / "tuned.json", "--ledger", file]  # fmt: skip
    refused = run(*words, "--as-published")
    assert refused.exit_code == 2
    assert "insufficient privacy budget for 150 of 150 people" in " ".join(refused.output.split())
    assert ledger.people == 0
    assert not (runs / "runs").exists()
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["asked"] == [
        f"tiny: 1 collection; for each person: ε = 0.2, simulated (else proven).{OWN}"
    ]
    assert ledger.spent(0) == ledger.spent(149) == (pytest.approx(0.2), 0.0)
    assert run(*words).exit_code == 0
    assert ledger.spent(0) == (pytest.approx(0.2), 0.0)


def test_a_reproduction_on_ones_own_people_is_charged_and_one_that_runs_nothing_is_not(run, graph, tmp_path):
    declared, file = tmp_path / "own.toml", tmp_path / "people.ledger"
    declared.write_text(
        f"""
[quick]
title = "Two methods with a curator"
study = "curator"
[[quick.cells]]
dataset = "{graph}"
method = ["nip-gnn", "dp-mlp"]
epsilon = 2
epochs = 1
"""
    )
    ledger = hg.Ledger(8.0, 0.5, path=file)
    words = ["reproduce", declared, "--repeats", 2, "--jobs", 1, "--device", "cpu",
             "--output", tmp_path / "out", "--ledger", file]  # fmt: skip
    refused = run(*words, "--finished-only")
    assert refused.exit_code == 2
    assert "--finished-only runs nothing" in " ".join(refused.output.split())
    result = run(*words)
    assert result.exit_code == 0, result.output
    adds_up = "tiny: 4 releases of the same people; added up, for each person: ε = 8, δ = 0.0002, simulated"
    assert adds_up in " ".join(result.stdout.split())
    assert ledger.spent(7) == (pytest.approx(8.0), pytest.approx(0.0002))


def test_a_search_on_a_collection_asks_nobody_again(run, graph, tmp_path):
    collected, model, again = (tmp_path / name for name in ("collected.npz", "model.pt", "again.pt"))
    budgets = ["--epsilon-x", "1", "--epsilon-y", "1"]
    run("train", graph, *budgets, "--method", "lpgnn", "--epochs", "1", "--save-collected", collected)
    words = ["tune", "--collected", collected, *GRID, "--epochs", 20]
    told = json.loads(run(*words, "--save", model, "--json").stdout)
    assert told["trials"] == {"Adam's settings": 2, "KProp's steps": 4}
    assert (told["guarantee"]["epsilon"], told["guarantee"]["simulated"]) == (2.0, False)
    assert told["settings"]["dropout"] in (0.5, 0.75)
    # The command that it ends with learns the very model that it found.
    learned = run(*shlex.split(told["command"])[1:], "--device", "cpu", "--save", again)
    assert learned.exit_code == 0, learned.output
    assert (hg.load(again).predict_proba() == hg.load(model).predict_proba()).all()
    assert hg.load(again).val_loss_ == told["validation_loss"]

    shown = run(*words).stdout
    assert told["command"] in shown
    assert "Searching is post-processing of these reports: nobody was asked again." in shown
    assert "ε = 2, proven" in shown
    stand_in = json.loads(run(*words, "--features", "degree", "--json").stdout)
    assert stand_in["settings"]["k_x"] == 0
    assert "--model-features degree" in stand_in["command"]
    for more, message in (
        (["--epsilon-x", "1"], "--epsilon-x is for simulations"),
        ([graph], "name graphs or give --collected, not both"),
        (["--features", "ones,degree"], "features must be one kind for a collection"),
    ):
        refused = run(*words, *more)
        assert (refused.exit_code, message in " ".join(refused.output.split())) == (2, True)


def test_no_help_says_that_a_search_costs_nothing(run):
    for command in ("tune", "tune-solitude"):
        said = " ".join(run(command, "--help").output.replace("│", " ").split())
        assert "costs no privacy" not in said
        assert "adds up" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tune", "--epsilon-x", "1", "--epsilon-y", "1"], "name a graph"),
        (["tune", "cora", "--epsilon-y", "1"], "--epsilon-x is required"),
        (["tune", "social", "--epsilon-x", "1", "--epsilon-y", "1", "--save", "m"], "--save is for --coll"),
        (["reproduce", "lpgnn/tabel3"], "did you mean 'lpgnn/table3'"),
        (["reproduce", "lpgnn/table2", "--datasets", "corra"], "did you mean 'cora'"),
        (["reproduce", "lpgnn/table2", "--methods", "laplase"], "did you mean 'laplace'"),
        (["reproduce", "lpgnn/table2", "--methods", "gat"], "--methods must be one of"),
        (["reproduce", "lpgnn/table2", "--device", "abacus"], "device must be 'auto', 'cpu'"),
        (["reproduce", "lpgnn/table2", "--controls-only", "--no-controls"], "--controls-only leaves nothing"),
        (["reproduce", "nothing.toml"], "nothing.toml"),
        (["reproduce", "lpgnn/table2", "--hyperparameters", "nothing.json"], "nothing.json"),
        (["tune", "cora", "--epsilon-x", "one", "--epsilon-y", "1"], "--epsilon-x must be numbers"),
        (["tune", "corra", "--epsilon-x", "1", "--epsilon-y", "1"], "did you mean 'cora'"),
        (["tune", "cora", "--epsilon-x", "-1", "--epsilon-y", "1"], "must be above 0"),
    ],
)
def test_bad_input_ends_in_one_clear_line(run, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert message in " ".join(result.output.split())
    assert list(tmp_path.iterdir()) == []
