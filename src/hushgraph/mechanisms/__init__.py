"""Mechanisms: what a device does to an answer before it leaves, and what a server may conclude.

A mechanism is an immutable value. ``randomize(values, rng)`` runs on the device, ``estimate(reports)``
on the server; ``guarantee`` says what was protected and ``variance`` what it costs. Everything here
needs numpy alone.
"""

from hushgraph.mechanisms.adjacency import AdjacencyRandomizedResponse
from hushgraph.mechanisms.estimates import Factored
from hushgraph.mechanisms.friendships import Friendships
from hushgraph.mechanisms.gaussian import AnalyticGaussian
from hushgraph.mechanisms.laplace import Laplace
from hushgraph.mechanisms.multi_bit import MultiBit, MultiBitReports
from hushgraph.mechanisms.neighbour_lists import NeighbourLists
from hushgraph.mechanisms.one_bit import OneBit
from hushgraph.mechanisms.randomized_response import RandomizedResponse
from hushgraph.mechanisms.randomness import SecureRandom

__all__ = [
    "AdjacencyRandomizedResponse",
    "AnalyticGaussian",
    "Factored",
    "Friendships",
    "Laplace",
    "MultiBit",
    "MultiBitReports",
    "NeighbourLists",
    "OneBit",
    "RandomizedResponse",
    "SecureRandom",
]
