import numpy as np
import pytest
import scipy.stats

import hushgraph as hg
from hushgraph.mechanisms.randomness import rarest_outcome, words

FALSE_ALARM = 1e-9


class Extreme(hg.SecureRandom):
    """What the operating system may give, though it hardly ever does: the same word always."""

    word = 0

    def _words(self, count):
        return np.full(count, self.word, np.uint64)


@pytest.mark.parametrize("span", [1, 2, 3, 4, 6, 7, 8])
@pytest.mark.parametrize("low", [0, -5])
def test_secure_integers_are_uniform_over_their_range(span, low, chance):
    drawn = hg.SecureRandom().integers(low, low + span, size=20_000) - low
    assert drawn.min() >= 0
    assert drawn.max() < span
    if span > 1:
        assert chance.explains(np.bincount(drawn, minlength=span), [1 / span] * span, FALSE_ALARM)


def test_secure_integers_have_the_shape_of_numpys():
    secure, numpys = hg.SecureRandom(), np.random.default_rng(0)
    for size in (None, 0, 3, (2, 3), ()):
        assert np.shape(secure.integers(0, 9, size=size)) == np.shape(numpys.integers(0, 9, size=size))
        assert np.shape(secure.random(size)) == np.shape(numpys.random(size))


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 2**11, 2**64 - 1])
def test_secure_uniforms_stay_strictly_between_0_and_1(word):
    source = Extreme()
    source.word = word
    assert 0 < source.random() < 1
    assert np.isfinite(source.laplace(0.0, 1.0, size=2)).all()
    assert np.isfinite(source.normal(0.0, 1.0, size=2)).all()


@pytest.mark.parametrize(
    ("draw", "law"),
    [
        (lambda secure: secure.random(40_000), scipy.stats.uniform()),
        (lambda secure: secure.laplace(2.0, 3.0, size=40_000), scipy.stats.laplace(2.0, 3.0)),
        (lambda secure: secure.normal(2.0, 3.0, size=40_000), scipy.stats.norm(2.0, 3.0)),
    ],
    ids=["uniform", "laplace", "normal"],
)
def test_secure_numbers_follow_their_law(draw, law):
    assert scipy.stats.kstest(draw(hg.SecureRandom()), law.cdf).pvalue > FALSE_ALARM


def test_secure_randomness_does_not_repeat():
    assert not np.array_equal(words(hg.SecureRandom(), 4), words(hg.SecureRandom(), 4))


@pytest.mark.parametrize("secure", [False, True])
def test_words_use_all_64_bits(secure, chance):
    drawn = words(hg.SecureRandom() if secure else np.random.default_rng(5), 20_000)
    assert drawn.dtype == np.uint64
    for bit in range(64):
        ones = int(np.count_nonzero(drawn >> np.uint64(bit) & np.uint64(1)))
        assert chance.explains([ones, 20_000 - ones], [0.5, 0.5], FALSE_ALARM / 64)


@pytest.mark.parametrize("outcomes", [2, 3, 1000])
def test_every_outcome_stays_possible_and_none_beats_the_truth(outcomes):
    # Words that do not divide evenly cannot be as even as the least budgets ask: those are refused.
    least = 1e-300 if outcomes == 2 else 1e-12
    for epsilon in (least, 1e-9, 1.0, 44.0, 600.0, 699.9, 700.0, 1e6):
        rarest = rarest_outcome(epsilon, outcomes)
        assert rarest >= 1
        assert rarest * outcomes <= 2**64
