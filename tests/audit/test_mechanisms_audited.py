"""Audits of mechanisms: what is right passes, and what is wrong is found.

A right mechanism is called wrong with probability 0.05 at most, and far less often; seeds are fixed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from audit_bugs import mechanisms as planted

import hushgraph as hg
from hushgraph.audit import audit_exactly, audit_extremes, audit_mechanism, extreme_pairs
from hushgraph.audit.words import NotEnumerableError, chances

BUGS = {f"{bug.name}, {bug.samples}": bug for bug in planted.MECHANISMS}
RIGHT = [
    hg.RandomizedResponse(1.0, 3), hg.OneBit(1.0), hg.MultiBit(4.0), hg.Laplace(1.0),
    hg.AnalyticGaussian(1.0, 0.01), hg.AdjacencyRandomizedResponse(1.0),
]  # fmt: skip


@pytest.mark.parametrize(
    "name", [name for name in BUGS if "too high, 20" not in name and "no true" not in name]
)
def test_a_mechanism_that_tells_more_than_it_says_is_found(name):
    found = BUGS[name].wrong(1)
    assert not found.passed, str(found)


@pytest.mark.parametrize("mechanism", RIGHT, ids=lambda one: type(one).__name__)
def test_a_right_mechanism_passes_and_its_loss_is_seen(mechanism):
    found = audit_extremes(mechanism, 2, trials=2000, rng=np.random.default_rng(1))
    assert all(one.passed for one in found), "\n".join(map(str, found))
    sampled = [one.lower_bound for one in found if not one.exact]
    assert max(sampled) > mechanism.epsilon / 4


def test_secure_randomness_is_audited_as_well():
    """A false alarm here has a probability far below 10⁻⁹: the promise is three times the budget."""
    assert audit_mechanism(hg.RandomizedResponse(1.0, 3), 0, 1, epsilon=3.0, trials=2000).passed


def test_an_audit_with_a_seed_can_be_repeated():
    one, again = (
        audit_mechanism(hg.OneBit(1.0), np.zeros(2), np.ones(2), trials=500, rng=np.random.default_rng(3))
        for _ in range(2)
    )
    assert one == again


def test_noise_that_each_call_draws_alike_is_found_by_the_place_in_the_call(rng):
    """Every call adds the same numbers: those of many places, each half of the time above and below."""

    class Alike:
        epsilon = 1.0

        def randomize(self, values, _):
            return np.sign(values + np.random.default_rng(0).laplace(0.0, 4.0, values.shape))

    found = audit_mechanism(Alike(), np.zeros(1), np.ones(1), trials=4000, rng=rng)
    assert not found.passed, str(found)


@dataclass
class OneColumn:
    """Which feature is answered is drawn once a call, and public: right, but answers hang together."""

    epsilon: float

    def randomize(self, values, rng):
        column = int(rng.integers(values.shape[1]))
        truth = rng.random(len(values)) < 1 / (1 + np.exp(-self.epsilon))
        said = np.where(truth, values[:, column], 1 - values[:, column])
        return np.column_stack([np.full(len(values), column), said])


def test_answers_that_hang_together_are_not_counted_as_independent():
    """Counted so, a quarter of such audits called what is right broken."""
    wrong = [
        not audit_mechanism(
            OneColumn(1.0), np.zeros(3), np.ones(3), trials=8000, rng=np.random.default_rng(seed)
        ).passed
        for seed in range(40)
    ]
    assert sum(wrong) <= 2


@dataclass
class Shared:
    """Everybody in a call has the same noise: whoever knows a neighbor's value takes it away."""

    epsilon: float

    def randomize(self, values, rng):
        return values + rng.laplace(0.0, 3 / self.epsilon, (1, values.shape[1]))


def test_noise_that_a_neighbor_has_too_is_found(rng):
    found = audit_mechanism(Shared(1.0), np.zeros(3), np.ones(3), trials=4000, rng=rng)
    assert found.lower_bound > 3, str(found)


def test_what_draws_randomness_of_its_own_is_sampled_and_not_enumerated(rng):
    class Own(hg.RandomizedResponse):
        def randomize(self, labels, rng):
            return hg.RandomizedResponse.randomize(self, labels, np.random.default_rng(labels.size))

    class Secret(hg.RandomizedResponse):
        def randomize(self, labels, _):
            return hg.RandomizedResponse.randomize(self, labels, hg.SecureRandom())

    with pytest.raises(NotEnumerableError, match="does not answer by the words"):
        audit_exactly(Secret(1.0, 30))
    assert not any(one.exact for one in audit_extremes(Secret(0.5, 30), trials=100, epsilon=4.0))
    found = audit_extremes(Own(1.0, 3), trials=2000, rng=rng)
    assert not any(one.exact for one in found)


@dataclass
class Plain:
    """One's own, with as little as there may be."""

    epsilon: float

    def randomize(self, values, rng):
        return values + rng.laplace(0.0, 0.5 / self.epsilon, values.shape)


def test_ones_own_needs_randomize_and_a_promise_alone(rng):
    (_, *pair), *_ = extreme_pairs(Plain(1.0), 1)
    found = audit_mechanism(Plain(1.0), *pair, trials=4000, rng=rng)
    assert not found.passed
    assert (found.epsilon, found.subject) == (1.0, "Plain")
    assert audit_mechanism(Plain(1.0), *pair, epsilon=2.0, trials=4000, rng=rng).passed


@dataclass
class Fails:
    """Tells nearly the value, and now and then NaN."""

    epsilon: float

    def randomize(self, values, rng):
        near = values + rng.normal(0.0, 1e-3, values.shape)
        return np.where(rng.random(values.shape) < 0.01, np.nan, near)


def test_an_answer_that_is_no_number_hides_nothing(rng):
    for size in (1, 3):
        found = audit_extremes(Fails(1.0), size, trials=4000, rng=rng)
        assert not any(one.passed for one in found), "\n".join(map(str, found))


@dataclass
class Stored:
    """A Gaussian of ours whose budget stands in two plain attributes."""

    epsilon: float
    delta: float

    def randomize(self, values, rng):
        return hg.AnalyticGaussian(self.epsilon, self.delta).randomize(values, rng)


def test_a_promise_has_the_mechanisms_own_delta_or_the_given_one(rng):
    found = audit_extremes(Stored(1.0, 0.1), trials=4000, rng=rng)
    assert {one.delta for one in found} == {0.1}
    assert all(one.passed for one in found), "\n".join(map(str, found))
    stricter = audit_extremes(Stored(1.0, 0.1), delta=0.0, trials=4000, rng=rng)
    assert not all(one.passed for one in stricter)
    # An enumeration has no room for δ.
    loose = audit_extremes(hg.RandomizedResponse(1.0, 3), epsilon=0.9, delta=0.3, trials=4000, rng=rng)
    assert all(one.passed and not one.exact for one in loose), "\n".join(map(str, loose))


@pytest.mark.parametrize("sure", [1.0, 95, math.nan])
def test_a_confidence_that_is_none_is_refused(sure):
    for audit in (audit_mechanism, audit_extremes):
        pair = (np.zeros(2), np.ones(2)) if audit is audit_mechanism else ()
        with pytest.raises(ValueError, match=r"confidence must lie in \(0, 1\)"):
            audit(Plain(1.0), *pair, trials=100, confidence=sure)


def test_what_is_no_number_needs_a_look(rng):
    class Words:
        def randomize(self, values, rng):
            return np.where(rng.random(values.shape) < 0.9, values, "none")

    with pytest.raises(TypeError, match="look= must make some of it"):
        audit_mechanism(Words(), "yes", "no", epsilon=1.0, rng=rng)
    found = audit_mechanism(
        Words(), "yes", "no", epsilon=1.0, rng=rng, look=lambda said: (said == "yes")[:, None]
    )
    assert not found.passed
    with pytest.raises(ValueError, match="epsilon is required"):
        audit_mechanism(Words(), "yes", "no", rng=rng)


@pytest.mark.parametrize("mechanism", [*RIGHT[:4], RIGHT[5]], ids=lambda one: type(one).__name__)
def test_an_enumeration_finds_the_loss_itself(mechanism):
    found = audit_exactly(mechanism)
    assert (found.passed, found.exact) == (True, True)
    assert found.lower_bound == pytest.approx(mechanism.epsilon, rel=1e-6)
    assert not audit_exactly(mechanism, epsilon=mechanism.epsilon - 1e-6).passed


@pytest.mark.parametrize(
    "wrong",
    [planted.WholeBudgetPerSign(3.0, m=2), planted.WholeBudgetPerFeature(1.0), planted.HalfLaplace(1.0)],
)
def test_an_enumeration_sees_what_the_code_does_and_not_what_it_says(wrong):
    found = audit_exactly(wrong)
    assert found.lower_bound == pytest.approx(2 * wrong.epsilon)
    assert not found.passed


def test_an_answer_that_one_value_never_gives_is_an_infinite_loss():
    class Open(hg.RandomizedResponse):
        def randomize(self, labels, rng):
            return np.where(hg.RandomizedResponse.randomize(self, labels, rng) == 1, 1, labels)

    assert audit_exactly(Open(1.0, 3)).lower_bound == math.inf


def test_what_cannot_be_enumerated_says_so():
    with pytest.raises(TypeError, match="mechanism must be one of RandomizedResponse"):
        audit_exactly(hg.AnalyticGaussian(1.0, 0.01))
    with pytest.raises(ValueError, match="too many features to enumerate"):
        audit_exactly(hg.OneBit(1.0), size=9)
    with pytest.raises(ValueError, match="drew 6 words where 2 were expected"):
        audit_exactly(Greedy(1.0, 3))


class Greedy(hg.RandomizedResponse):
    def randomize(self, labels, rng):
        return hg.RandomizedResponse.randomize(self, np.repeat(labels, 3), rng)[::3]


def test_ranges_of_words_are_counted_to_the_last_word():
    borders = [0, 1, 5, 2**40, 2**63, 2**64 - 1, 2**64]
    found = chances(lambda words: [sum(word >= border for border in borders) for word in words])
    widths = np.diff(np.array(borders, object))
    assert [found[place + 1] * 2**64 for place in range(6)] == widths.tolist()
