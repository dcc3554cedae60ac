"""Graphs to work with: named real ones, a synthetic one of any size, and your own.

>>> from hushgraph import datasets
>>> datasets.load("social", n=1_000, features=100, classes=3)
Graph('social', 1,000 nodes, ... edges, 100 features, 3 classes)
"""

from hushgraph.datasets.convert import from_networkx, from_pyg, from_scipy
from hushgraph.datasets.loading import available, load, open_graph
from hushgraph.datasets.npz import save
from hushgraph.datasets.reading import read
from hushgraph.datasets.social_graph import social

__all__ = [
    "available",
    "from_networkx",
    "from_pyg",
    "from_scipy",
    "load",
    "open_graph",
    "read",
    "save",
    "social",
]
