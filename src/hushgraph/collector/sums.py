"""Sums over reports, from which means and their errors follow; nothing of a single report is kept.

Levels of privacy are combined by inverse variance. The weights come from the mechanisms and from how many
took each level, never from what was answered, so that estimates stay unbiased.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection import Campaign, Reports
from hushgraph.collection.campaign import Question
from hushgraph.collection.columns import feature_answers
from hushgraph.mechanisms.estimates import Factored
from hushgraph.mechanisms.protocol import Sampling

HALF = 1.96
"""Standard errors in half of a 95 % interval."""

Estimated = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Means and half-widths."""


class Sums:
    """What is known about everybody together."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        levels = {question: len(campaign.levels(question)) for question in ("features", "label", "lists")}
        self._people = {question: [0] * count for question, count in levels.items()}
        columns = campaign.num_features
        # For each level, the sums of estimates and of their squares.
        self._features = [np.zeros((2, columns)) for _ in range(levels["features"])]
        self._labels = [np.zeros(campaign.num_classes, np.int64) for _ in range(levels["label"])]
        self._lists = [np.zeros(2) for _ in range(levels["lists"])]

    def add(self, reports: Reports) -> None:
        """Adds some reports; each person comes once."""
        for one in reports.answers:
            self._people[one.question][one.level] += one.people.size
            if one.question == "features":
                mechanism = self._campaign.features[one.level]
                answers = feature_answers(one.parts, self._campaign.num_features)
                self._features[one.level] += _sums_and_squares(mechanism.estimate(answers), one.people.size)
            elif one.question == "label":
                labels = np.asarray(one.parts["label" if "label" in one.parts else "values"])
                self._labels[one.level] += np.bincount(labels.ravel(), minlength=self._campaign.num_classes)
            else:
                lengths = np.diff(one.parts["starts"]).astype(np.float64)
                degrees = self._degrees(one.level, lengths)
                self._lists[one.level] += (degrees.sum(), np.square(degrees).sum())

    def people(self, question: Question, level: int) -> int:
        """How many answered a question at a level."""
        return self._people[question][level]

    def answered(self, question: Question) -> int:
        """How many answered a question."""
        return sum(self._people[question])

    def classes(self) -> Estimated | None:
        """The share of each class. The error has both the noise and that only some people answered."""
        found = []
        for mechanism, counts, people in zip(
            self._campaign.labels, self._labels, self._people["label"], strict=True
        ):
            if people:
                p, q = mechanism.keep_probability, mechanism.other_probability
                share = (counts / people - q) / (p - q)
                # Agresti and Coull's two of each: an answer that nobody gave is no certainty.
                told = (counts + 2) / (people + 4)
                weight = people * (p - q) ** 2 / ((p + q) / 2 * (1 - (p + q) / 2))
                found.append((weight, share, told * (1 - told) / (p - q) ** 2 / people))
        return _combined(found)

    def features(self) -> Estimated | None:
        """The mean of each feature, in its own range."""
        found = []
        for mechanism, (sums, squares), people in zip(
            self._campaign.features, self._features, self._people["features"], strict=True
        ):
            if people:
                mean = sums / people
                inside = np.clip(mean, mechanism.low, mechanism.high)
                spread = np.asarray(mechanism.variance(inside), np.float64)
                if not isinstance(mechanism, Sampling) or math.isinf(mechanism.epsilon):
                    # With people's own differences; of signs that are sampled these are in the formula.
                    spread = np.maximum(spread, squares / people - mean**2)
                middle = np.full(self._campaign.num_features, self._campaign.midpoint)
                noise = float(np.mean(mechanism.variance(middle)))
                within = (mechanism.high - mechanism.low) ** 2 / 4
                found.append((people / (noise + within), mean, spread / people))
        combined = _combined(found)
        if combined is None or self._campaign.ranges is None:
            return combined
        low, high = np.array(self._campaign.ranges).T
        own = self._campaign.features[0]
        scale = (high - low) / (own.high - own.low)
        return low + (combined[0] - own.low) * scale, combined[1] * scale

    def mean_friends(self) -> dict[str, float] | None:
        """How many friends people have."""
        found = []
        for level, ((total, squares), people) in enumerate(
            zip(self._lists, self._people["lists"], strict=True)
        ):
            if people:
                noise = self._list_noise(level)
                spread = max(noise, squares / people - (total / people) ** 2)
                weight = people / (noise + 1.0)
                found.append((weight, np.array([total / people]), np.array([spread / people])))
        combined = _combined(found)
        return combined and {"value": float(combined[0][0]), "half_width": float(combined[1][0])}

    def _degrees(self, level: int, lengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """Unbiased: a list names friends who stayed, and strangers who flipped."""
        flip = self._campaign.lists[level].flip_probability
        others = (self._campaign.num_people or 1) - 1
        return (lengths - flip * others) / (1 - 2 * flip)

    def _list_noise(self, level: int) -> float:
        flip = self._campaign.lists[level].flip_probability
        others = (self._campaign.num_people or 1) - 1
        return others * flip * (1 - flip) / (1 - 2 * flip) ** 2


def _sums_and_squares(estimate: Any, people: int) -> NDArray[np.float64]:
    if not isinstance(estimate, Factored):
        values = np.asarray(estimate, np.float64)
        return np.stack([values.sum(axis=0), np.square(values).sum(axis=0)])
    columns = estimate.shape[1]
    sums = np.bincount(estimate.indices, estimate.data, columns)
    squares = np.bincount(estimate.indices, np.square(estimate.data.astype(np.float64)), columns)
    middle = estimate.midpoint
    return np.stack([sums + people * middle, squares + 2 * middle * sums + people * middle**2])


def _combined(found: list[tuple[float, NDArray[np.float64], NDArray[np.float64]]]) -> Estimated | None:
    """Levels weighted; each has a weight, means and the variances of these."""
    if not found:
        return None
    whole = math.fsum(weight for weight, _, _ in found)
    mean = sum((weight / whole * mean for weight, mean, _ in found), np.zeros(1))
    variance = sum(((weight / whole) ** 2 * spread for weight, _, spread in found), np.zeros(1))
    return mean, HALF * np.sqrt(variance)
