import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from hushgraph.datasets.digest import content_digest
from hushgraph.datasets.named import NAMED
from hushgraph.datasets.npz import read_npz
from hushgraph.datasets.snap import SnapArchive
from hushgraph.graph import Graph

LAYOUT = SnapArchive("https://example.org/net.zip", "kind", num_features=4, class_names=("b", "a"))


@pytest.fixture
def likes():
    """Three people, of whom the last likes nothing; nobody likes the fourth thing."""
    return Graph(
        [[0, 1], [1, 2]], sp.csr_array([[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]), np.array([0, 1, 1])
    )


def test_an_archive_gives_nodes_by_id_binary_features_and_numbered_classes(likes, snap_zip):
    graph = LAYOUT.parse(io.BytesIO(snap_zip(likes, "kind", ("b", "a"))))
    assert content_digest(graph) == content_digest(likes)
    assert graph.num_features == 4
    assert graph.dropped_self_loops == 2


def test_features_that_are_not_wanted_are_not_read(likes, snap_zip):
    graph = replace(LAYOUT, num_features=0).parse(io.BytesIO(snap_zip(likes, "kind", ("b", "a"))))
    assert (graph.num_nodes, graph.num_features, graph.num_edges) == (3, 0, 2)


@pytest.mark.parametrize("name", ["facebook", "github"])
def test_a_real_graph_in_the_origins_layout_has_the_known_digest(data_folder, snap_zip, name):
    named = NAMED[name]
    archive = snap_zip(
        read_npz(data_folder / named.file), named.origin.label_column, named.origin.class_names
    )
    graph = named.origin.parse(io.BytesIO(archive))
    assert content_digest(graph) == named.digest


def without(archive, ending):
    slim = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as files, zipfile.ZipFile(slim, "w") as kept:
        for name in files.namelist():
            if not name.endswith(ending):
                kept.writestr(name, files.read(name))
    return slim.getvalue()


@pytest.mark.parametrize(
    ("layout", "change", "complaint"),
    [
        (LAYOUT, lambda archive: archive[:-50], "zip"),
        (LAYOUT, lambda archive: without(archive, "_edges.csv"), r"0 files \*_edges.csv"),
        (replace(LAYOUT, label_column="colour"), bytes, "colour"),
        (replace(LAYOUT, class_names=("b",)), bytes, "not in tuple"),
        (replace(LAYOUT, num_features=2), bytes, "indices must be < 2"),
    ],
)
def test_an_archive_in_another_layout_is_refused(likes, snap_zip, layout, change, complaint):
    with pytest.raises(ValueError, match=f"not in the layout of https://example.org/net.zip: .*{complaint}"):
        layout.parse(io.BytesIO(change(snap_zip(likes, "kind", ("b", "a")))))
