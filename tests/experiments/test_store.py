"""The output folder."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import hushgraph
from hushgraph.experiments.runs import Run
from hushgraph.experiments.store import Result, ResultStore
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.studies.study import Outcome
from hushgraph.privacy import Guarantee

RUN = Run("cora", "d" * 64, {"study": "lpgnn", "epsilon_x": "inf", "model": {"k_x": 2}}, 0)
RESULT = Result(Outcome(0.5, 1.0, Guarantee("label", 1.0), {"best_epoch": 3}), {"torch": "2"})


@pytest.fixture
def results(tmp_path):
    folder = ResultStore(tmp_path / "out", {"hyperparameters": "published"})
    folder.put(RUN, RESULT)
    return folder


def path_of(results):
    (path,) = (results.folder / "runs").iterdir()
    return path


def test_a_stored_run_comes_back(results):
    assert results.get(RUN) == RESULT


def test_a_run_says_whom_it_is_for_where_the_people_are_the_users_own(results):
    own = replace(RUN, dataset="people.npz")
    results.put(own, RESULT)
    whose = {file.stem: json.loads(file.read_text()).get("for") for file in results.folder.glob("runs/*")}
    assert whose[f"cora-{RUN.key}"] is None
    assert "whoever holds the data" in str(whose[f"people-{own.key}"])
    assert results.get(own) == RESULT


@pytest.mark.parametrize(
    "other",
    [
        Run("pubmed", RUN.digest, RUN.configuration, 0),
        Run("cora", "e" * 64, RUN.configuration, 0),
        Run("cora", RUN.digest, {**RUN.configuration, "model": {"k_x": 4}}, 0),
        Run("cora", RUN.digest, RUN.configuration, 1),
    ],
)
def test_a_run_is_known_by_graph_content_configuration_and_seed(results, other):
    assert results.get(other) is None
    assert results.others({other.key}) == 1
    assert results.others({other.key, RUN.key}) == 0


def test_a_run_of_another_revision_is_another_run(results, monkeypatch):
    revised = replace(RUN.study, revision=RUN.study.revision + 1)
    monkeypatch.setitem(STUDIES, RUN.study.name, revised)
    assert results.get(Run(RUN.dataset, RUN.digest, RUN.configuration, RUN.seed)) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: text.replace("0.5", "0.9"),
        lambda text: text.replace('"seed": 0', '"seed": 1'),
        lambda text: "[]",
        lambda text: "\x00" * 100,
        lambda text: text.replace("0.5", "NaN"),
        lambda text: text.replace("0.5", "1e999"),
        lambda text: text.replace('"torch"', '"\\ud800"'),
        lambda text: "[" * 100_000,
    ],
)
def test_a_corrupt_file_is_named_set_aside_and_repeated(results, damage):
    path = path_of(results)
    path.write_text(damage(path.read_text()))
    warnings = []
    reopened = ResultStore(results.folder, results.settings, warn=warnings.append)
    assert reopened.get(RUN) is None
    assert not path.exists()
    assert (results.folder / "corrupt" / path.name).exists()
    assert path.name in warnings[0]
    reopened.put(RUN, RESULT)
    assert reopened.get(RUN) == RESULT


def test_another_runs_file_under_this_name_is_corrupt(results):
    other = Run("cora", RUN.digest, RUN.configuration, 7)
    first = path_of(results)
    results.put(other, RESULT)
    (second,) = (path for path in (results.folder / "runs").iterdir() if path != first)
    first.write_bytes(second.read_bytes())
    assert results.get(RUN) is None
    assert results.get(other) == RESULT


def test_a_folder_of_other_settings_is_refused(results):
    with pytest.raises(ValueError, match="hyperparameters was 'published' and is now 'mine'"):
        ResultStore(results.folder, {"hyperparameters": "mine"})


@pytest.mark.parametrize("change", [{"hushgraph": "99.0.0"}, {"format": 99}])
def test_a_folder_of_a_newer_version_is_refused(results, change):
    about = results.folder / "folder.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | change))
    with pytest.raises(ValueError, match="newer than this"):
        ResultStore(results.folder, results.settings)


def test_an_older_versions_folder_goes_on(results):
    about = results.folder / "folder.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"hushgraph": "0.0.9"}))
    ResultStore(results.folder, results.settings).prepare()
    assert json.loads(about.read_text())["hushgraph"] == hushgraph.__version__


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "holiday.jpg").write_bytes(b"")
    with pytest.raises(ValueError, match="not empty and has no folder"):
        ResultStore(tmp_path, {})


def test_what_a_kill_in_the_middle_of_a_write_leaves_does_not_matter(tmp_path):
    (tmp_path / ".folder.json.0123").write_bytes(b"{")
    ResultStore(tmp_path, {}).put(RUN, RESULT)
    assert ResultStore(tmp_path, {}).get(RUN) == RESULT


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": 1e999, "hushgraph": "0", "settings": {}}', "[" * 100_000]
)
def test_a_corrupt_description_is_refused(results, text):
    (results.folder / "folder.json").write_text(text)
    with pytest.raises(ValueError, match=r"folder.json is corrupt"):
        ResultStore(results.folder, results.settings)
