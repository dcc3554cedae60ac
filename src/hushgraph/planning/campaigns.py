"""One campaign among people who do not exist: devices answer, the cascade learns, and is assessed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.simulate import collect
from hushgraph.graph import Graph
from hushgraph.local.cascade.ensemble import learn_ensemble
from hushgraph.local.cascade.feature_evidence import smoothed_votes
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.ridge import Ridge
from hushgraph.local.cascade.spectra import Spectra
from hushgraph.local.cascade.surroundings import Surroundings
from hushgraph.local.cascade.walk import Walk
from hushgraph.mechanisms import AdjacencyRandomizedResponse, MultiBit, RandomizedResponse
from hushgraph.planning.places import Classes, Numbers, Places
from hushgraph.sparse import runtime
from hushgraph.split import Split

# Half of the cascades that are averaged for real: the other half changes accuracy by little.
TURNS = (0, 1, 2, 3)
# Fewer people than this without a report tell too little; reporters are assessed as others see them.
ENOUGH_UNSEEN = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """What a campaign asks for: budgets (0: not asked) and how many features."""

    epsilon_y: float
    epsilon_x: float = 0.0
    epsilon_a: float = 0.0
    features: int = 0


@dataclass(frozen=True, slots=True)
class Taking:
    """Which share of the people answers at all, and which share of these gives a label."""

    answering: float = 1.0
    label_rate: float = 0.75

    def drawn(self, people: int, rng: np.random.Generator) -> tuple[Classes, Split]:
        """Who answers, and who of them trains; nobody validates, since the cascade takes both alike."""
        order = rng.permutation(people)
        answered = np.sort(order[: max(1, round(self.answering * people))])
        labelled = np.sort(order[: max(1, round(self.answering * self.label_rate * people))])
        return answered, Split(labelled, np.zeros(0, np.int64), np.setdiff1d(np.arange(people), labelled))


@dataclass(frozen=True, slots=True, eq=False)
class Campaign:
    """People with drawn labels and features, who can be asked several times over.

    Attributes:
        places: the graph.
        labels: what they would answer without noise.
        shares: of the classes.
        informativeness: which share of the largest variance of a feature the class explains.
        taking: who answers.
        seed: of all that follows.
    """

    places: Places
    labels: Classes
    shares: Numbers
    informativeness: float
    taking: Taking
    seed: int

    @torch.no_grad()
    def accuracy(self, asked: Asked) -> float:
        """The share of those who give no label of whom the cascade names the right class."""
        rng, (answered, split) = self._noise(), self._who()
        collected = self._collected(asked, answered, split, rng)
        reports, spectra = LabelReports.of(collected), None if asked.epsilon_a else self.places.spectra
        with runtime.tuned_for(collected.edges.shape[1]):
            surroundings = _Surroundings(collected, spectra, self.seed)
            _, posterior = learn_ensemble(surroundings, reports, TURNS, rng, lambda: None)
        who = split.test if split.test.size >= ENOUGH_UNSEEN else np.arange(self.labels.size)
        return float((posterior.argmax(1).numpy()[who] == self.labels[who]).mean())

    @torch.no_grad()
    def votes(self, epsilon_y: float) -> tuple[NDArray[np.float32], Classes]:
        """Smoothed votes of those who answer, as the test of features has them, and their classes."""
        answered, _ = self._who()
        votes = smoothed_votes(self.places.walk, LabelReports.of(self.collected(Asked(epsilon_y)))).numpy()
        return votes[answered], self.labels[answered]

    def collected(self, asked: Asked) -> CollectedGraph:
        """What the server then has."""
        return self._collected(asked, *self._who(), self._noise())

    def _noise(self) -> np.random.Generator:
        return np.random.default_rng([self.seed, 1])

    def _who(self) -> tuple[Classes, Split]:
        return self.taking.drawn(self.labels.size, np.random.default_rng([self.seed, 0]))

    def _collected(
        self, asked: Asked, answered: Classes, split: Split, rng: np.random.Generator
    ) -> CollectedGraph:
        graph = Graph(
            edges=self.places.structure.edges,
            features=self._features(asked.features) if asked.epsilon_x else np.zeros((self.labels.size, 1)),
            labels=self.labels,
            num_classes=self.shares.size,
        )
        return collect(
            graph,
            split,
            features=MultiBit(asked.epsilon_x) if asked.epsilon_x else None,
            labels=RandomizedResponse(asked.epsilon_y),
            edges=AdjacencyRandomizedResponse(asked.epsilon_a) if asked.epsilon_a else None,
            rng=rng,
            answered=answered,
        )

    def _features(self, count: int) -> NDArray[np.float32]:
        """Zeros and ones of which the class explains as much as is stated, in directions of its own."""
        rng = np.random.default_rng([self.seed, 2])
        drawn = rng.choice([-1.0, 1.0], (self.shares.size, count))
        drawn -= self.shares @ drawn
        drawn *= math.sqrt(self.informativeness / max(float((self.shares @ drawn**2).mean()), 1e-12))
        likely = (1 + np.clip(drawn, -1, 1)) / 2
        turns = rng.random((self.labels.size, count), np.float32)
        return np.asarray(turns < likely[self.labels], np.float32)


class _Surroundings(Surroundings):
    """Surroundings that take the spectra of a public graph from where they were made."""

    def __init__(self, collected: CollectedGraph, spectra: Spectra | None, seed: int) -> None:
        self._given = spectra
        super().__init__(collected, torch.device("cpu"), seed)

    def spectra_of(self, walk: Walk) -> Spectra | Sequence[Ridge]:
        return super().spectra_of(walk) if self._given is None else self._given
