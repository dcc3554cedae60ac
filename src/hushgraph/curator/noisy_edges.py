"""The graph itself, randomised: degree-preserving edge perturbation of NIP-GNN."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hushgraph.edges import both_directions
from hushgraph.mechanisms.list_response import LIMIT
from hushgraph.mechanisms.randomness import WORDS, Random, rarest_outcome, words
from hushgraph.mechanisms.skip_sampling import successes

Reading = Literal["text", "equations"]


def sound_edges(
    edges: NDArray[np.int32],
    degrees: NDArray[np.float64],
    epsilon: float,
    rng: Random,
    public: np.random.Generator,
) -> NDArray[np.int32]:
    """Randomised response on every pair, thinned by released degrees; ``epsilon`` is that of one pair.

    A pair is kept with a probability that is a function of the two released degrees, so that a person's
    expected degree is about the released one. Thinning does not look at the answers, so it may come before
    them: then only pairs that are kept are asked, and nothing of size n² is built.
    """
    people = degrees.size
    pairs = people * (people - 1) // 2
    flip = rarest_outcome(epsilon, 2) / WORDS
    expected = degrees * (1 - 2 * flip) + (people - 1) * flip
    kept_share = np.sqrt(np.minimum(1.0, degrees / np.maximum(expected, 1e-12)))
    most = float(kept_share.max(initial=0.0)) ** 2
    true = _pair_number(edges, people)
    if most < flip:
        asked = successes(pairs, math.floor(most * WORDS), public)
        asked = asked[public.random(asked.size) * most < _both(kept_share, asked, people)]
        lies = words(rng, asked.size) < np.uint64(rarest_outcome(epsilon, 2))
        return _ends(asked[np.isin(asked, true) ^ lies], people)
    # As if there were no friendships: a refusal must not tell how many there are.
    _check_size(pairs * flip)
    answered = np.setxor1d(true, successes(pairs, rarest_outcome(epsilon, 2), rng), assume_unique=True)
    return _ends(answered[public.random(answered.size) < _both(kept_share, answered, people)], people)


def published_lists(
    edges: NDArray[np.int32],
    num_nodes: int,
    epsilon: float,
    rng: np.random.Generator,
    *,
    sampling: bool,
    reading: Reading,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The published perturbation: who is named in whose row, (people, names).

    The paper says two things. *text*: each edge stays with probability 1 - s and is a coin toss otherwise, so
    that nobody gets a new friend. *equations* (12, 23, 24): friends stay friends, and other pairs become
    friends with probability (1 - s)/2; only this preserves degrees. Rows are then thinned by the true degrees
    (equation 12).
    """
    degrees = np.bincount(edges.ravel(), minlength=num_nodes)
    s = 2 / (math.exp(min(epsilon / (2 * max(1, degrees.max(initial=0))), 700)) + 1)
    if reading == "text":
        noisy = edges[:, rng.random(edges.shape[1]) < 1 - s / 2]
    else:
        pairs = num_nodes * (num_nodes - 1) // 2
        _check_size(pairs * (1 - s) / 2 + edges.shape[1])
        new = successes(pairs, math.floor((1 - s) / 2 * WORDS), rng)
        noisy = _ends(np.union1d(_pair_number(edges, num_nodes), new), num_nodes)
    person, name = both_directions(noisy)
    if sampling:
        share = 2 * degrees / np.maximum(degrees + num_nodes - num_nodes * s + degrees * s, 1e-12)
        kept = rng.random(person.size) < share[person]
        person, name = person[kept], name[kept]
    return person, name


def _check_size(expected: float) -> None:
    if expected > LIMIT:
        raise ValueError(
            f"the randomised graph would have about {expected:,.0f} edges, more than the limit of {LIMIT:,}:"
            " give the edges more budget"
        )


def _both(shares: NDArray[np.float64], pairs: NDArray[np.int64], people: int) -> NDArray[np.float64]:
    first, second = _ends(pairs, people)
    product: NDArray[np.float64] = shares[first] * shares[second]
    return product


def _pair_number(edges: NDArray[np.int32], people: int) -> NDArray[np.int64]:
    """The number of each pair u < v among all, row by row."""
    low, high = edges.astype(np.int64)
    return np.sort(low * (2 * people - low - 1) // 2 + high - low - 1)


def _ends(numbers: NDArray[np.int64], people: int) -> NDArray[np.int32]:
    """The inverse of :func:`_pair_number`."""
    row_starts = np.arange(people, dtype=np.int64)
    row_starts = row_starts * (2 * people - row_starts - 1) // 2
    low = np.searchsorted(row_starts[: max(1, people - 1)], numbers, side="right") - 1
    return np.stack([low, numbers - row_starts[low] + low + 1]).astype(np.int32)
