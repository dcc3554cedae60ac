"""Ways of dividing a budget over features, label and lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Of a total budget, the shares for features and for lists that are looked at.
FOR_FEATURES = (0.25, 0.5, 0.75)
FOR_LISTS = (0.3, 0.5, 0.7, 0.85)
FEWEST_FEATURES, FAR = 10, 20


@dataclass(frozen=True, slots=True)
class BudgetSplit:
    """A way of dividing a total ε, and what it buys.

    Attributes:
        epsilon: the total for each person; a friendship stands in two lists, and costs its two ends ε_a each.
        epsilon_x, epsilon_y, epsilon_a: of features, label and list; 0 where these are not asked for.
        features: how many are asked for.
        accuracy, low, high: the forecast for people without a report, and an interval of 90 %.
        expected_z: of the test of features, at the stated informativeness; it takes 3.
        expected_z_high: the same at the highest informativeness stated.
    """

    epsilon: float
    epsilon_x: float
    epsilon_y: float
    epsilon_a: float
    features: int
    accuracy: float
    low: float
    high: float
    expected_z: float = 0.0
    expected_z_high: float = 0.0

    @property
    def description(self) -> str:
        """As a sentence has it, such as ``"ε_y = 2 for the label"``."""
        parts = [f"ε_y = {self.epsilon_y:g} for the label"]
        if self.epsilon_a:
            parts.append(f"ε_a = {self.epsilon_a:g} for lists")
        if self.epsilon_x:
            parts.append(f"ε_x = {self.epsilon_x:g} for {self.features:,} features")
        return ", ".join(parts)


def how_many(features: int) -> list[int]:
    """How many features to ask for: all, ten, and, where this is far apart, as many as lie between.

    >>> how_many(1_000), how_many(50), how_many(5), how_many(0)
    ([10, 100, 1000], [10, 50], [5], [])
    """
    if features == 0:
        return []
    fewest = min(features, FEWEST_FEATURES)
    between = round((fewest * features) ** 0.5) if features > FAR * fewest else features
    return sorted({fewest, between, features})


def label_budgets(epsilons: Sequence[float], *, with_features: bool) -> list[float]:
    """Every budget that a label may have."""
    kept = (1.0, *(1 - share for share in FOR_FEATURES)) if with_features else (1.0,)
    return sorted({epsilon * share for epsilon in epsilons for share in kept})


def best(splits: Sequence[BudgetSplit], worthwhile: float = 0.01) -> BudgetSplit:
    """The split with the highest forecast; one that asks for features must be better by a point."""
    without = max((one for one in splits if not one.epsilon_x), key=lambda one: one.accuracy)
    top = max(splits, key=lambda one: one.accuracy)
    return top if top.accuracy > without.accuracy + worthwhile else without
