"""A label, from everything but its owner's report; and what their report adds to that.

ε bounds the second and not the first. Who knows the graph and everybody else's reports may know somebody's
label almost for certain, although that person never answered: friends are alike, and no promise to one person
can keep others from telling what they have in common. Differential privacy compares two worlds that differ in
one person's answer; what both have in common is not private.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.attacks.bounds import largest_successes, largest_tpr
from hushgraph.attacks.guesses import Guesses
from hushgraph.attacks.local.candidates import label_likelihoods, posterior
from hushgraph.attacks.local.one_report import checked_shares, label_successes
from hushgraph.collection.campaign import QUESTIONS, Question
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.estimates import LabelChannel
from hushgraph.local.estimator import LocalEstimator

PARTS = 5


@dataclass(frozen=True, slots=True, eq=False)
class LabelKnowledge:
    """What attackers of growing knowledge think of the labels of those who reported one.

    Attributes:
        people: whose, int64 (m,).
        labels: what they reported (m,).
        epsilon: what the label of each cost; the largest of all levels.
        shares: of the classes, as far as they are known (c,).
        others: the posterior (m, c) of an attacker who has everything but the person's report.
        likelihoods: log P(report | class), (m, c).
        keep, other: p and q of each report.
    """

    people: NDArray[np.int64]
    labels: NDArray[np.int64]
    epsilon: float
    shares: NDArray[np.float64]
    others: NDArray[np.float64]
    likelihoods: NDArray[np.float64]
    keep: NDArray[np.float64]
    other: NDArray[np.float64]

    @property
    def everything(self) -> NDArray[np.float64]:
        """The posterior (m, c) of one who has the person's report too: Bayes' rule."""
        return posterior(self.likelihoods, self.others)

    def guesses(self, truth: NDArray[np.int64]) -> dict[str, Guesses]:
        """What each attacker guesses, beside the true labels of all people (n,)."""
        naive = float(self.shares.max())
        beliefs = {
            "shares of the classes": np.broadcast_to(self.shares, self.others.shape),
            "the report alone": posterior(self.likelihoods, self.shares),
            "everything but the report": self.others,
            "everything": self.everything,
        }
        return {
            name: Guesses(name, one.argmax(1), truth[self.people], naive) for name, one in beliefs.items()
        }

    @property
    def expected(self) -> float:
        """How often the guess with everything is right, if ``others`` is as right as it is sure."""
        return float(label_successes(self.others, self.keep, self.other).mean())

    @property
    def expected_bound(self) -> float:
        """What ε allows on top of ``others``, if that is as right as it is sure."""
        return float(largest_successes(self.others, self.epsilon).mean())

    def accuracy_bound(self, without: float) -> float:
        """What ε allows whoever has everything, if without the report nobody is right more often than this.

        min(e^ε a, 1 - e^-ε (1 - a)): an attack that works with the report works e^-ε as often with a made-up
        one, which takes no report; and is wrong at most e^ε as often.
        """
        return largest_tpr(without, self.epsilon)

    @property
    def largest_shift(self) -> float:
        """The farthest that a report moved the logarithm of the odds of two classes of its owner."""
        moved = np.log(self.everything) - np.log(self.others)
        return float((moved.max(1) - moved.min(1)).max())


def label_knowledge(
    method: LocalEstimator,
    collected: CollectedGraph,
    rng: np.random.Generator,
    *,
    shares: ArrayLike | None = None,
    parts: int = PARTS,
    floor: float = 1e-9,
) -> LabelKnowledge:
    """What a method tells of the labels of those who train and validate, when their own report is left out.

    The reports are left out a part at a time, features and label, and the method is fitted anew to the rest:
    what it then thinks of their owners has not seen their report in any way. Others of their part are missing
    too, so that an attacker who leaves out one report at a time would know a little more.

    Args:
        method: any that learns from a collection, with its settings; it stays as it is.
        collected: the collection.
        rng: who is left out together.
        shares: of the classes, where they are known; by default they are estimated from the reports.
        parts: in how many parts; the method is fitted so often.
        floor: the least that a class is thought likely.
    """
    _check.count(parts, "parts", minimum=2)
    people = np.sort(np.concatenate([collected.train, collected.val]))
    part = rng.permutation(people.size) % parts
    found = np.empty((people.size, collected.num_classes))
    for number in range(parts):
        left_out = people[part == number]
        model = method.with_params().fit(without_reports(collected, left_out))
        found[part == number] = model.predict_proba()[left_out]
    found = np.maximum(found, floor)
    found /= found.sum(1, keepdims=True)
    channel, labels = collected.label_channel, collected.labels[people]
    keep, other = (
        np.broadcast_to(np.asarray(one, np.float64), collected.labels.shape)[people]
        for one in (channel.keep, channel.other)
    )
    if shares is None:
        reported = np.bincount(labels, minlength=collected.num_classes) / people.size
        estimated = np.maximum((reported - other.mean()) / (keep - other).mean(), 0.0)
        shares = estimated / estimated.sum()
    likelihoods = label_likelihoods(labels, LabelChannel(keep, other), collected.num_classes)
    epsilon = max(one.epsilon for one in collected.campaign.labels)
    return LabelKnowledge(people, labels, epsilon, checked_shares(shares), found, likelihoods, keep, other)


def without_reports(
    collected: CollectedGraph, people: NDArray[np.int64], questions: Sequence[Question] = QUESTIONS
) -> CollectedGraph:
    """The same collection, had some people not answered these questions; they stay in the graph."""
    hidden = np.zeros(collected.num_nodes, bool)
    hidden[people] = True
    kept = [
        one.select(np.flatnonzero(~hidden[one.people])) if one.question in questions else one
        for one in collected.reports.answers
    ]
    parts = {name: getattr(collected, name) for name in ("train", "val")}
    if "label" in questions:
        parts = {name: part[~hidden[part]] for name, part in parts.items()}
    edges = collected.edges
    if collected.edge_noise is not None and "lists" in questions:
        edges = edges[:, ~hidden[edges[0]]]
    answers = tuple(one for one in kept if one.people.size)
    return replace(collected, reports=replace(collected.reports, answers=answers), edges=edges, **parts)
