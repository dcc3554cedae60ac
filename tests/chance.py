"""Tests of hypotheses with stated false-alarm rates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.stats


class Chance:
    """Tests of hypotheses; the caller states how often a correct mechanism may fail."""

    @staticmethod
    def explains(counts: Any, probabilities: Any, false_alarm: float) -> bool:
        """Whether the counts may come from these probabilities (chi-square)."""
        counts = np.asarray(counts, float)
        expected = np.asarray([float(p) for p in probabilities]) * counts.sum()
        return bool(scipy.stats.chisquare(counts, expected).pvalue > false_alarm)

    @staticmethod
    def explains_mean(samples: Any, mean: Any, false_alarm: float, rounding: float = 1e-5) -> bool:
        """Whether the mean of each column is the given one (z-test, Bonferroni over the columns).

        Reports are single precision: deviations below ``rounding`` of the largest sample count as none.
        """
        samples, mean = np.asarray(samples, np.float64), np.asarray(mean, np.float64)
        limit = scipy.stats.norm.isf(false_alarm / 2 / mean.size)
        allowed = limit * samples.std(axis=0) / math.sqrt(len(samples)) + rounding * np.abs(samples).max()
        return bool((np.abs(samples.mean(axis=0) - mean) <= allowed).all())

    @classmethod
    def explains_mean_and_variance(cls, samples: Any, mean: Any, variance: Any, false_alarm: float) -> bool:
        """Whether each column has this mean and this variance; half of the false-alarm rate for either."""
        squares = (np.asarray(samples, np.float64) - mean) ** 2
        return cls.explains_mean(samples, mean, false_alarm / 2) and cls.explains_mean(
            squares, variance, false_alarm / 2
        )
