"""Values that settings may have, for those who name them without computing with them."""

from __future__ import annotations

from typing import Literal

Aggregation = Literal["gcn", "mean", "sum"]
"""How neighbors are added up; see :class:`~hushgraph.sparse.Adjacency`."""

Structure = Literal["blocks", "degrees", "posterior", "both", "either", "directed"]
"""What is made of private neighbor lists; see :func:`~hushgraph.denoise.collected_adjacency`."""

Loss = Literal["drop", "smoothed", "forward", "cross_entropy"]
"""How noisy labels are learned from; see :class:`~hushgraph.local.objective.Objective`."""

Selection = Literal["paper", "reference", "last"]
"""Which epoch is kept; see :class:`~hushgraph.local.selection.BestEpoch`."""

ModelFeatures = Literal["collected", "ones", "degree", "random"]
"""What a model learns from: the collected features, or stand-ins that cost no privacy."""
