"""What a budget will buy, before anybody is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from numpy.typing import ArrayLike

from hushgraph import _check
from hushgraph.planning.advice import advice_on
from hushgraph.planning.assumptions import HOMOPHILY, INFORMATIVENESS, Assumptions
from hushgraph.planning.planned import Plan, Theory
from hushgraph.planning.private_lists import plan_lists
from hushgraph.planning.public_graph import plan_public
from hushgraph.planning.statistics import Source
from hushgraph.planning.steps import Steps
from hushgraph.planning.theory import aggregation_error, label_information, worth

# Of a larger graph, so many people are simulated; with private lists, which take longer, fewer.
MOST_PEOPLE, MOST_WITH_LISTS = 40_000, 4_000
FEWEST_LABELS = 20


def plan(
    source: Source,
    *,
    epsilons: float | Iterable[float],
    classes: int | None = None,
    num_features: int | None = None,
    homophily: float | Sequence[float] = HOMOPHILY,
    class_shares: ArrayLike | None = None,
    answering: float = 1.0,
    label_rate: float = 0.75,
    informativeness: float | Sequence[float] = INFORMATIVENESS,
    lists: bool = False,
    draws: int | None = None,
    most_people: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    """Forecasts the test accuracy of :class:`~hushgraph.Cascade` for ways of spending a budget.

    Nothing is asked of anybody: campaigns are simulated on the public graph with labels that are drawn to
    follow its communities as far as the stated homophily says. See docs/planning.md for how, and for how far
    forecasts were off on graphs whose labels are known.

    Args:
        source: the public graph, a :class:`~hushgraph.Graph` or :class:`~hushgraph.planning.Structure`, of
            which friendships alone are read; or :class:`~hushgraph.planning.Statistics` of one that is not
            public, or not known.
        epsilons: total budgets of a person.
        classes: how many there are; those of a ``Graph`` by default, unless they were read off its labels.
        num_features: how many there are to ask for; those of a ``Graph`` by default.
        homophily: the share of friendships between people of one class; or three numbers, as low as it may
            be, typical and as high, and then the intervals hold for all of these.
        class_shares: how common each class is; all alike by default.
        answering, label_rate: which share of the people answers at all, and which share of these gives a
            label. The forecast is for people who give none.
        informativeness: which share of the largest variance that a feature can have its class explains, on
            average; one number or three.
        lists: friendships are private, and budgets are divided over lists, too. The graph is then taken as a
            stand-in of the same kind.
        draws: how often labels are drawn and campaigns simulated, twice or more: how much they vary is a
            part of the interval. Fewer on large graphs by default.
        most_people: how many people are simulated at most, with their friendships.
        seed: makes it repeatable.
        progress: called with how many campaigns were simulated, and of how many.

    >>> import hushgraph as hg
    >>> few = hg.planning.Statistics(people=400, mean_degree=8.0)
    >>> found = hg.plan(few, epsilons=[2.0], classes=3, num_features=200, homophily=0.8, draws=2)
    >>> found.recommended(2.0).epsilon_y, "do not ask" in found.advice[-1]
    (2.0, True)
    """
    assumed = Assumptions.checked(
        source,
        epsilons=epsilons,
        classes=classes,
        num_features=num_features,
        homophily=homophily,
        class_shares=class_shares,
        answering=answering,
        label_rate=label_rate,
        informativeness=informativeness,
        lists=lists,
    )
    most = MOST_WITH_LISTS if lists else MOST_PEOPLE
    most = most if most_people is None else _check.count(most_people, "most_people", minimum=100)
    people = min(most, assumed.people)
    if (labels := round(people * assumed.taking.answering * assumed.taking.label_rate)) < FEWEST_LABELS:
        raise ValueError(
            f"answering and label_rate leave {labels} labels of {people:,} people;"
            f" {FEWEST_LABELS} or more are needed to learn anything"
        )
    draws = _draws_for(people, lists) if draws is None else _check.count(draws, "draws", minimum=2)
    steps = Steps(progress)
    found = (plan_lists if lists else plan_public)(assumed, draws, most, _check.count(seed, "seed"), steps)
    degrees = found.worlds.campaigns[0].places.degree
    theory = tuple(
        Theory(
            epsilon,
            bits=label_information(epsilon, assumed.shares),
            worth=worth(epsilon, assumed.reports, assumed.shares),
            around_one=aggregation_error(epsilon, assumed.shares.size, degrees),
        )
        for epsilon in assumed.epsilons
    )
    return Plan(
        splits=tuple(found.splits),
        ceiling=found.ceiling,
        reached=found.worlds.homophily,
        theory=theory,
        assumed=assumed.to_dict(),
        simulated=found.worlds.described(assumed),
        advice=tuple(advice_on(assumed, found, theory)),
    )


def _draws_for(people: int, lists: bool) -> int:
    """Fewer where each takes longer, and where people are so many that draws differ less."""
    return 6 if people <= 5_000 and not lists else 4 if people <= 12_000 else 2
