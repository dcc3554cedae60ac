"""Reports thinned to how often honest people would send them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hushgraph.attacks.local.everything_else import without_reports
from hushgraph.attacks.local.label_screens import expected_reports, reported_counts
from hushgraph.collection.collected import CollectedGraph

# Classes of which honest people would send fewer reports say too little of how many liars there are.
ENOUGH = 30


def thinned(collected: CollectedGraph, shares: ArrayLike, rng: np.random.Generator) -> CollectedGraph:
    """The collection less reports of classes that came more often than known ``shares`` explain.

    Class k has a share λ_k of all reports, where honest people with shares π send e_k = q + (p - q) π_k. The
    fewest liars that explain λ are 1 - min λ_k / e_k of all people, over classes that are common enough to
    tell. So of class k the share e_k / λ_k · min (λ / e) is kept, drawn at random, and the reports that stay
    come as often as expected. Liars are not told from others: it is their surplus that goes, whoever sent it.
    Where all are honest, this costs the reports of which chance made too many.

    Args:
        collected: what came.
        shares: of the classes, as known from elsewhere than these reports.
        rng: draws which reports stay.
    """
    counts, expected = reported_counts(collected), expected_reports(collected, shares)
    # Without noise a class that nobody has is expected of nobody: whoever reports it is over.
    over = np.full(expected.shape, np.inf)
    often = np.divide(counts / counts.sum(), expected, out=over, where=expected > 0)
    common = expected >= min(ENOUGH / counts.sum(), expected.max())
    stays = often[common].min() / np.maximum(often, 1e-12)
    told = np.flatnonzero(collected.labels >= 0)
    return without_reports(collected, told[rng.random(told.size) >= stays[collected.labels[told]]], ["label"])
