"""Skip sampling, against the coins that it stands for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from hushgraph.mechanisms.skip_sampling import _exact_gap, _gaps, _power, successes

WORDS = 1 << 64


@pytest.mark.parametrize("p", [0.5, 0.3, 0.02])
def test_every_subset_is_as_likely_as_by_coins(p, source, chance):
    threshold = int(p * WORDS)
    trials, draws = 4, 20_000
    # One long row of trials, cut into groups of four: what a group holds is independent of the others.
    found = successes(trials * draws, threshold, source.rng)
    subset = np.zeros(draws, np.int64)
    np.add.at(subset, found // trials, 1 << found % trials)
    counts = np.bincount(subset, minlength=16)
    size = np.array([number.bit_count() for number in range(16)])
    probabilities = p**size * (1 - p) ** (4 - size)
    # Subsets too rare to be counted one by one are counted together.
    rare = probabilities * draws < 20
    cells = [*zip(counts[~rare], probabilities[~rare], strict=True)]
    if rare.any():
        cells.append((counts[rare].sum(), probabilities[rare].sum()))
    assert chance.explains(*zip(*cells, strict=True), source.false_alarm)


@pytest.mark.parametrize("p", [1e-3, 1e-6, 1e-12])
def test_rare_successes_are_uniform_and_as_many_as_expected(p, chance):
    trials = int(4_000 / p)
    found = successes(trials, int(p * WORDS), np.random.default_rng(9))
    assert abs(found.size - 4_000) < 5 * np.sqrt(4_000)  # false alarms: 6e-7
    assert (np.diff(found) > 0).all()
    assert found[0] >= 0
    assert found[-1] < trials
    tenths = np.bincount(found * 10 // trials, minlength=10)
    assert chance.explains(tenths, [0.1] * 10, false_alarm=1e-6)


@pytest.mark.parametrize(("threshold", "expected"), [(0, []), (WORDS, [0, 1, 2])])
def test_certain_outcomes_need_no_randomness(threshold, expected):
    assert successes(3, threshold, np.random.default_rng(0)).tolist() == expected


def test_no_trial_has_no_success():
    assert successes(0, WORDS // 2, np.random.default_rng(0)).tolist() == []


def test_what_hardly_ever_happens_does_not_take_long():
    assert successes(10**15, 1, np.random.default_rng(0)).size == 0


@pytest.mark.parametrize("threshold", [WORDS // 2, WORDS // 3, WORDS // 1000 + 7, WORDS - 5, 12345 << 20])
def test_double_precision_and_exact_integers_agree_on_every_gap(threshold):
    rng = np.random.default_rng(5)
    fail = Fraction(WORDS - threshold, WORDS)
    # Words at random, and those right at the boundaries between two gaps.
    powers = [int(fail**j * WORDS) for j in (1, 2, 3, 50)]
    near = {word + step for word in powers for step in (-1, 0, 1)} | {0, 1, WORDS - 1}
    drawn = np.array(
        [*(word for word in near if 0 <= word < WORDS), *rng.integers(0, WORDS, 300, np.uint64)], np.uint64
    )
    for word, gap in zip(drawn.tolist(), _gaps(drawn, threshold, 2_000, rng).tolist(), strict=True):
        # A number with these first 64 bits lies below the probability of so many failures, not of one more.
        assert word < fail**gap * WORDS
        assert gap == 2_000 or word + 1 > fail ** (gap + 1) * WORDS


@pytest.mark.parametrize(("beyond", "failures"), [(-1, 2), (1, 1)])
def test_a_word_that_agrees_to_the_last_bit_is_decided_by_the_next(beyond, failures, scripted):
    threshold = WORDS // 3
    square = (WORDS - threshold) ** 2
    word, rest = square >> 64, square % WORDS
    # The uniform number is just below, or just above, the probability that two trials fail.
    assert _exact_gap(word, threshold, scripted([rest + beyond])) == failures


@pytest.mark.parametrize("exponent", [0, 1, 2, 7, 1000])
@pytest.mark.parametrize("numerator", [1 << 63, WORDS // 3, WORDS - 1])
def test_bounds_of_a_power_hold_it(numerator, exponent):
    least, most = _power(numerator, exponent, 200)
    exact = Fraction(numerator, WORDS) ** exponent * 2**200
    assert least <= exact <= most
    assert most - least <= 1
