"""What a method does on the same collection without people's features: the graph's work and the labels'.

Beside an accuracy, a control says how much of it features earned. It is learned from the same reports of
labels, so it is post-processing and costs nobody anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from hushgraph.collection.campaign import Campaign
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.features_replaced import with_the_same_features, without_features
from hushgraph.local.estimator import LocalEstimator, OnStep

WITHOUT = "without features"
SAME = "same features for everybody"


def controls_for(model: LocalEstimator, campaign: Campaign) -> tuple[str, ...]:
    """The controls of a method in a campaign; none where features are not asked for or not looked at.

    A network whose input is a constant cannot tell one person from another, which says more about the
    network than about features. So it has a second control: devices make their noise of a constant, which
    tells people apart and tells nothing about them; without noise there is none.
    """
    if not campaign.features or getattr(model, "features", "collected") != "collected":
        return ()
    if not model.needs_features:
        return (WITHOUT,)
    noisy = any(math.isfinite(one.guarantee.epsilon) for one in campaign.features)
    return (*([WITHOUT] if model.knows("features") else []), *([SAME] if noisy else []))


def fit_controls(
    fitted: LocalEstimator, collected: CollectedGraph, names: Iterable[str], progress: OnStep | None = None
) -> Iterator[tuple[str, LocalEstimator]]:
    """The name of each of these controls of a fitted model, and the same method learned so.

    A model that would be the same without features is its own control.
    """
    seed = fitted.get_params().get("random_state", 0)
    for name in names:
        if name == SAME:
            noise = np.random.default_rng([seed, 3])
            yield name, fitted.with_params().fit(with_the_same_features(collected, noise), progress=progress)
        elif fitted.needs_features:
            yield name, fitted.with_params(features="ones").fit(collected, progress=progress)
        elif fitted.ignores_features(collected):
            yield name, fitted
        else:
            yield name, fitted.with_params().fit(without_features(collected), progress=progress)
