"""The same collection with people's features taken out of it: what a method does without them, to compare.

Reports of labels and lists stay as they were sent, and so does what people were promised.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from scipy.sparse import csr_matrix

from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.columns import to_columns
from hushgraph.collection.reports import Answers
from hushgraph.mechanisms.randomness import Random


def without_features(collected: CollectedGraph) -> CollectedGraph:
    """As if nobody had sent features."""
    return _replaced(collected, ())


def with_the_same_features(collected: CollectedGraph, rng: Random) -> CollectedGraph:
    """As if everybody who sent features held the same: what their mechanism makes of a constant.

    It is independent of what people hold. A network may still tell people apart by the noise.
    """
    asked, given = collected.campaign, collected.reports.of_question("features")
    made = []
    for one in given:
        mechanism = asked.features[one.level]
        shape = (one.people.size, asked.num_features)
        zero = mechanism.low <= 0 <= mechanism.high
        same = csr_matrix(shape) if zero else np.broadcast_to(np.float64(mechanism.low), shape)
        answers = to_columns(mechanism.randomize(same, rng))
        made.append(Answers("features", one.level, one.people, answers))
    return _replaced(collected, tuple(made))


def _replaced(collected: CollectedGraph, features: tuple[Answers, ...]) -> CollectedGraph:
    kept = tuple(one for one in collected.reports.answers if one.question != "features")
    return dataclasses.replace(
        collected, reports=dataclasses.replace(collected.reports, answers=(*kept, *features))
    )
