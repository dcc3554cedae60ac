"""Noisy ballots: friends vote, and each queried person alone is told how."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from hushgraph import _check
from hushgraph.curator import affinity, ballot_rows, linear
from hushgraph.curator.affinity import Affinity
from hushgraph.curator.dp_sgd import Schedule
from hushgraph.curator.edge_ballots import QUERIED, SILENT, Places, likeliest, linear_scores
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.networks import mlp
from hushgraph.curator.parts import Part, counted, randomized, trained
from hushgraph.curator.rows import Rows, scaled_rows
from hushgraph.curator.run import PrivateRun
from hushgraph.curator.whole_noise import FINE, STEEPEST, laplace_rate, whole_laplace
from hushgraph.graph import Graph
from hushgraph.mechanisms.randomness import Random, words
from hushgraph.privacy.sensitivities import BallotChanges
from hushgraph.split import Split

# The share of ε for whether friends are alike; the rest is halved between features and votes.
FOR_HOMOPHILY = 0.04
REST = (1 - FOR_HOMOPHILY) / 2
# One vote for each so many units of ε.
FOR_A_VOTE = 6.0
# How many friends people are taken to have where nothing of the graph is looked at.
ASSUMED_DEGREE = 5.0
# Rows that are expected to tell two classes apart by fewer nats, over ε, are not asked for: features get all.
# They cost the features half of a budget, of which they feel the less the larger it is.
WORTHWHILE = 1.0
# That was chosen where so many train, by friends among these.
USUALLY_TRAIN = 0.75

TO_EVERYONE = "the weights of a linear classifier of one's own features{also}, to everyone"
TO_ONE = (
    "; to each queried person alone, how their friends vote, with noise. A person's prediction is computed"
    " from these and their own features and is for that person alone: shown to others, it would tell"
    " something that no ε here bounds"
)
EDGES = (
    "how many friendships there are between people of which classes who train, and how the friends of each"
    " other person vote, with noise, to everyone; features and labels are not protected"
)


class Ballots(CuratorMethod):
    """Noisy ballots: features by noisy gradient descent, friends by a few votes each.

    Three things leave, each with noise on whole numbers, drawn exactly:

    1. to everyone, whether friends are alike: class sizes and two matchings (``homophily``);
    2. to everyone, a linear softmax of a person's own features (``features``);
    3. to each *queried* person alone, how many of their friends vote for which class (``ballots``).

    Whoever is not queried votes, by their own label if they train and by what (2) says of their features if
    not, in the rows of a few queried friends, chosen by random priorities. A queried person's prediction
    combines (2) and their own row by Bayes' rule. Friends among the queried count for nothing.

    The promise is about what everybody *else* sees (joint differential privacy). It holds for whoever is not
    queried, however many friends they have. Of somebody who is queried, features and label reach nobody else
    at all. Their friendships do where a friend has more queried friends than votes, and would vote elsewhere:
    each such friend costs them what a vote costs, and whoever has so many that this is more than ε is not
    covered. ``bounded=True`` says that it is public that nobody has more queried friends than votes. Then
    nobody chooses, everybody is covered, and a graph in which somebody has more is refused.

    Where friends are not alike (by (1), or by ``homophily``) votes are not worth their price: the rest of
    the budget goes to the features. Under the relation ``"edge"`` features and labels are public, every
    friendship counts in one place (:class:`~hushgraph.curator.edge_ballots.Places`), and all that is counted
    is for everyone.

    Args:
        budget: how ε is split over ``homophily``, ``features`` and ``ballots``; by default 0.04 : 0.48 :
            0.48, of which the last is moved to the features where votes do not pay. What is given stays.
        queried: numbers of the people who are told how their friends vote; by default the test people of the
            split. They must not train, and who they are must not depend on the data.
        votes: how many queried friends somebody votes for; by default one for every 6 units of ε, at least
            one (for every 12 where persons are replaced).
        bounded: whether it is public that nobody has more queried friends than votes.
        homophily: the share of people's friends who are of their own class, if that is public knowledge; then
            nothing is spent on it.
        epochs: steps of gradient descent, each on everybody who trains.
        learning_rate: times the length of a step that follows from the noise.
        clip: of a person's gradient.
        hidden: of the network that is tried beside (2) where features are public or ε is infinite.

    The other arguments are those of :class:`CuratorMethod`.
    """

    POSITIVE = ("learning_rate", "clip")

    delta: float | None = None
    queried: ArrayLike | None = None
    votes: int | None = None
    bounded: bool = False
    homophily: float | None = None
    learning_rate: float = 1.0
    clip: float = 0.5

    def parts(self) -> tuple[Part, ...]:
        """Three mechanisms on whole numbers; where edges alone are protected, votes alone."""
        told = randomized("ballots", REST, "Laplace noise on whole votes, drawn exactly")
        if not self._protects_persons:
            return trained("features", 1.0, touched=0), told
        why = (
            f"Gaussian noise on whole gradients, drawn exactly, {self.epochs} times; prediction reads the"
            " weights again at no cost"
        )
        learned = counted("features", REST, why, releases=self.epochs)
        if self.homophily is not None:
            return learned, told
        alike = "Laplace noise on class sizes and two matchings, drawn exactly"
        return randomized("homophily", FOR_HOMOPHILY, alike), learned, told

    def released(self) -> str:
        """Weights, and a row each."""
        if self.relation == "edge":
            return EDGES
        also = ", class sizes and how alike friends are" if self.homophily is None else ""
        return TO_EVERYONE.format(also=also) + TO_ONE

    def conditions(self) -> tuple[str, ...]:
        """Which queried people are covered, and from whom."""
        public = "who is queried does not depend on the data"
        if self.relation == "edge" or not self.private:
            return (public,)
        each = "each queried person's row and prediction are given to that person and to nobody else"
        own = "of a queried person, features and label reach nobody else"
        if self.bounded:
            choose = f"it is public that nobody has more than {self.votes_} queried friends"
            return public, each, f"{choose}; {own}, and friendships neither"
        price = self.budget_["ballots"] / self.changes_.ballots
        most = math.floor(self.epsilon / price * (1 + 1e-12))
        friends = "are or were friends" if self.relation == "node-replacement" else "are friends"
        return (
            public,
            each,
            f"{own}; for their friendships the promise holds as long as no more than {most} people who"
            f" {friends} of theirs have more than {self.votes_} queried friends; how many queried people are"
            " not covered is not told",
        )

    @property
    def votes_(self) -> int:
        """How many queried friends somebody votes for at most."""
        if self.votes is not None:
            return self.votes
        times = 2 if self.relation == "node-replacement" else 1
        return max(1, int(self.epsilon // (FOR_A_VOTE * times))) if self.private else 1

    @property
    def changes_(self) -> BallotChanges:
        """What a neighboring graph changes."""
        return BallotChanges(self.relation, self.votes_)

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        super().check_params()
        if self.votes is not None:
            _check.count(self.votes, "votes", minimum=1)
        if self.homophily is not None:
            _check.fraction(self.homophily, "homophily")
        if self.relation == "edge" and (self.votes is not None or self.homophily is not None or self.bounded):
            raise ValueError(
                "votes, bounded and homophily are for protecting persons: of friendships each counts once"
            )

    def begin(self, graph: Graph, split: Split, **how: Any) -> PrivateRun:
        """The run of a fit; who is queried is public, and refused before anybody pays."""
        run = super().begin(graph, split, **how)
        self._queried(run.graph, run.split)
        return run

    def learn(self, run: PrivateRun) -> NDArray[np.float32]:
        """What features say; and what friends say, where that pays."""
        asked = self._asked(run)
        scores = self._by_rows(run, asked) if self._protects_persons else self._by_friendships(run, asked)
        shares = np.exp(scores - logsumexp(scores, axis=1, keepdims=True))
        probabilities: NDArray[np.float32] = shares.astype(np.float32)
        return probabilities

    def _by_rows(self, run: PrivateRun, asked: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Logarithms of probabilities; of those who are queried, by their own rows too if votes pay."""
        known = self._affinity(run)
        self.homophily_ = known.same
        worthwhile = self._worthwhile(run, known, asked)
        scores = self._by_features(run)
        if worthwhile:
            rows, rate = self._rows(run, asked, scores.argmax(1))
            scores[asked] += ballot_rows.evidence(rows, rate, known.friends)
        return scores

    def _by_friendships(self, run: PrivateRun, asked: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The same where features and labels are public, or nothing is protected: each friendship once."""
        graph, scores = run.graph, self._by_public_features(run)
        places = Places.of(asked, run.split.train, graph.labels, graph.num_classes)
        if self.private:
            share = run.terms.shares["ballots"]
            rate = laplace_rate(share, self.changes_.ballots)

            def draw(rng: Random) -> NDArray[np.int64]:
                noise = whole_laplace(places.shape, rate, rng)
                return places.released(graph.edges, scores, graph.labels, noise, rate)

            counts = run.randomize("ballots", share, draw)
        else:
            rate, silence = STEEPEST, np.zeros(places.shape, np.int64)
            counts = places.released(graph.edges, scores, graph.labels, silence, rate)
        self.homophily_ = places.alike(counts)
        return places.heard(places.heard(scores, counts, rate, SILENT), counts, rate, QUERIED)

    def _queried(self, graph: Graph, split: Split) -> NDArray[np.bool_]:
        """Who is queried; somebody who trains cannot be."""
        named = split.test if self.queried is None else np.atleast_1d(self.queried)
        asked = np.zeros(graph.num_nodes, bool)
        asked[_check.node_ids(named, "queried", graph.num_nodes)] = True
        if asked[split.train].any():
            raise ValueError("queried names somebody who trains: take them out of split.train")
        return asked

    def _asked(self, run: PrivateRun) -> NDArray[np.bool_]:
        """The same; who has more queried friends than is public is seen in the data."""
        asked = self._queried(run.graph, run.split)
        if self.bounded and self._protects_persons:
            voters, _ = ballot_rows.between(run.graph.edges, asked)
            if np.bincount(voters, minlength=1).max() > self.votes_:
                raise ValueError(
                    f"somebody has more than {self.votes_} queried friends, and bounded=True says that it is"
                    " public that nobody has"
                )
        return asked

    def _affinity(self, run: PrivateRun) -> Affinity:
        """Whether friends are alike: known, or released."""
        classes = run.graph.num_classes
        if self.homophily is not None:
            return Affinity.public(self.homophily, classes, ASSUMED_DEGREE)
        epsilon = self.budget_["homophily"]
        rate = laplace_rate(epsilon, self.changes_.matchings)

        def draw(rng: Random) -> NDArray[np.int64]:
            graph = run.graph
            numbers = affinity.matched(graph.edges, graph.labels, run.split.train, classes, rng)
            return numbers + whole_laplace(numbers.shape, rate, rng)

        among, deviation = run.split.train.size, math.sqrt(2) * FINE / rate
        known = Affinity.told(run.randomize("homophily", epsilon, draw), among, deviation)
        # Friends were counted among those who train: where fewer do, more friends were left out.
        return replace(known, degree=known.degree * USUALLY_TRAIN * run.graph.num_nodes / among)

    def _worthwhile(self, run: PrivateRun, known: Affinity, asked: NDArray[np.bool_]) -> bool:
        """Whether votes pay; if not, the features get their budget. From what is public or released alone."""
        share, told = run.terms.shares["ballots"], float(asked.mean())
        rate = laplace_rate(share, self.changes_.ballots)
        received = known.received(self.votes_, 1 - told, told)
        pays = known.separation(received, rate) * self.epsilon >= WORTHWHILE
        if asked.any() and (pays or self.budget is not None):
            return True
        if self.budget is None:
            run.divide({"features": run.terms.shares["features"] + share, "ballots": 0.0})
        return False

    def _by_features(self, run: PrivateRun) -> NDArray[np.float64]:
        """Logarithms of probabilities, by features alone, of everybody."""
        multiplier, times = run.multipliers["features"], self.changes_.gradients
        grid = linear.Grid.of(self.clip, multiplier, times)
        rows, train = grid.rows(run.graph.features), run.split.train
        self.weights_: NDArray[np.float64] = linear.fit_linear(
            rows[train], run.graph.labels[train], run.graph.num_classes, grid,
            lambda gradient: run.release_whole("features", gradient, times * grid.clip),
            steps=self.epochs, noise=multiplier * times * grid.clip, pace=self.learning_rate,
            progress=run.progress,
        )  # fmt: skip
        return linear.log_softmax(rows @ self.weights_ / grid.features)

    def _by_public_features(self, run: PrivateRun) -> NDArray[np.float64]:
        """The same without noise, by a linear softmax or a network, whichever those who validate bear out."""
        graph, split = run.graph, run.split
        rows = Rows(scaled_rows(graph.features, "l2"))
        network = mlp(rows.width, self.hidden, graph.num_classes)
        run.train("features", network, rows)
        offered = linear_scores(graph.features, graph.labels, split.train, graph.num_classes)
        offered.append(rows.through(network).numpy().astype(np.float64))
        return likeliest(offered, split.val[graph.labels[split.val] >= 0], graph.labels)

    def _rows(
        self, run: PrivateRun, asked: NDArray[np.bool_], guessed: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], int]:
        """How the friends of each who is queried vote, with noise; and how steeply that falls."""
        graph, train = run.graph, run.split.train

        share = run.terms.shares["ballots"]
        rate = laplace_rate(share, self.changes_.ballots)

        def draw(rng: Random) -> NDArray[np.int64]:
            voted = guessed.copy()
            own = train[graph.labels[train] >= 0]
            voted[own] = graph.labels[own]
            pairs = ballot_rows.between(graph.edges, asked)
            pairs = ballot_rows.ballots(pairs, self.votes_, words(rng, pairs[0].size))
            rows = ballot_rows.tallied(pairs, voted, graph.num_nodes, graph.num_classes)[asked]
            return rows + whole_laplace(rows.shape, rate, rng)

        return run.randomize("ballots", share, draw), rate

    def _schedule(self) -> Schedule | None:
        """Of the network on public features."""
        if self._protects_persons:
            return None
        return Schedule(self.epochs, learning_rate=0.03 * self.learning_rate)

    @property
    def _protects_persons(self) -> bool:
        return self.private and self.relation != "edge"
