"""A target that stands ready to be attacked, with the truth that attacks are judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hushgraph.attacks.limits import UNPROMISED, Family, Limit, limit_on, limit_on_saved
from hushgraph.attacks.membership.two_views import TwoViews, induced
from hushgraph.attacks.questions import Withheld, coins
from hushgraph.attacks.targets import BlackBox, said_by
from hushgraph.attacks.victims import Victim
from hushgraph.curator import CuratorMethod
from hushgraph.graph import Graph
from hushgraph.privacy import Guarantee


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """Who is what, decided by coins before anything is learned.

    Attributes:
        graph: the people who are asked about, with the friendships that the target is asked with.
        members: whom it is trained on.
        withheld: friendships of which coins kept half.
        elsewhere: other people, on whom the attacker may train.
    """

    graph: Graph
    members: NDArray[np.bool_]
    withheld: Withheld
    elsewhere: Graph

    @classmethod
    def drawn(cls, graph: Graph, rng: np.random.Generator, pairs: int = 2000) -> Self:
        """Half of the people are the target's, and of these half train; the others are the attacker's.

        Of up to ``pairs`` friendships a coin withholds about half.
        """
        mine = coins(graph.num_nodes, rng)
        whole, elsewhere = induced(graph, np.flatnonzero(mine)), induced(graph, np.flatnonzero(~mine))
        members = coins(whole.num_nodes, rng)
        withheld = Withheld.of(whole, pairs, rng)
        return cls(withheld.graph, members, withheld, elsewhere)

    @property
    def views(self) -> TwoViews:
        """What the target learns from."""
        return TwoViews.of(self.graph, self.members, self.withheld.others)


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """A target, and all that is asked about it.

    Attributes:
        title: what the target is called.
        box: what it says.
        graph: the people who are asked about, with the friendships that it was asked with.
        members: whom it was trained on.
        guarantee: what it promised.
        victim: how it was trained, if an attacker can train others like it; None of a saved model.
        elsewhere: other people, on whom the attacker may train.
        withheld: friendships of which coins kept half.
        covered: the share of people whom the method's cap covers.
        model: of a saved one.
        anybody: whether people without a label may be members too, because coins or a curator decided it.
            Elsewhere whoever trains gives a label: who has none is no member, and may differ from those who
            have one in more than that.
    """

    title: str
    box: BlackBox
    graph: Graph
    members: NDArray[np.bool_]
    guarantee: Guarantee
    victim: Victim | None = None
    elsewhere: Graph | None = None
    withheld: Withheld | None = None
    covered: float = 1.0
    model: Any = None
    anybody: bool = False

    @classmethod
    def set(cls, victim: Victim, roles: Roles, rng: np.random.Generator) -> Self:
        """Trains a target for being attacked."""
        views = roles.views
        learned = victim.learn_views(views, rng)
        return cls(
            victim.title, learned.box, roles.graph, roles.members, learned.guarantee, victim,
            roles.elsewhere, roles.withheld, views.covered(getattr(victim.model, "max_degree", None)),
            anybody=True,
        )  # fmt: skip

    @classmethod
    def of_model(cls, title: str, model: Any, graph: Graph, members: NDArray[np.bool_]) -> Self:
        """A model that somebody trained before, on these people of a graph, or any other target."""
        box = model if isinstance(model, BlackBox) else BlackBox(said_by(model))
        if len(box.proba) != graph.num_nodes:
            raise ValueError(
                f"the model predicts {len(box.proba)} people, but the graph has {graph.num_nodes}: give the"
                " graph that it learned from"
            )
        stated = getattr(model, "guarantee", None)
        promised = stated if isinstance(stated, Guarantee) else UNPROMISED
        anybody = isinstance(model, CuratorMethod)
        return cls(title, box, graph, members, promised, model=model, anybody=anybody)

    @property
    def everybody(self) -> NDArray[np.int64]:
        """All who are asked about."""
        return np.arange(self.members.size)

    @property
    def candidates(self) -> NDArray[np.int64]:
        """Who may be a member."""
        return self.everybody if self.anybody else np.flatnonzero(self.graph.labels >= 0)

    def limit(self, family: Family) -> Limit:
        """What bounds a kind of attack."""
        if self.victim is None:
            return limit_on_saved(family, self.model, self.guarantee)
        return limit_on(family, self.victim, self.guarantee, self.covered)
