"""``hushgraph plan`` as a user types it."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from hushgraph.cli.app import app

MADE_UP = ["plan", "--people", "300", "--friends", "6", "--classes", "2", "--draws", "2"]
PLAN = [*MADE_UP, "--epsilon", "2,4", "--homophily", "0.8"]


@pytest.fixture(autouse=True)
def one_cascade(monkeypatch):
    monkeypatch.setattr("hushgraph.planning.campaigns.TURNS", (0,))


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_it_prints_a_table_with_what_to_take_and_why():
    result = run(*PLAN, "--num-features", "30")
    assert result.exit_code == 0, result.output
    assert len(re.findall(r"\btake\b", result.stdout)) == 2
    assert "features tell nothing: do not ask for them" in " ".join(result.stdout.split())
    assert "300 people of a made-up graph" in " ".join(result.stdout.split())


def test_it_writes_a_picture_and_the_same_document_that_it_prints(tmp_path):
    result = run(*PLAN, "--json", "--output", tmp_path)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    assert (tmp_path / "plan.png").read_bytes().startswith(b"\x89PNG")


def test_it_takes_a_public_edge_list(tmp_path):
    edges = tmp_path / "edges.csv"
    edges.write_text("a,b\n" + "\n".join(f"{one},{(one + 1) % 200}" for one in range(200)))
    result = run(
        "plan", "--edges", edges, "--people", 200, "--classes", "yes,no", "--epsilon", 2, "--homophily", 0.9,
        "--draws", 2, "--json",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assumed = json.loads(result.stdout)["assumed"]
    assert (assumed["people"], assumed["class_shares"]) == (200, [0.5, 0.5])


def test_large_numbers_are_not_taken_for_other_people(tmp_path):
    edges = tmp_path / "edges.csv"
    edges.write_text("a,b\n" + "\n".join(f"{one + 2**32},{(one + 1) % 200 + 2**32}" for one in range(200)))
    result = run("plan", "--edges", edges, "--people", 200, "--classes", 2, "--epsilon", 1)
    assert result.exit_code == 2
    assert "4294967296" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plan", "social"], "--epsilon is required"),
        ([*MADE_UP, "--epsilon", "a,b"], "--epsilon must be numbers with commas between them, got 'a,b'"),
        (["plan", "--epsilon", "1", "--people", "300"], "give a graph, or --people with --edges"),
        (["plan", "social", "--people", "300", "--epsilon", "1"], "give a graph, or --people with --edges"),
        ([*MADE_UP, "--nodes", "300", "--epsilon", "1"], "--nodes is for a named graph"),
        ([*PLAN, "--class-shares", "0.5,0.3,0.2"], "class_shares must be 2"),
    ],
)
def test_what_cannot_be_planned_ends_with_one_clear_line(words, said):
    result = run(*words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
