"""How right predictions are, from noisy labels alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from hushgraph.local.cascade.label_reports import LabelReports

# The normal quantile of a two-sided interval of 95 %.
QUANTILE = 1.96
# What changed predictions say: how much more often reports count, up to twice; and how much of their share
# may be accuracy. Fitted to simulations on the synthetic graph, see docs/cascade.md.
DEPENDENCE, LEARNING = 3.0, 0.25
# If fewer reports agree or disagree, it may be by chance that no more do, and how they differ tells little.
FEW = 10


@dataclass(frozen=True, slots=True)
class AccuracyEstimate:
    """The estimated share of people without a report whose class is predicted, and a 95 % interval of it."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f})"


def estimate_accuracy(
    held_out: Tensor, reports: LabelReports, unseen: Tensor | None = None, changed: float = 0.0
) -> AccuracyEstimate:
    r"""The accuracy of predictions for people of whom there is no report.

    A report agrees with a right prediction with probability p, and with a wrong one with q, so that

    .. math:: a_i = \frac{1[\hat y_i = y'_i] - q_i}{p_i - q_i}

    is unbiased for whether the prediction ŷ is right, as long as ŷ has not seen y'. They are averaged by the
    inverse of their variance, as far as it is the same for all of a level: :math:`(p - q)^2`.

    Cascades for held-out reports learned from fewer labels than those for people ``unseen``, and fewer of
    them are averaged. By how much surer the latter are, both calibrated, the estimate is moved.

    The variance has three parts. The noise of reports, by how they differ; where few do, by what the channel
    makes of one more right and one more wrong prediction if that is more. Two reports are in each other's
    predictions, so that it counts between once, where these hardly depend on reports, and twice, where they
    are nothing else. That the predicted are a sample themselves. And that cascades which saw other reports
    are right about others: how far, and which of the two it is, shows in the share of predictions that
    ``changed``.

    Args:
        held_out: calibrated posteriors (m, c) that have not seen the reports.
        unseen: calibrated posteriors of people without a report; None if there are none.
        changed: the share of reporters of whom the final cascades think another class than those that held
            them out.
    """
    agrees = (held_out.argmax(1) == reports.labels).double()
    strength, other = reports.strength.double(), reports.other.double()
    weight = strength.square() / strength.square().sum()
    score = (agrees - other) / strength
    measured = float(weight @ score)
    variance = float(weight.square() @ (score - measured).square())
    if min(agrees.sum(), (1 - agrees).sum()) < FEW:
        count = 1 / float(weight.square().sum())
        plausible = other + strength * (_possible(measured) * count + 1) / (count + 2)
        variance = max(variance, float(weight.square() @ (plausible * (1 - plausible) / strength.square())))
    variance = variance * (1 + min(1.0, DEPENDENCE * changed)) + (LEARNING * changed) ** 2
    value = measured
    if unseen is not None and len(unseen):
        value += _sureness(unseen) - float(weight @ held_out.amax(1).double())
        likely = _possible(value)
        variance += likely * (1 - likely) / len(unseen)
    half, value = QUANTILE * math.sqrt(variance), _possible(value)
    return AccuracyEstimate(value, _possible(value - half), _possible(value + half))


def _possible(accuracy: float) -> float:
    """The nearest number that an accuracy can be."""
    return min(max(accuracy, 0.0), 1.0)


def _sureness(posterior: Tensor) -> float:
    return float(posterior.amax(1).mean(dtype=torch.float64)) if len(posterior) else 0.0
