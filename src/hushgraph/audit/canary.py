"""A canary test: does what a method releases tell two neighbouring graphs apart better than it may?

The method is fitted many times to either graph. Whoever audits sees every release (all noisy gradients, sums
and embeddings, as the theorems allow) and knows the first weights. They learn from fits with the same noise
in which direction the two worlds differ, from a quarter of the others which threshold tells them apart, and
count on the rest. From the counts follows, with 95 % confidence, a lower bound on ε; a correct method stays
below its ε.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.audit.bounds import PICKED_ON, lower_bound, reach
from hushgraph.audit.found import Audit
from hushgraph.audit.scores import finite
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.run import Release
from hushgraph.graph import Graph
from hushgraph.sparse.runtime import tuned_for
from hushgraph.split import Split

# What tells the worlds apart by itself counts for more than all that does not.
CERTAIN = 1e9
World = tuple[Graph, Split]
"""A graph and who trains in it."""


def everything(seen: Sequence[Release]) -> NDArray[np.float64]:
    """All that was released, one number behind the other."""
    return np.concatenate([_flat(release.values) for release in seen])


def audit(
    make: Callable[[int], CuratorMethod],
    one: World,
    other: World,
    *,
    trials: int,
    probes: int = 20,
    parts: Collection[str] | None = None,
    look: Callable[[Sequence[Release]], NDArray[np.float64]] = everything,
    confidence: float = 0.95,
    subject: str = "",
    progress: Callable[[float], None] = lambda _: None,
) -> Audit:
    """Fits ``make(seed)`` to two neighbouring graphs ``trials`` times each, and compares what is released.

    ``probes`` more fits have the same seed in both worlds, to see how they differ. Where what is drawn
    depends on the data, the noise is not the same for long, and it takes more of them.

    Whoever audits sees the releases of some ``parts`` of the budget, by default of all, and makes numbers of
    them, which the two worlds should move: any function may be tried, since none can tell more than its
    arguments. A fit ends when the last of these has left; what would follow is computed from them.
    """
    _check.confidence(confidence)
    whole: list[Release] = []
    # Whoever audits knows the first weights, which are no secret.
    alike: dict[str, Any] = {"first_weights": 0, "common_noise": True}
    model = make(0).fit(*one, observe=whole.append, **alike)
    done, fits = 0, 2 * (trials + probes)
    watched = {release.part for release in whole} if parts is None else parts
    last = sum(release.part in watched for release in whole)

    def view(world: World, seed: int) -> NDArray[np.float64]:
        nonlocal done
        seen: list[Release] = []

        def observe(release: Release) -> None:
            if release.part in watched:
                seen.append(release)
            if len(seen) == last:
                raise _Enough

        with tuned_for(world[0].num_edges), suppress(_Enough):
            make(seed).fit(*world, observe=observe, **alike)
        done += 1
        progress(done / fits)
        return look(seen)

    # The same noise in both worlds: what is left is how they differ.
    seeds = range(2 * trials, 2 * trials + probes)
    same = [(view(one, seed), view(other, seed)) for seed in seeds]
    ours = [pair[0] for pair in same] + [view(one, 2 * trial) for trial in range(trials)]
    theirs = [pair[1] for pair in same] + [view(other, 2 * trial + 1) for trial in range(trials)]
    here, there = finite(np.array(ours), np.array(theirs))
    difference = (here[:probes] - there[:probes]).mean(axis=0)
    here, there = here[probes:], there[probes:]
    first = int(trials * PICKED_ON)
    direction = _direction(difference, here[:first], there[:first])
    promise = model.guarantee
    bound = lower_bound(here @ direction, there @ direction, delta=promise.delta, confidence=confidence)
    return Audit(
        bound,
        promise.epsilon,
        promise.delta,
        trials,
        confidence,
        subject or type(model).__name__,
        f"{trials:,} fits to either graph; seen: {', '.join(sorted(watched))}",
        reach(trials - first, 1, delta=promise.delta, confidence=confidence),
    )


def _direction(
    difference: NDArray[np.float64], here: NDArray[np.float64], there: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weight of each number: how far the worlds lie apart in it, for how much it moves in either."""
    spread = (here.var(axis=0) + there.var(axis=0)) / 2
    weights: NDArray[np.float64] = np.divide(difference, spread, out=np.zeros_like(spread), where=spread > 0)
    # What never moves within a world and differs between them tells everything.
    apart = np.where(spread > 0, 0.0, here[0] - there[0])
    weights += np.divide(CERTAIN, apart, out=np.zeros_like(apart), where=apart != 0)
    return weights


class _Enough(Exception):  # noqa: N818
    """All that is looked at has left."""


def _flat(values: Any) -> NDArray[np.float64]:
    dense = values.toarray() if sp.issparse(values) else values
    flat: NDArray[np.float64] = np.asarray(dense, np.float64).ravel()
    return flat
