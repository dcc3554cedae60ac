"""``hushgraph reproduce`` and ``hushgraph tune``, as a user types them."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from hushgraph.cli.app import app
from hushgraph.datasets import save, social

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
    tables = json.loads(run(*words, "--hyperparameters", tuned, "--json").stdout)
    assert [row["repeats"] for row in tables[0]["rows"]] == [2, 2, 0, 0]
    assert tables[0]["rows"][2]["trouble"] == "data not available"

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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["reproduce", "lpgnn/tabel3"], "did you mean 'lpgnn/table3'"),
        (["reproduce", "lpgnn/table2", "--datasets", "corra"], "did you mean 'cora'"),
        (["reproduce", "lpgnn/table2", "--methods", "laplase"], "did you mean 'laplace'"),
        (["reproduce", "lpgnn/table2", "--methods", "gat"], "--methods must be one of"),
        (["reproduce", "lpgnn/table2", "--device", "abacus"], "device must be 'auto', 'cpu'"),
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
