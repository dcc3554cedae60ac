"""``hushgraph audit``: a report for people and an exit status for their CI."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.audit import Audit
from hushgraph.cli.app import app
from hushgraph.registry import FEATURES, IMPORTED


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(app, ["audit", *(str(word) for word in words)])


def test_a_mechanism_that_keeps_its_promise_ends_with_0(run):
    done = run("randomized-response", "--epsilon", 1, "--trials", 2000, "--seed", 0)
    assert done.exit_code == 0, done.output
    assert "1 exactly" in done.stdout
    assert "proves nothing" in done.stdout


MINE = """
class Mine:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def randomize(self, values, rng):
        return values + rng.laplace(0.0, 1.0 / self.epsilon, values.shape)
"""


@pytest.mark.parametrize(("size", "status"), [(1, 0), (3, 1)])
def test_a_mechanism_of_ones_own_that_forgets_the_number_of_features_ends_with_1(run, tmp_path, size, status):
    (tmp_path / "noise_of_mine.py").write_text(MINE)
    sys.modules.pop("noise_of_mine", None)
    words = ("--epsilon", 1, "--kind", "features", "--size", size, "--trials", 5000, "--seed", 0, "--json")
    done = run("noise_of_mine:Mine", *words)
    assert done.exit_code == status, done.output
    told = json.loads(done.stdout)
    assert told["passed"] == (status == 0)
    assert {audit["epsilon"] for audit in told["audits"]} == {1.0}


def test_a_promise_that_so_few_trials_cannot_contradict_is_told(run):
    done = run("gaussian", "--epsilon", 5, "--delta", 0.01, "--trials", 100, "--seed", 0)
    assert done.exit_code == 0
    assert "cannot contradict ε = 5" in " ".join(done.output.split())


def test_a_campaign_is_audited_by_its_file(run, tmp_path):
    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0))
    asked.save(tmp_path / "campaign.json")
    done = run("campaign.json", "--trials", 200, "--seed", 0)
    assert done.exit_code == 0, done.output
    assert "label" in done.stdout


def test_a_device_that_sends_the_truth_ends_with_1(run, tmp_path):
    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0))
    asked.save(tmp_path / "campaign.json")
    code = (
        "import json, sys; asked = json.loads(input()); "
        "print(json.dumps([[(b'\\x12' + bytes.fromhex(asked['id'][:8]) + bytes([one['person'] % 128,"
        " one['held']['label']])).hex()] * one['times'] for one in asked['answers']]))"
    )
    done = run("campaign.json", "--device", shlex.join([sys.executable, "-c", code]), "--trials", 200)
    assert done.exit_code == 1, done.output
    assert "promises broken" in done.stdout


def test_a_method_is_audited_with_few_epochs_and_a_large_delta(run):
    done = run("gap", "--epsilon", 3, "--relation", "edge", "--trials", 100, "--setting", "hops=1", "--json")
    assert done.exit_code == 0, done.output
    audit, noise, canary, given = json.loads(done.stdout)["audits"]
    assert (audit["subject"], audit["delta"]) == ("aggregation, the worst planted", 0.1)
    assert "of what was accounted" in noise["measured"]
    assert (canary["subject"], canary["reach"] > 0) == ("all that fits release, a canary", True)
    assert "of what was accounted" in given["measured"]


def test_a_promise_that_is_known_to_be_false_ends_with_1(run, monkeypatch):
    monkeypatch.setattr("hushgraph.audit.method.audit", lambda *_, **__: Audit(0.0, 2.0, 0.0, 100))
    done = run("nip-gnn-published", "--epsilon", 2, "--trials", 100, "--seed", 0, "--json")
    assert done.exit_code == 1, done.output
    told = json.loads(done.stdout)
    assert told["refuted"]
    assert not told["passed"]
    done = run("nip-gnn-published", "--epsilon", 2, "--trials", 100, "--seed", 0)
    said = " ".join(done.stdout.split())
    assert said.endswith("the promise of nip-gnn-published is known to be false, for the reasons above")
    assert all(" ".join(why.split()) in said for why in told["refuted"])
    assert "no contradiction, which" not in said


BROKEN = """
class Broken:
    epsilon = 1.0

    def __init__(self, epsilon):
        pass

    def randomize(self, values, rng):
        raise RuntimeError("no such table")
"""


def test_code_that_fails_is_no_broken_promise(run, tmp_path):
    (tmp_path / "broken_of_mine.py").write_text(BROKEN)
    sys.modules.pop("broken_of_mine", None)
    done = run("broken_of_mine:Broken", "--epsilon", 1, "--kind", "features", "--trials", 100)
    assert done.exit_code == 2, done.output
    assert "RuntimeError('no such table')" in done.output


ENDS = """
import sys, typer

def end():
    raise {}

class Mine:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def randomize(self, values, rng):
        end()
"""


@pytest.mark.parametrize("ending", ["SystemExit(0)", "typer.Exit(0)"])
@pytest.mark.parametrize("when", ["on import", "when it is asked"])
def test_code_that_ends_the_process_does_not_choose_the_status(run, tmp_path, ending, when):
    (tmp_path / "ends_of_mine.py").write_text(ENDS.format(ending) + ("end()" if when == "on import" else ""))
    sys.modules.pop("ends_of_mine", None)
    done = run("ends_of_mine:Mine", "--epsilon", 1, "--kind", "features", "--trials", 100)
    assert done.exit_code == 2, done.output
    assert "the code that was run failed" in done.output
    sys.modules.pop("ends_of_mine", None)
    if when == "on import":
        done = CliRunner().invoke(app, ["--import", "ends_of_mine", "audit", "multi-bit", "--epsilon", "1"])
        assert done.exit_code == 2, done.output


OPEN = """
class Twenty:
    def __init__(self, epsilon):
        self.epsilon = 20 * epsilon

    def randomize(self, values, rng):
        return values + 0.0

class Silent(Twenty):
    def __init__(self, epsilon):
        pass

class Slack(Twenty):
    delta = 0.999

class Half:
    def randomize(self, values, rng):
        return values + rng.laplace(0.0, 0.5, values.shape)

class Gaussian:
    def __init__(self, epsilon, delta):
        self.noise = __import__("hushgraph").AnalyticGaussian(epsilon, delta)

    def randomize(self, values, rng):
        return self.noise.randomize(values, rng)
"""


def test_what_is_checked_is_what_was_typed(run, tmp_path):
    """A mechanism that states more has no excuse, and one that states nothing needs none."""
    (tmp_path / "open_of_mine.py").write_text(OPEN)
    sys.modules.pop("open_of_mine", None)
    words = ("--epsilon", 1, "--kind", "features", "--trials", 1000, "--seed", 0, "--json")
    typed = ("--delta", 0.1)
    for name, more, status in [
        ("Twenty", (), 1),
        ("Silent", (), 1),
        ("Slack", (), 1),
        ("Gaussian", typed, 0),
    ]:
        done = run(f"open_of_mine:{name}", *words, *more)
        assert done.exit_code == status, done.output
        assert {one["epsilon"] for one in json.loads(done.stdout)["audits"]} == {1.0}
    assert {one["delta"] for one in json.loads(done.stdout)["audits"]} == {0.1}
    # What takes no δ is checked with it all the same: the noise is the half of what pure ε asks for.
    for more, status in [((), 1), (("--delta", 0.3), 0)]:
        done = run("open_of_mine:Half", *words, "--size", 1, *more)
        assert done.exit_code == status, done.output


LABELS = """
import numpy as np

class Labels:
    keep_probability = 0.5  # of three classes, so that ε = log 2

    def randomize(self, labels, rng):
        assert set(labels) <= {0, 1, 2}
        other = (labels + rng.choice([1, 2], size=len(labels))) % 3
        return np.where(rng.standard_normal(len(labels)) > 0, labels, other)

class Silent:
    randomize = Labels.randomize

class Many:
    def __init__(self, budget, num_classes):
        self.budget, self.num_classes = budget, num_classes

    def randomize(self, labels, rng):
        assert (self.budget, self.num_classes) == (1.0, 5)
        assert set(labels) <= {0, 1, 4}
        return rng.integers(self.num_classes, size=len(labels))
"""


@pytest.fixture
def labels_of_mine(tmp_path):
    sys.modules.pop("labels_of_mine", None)
    (tmp_path / "labels_of_mine.py").write_text(LABELS)


@pytest.mark.usefixtures("labels_of_mine")
@pytest.mark.parametrize(("epsilon", "status"), [(0.7, 0), (0.4, 1)])
def test_labels_are_asked_of_what_says_that_it_is_for_labels(run, epsilon, status):
    """It takes no budget, and draws in a way that numpy has and a device has not; so there is no seed."""
    words = ("--epsilon", epsilon, "--trials", 10_000, "--confidence", 0.999, "--json")
    done = run("labels_of_mine:Labels", *words)
    assert done.exit_code == status, done.output
    told = [one["subject"] for one in json.loads(done.stdout)["audits"]]
    assert told == ["first and second class", "first and last class"]


@pytest.mark.usefixtures("labels_of_mine")
def test_what_does_not_say_what_it_is_for_is_asked_to(run):
    words = ("labels_of_mine:Silent", "--epsilon", 0.7, "--trials", 1000, "--seed", 0)
    done = run(*words)
    assert done.exit_code == 2, done.output
    assert "--kind is required: 'labels_of_mine:Silent' does not say" in " ".join(done.output.split())
    assert run(*words, "--kind", "labels").exit_code == 0
    done = run("multi-bit", "--epsilon", 1, "--kind", "features", "--trials", 100, "--seed", 0)
    assert done.exit_code == 0, done.output


@pytest.mark.usefixtures("labels_of_mine")
def test_a_class_is_called_with_what_it_takes(run):
    done = run("labels_of_mine:Many", "--epsilon", 1, "--size", 5, "--trials", 500, "--seed", 0)
    assert done.exit_code == 0, done.output


REGISTERS = """
from hushgraph.registry import FEATURES
FEATURES.add("half-noise", "half", "registers_of_mine:Noise", share=0.5)

class Noise:
    def __init__(self, epsilon, share=1.0):
        self.epsilon, self.share = epsilon, share

    def randomize(self, values, rng):
        return values + rng.laplace(0.0, self.share / self.epsilon, values.shape)
"""


def test_what_a_module_registers_is_audited_by_its_name(run, tmp_path):
    """With its settings: the half of the noise is not enough."""
    (tmp_path / "registers_of_mine.py").write_text(REGISTERS)
    words = ["half-noise", "--epsilon", "1", "--size", "1", "--trials", "5000", "--seed", "0"]
    try:
        done = CliRunner().invoke(app, ["--import", "registers_of_mine", "audit", *words])
        assert done.exit_code == 1, done.output
    finally:
        FEATURES.remove("half-noise")
        IMPORTED.remove("registers_of_mine")
        sys.modules.pop("registers_of_mine", None)


def test_an_output_that_knows_no_greek_gets_escapes():
    line = [sys.executable, "-c", "from hushgraph.cli import main; main()", "audit", "multi-bit"]
    line += ["--epsilon", "1", "--trials", "100", "--seed", "0"]
    for more in ([], ["--json"]):
        done = subprocess.run(
            [*line, *more], capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["audited"] == "multi-bit"


def test_a_device_that_forgets_ends_with_1(run, tmp_path):
    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0))
    asked.save(tmp_path / "campaign.json")
    (tmp_path / "device.py").write_text(FORGETS)
    done = run("campaign.json", "--device", f"{sys.executable} device.py", "--trials", 400, "--json")
    assert done.exit_code == 1, done.output
    told = json.loads(done.stdout)["audits"]
    assert [audit["passed"] for audit in told] == [True, False, False]
    assert told[-1]["measured"].endswith("of 800 devices gave another answer")


FORGETS = """
import json, sys
import hushgraph as hg
from hushgraph.collection.wire import Wire
asked = json.loads(sys.stdin.readline())
campaign = hg.Campaign.from_json(asked["terms"], id=asked["id"])
wire = Wire(campaign)
print(json.dumps([
    [wire.encode(hg.answer(campaign, one["person"], **one["held"])).hex() for _ in range(one["times"])]
    for one in asked["answers"]
]))
"""


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nothing"], "there is no 'nothing' to audit"),
        (["lpgnn"], "as private as their campaign"),
        (["multi-bit"], "--epsilon is required"),
        (["gaussian", "--epsilon", "1"], "delta is required"),
        (["missing.json"], "No such file"),
        (["multi-bit", "--epsilon", "1", "--relation", "edge"], "is for a method"),
        (["gap", "--epsilon", "1", "--size", "4"], "is for a mechanism"),
        (["randomized-response", "--epsilon", "1", "--low", "2"], "takes no --low"),
        (["multi-bit", "--epsilon", "1", "--kind", "labels"], "'multi-bit' is for features"),
        (["nowhere:Mine", "--epsilon", "1"], "there is no 'nowhere:Mine' to import"),
        (["gap", "--epsilon", "inf"], "finite epsilon"),
        (["multi-bit", "--epsilon", "inf"], "finite epsilon"),
    ],
)
def test_bad_input_ends_with_2_and_says_why(run, words, why):
    done = run(*words)
    assert done.exit_code == 2, done.output
    assert why in " ".join(done.output.split())


def test_an_open_campaign_has_nothing_to_audit(run, tmp_path):
    hg.Campaign(classes=2, labels=hg.RandomizedResponse(float("inf"))).save(tmp_path / "campaign.json")
    done = run("campaign.json")
    assert done.exit_code == 2
    assert "nothing to audit" in " ".join(done.output.split())
