"""Ballots where friendships alone are protected: each counts in one place, and everybody sees all places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.curator import ballot_rows, linear

# Votes of a friendship with anybody, that are added to those that were counted.
PRIOR_VOTES = 10.0
# What logits may be multiplied by; with nobody to tell, by the first.
SCALES: tuple[float, ...] = (1.0, *(2.0 ** (step / 2) for step in range(-8, 2) if step))
# How long steps on public features may be, over the longest; with nobody to tell, the first.
PACES, STEPS = (0.3, 0.1, 1.0), 100
# Steps to one of features and of errors, and a clip that nobody reaches.
EXACT = linear.Grid(1 << linear.FEATURE_BITS, 1 << linear.ERROR_BITS, 1 << 24)

LABELLED, SILENT, QUERIED = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where friendships count; who is who is public.

    Attributes:
        rank: of each person: labelled, silent (neither labelled nor queried) or queried.
        classes: how many there are.
    """

    rank: NDArray[np.int64]
    classes: int

    @classmethod
    def of(
        cls, asked: NDArray[np.bool_], train: NDArray[np.int64], labels: NDArray[np.int64], classes: int
    ) -> Places:
        """Of those who are queried, and those who train and have a label."""
        rank = np.where(asked, QUERIED, SILENT)
        rank[train[labels[train] >= 0]] = LABELLED
        return cls(rank, classes)

    @property
    def shape(self) -> tuple[int, int]:
        """Of the counts."""
        return self.queried.stop, self.classes

    @property
    def silent(self) -> slice:
        """The rows of those who are silent, by their numbers; those of kinds of friendships come first."""
        return slice(self.classes, self.classes + int((self.rank == SILENT).sum()))

    @property
    def queried(self) -> slice:
        """The rows of those who are queried, by their numbers."""
        return slice(self.silent.stop, self.silent.stop + int((self.rank == QUERIED).sum()))

    def counted(self, edges: NDArray[np.int32], voted: NDArray[np.int64]) -> NDArray[np.int64]:
        """Every friendship once: of two who are labelled by their classes, otherwise as a vote in one row.

        Whoever comes first by rank votes for the other; of two of one rank, the one that the parity of their
        numbers says. So with these votes a friendship is one unit in one place, whatever the others are.
        """
        order = np.lexsort((np.arange(self.rank.size), self.rank))
        row = np.empty(self.rank.size, np.int64)
        row[order] = np.arange(self.rank.size) + self.classes - int((self.rank == LABELLED).sum())
        one, two = edges
        same = self.rank[one] == self.rank[two]
        turned = np.where(same, (one + two) % 2 == 1, self.rank[one] > self.rank[two])
        voter, told = np.where(turned, two, one), np.where(turned, one, two)
        kinds = self.rank[told] == LABELLED
        low, high = np.sort(voted[edges], axis=0)
        counts = np.zeros(self.shape, np.int64)
        np.add.at(counts, (np.where(kinds, low, row[told]), np.where(kinds, high, voted[voter])), 1)
        return counts

    def kinds(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """How often friends are of these two classes (c, c), from noisy counts, and as often with anybody."""
        upper = np.maximum(np.triu(counts[: self.classes]), 0)
        found = (upper + upper.T).astype(float)
        ends = found.sum(0) + 1.0
        smooth: NDArray[np.float64] = found + PRIOR_VOTES * ends / ends.sum()
        return smooth

    def alike(self, counts: NDArray[np.int64]) -> float:
        """The share of friendships between people of one class, from noisy counts."""
        kinds = self.kinds(counts)
        return float(np.trace(kinds) / kinds.sum())

    def heard(
        self, scores: NDArray[np.float64], counts: NDArray[np.int64], rate: float, rank: int
    ) -> NDArray[np.float64]:
        """Scores, to which those of one rank have added what their noisy rows say."""
        rows = counts[self.silent if rank == SILENT else self.queried]
        kinds, better = self.kinds(counts), scores.copy()
        better[self.rank == rank] += ballot_rows.evidence(rows, rate, kinds / kinds.sum(1, keepdims=True))
        return better

    def released(
        self,
        edges: NDArray[np.int32],
        scores: NDArray[np.float64],
        labels: NDArray[np.int64],
        noise: NDArray[np.int64],
        rate: float,
    ) -> NDArray[np.int64]:
        """All counts with their noise; those who are silent vote by what their own noisy rows say.

        A friendship is in the kinds and rows of the silent, or in the rows of the queried, and which of these
        is public. Given what was released of the former, votes in the latter are public too. So one unit of
        noise covers both: parallel composition.
        """

        def votes(scores: NDArray[np.float64]) -> NDArray[np.int64]:
            return np.where(self.rank == LABELLED, labels, scores.argmax(1))

        first = self.counted(edges, votes(scores)) + noise
        then = self.counted(edges, votes(self.heard(scores, first, rate, SILENT))) + noise
        return np.concatenate([first[: self.silent.stop], then[self.queried]])


def linear_scores(
    features: Any, labels: NDArray[np.int64], train: NDArray[np.int64], classes: int
) -> list[NDArray[np.float64]]:
    """Logits of linear softmaxes of public features, without noise, one for each pace."""
    rows, found = EXACT.rows(features), []
    for pace in PACES:
        weights = linear.fit_linear(
            rows[train], labels[train], classes, EXACT, lambda gradient: gradient,
            steps=STEPS, noise=0.0, pace=pace, progress=lambda _: None,
        )  # fmt: skip
        found.append(np.asarray(rows @ weights / EXACT.features))
    return found


def likeliest(
    offered: list[NDArray[np.float64]], known: NDArray[np.int64], labels: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Of some people's logits those under which known labels are most likely, scaled likewise.

    Only where labels are public, or nothing is protected: a model is surer than it should be, and would not
    listen to votes.
    """

    def told(scores: NDArray[np.float64]) -> float:
        return float(linear.log_softmax(scores[known])[np.arange(known.size), labels[known]].sum())

    return linear.log_softmax(max((scores * scale for scores in offered for scale in SCALES), key=told))
