import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hushgraph.datasets import read, save
from hushgraph.datasets.digest import content_digest


def test_a_saved_graph_reads_back_the_same(small_graph, tmp_path):
    back = read(save(small_graph, tmp_path / "people.npz"))
    assert content_digest(back) == content_digest(small_graph)
    assert back.name == "people"
    assert back.num_classes == small_graph.num_classes


def test_a_class_without_people_survives(small_graph, tmp_path):
    graph = replace(small_graph, num_classes=7, classes=())
    assert read(save(graph, tmp_path / "g.npz")).num_classes == 7


def test_names_of_people_features_and_classes_survive(small_graph, tmp_path):
    names = {
        "ids": ["ann", "bob", "cid", "7"],
        "feature_names": ("age", "height", "likes"),
        "classes": tuple("xyz"),
    }
    back = read(save(replace(small_graph, **names), tmp_path / "g.npz"))
    assert back.ids.tolist() == names["ids"]
    assert (back.feature_names, back.classes) == (names["feature_names"], names["classes"])


def test_a_single_array_is_no_graph(tmp_path):
    path = tmp_path / "g.npz"
    with path.open("wb") as file:
        np.save(file, np.eye(3))
    with pytest.raises(ValueError, match=r"g\.npz is not a readable \.npz file"):
        read(path)


def test_features_scaled_by_private_extremes_stay_marked(small_graph, tmp_path):
    assert not read(save(small_graph, tmp_path / "g.npz")).ranges_from_data
    assert read(save(small_graph.rescaled(), tmp_path / "g.npz")).ranges_from_data


def test_binary_features_are_stored_without_values(small_graph, tmp_path):
    graph = replace(small_graph, features=(small_graph.features > 0).astype(np.float32))
    path = save(graph, tmp_path / "g.npz")
    assert "x_data" not in np.load(path).files
    assert content_digest(read(path)) == content_digest(graph)


def test_a_save_that_breaks_off_leaves_the_old_file(small_graph, tmp_path, monkeypatch):
    path = save(small_graph, tmp_path / "g.npz")
    before = path.read_bytes()

    def break_off(file, **_):
        file.write(b"half a fi")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", break_off)
    with pytest.raises(KeyboardInterrupt):
        save(replace(small_graph, name="new"), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("length", [0, 10, 400, -1])
def test_a_truncated_file_is_refused_by_name(small_graph, tmp_path, length):
    path = save(small_graph, tmp_path / "g.npz")
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ValueError, match=re.escape(str(path))):
        read(path)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"edge_index": None}, "no array edge_index"),
        ({"x_indptr": None}, "holds no features"),
        ({"y": np.array([0, 1], np.int16)}, "labels must have shape"),
        ({"x_indices": np.array([9, 9, 9, 9, 9], np.int16)}, "no valid features"),
        ({"edge_index": np.array([[0], [99]], np.int32)}, "edges name node 99"),
        ({"y": np.array([{}, {}, {}, {}], object)}, "not a readable .npz"),
    ],
)
def test_a_file_that_lacks_or_contradicts_the_format_is_refused(small_graph, tmp_path, change, complaint):
    path = save(small_graph, tmp_path / "g.npz")
    arrays = dict(np.load(path)) | change
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(ValueError, match=complaint) as caught:
        read(path)
    assert str(path) in str(caught.value)


def test_a_file_that_does_not_exist_is_named():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.npz"):
        read(Path("nowhere.npz"))


def test_the_name_must_say_what_the_file_is(small_graph, tmp_path):
    with pytest.raises(ValueError, match=r"must end in \.npz"):
        save(small_graph, tmp_path / "graph.csv")


def test_a_graph_without_features_is_stored_without_them(small_graph, tmp_path):
    path = save(replace(small_graph, features=None), tmp_path / "bare.npz")
    assert not any(name.startswith("x") for name in np.load(path).files)
    back = read(path)
    assert (back.num_nodes, back.num_features) == (4, 0)
    np.testing.assert_array_equal(back.labels, small_graph.labels)
