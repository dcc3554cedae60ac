"""``hushgraph attack``: on a method, on a saved model, and what it refuses."""

from __future__ import annotations

import json
import pickle
import re
import sys
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.attacks import largest_tpr, report_card
from hushgraph.cli.app import app

GRAPH = ("social", "--nodes", "300")
GAP = ("--method", "gap", "--epsilon", "2", "--setting", "epochs=2")


@dataclass(frozen=True)
class Quiet(hg.Laplace):
    """A Laplace mechanism of one's own."""


def run(*words):
    return CliRunner().invoke(app, ["attack", *words])


def told(*words):
    done = run(*words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_method_is_attacked_beside_networks_that_protect_nobody(tmp_path):
    said = told(*GRAPH, *GAP, "--attacks", "confidence,attribute", "--output", str(tmp_path), "--json")
    document = json.loads(said)
    assert document == json.loads((tmp_path / "attacks.json").read_text())
    assert set(document) == {"private"}, "all of it is computed from what people hold"
    gap, overfitted, structure = document["private"]["targets"]
    names = [gap["target"], overfitted["target"], structure["target"]]
    assert names == ["GAP", "GCN, not private", "GCN on degrees alone"]
    confidence, attribute = gap["attacks"]
    assert confidence["bounded"]
    assert 0.5 < confidence["bound"]["auc"] < 1
    delta = confidence["bound"]["delta"]
    assert confidence["bound"]["tpr_at_fpr_0.01"] == largest_tpr(0.01, 2.0, delta), "at 1 % itself"
    assert attribute["bound"]["why"].startswith("not bounded by ε: ")
    assert not overfitted["attacks"][0]["bounded"]
    assert (tmp_path / "attacks.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "attacks.html").read_text()
    assert page.count("<table>") == 3
    assert "not bounded by ε: a prediction is for that person alone" in page
    assert not re.findall(r"https?://(?!www\.w3\.org)|src=|@import", page), "it needs nothing else"


def test_features_may_be_of_any_range_to_a_curator(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "graph.npz"
    np.savez(
        path, edge_index=rng.integers(0, 120, (2, 400)), x=rng.normal(5, 3, (120, 4)), y=np.arange(120) % 2
    )
    document = json.loads(told(str(path), *GAP, "--attacks", "confidence", "--json"))
    assert [len(target["attacks"]) for target in document["private"]["targets"]] == [1, 1, 1]


def test_the_same_seed_gives_the_same_card():
    words = (*GRAPH, *GAP, "--attacks", "link-distance", "--json")
    assert told(*words) == told(*words)
    assert told(*words) != told(*words, "--seed", "1")


def test_a_saved_model_is_attacked_on_its_graph(tmp_path):
    saved = str(tmp_path / "model.pt")
    fitted = CliRunner().invoke(app, ["train", *GRAPH, "--epsilon-y", "2", "--seed", "0", "--save", saved])
    assert fitted.exit_code == 0, fitted.output
    here = (saved, "--graph", "social", "--nodes", "300", "--attacks", "confidence,known-members")
    guessed = run(*here)
    assert guessed.exit_code == 2
    assert "a saved model does not say who trained it" in " ".join(guessed.output.split())
    said = told(*here, "--seed", "0")
    assert "Members: 225 of 300, assumed: who gives a label in 'train' with --seed 0" in said
    assert "Cascade, saved: ε = 2" in said
    assert "right at most" in " ".join(said.split()), "what the bound in the table is on"
    assert "who answered is no secret" in said.replace("\n", " ").replace("  ", " ")
    people = tmp_path / "members.txt"
    people.write_text("\n".join(map(str, range(100))))
    named = json.loads(told(*here, "--members", str(people), "--json"))["private"]
    assert named["members"] == f"100 of 300, named in {people}"
    assert told(*here, "--members", str(people)) != said
    people.write_text("1\n999\n")
    refused = run(*here, "--members", str(people))
    assert refused.exit_code == 2
    assert "names 1 who are not in the graph" in refused.output.replace("\n", " ")


def test_what_is_no_model_ends_with_one_line_that_advises_nothing(tmp_path):
    path = tmp_path / "notamodel.py"
    for content in (b"#!/usr/bin/env python\n", pickle.dumps({"hushgraph": print}), b""):
        path.write_bytes(content)
        refused = run(str(path), "--graph", "social", "--seed", "1")
        assert refused.exit_code == 2
        # A long path is broken anywhere.
        said = "".join(refused.stderr.split())
        assert said.endswith("notamodel.pyisnotareadablehushgraphmodel,asmodel.save()writesthem")
        assert "weights_only" not in said
        with pytest.raises(ValueError, match="as model") as error:
            hg.load(path)
        assert error.value.__suppress_context__, "a traceback advises nothing either"


@pytest.mark.parametrize(("words", "why"), [
    ((), "name a model or a campaign (.json); to train one"),
    (("cora",), "there is no model cora; to train one on a graph, add --method"),
    ((*GRAPH, "--method", "gap"), "--epsilon is required"),
    ((*GRAPH, "--method", "gap", "--epsilon", "1", "--graph", "cora"), "--graph and --members are for"),
    ((*GRAPH, "--method", "solitude", "--epsilon", "1"), "method must be one of"),
    ((*GRAPH, *GAP, "--attacks", "known-members"), "--attacks must be one of"),
    ((*GRAPH, *GAP, "--attacks", ""), "--attacks names none"),
    ((*GRAPH, *GAP, "--own-mechanism", "mine:Mine"), "--own-mechanism is for a campaign"),
    ((*GRAPH, *GAP, "--density", "0.1"), "--density is for a campaign"),
    ((*GRAPH, *GAP, "--label-prior", "1,0"), "--label-prior is for a campaign"),
    ((*GRAPH, *GAP, "--answers", "3"), "--answers is for a campaign"),
    ((*GRAPH, "--method", "dp-mlp", *GAP[2:], "--attacks", "attribute,attribute-embeddings"), "shows no emb"),
    ((*GRAPH, *GAP, "--attribute", "height", "--attacks", "attribute"), "attribute must be 'label'"),
])  # fmt: skip
def test_what_cannot_be_attacked_is_refused(words, why):
    refused = run(*words)
    assert refused.exit_code == 2
    assert why in " ".join(refused.output.split())


def test_a_campaign_is_attacked_before_anybody_answers(tmp_path):
    path = str(tmp_path / "campaign.json")
    hg.Campaign(classes=4, num_people=10, labels=hg.RandomizedResponse(1.0)).save(path)
    (line,) = json.loads(run(path, "--json").stdout)["lines"]
    assert line["success"] == pytest.approx(line["bound"])
    refused = run(path, "--seed", "3")
    assert (refused.exit_code, "is for models" in refused.stderr) == (2, True)


def test_what_is_known_before_a_campaign_can_be_told(tmp_path):
    path = str(tmp_path / "campaign.json")
    asked = hg.Campaign(
        classes=2, num_people=10, labels=hg.RandomizedResponse(1.0), lists=hg.AdjacencyRandomizedResponse(2.0)
    )
    asked.save(path)
    known = ("--label-prior", "0.9,0.1", "--density", "0.01", "--answers", "3")
    label, lists = json.loads(told(path, *known, "--json"))["lines"]
    expected = report_card(asked, label_prior=[0.9, 0.1], density=0.01, answers=3).lines
    assert [label, lists] == [line.to_dict() for line in expected]
    assert (label["naive"], lists["naive"]) == (0.9, 0.99)
    for option, given, why in (
        ("--label-prior", "many", "--label-prior must be a share for each class"),
        ("--label-prior", "0.9,0.2", "probabilities that add up to 1"),
        ("--density", "2", "density must lie in [0, 1]"),
    ):
        refused = run(path, option, given)
        assert (refused.exit_code, why in " ".join(refused.stderr.split())) == (2, True)


def test_a_campaign_of_ones_own_mechanism_is_attacked_if_it_is_given(tmp_path, monkeypatch):
    module = ModuleType("noise_of_mine")
    module.Quiet = Quiet
    monkeypatch.setattr(Quiet, "__module__", "noise_of_mine")
    monkeypatch.setitem(sys.modules, "noise_of_mine", module)
    path = str(tmp_path / "campaign.json")
    hg.Campaign(
        classes=4, num_people=10, num_features=3, features=Quiet(1.0), labels=hg.RandomizedResponse(1.0)
    ).save(path)
    assert run(path).exit_code == 2
    lines = json.loads(told(path, "--own-mechanism", "noise_of_mine:Quiet", "--json"))["lines"]
    assert [line["question"] for line in lines] == ["features", "label"]


@pytest.mark.usefixtures("few_cascades")
def test_what_is_left_out_is_named_in_table_and_page(tmp_path):
    path = tmp_path / "graph.npz"
    people = np.arange(240)
    np.savez(path, edge_index=np.zeros((2, 0), int), x=np.zeros((240, 0)), y=people % 2)
    said = told(str(path), "--method", "cascade", "--epsilon", "4", "--output", str(tmp_path))
    page = (tmp_path / "attacks.html").read_text()
    for shown in (" ".join(said.split()), page):
        assert "eft out: it learns from features, and nobody here has any" in shown
        assert "eft out: link-known: these people have no friendships among them" in shown
    assert page.count("<table>") == 2
