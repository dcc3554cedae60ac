import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from hushgraph.datasets import available, load, save
from hushgraph.datasets.loading import data_folder as folder_for
from hushgraph.datasets.named import NAMED, ten_largest_classes
from hushgraph.graph import Graph

IN_THE_FOLDER = [name for name in NAMED if name not in ("lastfm", "lastfm18")]


@pytest.mark.parametrize("name", IN_THE_FOLDER)
def test_a_real_graph_is_verified_and_has_its_known_size(data_folder, name):
    graph, named = load(name, root=data_folder), NAMED[name]
    found = (graph.num_nodes, graph.num_edges, graph.num_features, graph.num_classes)
    assert found == (named.nodes, named.edges, named.features, named.classes)
    assert graph.name == name
    assert np.unique(graph.labels[graph.labels >= 0]).size == named.classes


def test_citeseer_has_no_label_for_the_fifteen_papers_without_words(data_folder):
    graph = load("citeseer", root=data_folder)
    source = np.load(data_folder / "citeseer.npz")
    unlabelled = np.flatnonzero(graph.labels == -1)
    assert unlabelled.size == 15
    assert (graph.features[unlabelled].sum(axis=1) == 0).all()
    assert (np.delete(graph.features.sum(axis=1), unlabelled) > 0).all()
    assert (source["y"][unlabelled] == 0).all()
    split = np.concatenate([source[part] for part in ("train_idx", "val_idx", "test_idx")])
    assert not np.isin(unlabelled, split).any()
    # They have friends: the 48 isolated papers are others, and keep their labels.
    degree = np.bincount(graph.edges.ravel(), minlength=graph.num_nodes)
    assert np.isin(degree[unlabelled], (1, 2)).all()
    assert (degree == 0).sum() == 48


def lastfm_with_made_up_features(data_folder, num_features=7_842):
    source = np.load(data_folder / "lastfm_structure.npz")
    features = np.zeros((source["y"].size, num_features), np.float32)
    features[:, 0] = np.arange(source["y"].size)
    return Graph(source["edge_index"], features, source["y"])


@pytest.mark.slow
def test_lastfm_keeps_its_ten_largest_classes(data_folder, tmp_path):
    save(lastfm_with_made_up_features(data_folder), tmp_path / "lastfm.npz")
    graph = load("lastfm", root=tmp_path)
    assert (graph.num_nodes, graph.num_edges, graph.num_classes) == (7_083, 25_814, 10)
    original = np.load(data_folder / "lastfm_structure.npz")["y"]
    kept = graph.features[:, [0]].toarray().ravel().astype(int)
    old_class = np.array([0, 3, 5, 6, 8, 10, 14, 15, 16, 17])
    assert (old_class[graph.labels] == original[kept]).all()


def test_lastfm_with_another_number_of_features_is_refused(data_folder, tmp_path):
    save(lastfm_with_made_up_features(data_folder, 128), tmp_path / "lastfm.npz")
    with pytest.raises(ValueError, match="128 features, expected 7,842"):
        load("lastfm", root=tmp_path)


def test_keeping_the_largest_classes_keeps_who_is_who():
    labels = np.repeat(np.arange(12), [3, 1, 3, 3, 3, 3, 2, 3, 3, 3, 3, 3])
    features = np.arange(labels.size, dtype=np.float32)[:, None]
    graph = ten_largest_classes(Graph([[0, 3, 1], [4, 4, 5]], features, labels))
    people = graph.features.ravel().astype(int)
    assert set(range(labels.size)) - set(people) == {3, 16, 17}
    assert [people[edge].tolist() for edge in graph.edges.T] == [[0, 4], [1, 5]]
    assert graph.labels.tolist() == np.repeat(np.arange(10), 3).tolist()


def test_an_altered_file_is_refused_with_both_digests(data_folder, tmp_path):
    arrays = dict(np.load(data_folder / "cora.npz"))
    arrays["y"][0] = (arrays["y"][0] + 1) % 7
    np.savez(tmp_path / "cora.npz", **arrays)
    with pytest.raises(ValueError, match=f"{NAMED['cora'].digest}") as caught:
        load("cora", root=tmp_path)
    assert str(tmp_path / "cora.npz") in str(caught.value)
    assert len(set(re.findall("[0-9a-f]{64}", str(caught.value)))) == 2


def test_a_truncated_file_is_refused_by_name(data_folder, tmp_path):
    content = (data_folder / "cora.npz").read_bytes()
    (tmp_path / "cora.npz").write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match=re.escape(str(tmp_path / "cora.npz"))):
        load("cora", root=tmp_path)


def test_what_the_digest_does_not_cover_is_not_taken_over(data_folder, tmp_path):
    arrays = dict(np.load(data_folder / "cora.npz"))
    np.savez(tmp_path / "cora.npz", **arrays, num_classes=np.array(99), ranges_from_data=np.array(True))
    graph = load("cora", root=tmp_path)
    assert graph.num_classes == 7
    assert not graph.ranges_from_data


def test_the_environment_names_the_data_folder(data_folder, tmp_path, monkeypatch):
    shutil.copy(data_folder / "cora.npz", tmp_path)
    monkeypatch.setenv("HUSHGRAPH_DATA", str(tmp_path))
    assert load("cora").num_nodes == 2_708


def test_the_data_folder_is_root_then_the_environment_then_the_cache(monkeypatch):
    monkeypatch.setenv("HUSHGRAPH_DATA", "/from/environment")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert folder_for("/given") == Path("/given")
    assert folder_for() == Path("/from/environment")
    monkeypatch.delenv("HUSHGRAPH_DATA")
    assert folder_for() == Path("/cache/hushgraph")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert folder_for() == Path.home() / ".cache" / "hushgraph"


def test_an_unknown_name_is_answered_with_the_nearest_and_all_known():
    with pytest.raises(ValueError, match=r"'pubmet' \(did you mean 'pubmed'\?\); known") as caught:
        load("pubmet")
    assert all(name in str(caught.value) for name in available())


def test_a_real_graph_takes_no_options():
    with pytest.raises(TypeError, match="'cora' is a real graph and takes no options, got seed"):
        load("cora", seed=1)


def test_every_name_is_described():
    assert list(available()) == [*NAMED, "social"]
    assert all(available().values())
