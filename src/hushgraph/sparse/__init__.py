"""The compute core: a graph as an operator, its kernels, features in factored form, threads and devices."""

from hushgraph.sparse.adjacency import Adjacency
from hushgraph.sparse.features import DenseFeatures, FactoredFeatures, Features

__all__ = ["Adjacency", "DenseFeatures", "FactoredFeatures", "Features"]
