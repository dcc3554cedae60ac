"""What methods with a trusted curator have in common: settings, fitting, predicting, the statement."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, ClassVar, Self, get_args

import numpy as np
import torch
from numpy.typing import NDArray

from hushgraph import _check, _model_files
from hushgraph._settings import Settings
from hushgraph.curator import seeds
from hushgraph.curator.dp_sgd import Schedule
from hushgraph.curator.parts import Part, Terms
from hushgraph.curator.run import Observe, PrivateRun
from hushgraph.curator.statement import promised
from hushgraph.graph import Graph
from hushgraph.privacy import Guarantee
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.privacy.sensitivities import Changes
from hushgraph.split import Split


class CuratorMethod(Settings):
    """A method of a curator who holds the graph; the arguments of its constructor are its settings.

    ``fit(graph, split)`` learns from the training people; ``predict()`` names a class for everybody;
    ``guarantee`` says what is protected, what is released, to whom, and why. Somebody in the training set who
    has no label is a null record: that is what is left of a person who is removed.

    A method says which :meth:`parts` its budget has, how it learns through a
    :class:`~hushgraph.curator.run.PrivateRun`, and what is released.

    Args:
        epsilon: the budget of everything that is released; ``math.inf`` for the non-private ceiling.
        relation: ``"edge"``, ``"node-removal"`` or ``"node-replacement"``: what must be hard to tell apart.
        budget: how ε is split over the parts; by default in proportion to their shares.
        epochs, learning_rate, hidden: of the networks.
        random_state: a seed for simulations; None draws from the operating system's randomness.

    Many have also ``delta``, by default the largest power of ten up to N^-1.5, for N people or, where edges
    are protected, pairs; ``batch_size``, the expected size of a Poisson batch, by default all who train;
    ``clip``, of gradients; and ``max_degree``, a public cap on friendships. Where persons are protected, what
    is above the cap is dropped by random priorities, and whoever has no more friends than that is covered.
    ``bounded=True`` says that it is public that nobody has more: then there is less noise, and a graph in
    which somebody has is refused.
    """

    RELATIONS: ClassVar[tuple[NeighboringRelation, ...]] = get_args(NeighboringRelation)
    COUNTS: ClassVar[tuple[str, ...]] = ("epochs", "hidden")
    POSITIVE: ClassVar[tuple[str, ...]] = ("learning_rate",)
    REASON: ClassVar[str] = ""
    """Why it should hold, where that is not plain from the parts."""
    OWN_DATA: ClassVar[bool] = True
    """Whether a person's prediction is computed from their own data, and not from what is released alone."""
    NEEDS_FEATURES: ClassVar[bool] = True
    """Whether it learns from features, so that people must have some."""
    REFUTED: ClassVar[tuple[str, ...]] = ()
    """Why the promise is false, of methods that are there to be shown."""

    epsilon: float = field(kw_only=False)
    relation: NeighboringRelation = "node-removal"
    budget: Mapping[str, float] | None = None
    epochs: int = 30
    learning_rate: float = 0.03
    hidden: int = 64
    random_state: int | None = None

    def parts(self) -> tuple[Part, ...]:
        """What the budget is split over, those included that are free under this relation."""
        raise NotImplementedError

    def released(self) -> str:
        """What leaves, and who gets it."""
        raise NotImplementedError

    def conditions(self) -> tuple[str, ...]:
        """What must hold besides, and whom the promise leaves out, where a method has more to say."""
        return ()

    def learn(self, run: PrivateRun) -> NDArray[np.float32]:
        """Class probabilities of everybody, from what the run trains and releases."""
        raise NotImplementedError

    def fit(
        self,
        graph: Graph,
        split: Split,
        *,
        progress: Callable[[float], None] = lambda _: None,
        observe: Observe = lambda _: None,
        first_weights: int | None = None,
        common_noise: bool = False,
    ) -> Self:
        """Learns from the training people of a graph.

        Args:
            graph: what the curator holds.
            split: who trains, who validates, who is tested.
            progress: is told which share is done.
            observe: is told everything that leaves, as it leaves.
            first_weights: the seed of the networks' first weights, which are no secret; by default it
                follows from ``random_state``, and tells nothing of the noise.
            common_noise: whether fits of one ``random_state`` may have random numbers in common: for
                comparisons on public data alone. By default noise follows from all that is learned and of
                whom, so that no two releases share it.
        """
        run = self.begin(graph, split, common_noise=common_noise, progress=progress, observe=observe)
        # What an earlier fit left would stand under the wrong promise if this one is interrupted.
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seeds.of_weights(run.seed) if first_weights is None else first_weights)
            self.proba_: NDArray[np.float32] = self.learn(run)
        run.close()
        self.guarantee_: Guarantee = self._promised(run)
        self.noise_multipliers_: dict[str, float] = run.multipliers
        self.classes_: tuple[str, ...] = graph.classes
        self.ids_: NDArray[np.str_] | None = graph.ids
        return self

    def begin(self, graph: Graph, split: Split, *, common_noise: bool = False, **hooks: Any) -> PrivateRun:
        """The run of a fit, calibrated; nothing is learned or released yet."""
        self.check_params()
        split = _checked_split(graph, split, secret=self.private and self.relation != "edge")
        if self.NEEDS_FEATURES and graph.num_features == 0:
            raise ValueError(
                f"{type(self).__name__} learns from people's features, and {graph.name!r} has none: Cascade,"
                " which needs no trusted curator, can do without"
            )
        people, size = split.train.size, getattr(self, "batch_size", None)
        if size is not None and size > people:
            raise ValueError(f"batch_size must be at most the {people} people who train, got {size}")
        delta, cap = getattr(self, "delta", None), getattr(self, "max_degree", None)
        terms = Terms(
            self.relation,
            self.epsilon,
            delta,
            cap,
            self.parts(),
            self.budget_,
            getattr(self, "bounded", False),
        )
        own_noise = None
        if self.random_state is not None and not common_noise:
            own_noise = seeds.of_noise(self, self.random_state, graph, split)
        return PrivateRun(
            terms,
            graph,
            split,
            schedule=self._schedule(),
            random_state=self.random_state,
            noise_seed=own_noise,
            **hooks,
        )

    def promise(self, graph: Graph, split: Split) -> Guarantee:
        """What :meth:`fit` would promise, without learning anything."""
        return self._promised(self.begin(graph, split))

    def predict_proba(self) -> NDArray[np.float32]:
        """Class probabilities (n, c) of everybody in the graph that was learned from."""
        self._check_fitted()
        return self.proba_

    def predict(self) -> NDArray[np.int64]:
        """The number of the most probable class of each person (n,); ``classes_`` has its name."""
        classes: NDArray[np.int64] = self.predict_proba().argmax(1)
        return classes

    def save(self, path: str | Path) -> None:
        """Writes settings, guarantee and predictions; the guarantee says to whom these may be shown."""
        self._check_fitted()
        _model_files.write(path, self, {}, {})

    @classmethod
    def load(cls, path: str | Path, *, device: str = "auto") -> Self:
        """Reads what :meth:`save` wrote, to predict for the same people; no code in the file is run."""
        header, stored = _model_files.read(path)
        try:
            _model_files.checked(cls, header)
            model = cls(**header["parameters"])
            _model_files.restore(model, header, stored)
        except Exception as error:
            raise ValueError(f"{path} is not a readable hushgraph model: {error}") from error
        return model

    @property
    def guarantee(self) -> Guarantee:
        """What is protected, what is released and to whom, how the budget is split, and why it holds."""
        self._check_fitted()
        return self.guarantee_

    @property
    def changes(self) -> Changes:
        """What a neighboring graph changes in one under this method's cap."""
        settings = self.get_params()
        if "max_degree" not in settings:
            raise AttributeError(f"{type(self).__name__} has no cap")
        return Changes(self.relation, settings["max_degree"], settings["bounded"])

    @property
    def predictions_are_private(self) -> bool:
        """Whether a prediction is for that person alone: shown to others, it would tell what no ε bounds."""
        return self.private and self.OWN_DATA and self.relation != "edge"

    @property
    def private(self) -> bool:
        """Whether there is a finite budget; otherwise the method is its own non-private ceiling."""
        return math.isfinite(self.epsilon)

    @property
    def budget_(self) -> dict[str, float]:
        """How ε is split: as given, or by the default shares of the parts that cost something."""
        if self.budget is not None:
            return dict(self.budget)
        shares = {part.name: part.share for part in self.parts() if not part.is_free}
        total = math.fsum(shares.values())
        return {name: self.epsilon * share / total for name, share in shares.items()}

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        _check.epsilon(self.epsilon)
        _check.choice(self.relation, "relation", self.RELATIONS)
        if (delta := getattr(self, "delta", None)) is not None:
            _check.delta(delta)
        for name in ("max_degree", "batch_size"):
            if (value := getattr(self, name, None)) is not None:
                _check.count(value, name, minimum=1)
        for name in self.COUNTS:
            _check.count(getattr(self, name), name, minimum=1)
        for name in self.POSITIVE:
            if _check.non_negative(getattr(self, name), name) == 0:
                raise ValueError(f"{name} must be above 0, got 0")
        if not isinstance(getattr(self, "bounded", False), bool):
            raise TypeError(f"bounded must be True or False, got {self.get_params()['bounded']!r}")
        if self.random_state is not None:
            _check.count(self.random_state, "random_state")
        if self.budget is not None:
            _check_budget(self.budget, [part.name for part in self.parts() if not part.is_free], self.epsilon)

    def _schedule(self) -> Schedule | None:
        """Of DP-SGD; None for methods that have none."""
        if not any(part.kind == "training" for part in self.parts()):
            return None
        names = ("epochs", "batch_size", "learning_rate", "clip")
        return Schedule(**{name: getattr(self, name) for name in names})

    def _promised(self, run: PrivateRun) -> Guarantee:
        return promised(
            run,
            self.released(),
            reason=self.REASON,
            refuted=self.REFUTED,
            conditions=self.conditions(),
        )

    def _check_fitted(self) -> None:
        if not hasattr(self, "proba_"):
            raise RuntimeError(f"this {type(self).__name__} is not fitted yet: call fit(graph, split) first")


def _check_budget(budget: Any, wanted: Iterable[str], epsilon: float) -> None:
    names = ", ".join(wanted)
    if not isinstance(budget, Mapping):
        raise TypeError(f"budget must name {names} with the share of each, got {budget!r}")
    if sorted(budget) != sorted(wanted):
        raise ValueError(f"budget must name {names}; got {', '.join(budget) or 'nothing'}")
    for name, value in budget.items():
        _check.epsilon(value, f"budget[{name!r}]")
    total = math.fsum(budget.values())
    if not math.isclose(total, epsilon, rel_tol=1e-9):
        raise ValueError(f"budget must add up to epsilon = {epsilon:g}, but adds up to {total:g}")


def _checked_split(graph: Any, split: Any, *, secret: bool) -> Split:
    """The split, if people can be learned from; whether anybody has a label may be a secret."""
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
    if not secret and (graph.labels[parts["train"]] < 0).all():
        raise ValueError("split.train must name somebody who has a label")
    if np.unique(np.concatenate(list(parts.values()))).size < sum(part.size for part in parts.values()):
        raise ValueError("split names a person in more than one of train, val and test")
    return Split(**parts)
