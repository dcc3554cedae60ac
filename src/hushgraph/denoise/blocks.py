"""Who are friends, given everybody's lists and labels: friends tend to have certain classes in common."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph.collection.estimates import LabelChannel
from hushgraph.collection.friendships import LARGEST_PRIOR, Friendships

ROUNDS = 10
# The least probability of another label than the true one: a label that went through no noise is believed.
LEAST = 1e-9
# Which share of friendships is taken to ignore classes: keeps what was never seen possible.
INDIFFERENT = 0.01


def block_posterior(
    friendships: Friendships,
    labels: NDArray[np.int64],
    channel: LabelChannel,
    num_classes: int,
    rounds: int = ROUNDS,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""The probability that each favored pair are friends, and everybody's class probabilities (n, c).

    A stochastic block model stands behind both: people of classes a and b are friends with a probability
    proportional to :math:`B_{ab}`, their label is reported through randomised response, and so is each entry
    of their lists. Mean-field updates alternate between the classes q, given friends and reported labels,

    .. math:: \log q_u(a) = \log P(y'_u | a) + \log \pi_a + \sum_v w_{uv} \sum_b q_v(b) \log B_{ab}

    the affinities B, and the weights w, the posterior whose prior is the density times
    :math:`q_u^T B q_v`, where what u and v think of each other is left out of q. Everything is computed from
    reports: it is post-processing. Of those who gave no label, that is -1.
    """
    density, people = friendships.density, friendships.num_people
    pairs = friendships.select(friendships.favored)
    u, v = pairs.edges
    evidence = _evidence(labels, channel, num_classes)
    answered = _normalized(evidence[labels >= 0])
    # One more person of every class, so that none is impossible.
    evidence += np.log((answered.sum(0) + 1) / (len(answered) + answered.shape[1]))
    classes = _normalized(evidence)
    weights = pairs.posterior(density)
    for _ in range(rounds if weights.any() else 0):
        graph = sp.csr_array((weights, (u, v)), shape=(people, people))
        graph = graph + graph.T
        affinity = _affinity(graph, classes)
        opinion = classes @ np.log(affinity)
        beliefs = evidence + graph @ opinion
        classes = _normalized(beliefs)
        # What each end is without the other's opinion, or an edge would be its own evidence.
        this = _normalized(beliefs[u] - weights[:, None] * opinion[v])
        that = _normalized(beliefs[v] - weights[:, None] * opinion[u])
        ratio = np.einsum("ea,ab,eb->e", this, affinity, that, optimize=True)
        weights = pairs.posterior(np.minimum(density * ratio, LARGEST_PRIOR))
    return weights, classes


def _evidence(labels: NDArray[np.int64], channel: LabelChannel, num_classes: int) -> NDArray[np.float64]:
    """The logarithm of the probability of each reported label, given each class."""
    answered = np.flatnonzero(labels >= 0)
    keep, other = (np.broadcast_to(part, labels.shape)[answered] for part in (channel.keep, channel.other))
    evidence = np.zeros((labels.size, num_classes))
    evidence[answered] = np.log(np.maximum(other, LEAST))[:, np.newaxis]
    evidence[answered, labels[answered]] = np.log(keep)
    return evidence


def _affinity(graph: Any, classes: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much more often people of two classes are friends than if friends ignored classes."""
    between = classes.T @ (graph @ classes)
    share = np.maximum(between.sum(0) / between.sum(), LEAST)
    chance = np.outer(share, share)
    return np.asarray((1 - INDIFFERENT) * between / (between.sum() * chance) + INDIFFERENT)


def _normalized(log_weights: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(log_weights - log_weights.max(1, keepdims=True))
    return np.asarray(weights / weights.sum(1, keepdims=True))
