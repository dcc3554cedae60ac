import numpy as np
import pytest

from hushgraph.mechanisms.bits import SignedBit

RANGES = [(0.0, 1.0), (-2.0, 5.0), (-1e-3, 1e6), (7.0, 7.5)]


def grid(low, high):
    return [
        low,
        np.nextafter(low, high),
        low + (high - low) / 3,
        (low + high) / 2,
        np.nextafter(high, low),
        high,
    ]


def distributions(bit, values):
    for value in values:
        plus = bit.probability_of_plus(value)
        yield {1: plus, -1: 1 - plus}


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_one_bit_costs_epsilon_and_no_more(epsilon, low, high, privacy_loss):
    loss = privacy_loss(distributions(SignedBit(epsilon, low, high), grid(low, high)))
    assert loss.is_at_most(epsilon)
    assert float(loss) == pytest.approx(epsilon, abs=1e-9)


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_a_huge_epsilon_still_leaves_every_answer_possible(large_epsilon, low, high, privacy_loss):
    assert privacy_loss(distributions(SignedBit(large_epsilon, low, high), grid(low, high))).is_at_most(
        large_epsilon
    )


@pytest.mark.parametrize("tiny", [1e-300, 1e-18, 1e-12])
def test_a_tiny_epsilon_costs_no_more_than_itself(tiny, privacy_loss):
    assert privacy_loss(distributions(SignedBit(tiny, 0.0, 1.0), grid(0.0, 1.0))).is_at_most(tiny)


def test_the_chance_of_plus_rises_linearly(epsilon):
    bit = SignedBit(epsilon, -2.0, 5.0)
    positions = np.linspace(0, 1, 101)
    chances = [float(bit.probability_of_plus(-2.0 + 7.0 * position)) for position in positions]
    ends = 1 / (np.exp(epsilon) + 1), np.exp(epsilon) / (np.exp(epsilon) + 1)
    assert np.diff(chances).min() > 0
    # Positions are rounded to multiples of 2⁻³².
    np.testing.assert_allclose(chances, ends[0] + positions * (ends[1] - ends[0]), atol=2.0**-32)


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_a_toss_is_plus_for_exactly_the_words_that_were_counted(epsilon, low, high, scripted):
    bit = SignedBit(epsilon, low, high)
    values = np.array(grid(low, high))
    counted = [int(bit.probability_of_plus(value) * 2**64) for value in values]
    assert (bit.toss(values, scripted([count - 1 for count in counted])) == 1).all()
    assert (bit.toss(values, scripted(counted)) == -1).all()
    assert (bit.toss(values, scripted([0] * len(counted))) == 1).all()
    assert (bit.toss(values, scripted([2**64 - 1] * len(counted))) == -1).all()


def test_tosses_are_as_frequent_as_stated(source, chance):
    bit = SignedBit(1.0, 0.0, 1.0)
    values = (0.0, 0.3, 1.0)
    for value in values:
        plus = bit.probability_of_plus(value)
        heads = np.count_nonzero(bit.toss(np.full(50_000, value), source.rng) == 1)
        assert chance.explains([heads, 50_000 - heads], [plus, 1 - plus], source.false_alarm / len(values))
