import mpmath
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


BUDGETS = [
    5e-324,
    1e-300,
    *(10.0**exponent for exponent in range(-24, 3)),
    44.0,
    44.5,
    699.9,
    700.0,
    1e6,
    1e308,
]


@pytest.mark.parametrize("outcomes", [2, 3, 7, 40, 64, 1000, 10**6, 2**20, 10**7])
def test_odds_never_exceed_e_to_the_epsilon_and_every_outcome_stays_possible(outcomes, privacy_loss):
    """In exact arithmetic; and words that divide evenly serve every budget."""
    refused = []
    for epsilon in BUDGETS:
        try:
            rarest = rarest_outcome(epsilon, outcomes)
        except ValueError:
            refused.append(epsilon)
            continue
        kept = 2**64 - (outcomes - 1) * rarest
        assert 1 <= rarest <= kept
        # Beyond that, e^ε has more digits than are needed: 2⁶⁴ is below e^45.
        assert privacy_loss.of_odds(kept, rarest).is_at_most(min(epsilon, 45.0))
    assert refused == BUDGETS[: len(refused)]
    assert bool(refused) == bool(2**64 % outcomes)
    assert max(refused, default=0.0) < outcomes**2 / 2**64


def test_a_budget_that_the_words_cannot_keep_is_refused():
    with pytest.raises(ValueError, match="epsilon = 1e-09 is too small for 1,000,000 outcomes"):
        rarest_outcome(1e-9, 10**6)


@pytest.mark.parametrize("outcomes", [2, 3, 40, 1000])
def test_an_unlikely_outcome_has_the_fewest_words_that_keep_the_promise(outcomes):
    """⌈2⁶⁴ / (e^ε + outcomes - 1)⌉, by arithmetic with 60 digits: the same on every device."""
    with mpmath.workdps(60):
        for epsilon in (0.01, 0.3, 1.0, 2.5, 7.0, 30.0, 44.0, 46.0):
            ideal = mpmath.mpf(2) ** 64 / (mpmath.exp(epsilon) + outcomes - 1)
            assert rarest_outcome(epsilon, outcomes) == int(mpmath.ceil(ideal))
