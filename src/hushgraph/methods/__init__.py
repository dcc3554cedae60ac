"""Methods: from a collection to a model."""

from hushgraph.methods.lpgnn import LPGNN
from hushgraph.methods.search import GridSearch
from hushgraph.methods.solitude import Solitude

__all__ = ["LPGNN", "GridSearch", "Solitude"]
