"""How sure to be: how far to follow the evidence, found on reports that it never saw."""

from __future__ import annotations

import math

import torch
from scipy.optimize import minimize_scalar
from torch import Tensor

from hushgraph.local.cascade.label_reports import LabelReports

# Powers between 1/8 and 8; the prior of their logarithm has this deviation.
WIDEST, PRIOR = math.log(8), 0.5
FLOOR = 1e-9


def calibrated(posterior: Tensor, shares: Tensor, power: float) -> Tensor:
    r"""The posterior with evidence of another strength, :math:`\pi\, (P / \pi)^a`, adding up to 1 again.

    At a = 0 nothing but the shares of the classes is left.
    """
    prior = shares.log()
    return (prior + power * (posterior.clamp(min=FLOOR).log() - prior)).softmax(1)


def calibrating_power(posterior: Tensor, shares: Tensor, reports: LabelReports) -> float:
    r"""The a at which the calibrated posterior P makes the held-out reports most likely.

    .. math:: \max_a \sum_i \log\big(q_i + (p_i - q_i) P_i(y'_i)\big) - (\log a)^2 / 2\sigma^2

    One number, from all reports: it is estimated well even where each report says little, and the prior keeps
    it near 1 where they say nothing. ``posterior`` (m, c) must not have seen the reports.
    """
    own = reports.labels.unsqueeze(1)

    def loss(log_power: float) -> float:
        sure = calibrated(posterior, shares, math.exp(log_power)).gather(1, own).squeeze(1)
        likelihood = (reports.other + reports.strength * sure).clamp(min=FLOOR)
        return -likelihood.log().sum(dtype=torch.float64).item() + (log_power / PRIOR) ** 2 / 2

    found = minimize_scalar(loss, bounds=(-WIDEST, WIDEST), method="bounded", options={"xatol": 1e-4})
    return math.exp(found.x)
