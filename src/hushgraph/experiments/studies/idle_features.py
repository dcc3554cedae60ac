"""Cells whose features tell nothing are one fit: a cascade makes of them what it makes of labels alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.features_replaced import without_features
from hushgraph.local.cascade import Cascade
from hushgraph.local.cascade.feature_evidence import ENOUGH

Measured = tuple[float, float, dict[str, Any]]
"""An accuracy, the seconds that learning took, and what else a model tells."""


class Remembered:
    """What came of fits to labels, graph or lists alone, for as long as a worker lives."""

    def __init__(self) -> None:
        self._found: dict[str, Measured] = {}

    def measure(
        self,
        model: Cascade,
        collected: CollectedGraph,
        truth: NDArray[np.int64],
        fit: Callable[[CollectedGraph], Measured],
    ) -> Measured:
        """What ``fit`` makes of the collection; without a fit, if one to the same labels came to it.

        That is exact: where no z is enough, a cascade is bit for bit what it is without features. ``truth``
        is what it is measured against.
        """
        evidence = model.evidence(collected)
        if max(evidence) > ENOUGH:
            return fit(collected)
        key = _digest(model, collected, truth)
        if key not in self._found:
            self._found[key] = fit(without_features(collected))
        accuracy, seconds, details = self._found[key]
        return accuracy, seconds, details | {"feature_evidence": evidence[0]}


def _digest(model: Cascade, collected: CollectedGraph, truth: NDArray[np.int64]) -> str:
    """Of all that a fit without features depends on."""
    asked, people = collected.campaign, collected.num_nodes
    words = [model.get_params(), people, asked.classes, repr(asked.labels), repr(asked.lists)]
    digest = hashlib.sha256(json.dumps(words, sort_keys=True).encode())
    channel = collected.label_channel
    reported = (collected.labels, channel.keep, channel.other, collected.reports.levels("lists", people))
    for part in (*reported, collected.edges, collected.train, collected.val, truth):
        digest.update(f"{np.shape(part)}".encode() + np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()
