import numpy as np
import pytest
import scipy.sparse as sp

from hushgraph.mechanisms import Factored


def test_the_factored_form_is_the_sparse_matrix_plus_the_offset(rng):
    sparse = sp.random_array((20, 6), density=0.3, rng=rng, format="csr", dtype=np.float32)
    factored = Factored(sparse.indptr, sparse.indices, sparse.data, sparse.shape, midpoint=0.5)
    dense = sparse.toarray() + np.float32(0.5)
    np.testing.assert_allclose(factored.toarray(), dense, rtol=1e-6)
    np.testing.assert_allclose(factored.mean(), dense.mean(axis=0), rtol=1e-5)
    assert factored.num_stored == sparse.nnz


def test_a_person_who_sent_nothing_has_the_midpoint_everywhere():
    factored = Factored(
        np.array([0, 0, 1]), np.array([2]), np.array([4.0], np.float32), (2, 3), midpoint=-1.0
    )
    np.testing.assert_array_equal(factored.toarray(), [[-1, -1, -1], [-1, -1, 3]])
    np.testing.assert_array_equal(factored.mean(), [-1, -1, 1])


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"indices": np.array([0, 7], np.int32)}, "indices must lie in 0 … 2"),
        ({"indices": np.array([0, -1], np.int32)}, "indices must lie in 0 … 2"),
        ({"indptr": np.array([0, 2])}, "indptr must rise from 0 over 3 entries"),
        ({"indptr": np.array([0, 2, 1])}, "indptr must rise"),
        ({"indptr": np.array([1, 1, 2])}, "indptr must rise"),
        ({"indptr": np.array([0, 1, 5])}, "indices and data must have 5 entries"),
        ({"data": np.array([1, np.nan], np.float32)}, "data and midpoint must be finite"),
        ({"midpoint": np.inf}, "data and midpoint must be finite"),
    ],
)
def test_arrays_that_contradict_each_other_are_refused(changed, complaint):
    """What comes from a file must not crash a kernel."""
    parts = {
        "indptr": np.array([0, 1, 2]),
        "indices": np.array([0, 2], np.int32),
        "data": np.ones(2, np.float32),
        "shape": (2, 3),
    }
    with pytest.raises(ValueError, match=complaint):
        Factored(**parts | changed)
