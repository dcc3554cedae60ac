"""Methods: from a collection to a model."""

from hushgraph.methods.lpgnn import LPGNN
from hushgraph.methods.search import GridSearch

__all__ = ["LPGNN", "GridSearch"]
