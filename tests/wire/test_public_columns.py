"""Sampled features follow from public things alone, and are uniform."""

import hashlib
import itertools

import numpy as np
import pytest
from scipy import stats

from hushgraph.collection import public_columns
from hushgraph.collection.public_columns import asked_columns

CAMPAIGN = hashlib.sha256(b"a campaign").hexdigest()
FALSE_ALARM = 1e-6


@pytest.mark.parametrize(("dimensions", "m"), [(5, 2), (4, 3), (7, 1)])
def test_every_set_is_equally_likely(dimensions, m):
    """Over people; with a false-alarm rate of 10⁻⁶."""
    drawn = np.sort(asked_columns(CAMPAIGN, np.arange(20_000), dimensions, m), axis=1)
    sets = list(itertools.combinations(range(dimensions), m))
    counts = [int((drawn == one).all(axis=1).sum()) for one in sets]
    assert sum(counts) == len(drawn), "every sample has m features, each once"
    assert stats.chisquare(counts).pvalue > FALSE_ALARM


def test_another_campaign_or_person_has_another_sample_and_the_same_ones_the_same():
    first = asked_columns(CAMPAIGN, [3, 4], 10_000, 20)
    assert (first == asked_columns(CAMPAIGN, [3, 4], 10_000, 20)).all()
    assert (asked_columns(CAMPAIGN, [4], 10_000, 20)[0] == first[1]).all()
    assert not (first[0] == first[1]).any()
    assert not (asked_columns("00" * 32, [3], 10_000, 20) == first[0]).all()


def test_a_sample_of_everything_is_everything_in_order():
    assert asked_columns(CAMPAIGN, [9, 2], 6, 6).tolist() == [list(range(6))] * 2


def test_words_beyond_the_last_multiple_are_passed_over():
    """The rejection that keeps numbers unbiased, on words that no hash will ever give."""
    beyond, within = 2**64 - 1, 2**64 - 2
    assert public_columns._below(iter([beyond, beyond, within]), 3) == within % 3
    assert public_columns._below(iter([beyond]), 2) == 1
