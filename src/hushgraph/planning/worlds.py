"""Worlds in which a campaign can be tried: a graph with drawn labels, several times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hushgraph.planning.assumptions import Assumptions
from hushgraph.planning.campaigns import Asked, Campaign
from hushgraph.planning.labels import draw_labels
from hushgraph.planning.places import Numbers, Places
from hushgraph.planning.statistics import Statistics, Structure, structure_of

# How much likelier those who have few friends are to be unlike them, at most; draws differ in it.
MOST_BY_DEGREE = 0.5
Tell = Callable[[], None]


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """Several draws of labels on one graph, at one homophily.

    Attributes:
        structure: the graph.
        campaigns: one for each draw.
        homophily: what the draws have come to, on average.
    """

    structure: Structure
    campaigns: tuple[Campaign, ...]
    homophily: float

    @classmethod
    def drawn(cls, assumed: Assumptions, homophily: float, draws: int, most: int, seed: int) -> Worlds:
        """Each draw has labels of its own, people who answer of its own, and noise of its own."""
        rng = np.random.default_rng([seed, 0])
        structure = structure_of(assumed.source, assumed.shares.size, homophily, most, rng)
        places = Places.of(structure)
        campaigns, reached = [], []
        for number in range(draws):
            by_degree = MOST_BY_DEGREE * (number + 0.5) / draws
            one = draw_labels(
                places, assumed.shares, homophily, by_degree, np.random.default_rng([seed, 1, number])
            )
            typical = assumed.informativeness.typical
            campaigns.append(
                Campaign(places, one.labels, assumed.shares, typical, assumed.taking, seed * 1_000 + number)
            )
            reached.append(one.homophily)
        return cls(structure, tuple(campaigns), float(np.mean(reached)))

    def accuracies(self, asked: Asked, tell: Tell, draws: int | None = None) -> Numbers:
        """Of every draw, or of the first so many."""
        found = []
        for campaign in self.campaigns[:draws]:
            found.append(campaign.accuracy(asked))
            tell()
        return np.array(found)

    def described(self, assumed: Assumptions) -> str:
        """On what campaigns were simulated."""
        structure = self.structure
        kind = "a made-up graph" if isinstance(assumed.source, Statistics) else "the graph"
        whose = f"{structure.people:,} people of {kind}"
        if structure.stands_for > structure.people:
            whose = f"{structure.people:,} people, who stand for {structure.stands_for:,}, of {kind}"
        return f"{whose}, {structure.mean_degree:.1f} friends each, {len(self.campaigns)} draws of labels"
