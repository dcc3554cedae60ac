"""What a run is known by, and what it refuses to be."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from hushgraph.datasets import read, save
from hushgraph.experiments import runs, studies
from hushgraph.experiments.runs import Run, check_name, digest_of, digested, perform

RUN = Run("/data/small.npz", "0123", {"study": "lpgnn", "model": {"k_x": 2}}, seed=4)


@pytest.fixture(autouse=True)
def _no_graph_remembered():
    digested.cache_clear()
    yield
    digested.cache_clear()


def test_the_key_is_the_same_wherever_the_file_lies():
    assert dataclasses.replace(RUN, dataset="/elsewhere/small.npz").key == RUN.key


@pytest.mark.parametrize(
    "change",
    [
        {"dataset": "other.npz"},
        {"digest": "0124"},
        {"configuration": {"study": "lpgnn", "model": {"k_x": 3}}},
        {"seed": 5},
    ],
)
def test_whatever_it_depends_on_is_in_the_key(change):
    assert dataclasses.replace(RUN, **change).key != RUN.key


def test_so_is_the_revision_of_its_study(monkeypatch):
    later = dataclasses.replace(RUN.study, revision=RUN.study.revision + 1)
    monkeypatch.setitem(studies.STUDIES, "lpgnn", later)
    assert dataclasses.replace(RUN).key != RUN.key


def test_a_digest_does_not_depend_on_the_order_of_names_and_takes_no_infinite_number():
    assert digest_of({"a": 1, "b": [2]}) == digest_of({"b": [2], "a": 1})
    assert digest_of({"a": 1}) != digest_of({"a": 1.5})
    with pytest.raises(ValueError, match="not JSON compliant"):
        digest_of({"epsilon": float("inf")})


def test_a_graph_is_known_by_name_or_file(graph_file):
    check_name("cora")
    check_name(graph_file)
    with pytest.raises(ValueError, match=r"dataset must be one of .*did you mean 'cora'"):
        check_name("coral")
    with pytest.raises(FileNotFoundError, match=r"there is no file nowhere\.npz"):
        check_name("nowhere.npz")


def test_a_graph_that_changed_since_the_run_was_planned_is_not_measured(graph_file, tmp_path, monkeypatch):
    measured = []
    monkeypatch.setitem(
        studies.STUDIES,
        "lpgnn",
        dataclasses.replace(RUN.study, measure=lambda graph, *_: measured.append(graph.num_nodes)),
    )
    copy = tmp_path / "small.npz"
    copy.write_bytes(Path(graph_file).read_bytes())
    _, digest = digested(str(copy), None)
    planned = dataclasses.replace(RUN, dataset=str(copy), digest=digest)
    perform(planned, None, "cpu", lambda _: None)
    assert measured == [200]

    graph = read(copy)
    save(dataclasses.replace(graph, edges=graph.edges[:, 1:]), copy)
    digested.cache_clear()
    with pytest.raises(ValueError, match="has changed since the run was planned"):
        perform(planned, None, "cpu", lambda _: None)
    assert measured == [200]


def test_a_graph_is_read_once_for_runs_that_follow_each_other(graph_file, monkeypatch):
    reads = []
    monkeypatch.setattr(runs.datasets, "open_graph", lambda name, _: reads.append(name) or read(name))
    assert digested(graph_file, None)[1] == digested(graph_file, None)[1]
    assert reads == [graph_file]
