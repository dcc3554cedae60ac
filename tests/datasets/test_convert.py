import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from hushgraph.datasets import from_networkx, from_pyg, from_scipy
from hushgraph.datasets.digest import content_digest
from hushgraph.edges import both_directions

torch = pytest.importorskip("torch")
Data = pytest.importorskip("torch_geometric.data").Data


def pyg(graph, x=None, both=True):
    edges = both_directions(graph.edges) if both else graph.edges
    x = torch.from_numpy(graph.features) if x is None else x
    return Data(x=x, edge_index=torch.from_numpy(edges.astype(np.int64)), y=torch.from_numpy(graph.labels))


@pytest.mark.parametrize("layout", ["dense", "coo", "csr"])
@pytest.mark.parametrize("both", [True, False])
def test_pyg_data_is_the_same_graph_in_every_layout_and_direction(small_graph, layout, both):
    x = torch.from_numpy(small_graph.features)
    x = {"dense": x, "coo": x.to_sparse_coo(), "csr": x.to_sparse_csr()}[layout]
    graph = from_pyg(pyg(small_graph, x, both))
    assert content_digest(graph) == content_digest(small_graph)
    assert graph.dropped_duplicates == 0
    assert sp.issparse(graph.features) == (layout != "dense")


def test_pyg_labels_may_stand_in_a_column(small_graph):
    data = pyg(small_graph)
    data.y = data.y[:, None]
    assert content_digest(from_pyg(data)) == content_digest(small_graph)


def test_pyg_data_without_labels_or_with_several_a_node_is_refused(small_graph):
    data = pyg(small_graph)
    data.y = torch.zeros(4, 2)
    with pytest.raises(ValueError, match=r"data\.y must have shape"):
        from_pyg(data)
    del data.y
    with pytest.raises(ValueError, match="has no y"):
        from_pyg(data)


def test_a_scipy_adjacency_counts_every_nonzero_entry_once(small_graph):
    rows, columns = small_graph.edges
    half = sp.coo_array(([5.0, -1.0, 2.0], (rows, columns)), shape=(4, 4))
    unused = sp.coo_array(([0.0], ([0], [3])), shape=(4, 4))
    for adjacency in (half, half.tocsr() + half.T.tocsr(), sp.csc_matrix(half), half + unused):
        graph = from_scipy(adjacency, small_graph.features, small_graph.labels)
        assert content_digest(graph) == content_digest(small_graph)
        assert graph.dropped_duplicates == 0


def test_a_scipy_adjacency_must_fit_the_features():
    with pytest.raises(ValueError, match=r"shape \(2, 2\).*got \(3, 3\)"):
        from_scipy(sp.eye_array(3), np.eye(2), [0, 1])
    with pytest.raises(TypeError, match="scipy sparse matrix, got ndarray"):
        from_scipy(np.eye(2), np.eye(2), [0, 1])


@pytest.fixture
def friends():
    graph = nx.Graph([("ann", "bob"), ("bob", "eve")])
    nx.set_node_attributes(graph, {"ann": [1, 0], "bob": [0, 1], "eve": [0.5, 0]}, "x")
    nx.set_node_attributes(graph, {"ann": "red", "eve": "blue"}, "y")
    return graph


def test_networkx_nodes_are_numbered_in_their_order(friends):
    graph = from_networkx(friends)
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.features.tolist() == [[1, 0], [0, 1], [0.5, 0]]
    assert graph.labels.tolist() == [1, -1, 0]


def test_networkx_attributes_may_have_other_names(friends):
    nx.set_node_attributes(friends, {"ann": 0, "bob": 1, "eve": 1}, "team")
    assert from_networkx(friends, label="team").labels.tolist() == [0, 1, 1]


@pytest.mark.parametrize("features", [[1, 2, 77], ["word", 77], [77, float("nan")], [[77], [1]]])
def test_a_networkx_node_with_unfit_features_is_named_but_not_its_values(friends, features):
    friends.nodes["eve"]["x"] = features
    with pytest.raises(ValueError, match="node 'eve'") as caught:
        from_networkx(friends)
    assert "77" not in str(caught.value)


def test_a_networkx_node_without_features_is_named(friends):
    del friends.nodes["bob"]["x"]
    with pytest.raises(ValueError, match="node 'bob' has no attribute 'x', which others have"):
        from_networkx(friends)


def test_a_networkx_graph_without_nodes_is_refused():
    with pytest.raises(ValueError, match="is empty"):
        from_networkx(nx.Graph())


def test_no_library_needs_features(small_graph, friends):
    data = pyg(small_graph)
    data.x = None
    for node in friends:
        del friends.nodes[node]["x"]
    adjacency = sp.coo_array((np.ones(3), tuple(small_graph.edges)), shape=(4, 4))
    for graph in (from_pyg(data), from_scipy(adjacency, None, small_graph.labels)):
        assert (graph.num_nodes, graph.num_features) == (4, 0)
        np.testing.assert_array_equal(graph.edges, small_graph.edges)
        np.testing.assert_array_equal(graph.labels, small_graph.labels)
    assert (from_networkx(friends).num_nodes, from_networkx(friends).num_features) == (3, 0)
    with pytest.raises(ValueError, match="one row for each of labels; got"):
        from_scipy(adjacency, None, [0, 1])
