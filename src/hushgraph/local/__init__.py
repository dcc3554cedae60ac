"""Methods: from a collection to a model."""

from hushgraph.local.cascade import Cascade
from hushgraph.local.lpgnn import LPGNN
from hushgraph.local.search import GridSearch
from hushgraph.local.solitude import Solitude

__all__ = ["LPGNN", "Cascade", "GridSearch", "Solitude"]
