"""Forecasts where friendships are private: lists take a part of the budget, and false friends come in."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from hushgraph.mechanisms import AdjacencyRandomizedResponse
from hushgraph.planning.assumptions import Assumptions
from hushgraph.planning.campaigns import Asked
from hushgraph.planning.forecast import Forecast
from hushgraph.planning.public_graph import Found, evidence_of
from hushgraph.planning.splits import FOR_FEATURES, FOR_LISTS, BudgetSplit, best
from hushgraph.planning.steps import Steps
from hushgraph.planning.worlds import Worlds


def plan_lists(assumed: Assumptions, draws: int, most: int, seed: int, steps: Steps) -> Found:
    """Every total budget, divided over lists and label; what features would add is read off their z alone.

    The expected z is that with a public graph, the most that it can be: false friends only blur votes.
    """
    levels = sorted(set(assumed.homophily))
    looked_at = len(FOR_LISTS) + (assumed.features > 0)
    steps.expect(len(levels) * draws * (len(assumed.epsilons) * looked_at + 1))
    middle = assumed.homophily.typical
    typical = Worlds.drawn(assumed, middle, draws, most, seed)
    every = {
        level: typical if level == middle else Worlds.drawn(assumed, level, draws, most, seed)
        for level in levels
    }

    def forecast(epsilon_y: float, epsilon_a: float) -> Forecast:
        asked = Asked(epsilon_y, epsilon_a=_as_many_false(epsilon_a, typical))
        return _over(
            {level: Forecast.of(one.accuracies(asked, steps.tell)) for level, one in every.items()}, middle
        )

    splits: list[BudgetSplit] = []
    for epsilon in assumed.epsilons:
        there = []
        for share in FOR_LISTS:
            epsilon_y, epsilon_a = epsilon * (1 - share), epsilon * share
            there.append(BudgetSplit(epsilon, 0.0, epsilon_y, epsilon_a, 0, *forecast(epsilon_y, epsilon_a)))
        splits += there
        if assumed.features:
            splits += _with_features(assumed, typical, best(there), forecast)
    without_noise = Asked(math.inf)
    ceilings = {level: Forecast.of(one.accuracies(without_noise, steps.tell)) for level, one in every.items()}
    ceiling = _over(ceilings, middle)
    return Found(typical, [_at_most(one, ceiling) for one in splits], ceiling)


def _over(forecasts: dict[float, Forecast], typical: float) -> Forecast:
    low, high = min(one.low for one in forecasts.values()), max(one.high for one in forecasts.values())
    return Forecast(forecasts[typical].accuracy, low, high)


def _at_most(split: BudgetSplit, ceiling: Forecast) -> BudgetSplit:
    """Noise brings nothing: where draws say so, that is chance."""
    ends = (min(getattr(split, name), getattr(ceiling, name)) for name in Forecast._fields)
    return replace(split, **dict(zip(Forecast._fields, ends, strict=True)))


def _as_many_false(epsilon: float, worlds: Worlds) -> float:
    """The budget of a list at which few people name as many strangers as all of them would at this one.

    Of n people everybody names about p n strangers, and p² n of these name them back, which is what is
    believed: with fewer people p is larger, by the root of how many times fewer they are.
    """
    larger = worlds.structure.stands_for / worlds.structure.people
    flip = AdjacencyRandomizedResponse(epsilon).flip_probability * math.sqrt(larger)
    return max(math.log(1 / min(flip, 0.49) - 1), 0.01)


def _with_features(
    assumed: Assumptions, worlds: Worlds, there: BudgetSplit, forecast: Callable[[float, float], Forecast]
) -> list[BudgetSplit]:
    """A part of the best split for features instead: what this costs is simulated, what it brings is not."""
    share, epsilon = FOR_FEATURES[0], there.epsilon
    epsilon_x, kept = epsilon * share, 1 - share
    budgets = epsilon_x, there.epsilon_y * kept, there.epsilon_a * kept
    left = forecast(*budgets[1:])
    evidence = evidence_of(assumed, worlds, *budgets[:2])
    return [BudgetSplit(epsilon, *budgets, count, *left, *z) for count, z in evidence.items()]
