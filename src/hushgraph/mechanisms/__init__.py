"""Mechanisms: what a device does to an answer before it leaves, and what a server may conclude.

A mechanism is an immutable value. ``randomize(values, rng)`` runs on the device, ``estimate(reports)``
on the server; ``guarantee`` says what was protected and ``variance`` what it costs. Everything here
needs numpy alone.
"""

from hushgraph import _renamed
from hushgraph.mechanisms.estimates import Factored
from hushgraph.mechanisms.gaussian import AnalyticGaussian
from hushgraph.mechanisms.laplace import Laplace
from hushgraph.mechanisms.list_response import AdjacencyRandomizedResponse
from hushgraph.mechanisms.multi_bit import MultiBit, MultiBitReports
from hushgraph.mechanisms.neighbor_lists import NeighborLists
from hushgraph.mechanisms.one_bit import OneBit
from hushgraph.mechanisms.randomized_response import RandomizedResponse
from hushgraph.mechanisms.randomness import SecureRandom

__all__ = [
    "AdjacencyRandomizedResponse",
    "AnalyticGaussian",
    "Factored",
    "Laplace",
    "MultiBit",
    "MultiBitReports",
    "NeighborLists",
    "OneBit",
    "RandomizedResponse",
    "SecureRandom",
]

__getattr__ = _renamed.attributes(
    __name__,
    {
        "NeighbourLists": "hushgraph.mechanisms.NeighborLists",
        "Friendships": "hushgraph.collection.friendships.Friendships",
    },
)
