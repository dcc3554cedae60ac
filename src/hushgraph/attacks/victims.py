"""How targets are trained, and shadows that imitate them: any method of hushgraph, on any graph."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph import registry
from hushgraph.attacks.membership.two_views import TwoViews
from hushgraph.attacks.targets import BlackBox
from hushgraph.collection.simulate import campaign_for, collect
from hushgraph.curator import CuratorMethod
from hushgraph.graph import Graph
from hushgraph.local import Cascade
from hushgraph.local.estimator import LocalEstimator
from hushgraph.local.local_method import LocalMethod
from hushgraph.mechanisms import MultiBit, RandomizedResponse
from hushgraph.privacy import Guarantee
from hushgraph.split import Split

NOBODY = np.zeros(0, np.int64)
# The share of those who train that choose the epoch, where a method needs some who do.
VALIDATES = 0.2


Attackable = CuratorMethod | LocalEstimator
"""A method of either side of the trust boundary."""


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What came of a fit: what it says of everybody in the graph, and what it promised."""

    box: BlackBox
    guarantee: Guarantee


@dataclass(frozen=True, slots=True, eq=False)
class Victim:
    """A method with its settings, to be attacked.

    Attributes:
        title: what to call it.
        model: unfitted.
        epsilon: of a local method, what each person spends: half on features and half on the label, or all on
            the label where no features are asked for.
    """

    title: str
    model: Attackable
    epsilon: float = math.inf

    @classmethod
    def named(cls, name: str) -> Victim:
        """A method that protects nobody: ``"gcn-overfitted"`` or ``"gcn-structure"``.

        >>> Victim.named("gcn-structure").title
        'GCN on degrees alone'
        """
        entry = registry.UNPROTECTED[name]
        return cls(entry.title, entry.make())

    def learn(
        self,
        graph: Graph,
        split: Split,
        rng: np.random.Generator,
        present: NDArray[np.bool_] | None = None,
    ) -> Learned:
        """A fit to the training people of a graph; of those who are not present, nothing is collected."""
        seed = int(rng.integers(2**31))
        if isinstance(self.model, CuratorMethod):
            curator = self.model.with_params(random_state=seed).fit(graph, split)
            return Learned(BlackBox(curator.predict_proba(), _released_sums(curator)), curator.guarantee)
        here = np.ones(graph.num_nodes, bool) if present is None else present
        known = here & (graph.labels >= 0)
        train, val = split.train[known[split.train]], split.val[known[split.val]]
        if val.size == 0 and getattr(self.model, "selection", "last") != "last":
            validates = rng.random(train.size) < VALIDATES
            train, val = train[~validates], train[validates]
        collected = collect(
            graph,
            Split(train, val, split.test),
            **self._mechanisms(self.model),
            answered=None if here.all() else np.flatnonzero(here),
            rng=rng,
        )
        model = self.model.with_params(random_state=seed).fit(collected)
        shown = model.embed(collected) if isinstance(model, LocalMethod) else None
        return Learned(BlackBox(model.predict_proba(), shown), collected.guarantee)

    def learn_views(self, views: TwoViews, rng: np.random.Generator) -> Learned:
        """A fit to the members, and what it says of everybody as they are asked about.

        A cascade is no function that could be asked about others: it learns from the graph of everybody.
        """
        if isinstance(self.model, Cascade):
            return self.learn_from(views.whole, np.flatnonzero(views.members), rng)
        learned = self.learn(views.graph, views.split, rng, views.present)
        box, shown = learned.box, learned.box.embeddings
        asked = BlackBox(views.asked(box.proba), None if shown is None else views.asked(shown))
        return Learned(asked, learned.guarantee)

    def learn_from(self, graph: Graph, people: NDArray[np.int64], rng: np.random.Generator) -> Learned:
        """A fit to some people of a graph, which everybody is in."""
        others = np.setdiff1d(np.arange(graph.num_nodes), people)
        return self.learn(graph, Split(people, NOBODY, others), rng)

    def promise(self, views: TwoViews) -> Guarantee:
        """What :meth:`learn_views` would promise, without learning anything."""
        if isinstance(self.model, CuratorMethod):
            return self.model.with_params(random_state=0).promise(views.graph, views.split)
        return campaign_for(views.graph, **self._mechanisms(self.model)).guarantee.from_a_seed()

    def _mechanisms(self, model: LocalEstimator) -> dict[str, Any]:
        asks = model.needs_features
        each = self.epsilon / 2 if asks else self.epsilon
        return {"features": MultiBit(each) if asks else None, "labels": RandomizedResponse(each)}


def _released_sums(model: CuratorMethod) -> NDArray[np.float32] | None:
    """What GAP releases about everybody, to everyone: noisy sums after 1, 2, … hops, side by side."""
    sums = getattr(model, "sums_", None)
    return None if sums is None else np.concatenate([one.numpy() for one in sums], axis=1)


def in_range(graph: Graph) -> Graph:
    """The graph as networks that protect nobody take it: features outside [0, 1] are scaled by column."""
    values = graph.features.data if sp.issparse(graph.features) else graph.features
    return graph if values.size == 0 or (values.min() >= 0 and values.max() <= 1) else graph.rescaled()
