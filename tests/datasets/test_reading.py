import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from hushgraph.datasets import read, save

EDGES = "from,to,weight\nann,bob,3\nbob,007,1\n"
FEATURES = "node,age,likes\nann,0.5,1\nbob,0.25,0\n007,0,1\n"
LABELS = "node,team\n007,red\nann,blue\n"


@pytest.fixture
def files(tmp_path):
    """Write the three tables; a keyword replaces the text of one."""

    def write(edges=EDGES, features=FEATURES, labels=LABELS):
        texts = {"edges": edges, "features": features, "labels": labels}
        for name, text in texts.items():
            (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
        return {name: tmp_path / f"{name}.csv" for name in texts}

    return write


def assert_is_the_example(graph):
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    dense = graph.features.toarray() if sp.issparse(graph.features) else graph.features
    assert dense.tolist() == [[0.5, 1], [0.25, 0], [0, 1]]
    assert graph.labels.tolist() == [0, -1, 1]


def test_csv_tables_make_a_graph_in_the_order_of_the_features(files):
    assert_is_the_example(read(**files()))


@pytest.mark.parametrize("labels", ["node,team\n", "node,team\nann,\nbob,-1\n"])
def test_with_a_public_list_of_classes_nobody_needs_a_label(files, labels, tmp_path):
    graph = read(**files(labels=labels), classes=["blue", "red"])
    assert graph.labels.tolist() == [-1, -1, -1]
    assert not graph.classes_from_data
    assert read(save(graph, tmp_path / "nobody.npz")).classes == ("blue", "red")
    with pytest.raises(ValueError, match="num_classes or classes must say"):
        read(**files(labels=labels))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_nobody_needs_friends_or_a_label(form, files, tmp_path):
    paths = files(edges="from,to\n", labels="node,team\n")
    if form == "parquet":
        for name in ("edges", "labels"):
            frame = pd.read_csv(paths[name], dtype=str)
            paths[name] = paths[name].with_suffix(".parquet")
            frame.to_parquet(paths[name])
    graph = read(**paths, classes=["blue", "red"])
    assert (graph.num_nodes, graph.num_edges) == (3, 0)
    assert graph.labels.tolist() == [-1, -1, -1]


def test_the_id_column_is_found_by_name_else_it_is_the_first(files):
    assert_is_the_example(read(**files(features="age,likes,ID\n0.5,1,ann\n0.25,0,bob\n0,1,007\n")))
    assert_is_the_example(read(**files(features="who,age,likes\nann,0.5,1\nbob,0.25,0\n007,0,1\n")))


def test_a_byte_order_mark_blanks_and_empty_lines_do_no_harm(files):
    features = "\ufeffnode, age, likes\nann, 0.5, 1\n\nbob, 0.25, 0\n007, 0, 1\n\n"
    assert_is_the_example(read(**files(features=features)))


def test_parquet_tables_make_the_same_graph(files, tmp_path):
    paths = files()
    for name, path in paths.items():
        paths[name] = tmp_path / f"{name}.parquet"
        pd.read_csv(path, dtype={"node": str, "from": str, "to": str}).to_parquet(paths[name])
    assert_is_the_example(read(**paths))


def test_ids_that_are_the_index_of_a_parquet_table_are_found(files, tmp_path):
    paths = files()
    frame = pd.read_csv(paths["features"], dtype={"node": str}).set_index("node")
    frame.to_parquet(tmp_path / "x.parquet")
    assert_is_the_example(read(**paths | {"features": tmp_path / "x.parquet"}))


def test_npz_parts_make_the_same_graph_and_mix_with_csv(files, tmp_path):
    paths = files()
    names = np.array(["ann", "bob", "007"])
    np.savez(tmp_path / "x.npz", id=names, x=np.array([[0.5, 1], [0.25, 0], [0, 1]]))
    np.savez(tmp_path / "e.npz", edge_index=names[[[0, 1], [1, 2]]])
    np.savez(tmp_path / "y.npz", y=np.array([0, -1, 1]))
    assert_is_the_example(read(tmp_path / "e.npz", tmp_path / "x.npz", tmp_path / "y.npz"))
    assert_is_the_example(read(tmp_path / "e.npz", paths["features"], paths["labels"]))


@pytest.mark.parametrize(
    ("part", "arrays", "complaint"),
    [
        (
            "edges",
            {"edge_index": np.array([["ann", "bob"]])},
            r"array edge_index of shape \(2, E\), got \(1, 2\)",
        ),
        ("edges", {"edges": np.array([["ann"], ["bob"]])}, "must have an array edge_index"),
        ("labels", {"labels": np.array([0, 1, 1])}, "must have an array y with the labels"),
        ("labels", {"y": np.array([0, 1])}, "has 2 labels for 3 nodes"),
    ],
)
def test_an_npz_part_that_lacks_its_array_is_refused(files, tmp_path, part, arrays, complaint):
    np.savez(tmp_path / "part.npz", **arrays)
    with pytest.raises(ValueError, match=complaint):
        read(**files() | {part: tmp_path / "part.npz"})


def test_a_number_in_one_file_is_the_same_text_in_another(files, tmp_path):
    paths = files(edges="u,v\n7,8\n8,9\n", labels="id,y\n7,0\n9,1\n")
    paths["features"] = tmp_path / "x.parquet"
    pd.DataFrame({"id": [7, 8, 9], "age": [0.5, 0.25, 0], "likes": [True, False, True]}).to_parquet(
        paths["features"]
    )
    assert_is_the_example(read(**paths))


def test_an_empty_label_cell_is_no_label_but_the_word_na_is_a_class(files):
    graph = read(**files(labels="node,team\n007,NA\nann,Maybe\nbob,\n"))
    assert graph.labels.tolist() == [0, -1, 1]


@pytest.mark.parametrize(
    ("part", "text", "complaint"),
    [
        ("edges", "from,to\nann,bob\nzoe,ann\n", "names node 'zoe' in row 2, which is not in .*features.csv"),
        ("edges", "from,to\nann,\n", "no node id in row 1"),
        ("edges", "ann,bob\nbob,007\n", "must name its columns in the first line"),
        ("edges", "from\nann\n", "at least two columns"),
        ("features", "node,age\n", "no rows"),
        ("edges", "", "is empty"),
        ("features", "node,age\nann,1\nbob,2\nann,3\n", "names node 'ann' a second time in row 3"),
        ("features", "node,age\nann,1\nbob,\n007,1\n", "row 2, column 'age'"),
        ("features", "node,age\nann,1\nbob,nan\n007,1\n", "row 2, column 'age'"),
        ("features", "node,age\nann,1\nbob,1e39\n007,1\n", "row 2, column 'age'"),
        ("features", "node,age\nann,1\nbob,hush\n007,1\n", "row 2, column 'age'"),
        ("features", "node,age,age\nann,1,1\nbob,1,1\n007,1,1\n", "column 'age' more than once"),
        ("features", "node,age\nann,1\nbob,2,3\n007,1\n", "Expected 2 fields in line 3, saw 3"),
        ("features", "node,age\nann,1,5\nbob,2,3\n007,1,5\n", "longer than its header"),
        ("features", "1,2\n3,4\n", "must name its columns in the first line"),
        ("labels", "node,team\nann,red\nzoe,blue\n", "names node 'zoe' in row 2"),
        ("labels", "node,team\nann,red\nann,blue\n", "names node 'ann' a second time"),
        ("labels", "node,team,house\nann,red,1\n", "one column beside the id 'node', got 2"),
        ("labels", "node,team\nann,0\nbob,0.5\n", "fractions"),
    ],
)
def test_a_bad_table_is_refused_with_file_and_place_but_no_value(files, part, text, complaint):
    paths = files(**{part: text})
    with pytest.raises(ValueError, match=complaint) as caught:
        read(**paths)
    message = str(caught.value)
    assert str(paths[part]) in message
    for private in ("hush", "red", "blue", "0.5", "1e39"):
        assert private not in message.replace(str(paths[part].parent), "")


def test_text_in_another_encoding_is_refused(files):
    paths = files()
    for name, header in (("features", b"node,age\n"), ("labels", "node,gr\u00f6\u00dfe\n".encode("latin-1"))):
        broken = paths | {name: paths[name].with_name(f"latin-{name}.csv")}
        broken[name].write_bytes(header + "J\u00fcrgen,1\n".encode("latin-1"))
        with pytest.raises(ValueError, match=f"latin-{name}.csv is not text in UTF-8"):
            read(**broken)


def test_a_damaged_parquet_file_and_a_date_for_a_feature_are_refused(files, tmp_path):
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(ValueError, match=re.escape(str(path))):
        read(**files() | {"features": path})
    pd.DataFrame({"id": ["ann"], "born": pd.to_datetime(["2001-02-03"])}).to_parquet(path)
    with pytest.raises(ValueError, match="row 1, column 'born'") as caught:
        read(**files() | {"features": path})
    assert "2001" not in str(caught.value)


def test_ids_that_are_fractions_are_refused(files, tmp_path):
    path = tmp_path / "x.parquet"
    pd.DataFrame({"id": [0.5, 1.5], "age": [1, 2]}).to_parquet(path)
    with pytest.raises(ValueError, match="text or whole numbers as node ids"):
        read(**files() | {"features": path})


def test_a_part_left_out_a_missing_file_and_another_kind_are_refused(files):
    paths = files()
    with pytest.raises(ValueError, match="got no labels"):
        read(paths["edges"], paths["features"])
    with pytest.raises(ValueError, match=r"must be a file of kind \.npz"):
        read(paths["edges"])
    with pytest.raises(ValueError, match="classes are for a file of labels"):
        read("people.npz", classes=["red", "blue"])
    with pytest.raises(FileNotFoundError, match=r"gone\.csv"):
        read(paths["edges"], "gone.csv", paths["labels"])
    with pytest.raises(ValueError, match=r"x\.xlsx must be a file of kind"):
        read(paths["edges"], "x.xlsx", paths["labels"])


def test_without_pandas_the_error_names_the_extra(files, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match=r"hushgraph\[data\]"):
        read(**files())


# Bob has a friend and no label, dee a label and no friend.
SOME = "node,team\nzoe,red\ndee,red\nann,blue\n007,\n"


def test_without_features_everybody_counts_whom_edges_or_labels_name(files):
    paths = files(labels=SOME)
    del paths["features"]
    graph = read(**paths)
    assert graph.ids.tolist() == ["007", "ann", "bob", "dee", "zoe"]
    assert graph.edges.tolist() == [[0, 1], [2, 2]]
    assert graph.labels.tolist() == [-1, 0, -1, 1, 1]
    assert (graph.num_features, graph.feature_names) == (0, None)


def test_who_has_which_number_does_not_tell_who_has_which_label(files):
    """A table may be sorted by class, or name those first who have a label."""
    paths = files(edges="u,v\n3,10\n10,2\n", labels="id,y\n10,0\n3,1\n")
    del paths["features"]
    assert read(**paths).ids.tolist() == ["2", "3", "10"]


@pytest.mark.parametrize("header", ["id", "who"])
def test_a_table_of_ids_alone_says_who_there_is(files, header):
    graph = read(**files(features=f"{header}\nann\nbob\n007\nsue\n"))
    assert graph.ids.tolist() == ["ann", "bob", "007", "sue"]
    assert (graph.num_features, graph.feature_names) == (0, None)
    assert graph.labels.tolist() == [0, -1, 1, -1]


def test_labels_of_an_npz_without_ids_or_features_are_those_of_the_first_numbers(files, tmp_path):
    np.savez(tmp_path / "y.npz", y=np.arange(12) % 2)
    np.savez(tmp_path / "e.npz", edge_index=np.array([[0, 2], [10, 11]]))
    graph = read(tmp_path / "e.npz", labels=tmp_path / "y.npz")
    assert graph.edges.tolist() == [[0, 2], [10, 11]]
    assert graph.labels.tolist() == [0, 1] * 6
    with pytest.raises(ValueError, match=r"y\.npz has 12 labels for 15 nodes"):
        read(files()["edges"], labels=tmp_path / "y.npz")


@pytest.mark.parametrize(
    ("part", "text", "complaint"),
    [
        ("edges", "ann,bob\nbob,007\n007,ann\n", "edges.csv must name its columns in the first line"),
        ("labels", "ann,red\n007,blue\n", "labels.csv must name its columns in the first line"),
        ("labels", "node,team\nann,red\nann,blue\n", "names node 'ann' a second time in row 2"),
        ("labels", "node\nann\n", "at least two columns"),
    ],
)
def test_a_bad_table_is_refused_without_features_too(files, part, text, complaint):
    paths = files(**{part: text})
    del paths["features"]
    with pytest.raises(ValueError, match=complaint):
        read(**paths)


def test_tables_that_name_nobody_and_a_feature_file_without_features_are_refused(files, tmp_path):
    paths = files(edges="from,to\n", labels="node,team\n")
    with pytest.raises(ValueError, match=r"edges\.csv and .*labels\.csv name nobody"):
        read(paths["edges"], labels=paths["labels"], classes=["red", "blue"])
    np.savez(tmp_path / "x.npz", id=np.array(["ann", "bob", "007"]))
    with pytest.raises(ValueError, match=r"x\.npz holds no features"):
        read(**files() | {"features": tmp_path / "x.npz"})
