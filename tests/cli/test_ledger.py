"""Commands that charge a ledger: who pays, what is refused, and that nothing comes of what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.cli.app import app

PEOPLE = 60
NETWORK = ["--method", "lpgnn", "--epochs", "2"]
BUDGETS = ["--epsilon-x", "1", "--epsilon-y", "0.5", *NETWORK]
IDS = [f"p-{number:02}" for number in range(PEOPLE)]


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def tables(tmp_path):
    """Files with text ids."""
    rng = np.random.default_rng(1)
    mood = rng.integers(0, 2, PEOPLE)
    friends = rng.integers(0, PEOPLE, (2, 200))
    rows = {
        "edges": ["from,to", *(f"{IDS[a]},{IDS[b]}" for a, b in friends.T if a != b)],
        "features": ["id,tea,cake", *(f"{one},{m},{1 - m}" for one, m in zip(IDS, mood, strict=True))],
        "labels": ["id,mood", *(f"{one},{('merry', 'calm')[m]}" for one, m in zip(IDS, mood, strict=True))],
    }
    for name, lines in rows.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return [word for name in rows for word in (f"--{name}", tmp_path / f"{name}.csv")]


@pytest.fixture
def path(tmp_path):
    hg.Ledger(4.0, 0.05, tmp_path / "people.ledger")
    return tmp_path / "people.ledger"


def said(result):
    return " ".join(result.output.replace("│", " ").split())


def spent(path):
    ledger = hg.Ledger.open(path)
    return {one: ledger.spent(one)[0] for one in IDS}


def test_a_ledger_is_made_and_shown(run, tmp_path):
    path = tmp_path / "new.ledger"
    made = run("ledger", path, "--epsilon", "2", "--delta", "1e-5")
    assert made.exit_code == 0, made.output
    assert "limit of each person ε = 2, δ = 1e-05" in said(made)
    hg.Ledger.open(path).spend("spring [x]", hg.Guarantee("x", 1.5, 1e-6), ["ann", "bo"])
    for again in (run("ledger", path), run("ledger", path, "--epsilon", "2", "--delta", "1e-5")):
        assert "people who spent 2" in said(again)
        assert "at most ε = 1.5, δ = 1e-06" in said(again)
        assert "spring [x] 1.5 1e-06 2" in said(again)
        assert "ann" not in again.output
    assert json.loads(run("ledger", path, "--json").stdout) == {
        "epsilon": 2.0, "delta": 1e-5, "people": 2, "most_spent": {"epsilon": 1.5, "delta": 1e-6},
        "entries": [{"what": "spring [x]", "epsilon": 1.5, "delta": 1e-6, "people": 2}],
    }  # fmt: skip


def test_an_infinite_limit_is_a_word_in_json(run, tmp_path):
    shown = run("ledger", tmp_path / "new.ledger", "--epsilon", "inf", "--json")
    assert json.loads(shown.stdout)["epsilon"] == "inf"
    assert hg.Ledger.open(tmp_path / "new.ledger").epsilon == math.inf


def test_mistakes_about_a_ledger_end_in_one_clear_line(run, path, tmp_path):
    (tmp_path / "other.txt").write_text("no ledger\n" * 300)
    for words, message in (
        ([path, "--epsilon", "3", "--delta", "0.05"], "has the limit epsilon 4"),
        ([path, "--delta", "1e-4"], "--delta is for a new ledger"),
        ([tmp_path / "nowhere"], "give --epsilon to make it"),
        ([tmp_path / "nowhere", "--epsilon", "0"], "epsilon must be above 0"),
        ([tmp_path / "other.txt"], "is not a readable ledger"),
        ([tmp_path / "other.txt", "--epsilon", "3"], "is not a readable ledger"),
    ):
        result = run("ledger", *words)
        assert result.exit_code == 2
        assert message in said(result)
    assert (tmp_path / "other.txt").read_text() == "no ledger\n" * 300
    assert not (tmp_path / "nowhere").exists()


def test_training_charges_everybody_by_id_until_somebody_cannot_pay(run, tables, path, tmp_path):
    train = ["train", *tables, *BUDGETS, "--ledger", path]
    for paid in (1, 2):
        result = run(*train)
        assert result.exit_code == 0, result.output
        # Half of the people train and a quarter validates; they give a label too.
        assert sorted(spent(path).values()) == [1.0 * paid] * 15 + [1.5 * paid] * 45
    assert {entry.what for entry in hg.Ledger.open(path).entries} == {
        "edges/features", "edges/features and label",
    }  # fmt: skip
    before, saved = spent(path), tmp_path / "collected.npz"
    refused = run(*train, "--save-collected", saved, "--save", tmp_path / "model.pt")
    assert refused.exit_code == 2
    assert "insufficient privacy budget for 45 of 45 people: epsilon 4.5 > 4 for person p-" in said(refused)
    assert spent(path) == before
    assert not saved.exists()
    assert not (tmp_path / "model.pt").exists()


def test_without_privacy_everybody_would_pay_infinity(run, tables, path):
    result = run("train", *tables, "--epsilon-x", "inf", "--epsilon-y", "1", *NETWORK, "--ledger", path)
    assert result.exit_code == 2
    assert "epsilon inf > 4" in said(result)
    assert hg.Ledger.open(path).people == 0


def test_a_simulation_and_a_paid_collection_are_not_charged(run, tables, path, tmp_path):
    for words, message in (
        (["train", *tables, *BUDGETS, "--seed", "0"], "a simulation protects nobody and cannot be charged"),
        (["curate", *tables, "--epsilon", "1", "--seed", "0"], "a simulation protects nobody and cannot be"),
        (["train", "--collected", tmp_path / "c.npz"], "--ledger is not for --collected"),
        (["train", *tables, *BUDGETS, "--repeats", "2"], "only a simulation may, so give --seed"),
    ):
        result = run(*words, "--ledger", path)
        assert result.exit_code == 2
        assert message in said(result)
    missing = run("train", *tables, *BUDGETS, "--ledger", tmp_path / "nowhere")
    assert (missing.exit_code, "there is no ledger" in said(missing)) == (2, True)
    assert hg.Ledger.open(path).entries == []


@pytest.fixture
def assembling(tables, tmp_path):
    """The words that assemble reports at two levels; persons 5 and 6 sent none that fits, 7 sent no label."""
    truth = hg.datasets.read(*tables[1::2], classes=["calm", "merry"])
    asked = hg.Campaign(
        classes=truth.classes, num_features=2, features=hg.MultiBit(1.0), feature_names=truth.feature_names,
        labels=[hg.RandomizedResponse(0.5), hg.RandomizedResponse(1.0)], name="moods",
    )  # fmt: skip
    asked.save(tmp_path / "campaign.json")
    (tmp_path / "people.csv").write_text("id\n" + "\n".join(IDS) + "\n")

    def words(rng=None):
        reports = [
            hg.answer(
                asked, person, features=features, levels={"label": person % 2}, rng=rng,
                **({} if person == 7 else {"label": int(truth.labels[person])}),
            ).to_json() if person != 5 else '{"person": 5}'
            for person, features in enumerate(truth.features) if person != 6
        ]  # fmt: skip
        (tmp_path / "reports.jsonl").write_text("\n".join(reports) + "\n")
        return [
            "assemble", tmp_path / "campaign.json", tmp_path / "reports.jsonl", "--edges", tables[1],
            "--people", tmp_path / "people.csv", "--output", tmp_path / "collected.npz",
        ]  # fmt: skip

    return words


def test_those_whose_reports_are_assembled_pay_for_what_they_sent(run, assembling, path, tmp_path):
    words, saved = [*assembling(), "--ledger", path], tmp_path / "collected.npz"
    result = run(*words)
    assert result.exit_code == 0, result.output
    expected = {one: 1.5 + 0.5 * (number % 2) for number, one in enumerate(IDS)}
    expected |= {IDS[5]: 0.0, IDS[6]: 0.0, IDS[7]: 1.0}
    assert spent(path) == expected
    assert [entry.what for entry in hg.Ledger.open(path).entries if entry.people == 1] == ["moods/features"]
    saved.unlink()
    assert run(*words).exit_code == 0
    saved.unlink()
    refused = run(*words)
    assert (refused.exit_code, "epsilon 6 > 4 for person p-01" in said(refused)) == (2, True)
    assert spent(path) == {one: 2 * price for one, price in expected.items()}
    assert not saved.exists()


def test_simulated_reports_are_not_charged(run, assembling, path, tmp_path):
    result = run(*assembling(np.random.default_rng(0)), "--ledger", path)
    assert result.exit_code == 2
    assert "a simulation protects nobody and cannot be charged" in said(result)
    assert not (tmp_path / "collected.npz").exists()
    assert hg.Ledger.open(path).people == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("relation", "what"),
    [("edge", "edges/gap: friendships of each person"), ("node-removal", "edges/gap: all of each person")],
)
def test_everybody_in_the_graph_pays_for_what_a_curator_learns(run, tables, path, tmp_path, relation, what):
    model = tmp_path / "model.pt"
    words = ["curate", *tables, "--epsilon", "2.5", "--relation", relation, "--setting", "epochs=2"]
    result = run(*words, "--ledger", path, "--save", model)
    assert result.exit_code == 0, result.output
    ledger = hg.Ledger.open(path)
    assert set(spent(path).values()) == {2.5}
    assert [(entry.what, entry.people) for entry in ledger.entries] == [(what, PEOPLE)]
    assert (
        ledger.entries[0].delta
        == json.loads(run("predict", model, "--json").stdout)["guarantees"]["the people learned from"][
            "delta"
        ]
    )
    model.unlink()
    refused = run(*words, "--ledger", path, "--save", model)
    assert (refused.exit_code, "epsilon 5 > 4 for person p-00" in said(refused)) == (2, True)
    assert "learning" not in refused.output
    assert "Result" not in refused.output
    assert not model.exists()
    assert set(spent(path).values()) == {2.5}


@pytest.mark.slow
def test_a_refuted_method_and_one_without_privacy_are_refused_before_learning(run, tables, path):
    published = ["--method", "nip-gnn-published", "--setting", "batch_size=8"]
    for words, message in (
        (["--epsilon", "1", *published], "a refuted promise cannot be charged"),
        (["--epsilon", "inf"], "epsilon inf > 4"),
    ):
        result = run("curate", *tables, *words, "--ledger", path)
        assert (result.exit_code, message in said(result)) == (2, True)
        assert "learning" not in result.output
    assert hg.Ledger.open(path).people == 0


@pytest.mark.slow
def test_a_run_of_a_curator_that_fails_is_paid_for(run, tables, path):
    """That noisy gradients diverge is told to whoever sees the error."""
    words = ["curate", *tables, "--method", "dp-mlp", "--epsilon", "1", "--ledger", path]
    result = run(*words, "--setting", "learning_rate=1e30")
    assert (result.exit_code, "diverged" in said(result)) == (2, True)
    assert hg.Ledger.open(path).spent(IDS[9])[0] == 1.0
