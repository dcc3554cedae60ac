"""Forecasts where friendships are public: features and label share the budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushgraph.planning.assumptions import Assumptions, Range
from hushgraph.planning.campaigns import Asked
from hushgraph.planning.evidence import expected_evidence
from hushgraph.planning.forecast import Curve, Forecast, budgets_between
from hushgraph.planning.splits import FOR_FEATURES, BudgetSplit, how_many, label_budgets
from hushgraph.planning.steps import Steps
from hushgraph.planning.worlds import Worlds

# At so many budgets of a label campaigns are simulated, and one more; others are interpolated.
GRID = 6
# Draws at which the expected z is averaged: it varies little. Campaigns with features, which take longer.
DRAWS_OF_Z, DRAWS_WITH_FEATURES = 2, 3
# From this expected z on, the test says once in six campaigns that features tell something.
POSSIBLE = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What was simulated: the worlds at the typical homophily, splits, and the forecast without noise."""

    worlds: Worlds
    splits: Sequence[BudgetSplit]
    ceiling: Forecast


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Forecasts at as low a homophily as it may be, a typical one, and as high."""

    low: Curve
    typical: Curve
    high: Curve

    def at(self, epsilon: float) -> Forecast:
        """Typical, within an interval that holds for all of them."""
        all_three = [curve.at(epsilon) for curve in (self.low, self.typical, self.high)]
        least, most = min(one.low for one in all_three), max(one.high for one in all_three)
        return Forecast(all_three[1].accuracy, least, most)


def plan_public(assumed: Assumptions, draws: int, most: int, seed: int, steps: Steps) -> Found:
    """Every total budget with all of it for the label, and with some of it for features."""
    budgets = label_budgets(assumed.epsilons, with_features=assumed.features > 0)
    if len(budgets) > GRID:
        totals = budgets_between(assumed.epsilons[0], assumed.epsilons[-1], assumed.shares, GRID)
        budgets = sorted({budgets[0], *totals})
    grid = [*budgets, math.inf]
    levels = Range(*assumed.homophily)
    fewer = max(2, (draws + 1) // 2)
    steps.expect(len(grid) * (draws if levels.known else draws + 2 * fewer))
    worlds = Worlds.drawn(assumed, levels.typical, draws, most, seed)
    typical = low = high = _curve(worlds, grid, assumed, steps)
    if not levels.known:
        low, high = (
            _curve(Worlds.drawn(assumed, level, fewer, most, seed), grid, assumed, steps)
            for level in (levels.low, levels.high)
        )
    curves = Curves(low, typical, high)
    splits: list[BudgetSplit] = []
    for epsilon in assumed.epsilons:
        splits.append(BudgetSplit(epsilon, 0.0, epsilon, 0.0, 0, *curves.at(epsilon)))
        for share in FOR_FEATURES if assumed.features else ():
            splits += _with_features(assumed, worlds, curves, epsilon, share, steps)
    return Found(worlds, splits, curves.at(math.inf))


def _curve(worlds: Worlds, grid: Sequence[float], assumed: Assumptions, steps: Steps) -> Curve:
    columns = [worlds.accuracies(Asked(epsilon), steps.tell) for epsilon in grid]
    return Curve(assumed.shares, grid, np.stack(columns, axis=1))


def _with_features(
    assumed: Assumptions, worlds: Worlds, curves: Curves, epsilon: float, share: float, steps: Steps
) -> list[BudgetSplit]:
    """One split for each number of features; where the test cannot find anything they change nothing.

    A cascade whose test finds nothing is bit for bit the one that was not given features, so that the
    forecast is that of what is left for the label. Of the others, all are simulated.
    """
    epsilon_x, epsilon_y = epsilon * share, epsilon * (1 - share)
    forecast = curves.at(epsilon_y)
    found = [
        BudgetSplit(epsilon, epsilon_x, epsilon_y, 0.0, count, *forecast, *evidence)
        for count, evidence in evidence_of(assumed, worlds, epsilon_x, epsilon_y).items()
    ]
    promising = [one for one in found if one.expected_z >= POSSIBLE]
    if not promising:
        return found
    number = min(DRAWS_WITH_FEATURES, len(worlds.campaigns))
    steps.expect((1 + len(promising)) * number)
    without = worlds.accuracies(Asked(epsilon_y), steps.tell, number)

    def simulated(one: BudgetSplit) -> BudgetSplit:
        asked = Asked(epsilon_y, epsilon_x, 0.0, one.features)
        return _better_by(one, float((worlds.accuracies(asked, steps.tell, number) - without).mean()))

    return [simulated(one) if one in promising else one for one in found]


def evidence_of(
    assumed: Assumptions, worlds: Worlds, epsilon_x: float, epsilon_y: float
) -> dict[int, tuple[float, float]]:
    """For each number of features the expected z of their test, where typical and where they tell most.

    It grows like the number of people, of whom some may have been simulated alone.
    """
    larger = worlds.structure.stands_for / worlds.structure.people
    seen = [campaign.votes(epsilon_y) for campaign in worlds.campaigns[:DRAWS_OF_Z]]

    def z(count: int, level: float) -> float:
        each = [
            expected_evidence(*one, assumed.shares, epsilon=epsilon_x, features=count, informativeness=level)
            for one in seen
        ]
        return larger * float(np.mean(each))

    levels = assumed.informativeness
    return {count: (z(count, levels.typical), z(count, levels.high)) for count in how_many(assumed.features)}


def _better_by(split: BudgetSplit, points: float) -> BudgetSplit:
    """The same where features add so much: paired by draw, so that the draws themselves do not count.

    A fit that is worse with features leaves them out.
    """
    points = max(points, 0.0)
    low, here, high = (min(max(end + points, 0.0), 1.0) for end in (split.low, split.accuracy, split.high))
    return BudgetSplit(
        split.epsilon, split.epsilon_x, split.epsilon_y, 0.0, split.features, here, low, high,
        split.expected_z, split.expected_z_high,
    )  # fmt: skip
