"""What a server concludes from reports alone: estimates, and how noisy each person's answer is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import Campaign
from hushgraph.collection.columns import feature_answers
from hushgraph.collection.reports import Reports
from hushgraph.mechanisms.estimates import Factored


@dataclass(frozen=True, slots=True, eq=False)
class LabelChannel:
    """The probability that a label stays, and that of each other label: of all alike, or of each person."""

    keep: float | NDArray[np.float64]
    other: float | NDArray[np.float64]


def features(campaign: Campaign, reports: Reports, num_nodes: int) -> Factored | NDArray[np.float32] | None:
    """The unbiased estimate of everybody's features; of those who sent none it says nothing.

    None if nobody sent any, because they were not asked for or for other reasons.
    """
    parts = [
        (one.people, campaign.features[one.level].estimate(feature_answers(one.parts, campaign.num_features)))
        for one in reports.of_question("features")
    ]
    if not parts:
        return None
    shape = (num_nodes, campaign.num_features)
    if isinstance(parts[0][1], Factored):
        return _factored(parts, shape)
    everyone = np.full(shape, campaign.midpoint, np.float32)
    for people, estimate in parts:
        everyone[people] = estimate
    return everyone


def _factored(parts: list[tuple[NDArray[np.int64], Factored]], shape: tuple[int, int]) -> Factored:
    """Rows of several estimates, each to its person."""
    people, stored = np.concatenate([who for who, _ in parts]), parts[0][1]
    if any(one.midpoint != stored.midpoint for _, one in parts):
        raise ValueError("the estimates of all levels must have one midpoint")
    lengths = np.concatenate([np.diff(one.indptr) for _, one in parts])
    indices, data = stored.indices, stored.data
    if len(parts) > 1:
        indices = np.concatenate([one.indices for _, one in parts])
        data = np.concatenate([one.data for _, one in parts])
    counts = np.zeros(shape[0], np.int64)
    counts[people] = lengths
    if (np.diff(people) < 0).any():
        order = np.argsort(np.repeat(people, lengths), kind="stable")
        indices, data = indices[order], data[order]
    return Factored(np.concatenate([[0], np.cumsum(counts)]), indices, data, shape, stored.midpoint)


def feature_weights(campaign: Campaign, reports: Reports, num_nodes: int) -> NDArray[np.float64] | None:
    """The inverse variance of each person's estimate, relative to the best; 0 for those who sent none.

    The variance is that of the first feature at the midpoint: it must not depend on what somebody sent.
    """
    if len(campaign.features) < 2:
        return None
    values = np.full(campaign.num_features, campaign.midpoint)
    variances = np.array([float(mechanism.variance(values)[0]) for mechanism in campaign.features])
    taken = reports.levels("features", num_nodes)
    return np.where(taken >= 0, variances.min() / variances[taken], 0.0)


def label_channel(campaign: Campaign, reports: Reports, num_nodes: int) -> LabelChannel:
    """The channel of the campaign, or of the level that each person took."""
    if not campaign.labels:
        return LabelChannel(1.0, 0.0)
    keep, other = (
        np.array([getattr(mechanism, name) for mechanism in campaign.labels])
        for name in ("keep_probability", "other_probability")
    )
    if keep.size == 1:
        return LabelChannel(float(keep[0]), float(other[0]))
    # Of those who sent none nothing is asked.
    taken = np.maximum(reports.levels("label", num_nodes), 0)
    return LabelChannel(keep[taken], other[taken])
