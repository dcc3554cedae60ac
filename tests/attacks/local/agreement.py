"""Whether what was counted may have had a probability."""

from __future__ import annotations

from scipy.stats import binomtest

# How often a test here fails although all is right, at most.
FALSE_ALARM = 1e-6


def may_have_been(right, probability: float) -> bool:
    """Whether so many of these are right by chance: an exact binomial test."""
    return binomtest(int(right.sum()), right.size, min(probability, 1.0)).pvalue > FALSE_ALARM
