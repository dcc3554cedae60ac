"""Exact privacy losses."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction


class PrivacyLoss:
    """The exact loss of a mechanism whose output distributions are known as fractions."""

    def __init__(self, distributions: Iterable[Mapping[Hashable, Fraction]]) -> None:
        distributions = list(distributions)
        for distribution in distributions:
            assert sum(distribution.values()) == 1
            assert min(distribution.values()) > 0, "an output that some input never gives reveals that input"
        self.ratio = max(
            max(given[output] for given in distributions) / min(given[output] for given in distributions)
            for output in distributions[0]
        )

    @classmethod
    def of_odds(cls, one: int, other: int) -> PrivacyLoss:
        """The loss of two outcomes that each of two inputs gives with these odds, the other way round."""
        share = Fraction(one, one + other)
        return cls([{0: share, 1: 1 - share}, {0: 1 - share, 1: share}])

    def is_at_most(self, epsilon: float) -> bool:
        """Whether ratio ≤ e^ε, without rounding: e^ε is taken from below, by 60 digits or by 1 + ε."""
        with localcontext(prec=60):
            below = Decimal(epsilon).exp() * (1 - Decimal(10) ** -58)
        return self.ratio <= max(Fraction(below), 1 + Fraction(epsilon))

    def __float__(self) -> float:
        with localcontext(prec=60):
            return float((Decimal(self.ratio.numerator) / Decimal(self.ratio.denominator)).ln())
