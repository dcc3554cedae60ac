"""One registration, and a thing of one's own is found everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph import datasets, registry
from hushgraph.cli.app import app
from hushgraph.curator import DPMLP
from hushgraph.datasets.loading import is_public
from hushgraph.experiments import declared, formatting, runner
from hushgraph.experiments.charts import draw_chart
from hushgraph.experiments.store import ResultStore


class LazyMLP(DPMLP):
    """DP-MLP with a name of its own."""


class QuickGNN(hg.LPGNN):
    """LPGNN with a name of its own."""


@dataclass(frozen=True)
class Quiet(hg.Laplace):
    """A Laplace mechanism of one's own."""


def ring() -> hg.Graph:
    """Sixty people in a ring."""
    people = np.arange(60)
    features = np.eye(3)[people % 3]
    return hg.Graph([people, (people + 1) % 60], features, people // 20, num_classes=3, name="ring")


@pytest.fixture
def mine(monkeypatch):
    """Four things of one's own, in one registration each."""
    module = ModuleType("things_of_mine")
    module.LazyMLP, module.Quiet, module.ring = LazyMLP, Quiet, ring
    monkeypatch.setitem(sys.modules, "things_of_mine", module)
    module.QuickGNN = QuickGNN
    registry.CURATOR_METHODS.add("lazy", "Lazy MLP", "things_of_mine:LazyMLP", epochs=1)
    registry.METHODS.add("quick", "Quick GNN", "things_of_mine:QuickGNN", epochs=1)
    registry.FEATURES.add("quiet", "Quiet Laplace", "things_of_mine:Quiet")
    registry.DATASETS.add("ring", "The ring", "things_of_mine:ring")
    yield
    registry.CURATOR_METHODS.remove("lazy")
    registry.METHODS.remove("quick")
    registry.FEATURES.remove("quiet")
    registry.DATASETS.remove("ring")


@pytest.mark.usefixtures("mine")
def test_a_graph_of_ones_own_is_not_public():
    """Its people are asked, and charged."""
    assert [is_public(name) for name in ("cora", "social", "ring")] == [True, True, False]


def told(*words):
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.usefixtures("mine")
def test_the_command_finds_them():
    assert "ring" in told("datasets")
    assert '"method": "lazy"' in told("curate", "ring", "--method", "lazy", "--epsilon", "inf", "--json")
    said = told(
        "train", "ring", "--mechanism", "quiet", "--epsilon-x", "2", "--epsilon-y", "2", "--method", "lpgnn",
        "--epochs", "2", "--seed", "0", "--json",
    )  # fmt: skip
    # It is somebody's own, and so is what it promises.
    assert '"status": "claimed"' in said


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(("method", "title"), [("lazy", "Lazy MLP"), ("quick", "Quick GNN")])
def test_methods_of_ones_own_are_attacked(method, title):
    said = told("attack", "ring", "--method", method, "--epsilon", "inf", "--attacks", "confidence", "--json")
    assert json.loads(said)["private"]["targets"][0]["target"] == title


DECLARED = {
    "curator": 'study = "curator"\n'
    'cells = [{ dataset = "ring", method = ["lazy", "dp-mlp"], epsilon = [inf] }]\n'
    'chart = [{ x = "epsilon", lines = "method" }]',
    "error": 'study = "aggregation_error"\n'
    'cells = [{ dataset = "ring", features = ["quiet", "multi-bit"], epsilon_x = [1, 2] }]\n'
    'chart = [{ x = "epsilon_x", lines = "features" }]',
}


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(("name", "title"), [("curator", "Lazy MLP"), ("error", "Quiet Laplace")])
def test_studies_and_charts_find_them(name, title, tmp_path):
    (experiment,) = declared.parse(f'[x]\ntitle = "mine"\n{DECLARED[name]}\n', "mine", "mine.toml")
    plan = runner.make_plan([experiment], repeats=1)
    store = ResultStore(tmp_path, {})
    for run in plan.distinct.values():
        outcome = run.study.measure(ring(), run.configuration, run.seed, "cpu", lambda _: None)
        store.put(run, runner.Result(outcome, {}))
    (table,) = runner.tables(plan, runner.finished(plan, store), {})
    drawn = draw_chart(table, experiment.charts[0])
    assert title in [text.get_text() for text in drawn.legends[0].get_texts()]
    assert drawn.axes[0].get_title() == "The ring"


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(ValueError, match="there is a method named 'gap' already"):
        registry.CURATOR_METHODS.add("gap", "GAP", "mine:GAP")


def test_every_entry_leads_somewhere_and_no_two_share_a_title():
    for one in registry.ALL:
        assert all(entry.load() is not None for entry in one.values())
        assert len({entry.title for entry in one.values()}) == len(one)
    assert formatting.name_of("citeseer_lcc") == "CiteSeer LCC"
    assert set(registry.DATASETS) < set(datasets.available())


def test_what_cannot_be_imported_is_said():
    with pytest.raises(ValueError, match="there is no 'nowhere:Thing' to import"):
        registry.imported("nowhere:Thing")
    with pytest.raises(ValueError, match=r"there is no 'hushgraph\.graph:Grph' to import"):
        registry.imported("hushgraph.graph:Grph")


MODULE = '''
import numpy as np
import hushgraph as hg
from hushgraph import registry
from hushgraph.curator import DPMLP

class Lazy(DPMLP):
    """DP-MLP with a name of its own."""

def circle():
    """Sixty people in a circle."""
    people = np.arange(60)
    return hg.Graph([people, (people + 1) % 60], np.eye(3)[people % 3], people // 20, num_classes=3)

registry.CURATOR_METHODS.add("idle", "Idle MLP", "plugin_of_mine:Lazy")
registry.DATASETS.add("circle", "The circle", "plugin_of_mine:circle")
'''


def test_the_installed_command_and_its_workers_take_a_users_module(tmp_path):
    (tmp_path / "plugin_of_mine.py").write_text(MODULE)
    (tmp_path / "own.toml").write_text(
        '[x]\ntitle = "mine"\nstudy = "curator"\n'
        'cells = [{ dataset = "circle", method = "idle", epsilon = inf, epochs = 1 }]\n'
    )

    def command(*words):
        line = [sys.executable, "-c", "from hushgraph.cli import main; main()", "--import", "plugin_of_mine"]
        done = subprocess.run([*line, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    fitted = command(
        "curate",
        "circle",
        "--method",
        "idle",
        "--epsilon",
        "inf",
        "--setting",
        "epochs=1",
        "--save",
        "model.pt",
    )
    assert "test accuracy" in fitted
    assert "Predictions for 60 people" in command("predict", "model.pt")
    (table,) = json.loads(command("reproduce", "own.toml", "--repeats", "1", "--jobs", "1", "--json"))
    assert table["rows"][0]["dataset"] == "The circle"
    assert table["rows"][0]["private"]["mean"] is not None
