"""A collection is run for real on words that were chosen: each answer changes where the theorem has it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hushgraph as hg

WORDS = 1 << 64
# Words are counted in doubles here, and a feature's place in its range to 2⁻³².
DOUBT = 2.0**-32
EVERY_LABEL, EVERY_FEATURE = np.array([0, 1, 2, 0, 1, 2]), np.array([0.0, 0.25, 0.5, 0.75, 1.0, 0.3125])
PEOPLE = EVERY_LABEL.size
# Somebody of every label trains, and somebody validates.
SPLIT = hg.Split(np.array([0, 1, 2]), np.array([3, 4, 5]), np.zeros(0, int))
EPSILON_X, EPSILON_Y, EPSILON_A = 1.3, 0.7, 1.1


class Scripted(hg.SecureRandom):
    """Gives the words that were written down for each draw, and no others."""

    def __init__(self, *draws):
        self.draws = [np.array([min(max(word, 0), WORDS - 1) for word in draw], np.uint64) for draw in draws]

    def _words(self, count):
        (drawn, *self.draws) = self.draws
        assert drawn.size == count
        return drawn.copy()


def gathered(labels, features, lists=None, edges=()):
    """What is collected from people whose labels and features are answered with these words."""
    truth = hg.Graph(
        np.array(edges, int).reshape(-1, 2).T, EVERY_FEATURE[:, None], EVERY_LABEL, num_classes=3
    )
    rng = Scripted(labels, *([] if lists is None else [lists]), features)
    collected = hg.collect(
        truth, SPLIT, features=hg.OneBit(EPSILON_X), labels=hg.RandomizedResponse(EPSILON_Y, 3), rng=rng,
        edges=None if lists is None else hg.AdjacencyRandomizedResponse(EPSILON_A),
    )  # fmt: skip
    assert not rng.draws
    return collected


def around(share):
    """Words just before and just after a share of all."""
    return [int((share + side * DOUBT) * WORDS) for side in (-1, 1)]


HALF = [WORDS // 2] * PEOPLE


@pytest.mark.parametrize("step", [0, 1])
def test_every_label_is_another_for_as_many_words_as_it_may(step):
    """Each of the two others for 1 of e^ε + 2 words, and itself for the rest: in both parts of the split."""
    other = 1 / (math.exp(EPSILON_Y) + 2)
    before, after = (gathered([word] * PEOPLE, HALF).labels for word in around((step + 1) * other))
    steps = [1, 2, 0]
    assert ((before - EVERY_LABEL) % 3 == steps[step]).all()
    assert ((after - EVERY_LABEL) % 3 == steps[step + 1]).all()


def test_every_feature_is_plus_for_as_many_words_as_it_may():
    e = math.exp(EPSILON_X)
    plus = 1 / (e + 1) + EVERY_FEATURE * (e - 1) / (e + 1)
    before, after = zip(*map(around, plus), strict=True)
    for words, sign in ((before, 1), (after, -1)):
        assert (np.sign(gathered(HALF, words).features.ravel() - 0.5) == sign).all()


def test_every_entry_of_every_list_has_a_coin_of_its_own():
    """Four flips among thirty entries, by the gaps between them; all the rest is as it was held."""
    flip = 1 / (math.exp(EPSILON_A) + 1)
    flipped = [2, 3, 17, 28]
    gaps = np.diff([-1, *flipped, 40]) - 1
    # A gap is drawn where a uniform number lies between two powers of 1 - p; eight words more are never seen.
    shares = (1 - flip) ** (gaps + 0.5)
    expected = 30 * flip
    words = [int(share * WORDS) for share in shares]
    words += [WORDS // 2] * (int(expected + 4 * expected**0.5 + 8) - len(words))
    edges = [(0, 1), (0, 5), (2, 3)]
    named = set(zip(*gathered(HALF, HALF, words, edges).lists.pairs, strict=True))
    entries = [(one, other) for one in range(PEOPLE) for other in range(PEOPLE) if one != other]
    held = {(one, other) for pair in edges for one, other in (pair, pair[::-1])}
    assert named == held ^ {entries[place] for place in flipped}
