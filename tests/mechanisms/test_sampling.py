import itertools
from collections import Counter

import numpy as np
import pytest

from hushgraph.mechanisms.sampling import sample_columns

# Floyd's algorithm for the first ones, shuffling for the last two.
D_AND_M = [(2, 1), (6, 1), (5, 2), (8, 3), (7, 6), (6, 5)]


@pytest.mark.parametrize(("d", "m"), D_AND_M)
def test_every_subset_of_columns_is_equally_likely(d, m, source, chance):
    drawn = np.sort(sample_columns(30_000, d, m, source.rng), axis=1)
    subsets = list(itertools.combinations(range(d), m))
    seen = Counter(map(tuple, drawn.tolist()))
    assert seen.keys() <= set(subsets)
    assert chance.explains(
        [seen[subset] for subset in subsets], [1 / len(subsets)] * len(subsets), source.false_alarm
    )


@pytest.mark.parametrize(("d", "m"), [(1000, 3), (1000, 60), (1000, 999)])
def test_columns_are_drawn_without_replacement(d, m, rng):
    # More people than one block of the shuffle.
    drawn = np.sort(sample_columns(1_500, d, m, rng), axis=1)
    assert drawn.shape == (1_500, m)
    assert drawn.min() >= 0
    assert drawn.max() < d
    assert (np.diff(drawn, axis=1) > 0).all()


@pytest.mark.parametrize("d", [1, 4])
def test_all_columns_need_no_draw(d, rng):
    np.testing.assert_array_equal(sample_columns(3, d, d, rng), [list(range(d))] * 3)


@pytest.mark.parametrize(("d", "m"), D_AND_M)
def test_one_persons_columns_say_nothing_about_the_next_persons(d, m, source, chance):
    columns = sample_columns(60_000, d, m, source.rng)
    lowest = columns.min(axis=1)
    pairs = Counter(zip(lowest[::2].tolist(), lowest[1::2].tolist(), strict=True))
    weights = Counter(min(subset) for subset in itertools.combinations(range(d), m))
    total = sum(weights.values())
    table = {(a, b): weights[a] * weights[b] / total**2 for a in weights for b in weights}
    assert chance.explains([pairs[key] for key in table], table.values(), source.false_alarm)
