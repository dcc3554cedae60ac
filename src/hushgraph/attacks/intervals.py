"""A measured share with its 95 % interval."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import beta


@dataclass(frozen=True, slots=True)
class Interval:
    """What was measured, and a 95 % interval around it."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


def share(hits: int, trials: int, confidence: float = 0.95) -> Interval:
    """The share of trials that hit, with Clopper and Pearson's interval: exact, whatever the share.

    >>> print(share(8, 10))
    0.800 (0.444 to 0.975)
    """
    if not 0 <= hits <= trials or trials == 0:
        raise ValueError(f"hits must be between 0 and trials, and trials above 0; got {hits} of {trials}")
    error = (1 - confidence) / 2
    low = float(beta.ppf(error, hits, trials - hits + 1)) if hits else 0.0
    high = float(beta.ppf(1 - error, hits + 1, trials - hits)) if hits < trials else 1.0
    return Interval(hits / trials, low, high)
