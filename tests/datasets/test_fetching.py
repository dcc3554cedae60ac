"""Fetching a graph that is not in the data folder, against a real server on this machine."""

import pickle
import shutil
import sys
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from hushgraph.datasets import load
from hushgraph.datasets.digest import content_digest
from hushgraph.datasets.loading import obtain
from hushgraph.datasets.named import NAMED, NamedGraph
from hushgraph.datasets.npz import read_npz
from hushgraph.datasets.origins import PlanetoidFiles
from hushgraph.datasets.snap import SnapArchive
from hushgraph.graph import Graph

NOWHERE = "http://127.0.0.1:9/net.zip"


@pytest.fixture
def published(web, snap_zip):
    """A small graph that the server publishes, and the graph itself."""
    address, folder = web
    features = sp.random_array((30, 6), density=0.5, rng=np.random.default_rng(0)).astype(bool).tocsr()
    graph = Graph([range(29), range(1, 30)], features, np.arange(30) % 3)
    (folder / "net.zip").write_bytes(snap_zip(graph, "kind"))
    origin = SnapArchive(f"{address}/net.zip", "kind", num_features=6)
    return NamedGraph("net", "Net", "a line of people", 30, 29, 6, 3, content_digest(graph), origin), graph


def moved(named, address):
    return replace(named, origin=replace(named.origin, address=address))


def test_a_graph_is_fetched_once_and_then_read_from_the_folder(published, tmp_path):
    named, graph = published
    folder = tmp_path / "new" / "folder"
    assert content_digest(obtain(named, folder)) == content_digest(graph)
    assert [file.name for file in folder.iterdir()] == ["net.npz"]
    assert content_digest(obtain(moved(named, NOWHERE), folder)) == content_digest(graph)


def assert_nothing_was_stored(folder):
    assert list(folder.iterdir()) == []


def test_a_download_that_breaks_off_stores_nothing(published, web, tmp_path):
    named, _ = published
    shutil.copy(web[1] / "net.zip", web[1] / "net.zip.short")
    with pytest.raises(FileNotFoundError, match=r"broke off|IncompleteRead") as caught:
        obtain(moved(named, f"{web[0]}/net.zip.short"), tmp_path)
    assert caught.value.__cause__ is not None
    assert_nothing_was_stored(tmp_path)


def test_an_archive_that_was_truncated_at_its_origin_stores_nothing(published, web, tmp_path):
    named, _ = published
    archive = web[1] / "net.zip"
    archive.write_bytes(archive.read_bytes()[:200])
    with pytest.raises(ValueError, match="not in the layout"):
        obtain(named, tmp_path)
    assert_nothing_was_stored(tmp_path)


def test_an_archive_with_another_graph_stores_nothing(published, web, snap_zip, tmp_path):
    named, graph = published
    other = replace(graph, labels=(graph.labels + 1) % 3)
    (web[1] / "net.zip").write_bytes(snap_zip(other, "kind"))
    with pytest.raises(ValueError, match=f"{named.origin.address} .*{content_digest(other)}.*{named.digest}"):
        obtain(named, tmp_path)
    assert_nothing_was_stored(tmp_path)


@pytest.mark.parametrize("address", [NOWHERE, "{server}/gone.zip"])
def test_without_the_origin_the_error_says_which_file_to_put_where(published, web, tmp_path, address):
    named = moved(published[0], address.format(server=web[0]))
    with pytest.raises(FileNotFoundError) as caught:
        obtain(named, tmp_path)
    message = str(caught.value)
    for part in ("net.npz", str(tmp_path), "HUSHGRAPH_DATA", "root=", "edge_index", "x_indptr", "30 nodes"):
        assert part in message
    assert isinstance(caught.value.__cause__, OSError)
    assert_nothing_was_stored(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(published, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(FileNotFoundError, match=f"Put net.npz there.*{blocked}"):
        obtain(published[0], blocked / "data")


def test_lastfm_without_its_features_is_refused_and_says_what_there_is(data_folder, tmp_path):
    shutil.copy(data_folder / "lastfm_structure.npz", tmp_path)
    with pytest.raises(
        FileNotFoundError, match="'lastfm_structure' is there, the graph without feat"
    ) as caught:
        obtain(moved(NAMED["lastfm"], NOWHERE), tmp_path)
    assert "Put lastfm.npz there" in str(caught.value)
    assert "7,624 nodes with 7,842 features" in str(caught.value)


@pytest.mark.parametrize("name", ["citeseer_lcc", "coauthor_physics"])
def test_a_graph_that_no_loader_gives_the_same_is_not_fetched(name, tmp_path):
    with pytest.raises(
        FileNotFoundError, match=rf"{name}\.npz.*not fetched automatically: .*PyTorch Geometric"
    ):
        load(name, root=tmp_path)


def publish_planetoid(folder, graph, name, num_test):
    """The graph as Planetoid's raw files: pickles, with the test rows apart."""
    one_hot = np.eye(graph.num_classes)[graph.labels]
    first = graph.num_nodes - num_test
    friends = defaultdict(list)
    for u, v in graph.edges.T.tolist():
        friends[u].append(v)
        friends[v].append(u)
    x = sp.csr_matrix(graph.features)
    parts = {
        "x": x[:20], "allx": x[:first], "tx": x[first:], "graph": friends,
        "y": one_hot[:20], "ally": one_hot[:first], "ty": one_hot[first:],
    }  # fmt: skip
    for part, content in parts.items():
        (folder / f"ind.{name}.{part}").write_bytes(pickle.dumps(content))
    (folder / f"ind.{name}.test.index").write_text("\n".join(map(str, range(first, graph.num_nodes))))


def test_a_planetoid_graph_put_together_by_pyg_has_the_known_digest(data_folder, web, tmp_path):
    pytest.importorskip("torch_geometric")
    named = moved(NAMED["cora"], web[0])
    graph = read_npz(data_folder / "cora.npz")
    publish_planetoid(web[1], graph, "cora", num_test=1_000)
    assert content_digest(obtain(named, tmp_path)) == named.digest
    assert [file.name for file in tmp_path.iterdir()] == ["cora.npz"]


def test_without_pyg_the_error_names_the_extra_and_the_file(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    monkeypatch.setitem(sys.modules, "torch_geometric.datasets", None)
    with pytest.raises(ImportError, match=r"Put cora\.npz there.*hushgraph\[pyg\]"):
        obtain(replace(NAMED["cora"], origin=PlanetoidFiles("Cora", NOWHERE)), tmp_path)
    assert_nothing_was_stored(tmp_path)
