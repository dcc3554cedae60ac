"""The best guess at what one person holds, from their one report: how often it is right, in closed form.

The attacker knows the campaign and how common each value is. Having seen a report y he names the value v
with the largest π_v P(y | v), and nobody can be right more often than he is: with probability
Σ_y max_v π_v P(y | v). :mod:`hushgraph.attacks.local.candidates` plays him.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.attacks.bounds import largest_success
from hushgraph.attacks.local.feature_channels import FeatureChannel, feature_channel
from hushgraph.collection.campaign import Campaign
from hushgraph.mechanisms.protocol import FeatureMechanism, LabelMechanism


@dataclass(frozen=True, slots=True)
class BestGuess:
    """How often the best guess is right.

    Attributes:
        success: with the report; None where there is no formula for the mechanism.
        naive: without it, by the most common value.
        bound: what (ε, δ) allows anybody who sees it.
    """

    success: float | None
    naive: float
    bound: float

    def __str__(self) -> str:
        known = "unknown" if self.success is None else f"{self.success:.3f}"
        return f"{known} (without the report {self.naive:.3f}, at most {self.bound:.3f})"


def guess_label(mechanism: LabelMechanism, prior: ArrayLike) -> BestGuess:
    """The class of a person, of which class v is the share ``prior[v]`` of all.

    Randomised response: Σ_y max(p π_y, q max π), as the report is believed unless another class is p/q times
    as common; p if all classes are equally common.

    >>> from hushgraph import RandomizedResponse
    >>> print(guess_label(RandomizedResponse(1.0, num_classes=4), [0.25] * 4))
    0.475 (without the report 0.250, at most 0.475)
    """
    shares = checked_shares(prior)
    asked = mechanism.for_classes(shares.size)
    success = float(label_successes(shares[np.newaxis], asked.keep_probability, asked.other_probability)[0])
    return BestGuess(success, float(shares.max()), largest_success(shares, asked.epsilon))


def label_successes(priors: NDArray[np.float64], keep: ArrayLike, other: ArrayLike) -> NDArray[np.float64]:
    """The same for many people (n, c), each of whom has their own prior, p and q."""
    keep, other = (np.asarray(part, np.float64).reshape(-1, 1) for part in (keep, other))
    return np.asarray(np.maximum(keep * priors, other * priors.max(1, keepdims=True)).sum(1))


def guess_feature(
    mechanism: FeatureMechanism,
    dimensions: int,
    values: ArrayLike | None = None,
    prior: ArrayLike | None = None,
) -> BestGuess:
    """One of the ``dimensions`` features of a person.

    Args:
        mechanism, dimensions: what was asked, of how many features.
        values: those that are possible; by default the two ends of the range.
        prior: how common each is; by default all alike.

    Two values Δ apart, equally common, are told apart with probability

    - ½ + (m/d) Δ/(β - α) tanh(ε/2m) / 2 by the multi-bit mechanism, and with m = d by the 1-bit mechanism;
    - 1 - exp(-Δ/2b) / 2 through Laplace noise of scale b;
    - Φ(Δ/2σ) through Gaussian noise.

    >>> from hushgraph import MultiBit
    >>> print(guess_feature(MultiBit(1.0), dimensions=10))
    0.523 (without the report 0.500, at most 0.731)
    """
    possible, shares = _values(mechanism, values, prior)
    channel = feature_channel(mechanism, dimensions)
    success = 1.0 if math.isinf(mechanism.epsilon) else None
    if channel is not None:
        success = channel.success(possible, shares)
    bound = largest_success(shares, mechanism.epsilon, mechanism.guarantee.delta)
    return BestGuess(success, float(shares.max()), bound)


def guess_report(
    campaign: Campaign,
    *,
    label_prior: ArrayLike,
    values: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    level: int = -1,
) -> BestGuess:
    """Everything that a person holds: the label and all features at once, all of them independent.

    Then the best guess at all of them is the best guess at each, and its success the product of theirs. If
    they are not, the report of one tells of the other, and the bound holds all the same: nobody guesses a
    record right more than e^ε times as often as without the report.

    Args:
        campaign: what was asked.
        label_prior, values, prior: how common each class is, and each value of a feature; see
            :func:`guess_feature`.
        level: which level of each question, by default the one that protects least.
    """
    label = guess_label(campaign.labels[level], label_prior)
    assert label.success is not None
    if not campaign.features:
        return label
    asked, count = campaign.features[level], campaign.num_features
    possible, shares = _values(asked, values, prior)
    naive = label.naive * float(shares.max()) ** count
    known: float | None = 1.0 if math.isinf(asked.epsilon) else None
    channel: FeatureChannel | None = feature_channel(asked, count)
    if channel is not None:
        known = channel.success_of_all(possible, shares)
    epsilon = campaign.labels[level].epsilon + asked.epsilon
    most = min(1.0, math.exp(min(epsilon, 700.0)) * naive + asked.guarantee.delta)
    return BestGuess(None if known is None else label.success * known, naive, most)


def checked_shares(prior: ArrayLike) -> NDArray[np.float64]:
    """How common several values are, if that is what it is."""
    shares = np.asarray(prior, np.float64)
    if shares.ndim != 1 or shares.size < 2 or not (shares >= 0).all() or not math.isclose(shares.sum(), 1):
        raise ValueError("prior must list at least two probabilities that add up to 1")
    return shares


def _values(
    mechanism: FeatureMechanism, values: ArrayLike | None, prior: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    possible = np.asarray([mechanism.low, mechanism.high] if values is None else values, np.float64)
    if possible.ndim != 1 or np.unique(possible).size < max(2, possible.size):
        raise ValueError("values must be at least two different numbers")
    low, high = _check.feature_range(mechanism.low, mechanism.high)
    if not ((possible >= low) & (possible <= high)).all():
        raise ValueError(f"values must lie in the range of the mechanism, [{low:g}, {high:g}]")
    shares = checked_shares(np.full(possible.size, 1 / possible.size) if prior is None else prior)
    if shares.size != possible.size:
        raise ValueError(f"prior must be {possible.size} probabilities, one for each value")
    return possible, shares
