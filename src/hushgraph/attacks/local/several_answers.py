"""What several fresh answers to one question give away, and why a device answers once.

Independent answers multiply their likelihoods: r of them are one answer with the budget r ε, and noise that
hides a value once is averaged away. A device that gives the first answer for ever after
(:class:`~hushgraph.Reporter`) leaves the r-th asker where the first one was.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import binom, norm, poisson

from hushgraph import _check
from hushgraph.attacks.local.feature_channels import NoiseChannel, SignChannel, feature_channel
from hushgraph.mechanisms import AnalyticGaussian
from hushgraph.mechanisms.protocol import FeatureMechanism, LabelMechanism


def label_after(mechanism: LabelMechanism, answers: int) -> float:
    """How often the best guess at a label is right after so many fresh answers, all classes equally common.

    The best guess is the most frequent answer, one of these at random if there are several. With p and q, the
    truth was answered k times with probability Bin(k; r, p); the other r - k answers fall on the other c - 1
    classes alike, and if t of these came as often as the truth, and none more often, the guess is right once
    in t + 1. Counts of answers are those of Poisson's distribution, given their sum: their chances are
    coefficients of products of polynomials.

    >>> from hushgraph import RandomizedResponse
    >>> asked = RandomizedResponse(1.0, num_classes=4)
    >>> [round(label_after(asked, answers), 3) for answers in (1, 3, 10, 100)]
    [0.475, 0.55, 0.773, 1.0]
    """
    answers = _check.count(answers, "answers", minimum=1)
    if mechanism.keep_probability == 1:
        return 1.0
    wrong = round((1 - mechanism.keep_probability) / mechanism.other_probability)
    total = 0.0
    for most in range(1, answers + 1):
        chance = float(binom.pmf(most, answers, mechanism.keep_probability))
        if chance > 1e-18:
            total += chance * _not_outvoted(most, answers - most, wrong)
    return min(1.0, total)


def _not_outvoted(most: int, others: int, boxes: int) -> float:
    """How often ``most`` is the largest count, where ``others`` fall on boxes alike; of ties, a share."""
    counts = poisson.pmf(np.arange(most + 1), others / boxes)
    powers = [np.ones(1)]
    for _ in range(boxes):
        powers.append(np.convolve(powers[-1], counts[:most])[: others + 1])
    found = 0.0
    for tied in range(min(boxes, others // most) + 1):
        rest, power = others - tied * most, powers[boxes - tied]
        if rest < power.size:
            found += math.comb(boxes, tied) * float(counts[most]) ** tied * float(power[rest]) / (tied + 1)
    return found / float(poisson.pmf(others, others))


def feature_after(mechanism: FeatureMechanism, dimensions: int, answers: int) -> float:
    """How often the best guess is right which of the two ends of its range a feature has, equally common.

    With signs, the feature is drawn k times of r with probability Bin(k; r, m/d), and the more frequent sign
    is right as often as the majority of k coins; through Gaussian noise the mean has 1/√r of the noise:
    Φ(√r Δ/2σ). Of Laplace noise there is no such formula.

    >>> from hushgraph import MultiBit
    >>> [round(feature_after(MultiBit(1.0), 10, answers), 3) for answers in (1, 10, 100, 1000)]
    [0.523, 0.657, 0.932, 1.0]
    """
    answers = _check.count(answers, "answers", minimum=1)
    channel = feature_channel(mechanism, dimensions)
    if isinstance(channel, SignChannel):
        drawn = binom.pmf(np.arange(answers + 1), answers, channel.sampled / dimensions)
        right = float(channel.coin.probability_of_plus(mechanism.high))
        return float(drawn @ _majority(answers, right))
    if isinstance(channel, NoiseChannel) and isinstance(mechanism, AnalyticGaussian):
        width = mechanism.high - mechanism.low
        return float(norm.cdf(math.sqrt(answers) * width / 2 / channel.scale))
    raise TypeError(f"there is no formula for several answers of {type(mechanism).__name__}")


def _majority(most: int, right: float) -> np.ndarray:
    """How often more of 0, 1, … ``most`` coins are right than wrong; half of the ties count."""
    count = np.arange(most + 1)
    return np.asarray(binom.sf(count / 2, count, right) + binom.pmf(count / 2, count, right) / 2)
