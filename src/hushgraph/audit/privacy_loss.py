"""Exact privacy losses."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction


class PrivacyLoss:
    """The exact loss of a mechanism whose output distributions are known as fractions.

    An output that some input never gives reveals that input: the loss is infinite.

    >>> loss = PrivacyLoss.of_odds(3, 1)
    >>> float(loss), loss.is_at_most(1.0), loss.is_at_most(1.1)
    (1.09..., False, True)
    """

    def __init__(self, distributions: Iterable[Mapping[Hashable, Fraction]]) -> None:
        distributions = list(distributions)
        if any(sum(distribution.values()) != 1 for distribution in distributions):
            raise ValueError("the probabilities of the outputs must add up to 1 for every input")
        outputs = {output for distribution in distributions for output in distribution}
        worst = Fraction(1)
        self.ratio: Fraction | None = None
        for output in outputs:
            chances = [distribution.get(output, Fraction(0)) for distribution in distributions]
            if min(chances) == 0 < max(chances):
                return
            if max(chances) > 0:
                worst = max(worst, max(chances) / min(chances))
        self.ratio = worst

    @classmethod
    def of_odds(cls, one: int, other: int) -> PrivacyLoss:
        """The loss of two outcomes that each of two inputs gives with these odds, the other way round."""
        share = Fraction(one, one + other)
        return cls([{0: share, 1: 1 - share}, {0: 1 - share, 1: share}])

    def is_at_most(self, epsilon: float) -> bool:
        """Whether ratio ≤ e^ε, without rounding: e^ε is taken from below, by 60 digits or by 1 + ε."""
        if self.ratio is None or math.isinf(epsilon):
            return math.isinf(epsilon)
        with localcontext(prec=60):
            below = Decimal(epsilon).exp() * (1 - Decimal(10) ** -58)
        return self.ratio <= max(Fraction(below), 1 + Fraction(epsilon))

    def __float__(self) -> float:
        if self.ratio is None:
            return math.inf
        with localcontext(prec=60):
            return float((Decimal(self.ratio.numerator) / Decimal(self.ratio.denominator)).ln())
