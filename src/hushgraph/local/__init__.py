"""Methods: from a collection to a model."""

from hushgraph.local.lpgnn import LPGNN
from hushgraph.local.search import GridSearch
from hushgraph.local.solitude import Solitude

__all__ = ["LPGNN", "GridSearch", "Solitude"]
