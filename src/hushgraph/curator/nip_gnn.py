"""NIP-GNN made sound: individual noise by node influence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check, _renamed
from hushgraph.curator import nip_head, nip_sound
from hushgraph.curator.individual_noise import sound_weights
from hushgraph.curator.influence import ranks, released_influence
from hushgraph.curator.nip_head import NIPMethod
from hushgraph.curator.noisy_edges import sound_edges
from hushgraph.curator.parts import Part, randomized
from hushgraph.curator.rows import scaled_rows
from hushgraph.curator.run import PrivateRun
from hushgraph.curator.sums import adjacency_matrix
from hushgraph.mechanisms.discrete_laplace import discrete_laplace
from hushgraph.mechanisms.randomness import Random

LEAVES = "noisy sums, the noisy graph and noisy labels, and all that is computed from them: to everyone"
LEAVES_EDGES = (
    "noisy degrees, noisy sums and the noisy graph, and all that is computed from them and the labels: to"
    " everyone. Features and labels are not protected"
)


@_renamed.arguments(adjacency="relation", variant=None)
class NIPGNN(NIPMethod):
    """NIP-GNN ("Individualized Private GNN via Node Influence-based Noise Adaptation", under review), sound.

    Released are sums of features over neighbours with Laplace noise, more of it for people of less influence
    (NAP); the graph, randomised and thinned so that degrees stay; and labels by randomised response. All
    else, prediction included, is computed from these: hops over the noisy graph that are drawn back to the
    noisy sums (ACA), and a perceptron.

    It is proven: the cap on degrees is public, influence is estimated from
    released degrees and the released graph (or given, if it is public), the noise of a row depends on nothing
    else, every pair gets randomised response, and noise is drawn exactly, on whole numbers. Features are
    hashed to ``buckets`` columns first, which is public and loses less than noise on thousands of columns.
    The method as published is :class:`PublishedNIPGNN`.

    Args:
        max_degree, bounded: the public cap on friendships, and whether it is public that nobody has more.
        budget: how ε is split over ``degrees``, ``edges``, ``aggregation`` and ``labels``, by default
            1 : 2 : 4 : 2 (an edge has no ``labels``).
        influence: public scores of the people; by default they are estimated.
        buckets: columns that features are hashed to.

    The other arguments are those of :class:`~hushgraph.curator.nip_head.NIPMethod`.
    """

    COUNTS = (*NIPMethod.COUNTS, "max_degree", "buckets")
    CORRECTED = True

    max_degree: int = 10
    bounded: bool = False
    influence: ArrayLike | None = None
    buckets: int = 64

    def __new__(cls, *values: Any, variant: str = "sound", **settings: Any) -> Any:
        """``variant="published"`` was how the other class was made before 0.3."""
        if variant == "sound":
            return super().__new__(cls)
        _check.choice(variant, "variant", ("sound", "published"))
        from hushgraph.curator.nip_published import PublishedNIPGNN

        _renamed.warn(f"NIPGNN(variant={variant!r})", "PublishedNIPGNN(…)")
        return PublishedNIPGNN(*values, **settings)

    def parts(self) -> tuple[Part, ...]:
        """Four releases by mechanisms of their own; where edges alone are protected, labels are no secret."""
        laplace = "Laplace noise on whole numbers, drawn exactly"
        uses = {
            "degrees": laplace,
            "edges": "randomised response on every pair, thinned by released degrees",
            "aggregation": f"{laplace}, of released scales",
            "labels": "randomised response",
        }
        return tuple(
            randomized(name, share, uses[name])
            for name, share in nip_sound.PARTS.items()
            if name != "labels" or self.relation != "edge"
        )

    def released(self) -> str:
        """Sums, graph and labels."""
        return LEAVES_EDGES if self.relation == "edge" else f"noisy degrees, {LEAVES}"

    def release(self, run: PrivateRun) -> tuple[NDArray[np.float32], Any]:
        """Noisy degrees; from them the noisy graph; from both the influence; and with it the noisy sums."""
        if not self.private:
            return self._without_noise(run)
        people, budget = run.graph.num_nodes, self.budget_
        noise = nip_sound.Noise.planned(budget, self.changes)
        influence = _checked_influence(self.influence, people)
        public = run.coins("thinning")

        def degrees_by(rng: Random) -> NDArray[np.float64]:
            return nip_sound.noisy_degrees(
                run.edges, people, noise.degree_scale, self.relation, self.max_degree, rng
            )

        def graph_by(rng: Random) -> Any:
            targets = degrees if self.degree_sampling else np.full(people, degrees.mean())
            noisy = sound_edges(run.edges, targets, noise.pair_epsilon, rng, public)
            return adjacency_matrix(noisy, people)

        def sums_by(rng: Random) -> NDArray[np.float32]:
            sums = nip_sound.whole_sums(run.edges, nip_sound.whole_rows(run.graph.features, self.buckets))
            noisy = sums + discrete_laplace(np.broadcast_to(scales[:, None], sums.shape), rng)
            return (noisy / nip_sound.GRID).astype(np.float32)

        degrees = run.randomize("degrees", budget["degrees"], degrees_by)
        graph = run.randomize("edges", budget["edges"], graph_by)
        weights = np.ones(people)
        if not self.uniform:
            scores = released_influence(degrees, graph, self.sensing) if influence is None else influence
            weights = sound_weights(ranks(scores), self.max_degree, self.relation)
        scales = noise.sum_scales(weights)
        return run.randomize("aggregation", budget["aggregation"], sums_by), graph

    def _without_noise(self, run: PrivateRun) -> tuple[NDArray[np.float32], Any]:
        """The ceiling: true sums over the true graph."""
        rows = nip_sound.whole_rows(scaled_rows(run.graph.features, "l1"), self.buckets) / nip_sound.GRID
        graph = adjacency_matrix(run.edges, run.graph.num_nodes)
        return nip_head.noisy_sums(rows, graph, None, run.coins("published")), graph


def _checked_influence(scores: ArrayLike | None, people: int) -> NDArray[np.float64] | None:
    if scores is None:
        return None
    values = np.asarray(scores, np.float64)
    if values.shape != (people,) or not np.isfinite(values).all():
        raise ValueError(f"influence must be {people} finite numbers, one for each person")
    return values
