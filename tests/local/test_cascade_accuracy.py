"""Estimates of accuracy and of how sure to be, from noisy labels alone."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
import torch

import hushgraph as hg
from hushgraph.local.cascade.accuracy_estimate import estimate_accuracy
from hushgraph.local.cascade.calibration import Calibration, fit_calibration
from hushgraph.local.cascade.class_shares import class_shares
from hushgraph.local.cascade.label_reports import LabelReports

EQUAL = torch.full((4,), 0.25)


def reported(classes, epsilon, rng, num_classes=4):
    """Reports of people with these classes; ``epsilon`` of all or of each."""
    budgets = np.broadcast_to(epsilon, classes.shape)
    keep = np.exp(budgets) / (np.exp(budgets) + num_classes - 1)
    stays = rng.random(classes.size) < keep
    other = (classes + rng.integers(1, num_classes, classes.size)) % num_classes
    return LabelReports(
        torch.arange(classes.size),
        torch.from_numpy(np.where(stays, classes, other)),
        torch.from_numpy(keep.astype(np.float32)),
        torch.from_numpy(((1 - keep) / (num_classes - 1)).astype(np.float32)),
        classes.size,
        num_classes,
    )


def posteriors(classes, rng, sharpness=2.0):
    """Calibrated posteriors about people, and classes drawn from them."""
    logits = sharpness * torch.from_numpy(rng.standard_normal((classes, 4)))
    probability = logits.softmax(1)
    return probability.float(), torch.multinomial(probability, 1).squeeze(1).numpy()


class TestAccuracyEstimate:
    @pytest.mark.parametrize("epsilon", [0.5, 2.0])
    def test_over_many_collections_it_covers_the_truth_at_its_rate(self, epsilon):
        rng = np.random.default_rng(1)
        covered = []
        for _ in range(300):
            posterior, classes = posteriors(400, rng)
            estimate = estimate_accuracy(posterior, reported(classes, epsilon, rng))
            truth = float(posterior.amax(1).mean())
            covered.append(estimate.low <= truth <= estimate.high)
        # Of 300 intervals of 95 % fewer than 272 cover once in a thousand times.
        assert sum(covered) >= scipy.stats.binom.ppf(1e-3, 300, 0.95)

    def test_noisier_levels_count_less_and_leave_it_unbiased(self):
        rng = np.random.default_rng(2)
        budgets = np.repeat([0.2, 3.0], 2000)
        found = []
        for _ in range(100):
            posterior, classes = posteriors(4000, rng)
            estimate = estimate_accuracy(posterior, reported(classes, budgets, rng))
            found.append((estimate.value - float(posterior.amax(1).mean()), estimate.high - estimate.low))
        errors, widths = np.array(found).T
        assert abs(errors.mean()) < 4 * errors.std() / 10
        # As narrow as that of the reliable half alone.
        posterior, classes = posteriors(2000, rng)
        alone = estimate_accuracy(posterior, reported(classes, 3.0, rng))
        assert widths.mean() < 1.1 * (alone.high - alone.low)

    def test_the_more_predictions_change_with_the_reports_the_wider_it_is(self):
        rng = np.random.default_rng(3)
        posterior, classes = posteriors(400, rng)
        told = reported(classes, 1.0, rng)
        steady, half, all_changed = (
            estimate_accuracy(posterior, told, None, changed) for changed in (0.0, 0.2, 1.0)
        )
        widths = [one.high - one.low for one in (steady, half, all_changed)]
        assert widths[0] < widths[1] < widths[2]
        assert steady.value == half.value

    def test_it_stays_within_what_is_possible(self):
        rng = np.random.default_rng(3)
        posterior, classes = posteriors(20, rng)
        estimate = estimate_accuracy(posterior, reported(classes, 0.1, rng), posterior[:3])
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        assert "%" in str(estimate)

    @pytest.mark.parametrize("epsilon", [1.0, np.inf])
    def test_that_a_few_reports_agree_with_it_proves_little(self, epsilon):
        classes = np.zeros(5, np.int64)
        reports = reported(classes, min(epsilon, 50.0), np.random.default_rng(4))
        sure = torch.nn.functional.one_hot(reports.labels, 4).float()
        found = estimate_accuracy(sure, reports)
        assert (found.value, found.high) == (1.0, 1.0)
        assert found.low < 0.8

    @pytest.mark.slow
    def test_of_whole_cascades_it_covers_test_accuracy(self):
        covered = []
        for seed in range(16):
            graph = hg.datasets.load("social", n=400, features=10, classes=3, seed=seed)
            split = hg.random_split(graph, train=0.5, val=0.25, seed=seed)
            rng = np.random.default_rng([seed, 1])
            collected = hg.collect(graph, split, features=None, labels=hg.RandomizedResponse(1.5), rng=rng)
            model = hg.Cascade().fit(collected)
            estimate = model.accuracy_estimate_
            covered.append(estimate.low <= hg.accuracy(model, graph, split.test) <= estimate.high)
        # Of 16 intervals of 95 % fewer than 13 cover once in 140 times.
        assert sum(covered) >= 13


class TestCalibration:
    @pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
    def test_the_power_that_made_a_posterior_too_sure_or_not_sure_enough_is_found(self, power):
        rng = np.random.default_rng(4)
        posterior, classes = posteriors(20_000, rng)
        wrong = Calibration(1 / power, 0.0)(posterior, EQUAL)
        found = fit_calibration(wrong, EQUAL, reported(classes, 2.0, rng))
        assert found.power == pytest.approx(power, rel=0.15)
        assert found.doubt < 0.05

    def test_people_of_no_class_that_was_foretold_are_doubted_through_the_noise(self):
        rng = np.random.default_rng(5)
        posterior, classes = posteriors(20_000, rng, sharpness=6.0)
        strays = rng.random(20_000) < 0.2
        classes = np.where(strays, rng.integers(0, 4, 20_000), classes)
        found = fit_calibration(posterior, EQUAL, reported(classes, 1.0, rng))
        assert found.doubt == pytest.approx(0.2, abs=0.06)

    def test_where_reports_say_nothing_it_stays_what_was_believed_before(self):
        rng = np.random.default_rng(5)
        posterior, classes = posteriors(100, rng)
        found = fit_calibration(posterior, EQUAL, reported(classes, 0.01, rng))
        assert found.power == pytest.approx(1.0, abs=0.1)
        assert found.doubt == pytest.approx(0.05, abs=0.02)

    def test_without_evidence_the_shares_are_left(self):
        posterior, _ = posteriors(5, np.random.default_rng(0))
        shares = torch.tensor([0.4, 0.3, 0.2, 0.1])
        for nothing in (Calibration(0.0, 0.1), Calibration(2.0, 1.0)):
            assert torch.allclose(nothing(posterior, shares), shares.expand(5, 4), atol=1e-6)
        assert torch.allclose(Calibration(1.0, 0.0)(posterior, shares), posterior, atol=1e-5)


class TestClassShares:
    TRUE = np.array([0.55, 0.25, 0.15, 0.05])

    def test_they_are_those_of_the_classes_and_not_of_the_reports(self):
        rng = np.random.default_rng(0)
        classes = rng.choice(4, 20_000, p=self.TRUE)
        found = class_shares(reported(classes, 1.0, rng))
        assert np.abs(found.numpy() - self.TRUE).max() < 0.03

    def test_levels_are_weighed(self):
        rng = np.random.default_rng(0)
        classes = rng.choice(4, 4000, p=self.TRUE)
        budgets = np.where(np.arange(4000) < 2000, 0.05, 5.0)
        assert np.abs(class_shares(reported(classes, budgets, rng)).numpy() - self.TRUE).max() < 0.04

    def test_as_far_as_they_are_noise_they_are_equal(self):
        rng = np.random.default_rng(0)
        classes = rng.choice(4, 200, p=self.TRUE)
        found = class_shares(reported(classes, 0.05, rng)).numpy()
        assert np.abs(found - 0.25).max() < 0.1

    def test_many_classes_are_no_reason_to_take_them_for_equally_common(self):
        one = reported(np.zeros(900, np.int64), 8.0, np.random.default_rng(0), num_classes=40)
        assert class_shares(one).max() > 0.7

    def test_no_class_is_impossible(self):
        classes = np.zeros(100, np.int64)
        found = class_shares(reported(classes, 50.0, np.random.default_rng(0)))
        assert found.min() > 0.015
        assert float(found.sum()) == pytest.approx(1.0)
