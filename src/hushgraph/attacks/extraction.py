"""Model extraction: a copy of the target, learned from its answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.attacks.answers import Named
from hushgraph.attacks.targets import Target, said_of
from hushgraph.attacks.victims import Victim, in_range
from hushgraph.graph import Graph


def by_queries(
    target: Target,
    people: NDArray[np.int64],
    graph: Graph,
    queried: NDArray[np.int64],
    rng: np.random.Generator,
    *,
    copy: Victim | None = None,
) -> Named:
    """What a copy says of people of whom the target was not asked.

    (Wu, Yang, Pan & Yuan, AsiaCCS 2022, attack 0; Shen et al., S&P 2022.)
    The attacker holds features and friendships of a graph, asks the target for the class of some people and
    trains a network on the answers. Judged by what the target says of the others this is the copy's
    *fidelity*, by the truth its accuracy.

    Args:
        graph: what the attacker holds; its labels are not looked at.
        queried: of whom the target is asked.
        copy: how the copy is trained; by default a plain GCN on scaled features.
    """
    people = _check.node_ids(people, "people", graph.num_nodes)
    queried = _check.node_ids(queried, "queried", graph.num_nodes)
    answers = np.full(graph.num_nodes, -1)
    answers[queried] = said_of(target, queried).argmax(1)
    if copy is None:
        copy, graph = Victim.named("gcn-overfitted"), in_range(graph)
    own = copy.learn_from(replace(graph, labels=answers), queried, rng)
    return Named(f"extraction, {queried.size:,} queries", own.box.proba[people].argmax(1))
