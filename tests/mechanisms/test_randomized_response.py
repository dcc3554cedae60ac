import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.audit.enumeration import response_distributions as distributions
from hushgraph.mechanisms.randomized_response import with_any_class

CLASSES = [2, 3, 4, 5]


@pytest.mark.parametrize("classes", CLASSES)
def test_an_answer_costs_epsilon_and_no_more(epsilon, classes, privacy_loss):
    loss = privacy_loss(distributions(hg.RandomizedResponse(epsilon, classes)))
    assert loss.is_at_most(epsilon)
    assert float(loss) == pytest.approx(epsilon, abs=1e-9)


@pytest.mark.parametrize("classes", [*CLASSES, 40])
def test_a_huge_epsilon_is_never_exceeded_and_never_infinite(large_epsilon, classes, privacy_loss):
    assert privacy_loss(distributions(hg.RandomizedResponse(large_epsilon, classes))).is_at_most(
        large_epsilon
    )


@pytest.mark.parametrize("classes", CLASSES)
def test_opendp_finds_the_same_loss(epsilon, classes, privacy_loss):
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    mechanism = hg.RandomizedResponse(epsilon, classes)
    kept = float(mechanism.probability(0, 0))
    theirs = dp.m.make_randomized_response(categories=[str(label) for label in range(classes)], prob=kept)
    assert float(privacy_loss(distributions(mechanism))) == pytest.approx(theirs.map(1), abs=1e-9)


@pytest.mark.parametrize("classes", CLASSES)
def test_the_device_draws_exactly_these_probabilities(epsilon, classes, scripted):
    mechanism = hg.RandomizedResponse(epsilon, classes)
    step = int(mechanism.probability(1, 0) * 2**64)
    borders = [*(step * other for other in range(classes)), 2**64]
    for label in range(classes):
        for first, after in itertools.pairwise(borders):
            answers = set(mechanism.randomize([label, label], scripted([first, after - 1])).tolist())
            assert len(answers) == 1
            assert mechanism.probability(answers.pop(), label) == Fraction(after - first, 2**64)


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("label", [0, 1])
def test_answers_are_as_frequent_as_stated(classes, label, source, chance):
    mechanism = hg.RandomizedResponse(1.0, classes)
    answers = mechanism.randomize(np.full(60_000, label), source.rng)
    expected = [mechanism.probability(answer, label) for answer in range(classes)]
    assert chance.explains(np.bincount(answers, minlength=classes), expected, source.false_alarm)


def test_one_persons_answers_are_as_frequent_as_stated(source, chance):
    mechanism = hg.RandomizedResponse(1.0, 3)
    answers = [int(mechanism.randomize(2, source.rng)) for _ in range(5_000)]
    expected = [mechanism.probability(answer, 2) for answer in range(3)]
    assert chance.explains(np.bincount(answers, minlength=3), expected, source.false_alarm)


@pytest.mark.parametrize("classes", CLASSES)
def test_the_stated_probabilities_are_those_of_the_paper(epsilon, classes):
    mechanism = hg.RandomizedResponse(epsilon, classes)
    assert mechanism.keep_probability == pytest.approx(math.exp(epsilon) / (math.exp(epsilon) + classes - 1))
    assert mechanism.other_probability == pytest.approx(1 / (math.exp(epsilon) + classes - 1))
    assert float(mechanism.probability(0, 0)) == pytest.approx(mechanism.keep_probability)
    assert float(mechanism.probability(0, 1)) == pytest.approx(mechanism.other_probability)


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("budget", [0.5, 3.0])
def test_the_estimate_is_unbiased_with_the_stated_variance(budget, classes, chance, rng):
    mechanism = hg.RandomizedResponse(budget, classes)
    estimates = mechanism.estimate(mechanism.randomize(np.full(100_000, 1), rng))
    truth = np.arange(classes) == 1
    assert chance.explains_mean_and_variance(estimates, truth, mechanism.variance(1), false_alarm=1e-6)


def test_without_privacy_labels_pass_and_are_copied(rng):
    labels = np.array([2, 0, 1])
    mechanism = hg.RandomizedResponse(math.inf, 3)
    answers = mechanism.randomize(labels, rng)
    np.testing.assert_array_equal(answers, labels)
    assert not np.shares_memory(answers, labels)
    np.testing.assert_array_equal(mechanism.estimate(answers), np.eye(3)[labels])
    assert not mechanism.variance(labels).any()
    assert (mechanism.keep_probability, mechanism.other_probability) == (1.0, 0.0)
    assert (mechanism.probability(1, 1), mechanism.probability(0, 1)) == (1, 0)


@pytest.mark.parametrize("labels", [[0, 3], [-1, 0], 7])
def test_labels_that_do_not_exist_are_refused_without_showing_them(labels, rng):
    with pytest.raises(ValueError, match=r"labels must lie in 0 … 2$"):
        hg.RandomizedResponse(1.0, 3).randomize(labels, rng)


@pytest.mark.parametrize("labels", [[0.0, 1.0], [True, False], ["a"], [None]])
def test_labels_that_are_no_whole_numbers_are_refused(labels, rng):
    with pytest.raises(TypeError, match="labels must be whole numbers"):
        hg.RandomizedResponse(1.0, 3).randomize(labels, rng)


@pytest.mark.parametrize("classes", [1, 0, -2, True])
def test_there_must_be_two_classes(classes):
    with pytest.raises(ValueError, match="num_classes"):
        hg.RandomizedResponse(1.0, classes)


def test_the_number_of_classes_may_come_later_but_not_too_late(rng):
    mechanism = hg.RandomizedResponse(1.0)
    with pytest.raises(ValueError, match="num_classes is not set"):
        mechanism.randomize([0, 1], rng)
    assert mechanism.for_classes(4) == hg.RandomizedResponse(1.0, 4)
    assert mechanism.num_classes is None


def test_a_budget_too_small_for_the_words_is_refused_before_anybody_answers():
    """2⁶⁴ does not divide evenly by 40: the odds could not be as even as that."""
    with pytest.raises(ValueError, match="too small for 40 outcomes"):
        hg.RandomizedResponse(1e-18, 40)
    with pytest.raises(ValueError, match="too small for 1,000,000 outcomes"):
        hg.RandomizedResponse(1e-9).for_classes(10**6)
    with pytest.raises(ValueError, match="too small for 40 outcomes"):
        hg.Campaign(classes=40, labels=hg.RandomizedResponse(1e-18))
    hg.RandomizedResponse(1e-18, 64).randomize([0], np.random.default_rng(0))


def test_a_label_that_is_none_may_be_any_class():
    """Each of four classes is missing from 400 draws once in 10⁴⁹ seeds."""
    drawn = with_any_class(np.full(400, -1), 4, np.random.default_rng(0))
    assert set(drawn) == {0, 1, 2, 3}
    assert with_any_class([2, 0], 4, np.random.default_rng(0)).tolist() == [2, 0]
