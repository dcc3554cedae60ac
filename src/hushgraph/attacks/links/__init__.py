"""Are these two friends?"""

from hushgraph.attacks.links.by_distance import by_distance
from hushgraph.attacks.links.distances import DISTANCES
from hushgraph.attacks.links.pairs import balanced
from hushgraph.attacks.links.supervised import by_known_pairs

__all__ = ["DISTANCES", "balanced", "by_distance", "by_known_pairs"]
