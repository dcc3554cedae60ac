"""Which features a person is asked about: m of d, by a public rule that both sides follow.

It costs no privacy, because the multi-bit mechanism's guarantee holds for any fixed set of features;
docs/wire.md has the rule and the reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

DOMAIN = b"hushgraph/columns/1"
WORDS = 1 << 64
WORDS_A_BLOCK = 4


def asked_columns(campaign_id: str, people: ArrayLike, dimensions: int, m: int) -> NDArray[np.int32]:
    """The sampled features of each of some people, in the order in which they were drawn, (n, m).

    >>> asked_columns("00" * 32, [0, 1, 2], dimensions=10, m=2).tolist()
    [[2, 3], [2, 6], [3, 1]]
    """
    numbers = np.asarray(people, np.int64)
    if m == dimensions:
        return np.tile(np.arange(dimensions, dtype=np.int32), (numbers.size, 1))
    seed = hashlib.sha256(DOMAIN + bytes.fromhex(campaign_id))
    chosen = np.empty((numbers.size, m), np.int32)
    for row, person in enumerate(numbers.tolist()):
        words = _words(seed, person)
        taken: set[int] = set()
        for place, last in enumerate(range(dimensions - m, dimensions)):
            column = _below(words, last + 1)
            column = last if column in taken else column
            taken.add(column)
            chosen[row, place] = column
    return chosen


def _words(seed: hashlib._Hash, person: int) -> Iterator[int]:
    """Words of 64 bits that a person's number gives, without end."""
    own = seed.copy()
    own.update(person.to_bytes(8, "little"))
    block = 0
    while True:
        numbered = own.copy()
        numbered.update(block.to_bytes(4, "little"))
        digest = numbered.digest()
        for start in range(0, 8 * WORDS_A_BLOCK, 8):
            yield int.from_bytes(digest[start : start + 8], "little")
        block += 1


def _below(words: Iterator[int], bound: int) -> int:
    """A number below a bound, all equally likely: words beyond the last multiple of it are passed over."""
    limit = WORDS - WORDS % bound
    return next(word for word in words if word < limit) % bound
