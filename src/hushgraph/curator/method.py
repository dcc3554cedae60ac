"""What methods with a trusted curator share: settings, budgets, the cap on degrees, statements."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, get_args

import numpy as np
import torch
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph._settings import Settings
from hushgraph.curator.releases import watched
from hushgraph.graph import Graph
from hushgraph.mechanisms.randomness import Random, SecureRandom
from hushgraph.privacy import Guarantee, relations
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.split import Split

Progress = Callable[[float], None]
"""Is told which share of the work is done."""

OWN_FEATURES = (
    "A person's prediction is computed from these and the person's own features and is for that person alone:"
    " shown to others, it would tell something about those features that no ε here bounds"
)


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What a method learns from, checked, and where its randomness comes from."""

    graph: Graph
    split: Split
    edges: NDArray[np.int32]
    noise: Random
    seed: int
    progress: Progress


class CuratorMethod(Settings):
    """A method of a curator who holds the graph; the arguments of its constructor are its settings.

    ``fit(graph, split)`` learns from the training people; ``predict()`` names a class for everybody;
    ``guarantee`` says what is protected, what is released, to whom, and why. Somebody in the training set who
    has no label is an empty place: that is what is left of a person who is removed.
    """

    PARTS: ClassVar[Mapping[str, float]]
    """What the budget is split over, with the share of each by default."""
    RELATIONS: ClassVar[tuple[NeighboringRelation, ...]] = get_args(NeighboringRelation)

    epsilon: float
    delta: float | None
    relation: NeighboringRelation
    max_degree: int | None
    budget: Mapping[str, float] | None
    random_state: int | None

    dropped_edges_: int
    proba_: NDArray[np.float32]
    guarantee_: Guarantee
    classes_: tuple[str, ...]
    ids_: NDArray[np.str_] | None

    def fit(self, graph: Graph, split: Split, *, progress: Progress | None = None) -> Self:
        """Learns from the training people of a graph; ``progress`` is told which share is done."""
        self.check_params()
        split = _checked_split(graph, split)
        seed = secrets.randbits(63) if self.random_state is None else self.random_state
        noise: Random = (
            SecureRandom() if self.random_state is None else np.random.default_rng([self.random_state, 3])
        )
        edges, self.dropped_edges_ = graph.edges, 0
        if self.cap is not None and self._caps_degrees:
            edges, self.dropped_edges_ = relations.capped(
                edges, graph.num_nodes, self.cap, np.random.default_rng([seed, 4])
            )
        task = Task(graph, split, edges, noise, seed, progress or (lambda _: None))
        with torch.random.fork_rng(devices=[]):
            # Whoever audits knows the first weights, which are no secret.
            torch.manual_seed(0 if watched() else seed)
            self.proba_ = self._learn(task)
        self.guarantee_ = self._finished(self._guarantee(task), task)
        self.classes_, self.ids_ = graph.classes, graph.ids
        return self

    def predict_proba(self) -> NDArray[np.float32]:
        """Class probabilities (n, c) of everybody in the graph that was learned from."""
        self._check_fitted()
        return self.proba_

    def predict(self) -> NDArray[np.int64]:
        """The number of the most probable class of each person (n,); ``classes_`` has its name."""
        classes: NDArray[np.int64] = self.predict_proba().argmax(1)
        return classes

    @property
    def guarantee(self) -> Guarantee:
        """What is protected, what is released and to whom, how the budget is split, and why it holds."""
        self._check_fitted()
        return self.guarantee_

    @property
    def private(self) -> bool:
        """Whether there is a finite budget; otherwise the method is its own non-private ceiling."""
        return math.isfinite(self.epsilon)

    @property
    def budget_(self) -> dict[str, float]:
        """How ε is split: as given, or by the default shares of the parts that this relation has."""
        parts = self._parts()
        if self.budget is None:
            total = math.fsum(parts.values())
            return {name: self.epsilon * share / total for name, share in parts.items()}
        return dict(self.budget)

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        _check.epsilon(self.epsilon)
        _check.choice(self.relation, "relation", self.RELATIONS)
        if self.delta is not None:
            _check.delta(self.delta)
        if self.cap is not None:
            _check.count(self.cap, "max_degree", minimum=1)
        if self.random_state is not None:
            _check.count(self.random_state, "random_state")
        if self.budget is not None:
            self._check_budget(self.budget)

    def _check_budget(self, budget: Mapping[str, float]) -> None:
        wanted = list(self._parts())
        if not isinstance(budget, Mapping):
            raise TypeError(f"budget must name {', '.join(wanted)} with the share of each, got {budget!r}")
        if sorted(budget) != sorted(wanted):
            raise ValueError(f"budget must name {', '.join(wanted)}; got {', '.join(budget) or 'nothing'}")
        for name, value in budget.items():
            _check.epsilon(value, f"budget[{name!r}]")
        total = math.fsum(budget.values())
        if not math.isclose(total, self.epsilon, rel_tol=1e-9):
            raise ValueError(f"budget must add up to epsilon = {self.epsilon:g}, but adds up to {total:g}")

    def _parts(self) -> Mapping[str, float]:
        """The parts that spend budget under this relation, with their default shares."""
        return self.PARTS

    @property
    def cap(self) -> int | None:
        """The public cap on friendships, for methods that use them."""
        return self.max_degree

    @property
    def _caps_degrees(self) -> bool:
        return self.private and self.relation != "edge"

    def _learn(self, task: Task) -> NDArray[np.float32]:
        """Class probabilities of everybody; what a method defines."""
        raise NotImplementedError

    def _guarantee(self, task: Task) -> Guarantee:
        """The statement, before what all methods add to it; what a method defines."""
        raise NotImplementedError

    def _statement(
        self, released: str, reason: str, delta: float, parts: Mapping[str, tuple[float, str]]
    ) -> Guarantee:
        """A guarantee of this method's relation; ``parts`` says what each part spends alone, and on what."""
        relation = relations.described(self.relation, self.cap)
        against = "everyone who sees what is released; the curator holds the data and is trusted"
        return Guarantee._stated(
            protects=relations.PROTECTS[self.relation],
            epsilon=self.epsilon,
            delta=delta,
            relation=relation,
            against=against,
            released=released,
            reason=reason,
            conditions=(
                "who is in the training set, the list of classes and the settings do not depend on the data",
            ),
            parts=tuple(
                Guarantee._stated(
                    protects=name,
                    epsilon=epsilon,
                    delta=delta,
                    relation=relation,
                    against=against,
                    reason=why,
                )
                for name, (epsilon, why) in parts.items()
            ),
        )

    def _finished(self, statement: Guarantee, task: Task) -> Guarantee:
        if not self.private:
            return Guarantee(
                relations.PROTECTS[self.relation],
                math.inf,
                status="none",
                reason="ε = ∞: learned without noise, as a ceiling for the private methods",
            )
        if self.dropped_edges_:
            statement = statement.claimed(
                f"friendships were dropped beforehand so that nobody has more than {self.cap}; the theorem is"
                " about the graph that was left, and whose are dropped depends on other people's"
            )
        if task.graph.classes_from_data:
            statement = statement.claimed("the list of classes was taken from the data")
        if task.graph.ranges_from_data:
            statement = statement.claimed("the ranges of the features were taken from the data")
        if self.random_state is not None:
            known = "nobody who sees what is released knows the seed that was passed in"
            statement = statement._changed(conditions=(*statement.conditions, known), simulated=True)
        # A part is as well founded as the whole.
        return statement._changed(
            parts=tuple(part._changed(status=statement.status) for part in statement.parts)
        )

    def _check_fitted(self) -> None:
        if not hasattr(self, "proba_"):
            raise RuntimeError(f"this {type(self).__name__} is not fitted yet: call fit(graph, split) first")


def noise_source(task: Task, stream: int) -> torch.Generator | SecureRandom:
    """Where a part's noise comes from: the operating system, or with a seed a stream of its own.

    torch's generator has but 2³² states, which is enough for simulations and for nothing else.
    """
    if isinstance(task.noise, SecureRandom):
        return task.noise
    (state,) = np.random.SeedSequence([task.seed, stream]).generate_state(1, np.uint64)
    return torch.Generator().manual_seed(int(state) >> 1)


def _checked_split(graph: Any, split: Any) -> Split:
    if not isinstance(graph, Graph) or not isinstance(split, Split):
        raise TypeError(
            f"this takes a Graph and a Split, got {type(graph).__name__} and {type(split).__name__}"
        )
    parts = {
        name: _check.node_ids(getattr(split, name), f"split.{name}", graph.num_nodes)
        for name in ("train", "val", "test")
    }
    if parts["train"].size == 0:
        raise ValueError("split.train must name at least one person to learn from")
    if (graph.labels[parts["train"]] < 0).all():
        raise ValueError("split.train must name somebody who has a label")
    if np.unique(np.concatenate(list(parts.values()))).size < sum(part.size for part in parts.values()):
        raise ValueError("split names a person in more than one of train, val and test")
    return Split(**parts)
