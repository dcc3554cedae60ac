"""What people like in the synthetic social network."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

# Likes of a person on average, where there are at least ten times as many things to like.
LIKES = 20.0
# The things that a class prefers, where there are at least four times as many.
FAVORITES = 25
# The share of likes that are a class's favourites; the others are popular with all.
FROM_TASTE = 0.7
# The shape of the gamma law of how much people like: some like hardly anything, some a lot.
ACTIVITY_SHAPE = 4.0
# About one draw in four falls on something that the person likes already.
DRAWS_PER_LIKE = 1.35
PEOPLE_AT_ONCE = 1 << 16


def draw_likes(
    taste: NDArray[np.int32], features: int, classes: int, rng: np.random.Generator
) -> sp.csr_array:
    """Likes as zeros and ones: favourites of a class, and things that are popular with all.

    Any of a class's favourites is as likely as another. What is popular follows Zipf's law: rank r
    has the probability log(1 + 1/r) / log(d + 1), which falls like 1/r and is that of the whole part
    of (d + 1)^u for a uniform u. Liking the same thing again changes nothing.

    ``taste`` (n,) is the class whose favourites each person shares. Returns (n, d), float32 ones in CSR form.
    """
    popular = rng.permutation(features).astype(np.int32)
    few = min(FAVORITES, max(1, features // 4))
    favorites = np.stack([rng.choice(features, few, replace=False) for _ in range(classes)]).astype(np.int32)
    draws = DRAWS_PER_LIKE * min(LIKES, max(1.0, features / 10))
    blocks, lengths = [], [np.zeros(1, np.int32)]
    for begin in range(0, taste.size, PEOPLE_AT_ONCE):
        some = taste[begin : begin + PEOPLE_AT_ONCE]
        activity = rng.standard_gamma(ACTIVITY_SHAPE, some.size) / ACTIVITY_SHAPE
        person = np.repeat(np.arange(some.size, dtype=np.int32), rng.poisson(draws * activity))
        rank = np.minimum((features + 1) ** rng.random(person.size), features).astype(np.int32) - 1
        favourite = rng.integers(few, size=person.size, dtype=np.int32)
        own_taste = rng.random(person.size, np.float32) < FROM_TASTE
        liked = np.where(own_taste, favorites[some[person], favourite], popular[rank])
        once = sp.coo_array((np.ones(liked.size, bool), (person, liked)), shape=(some.size, features)).tocsr()
        blocks.append(once.indices)
        lengths.append(np.diff(once.indptr))
    indices = np.concatenate(blocks)
    indptr = np.cumsum(np.concatenate(lengths), dtype=np.int32)
    return sp.csr_array((np.ones(indices.size, np.float32), indices, indptr), shape=(taste.size, features))
