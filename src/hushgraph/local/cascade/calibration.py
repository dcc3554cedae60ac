"""How sure to be: a power of the posterior, found on reports that it never saw."""

from __future__ import annotations

import math

import torch
from scipy.optimize import minimize_scalar
from torch import Tensor

from hushgraph.local.cascade.label_reports import LabelReports

# Powers between 1/8 and 8; the prior of their logarithm has this deviation.
WIDEST, PRIOR = math.log(8), 0.5


def calibrating_power(posterior: Tensor, reports: LabelReports) -> float:
    r"""The a for which :math:`P^a / \sum P^a` makes the held-out reports most likely.

    .. math:: \max_a \sum_i \log\big(q_i + (p_i - q_i) P_i^a(y'_i) / \textstyle\sum_c P_i^a(c)\big)
        - (\log a)^2 / 2\sigma^2

    One number, from all reports: it is estimated well even where each report says little, and the prior keeps
    it near 1 where they say nothing. ``posterior`` (m, c) must not have seen the reports.
    """
    log = posterior.clamp(min=1e-9).log()
    own = reports.labels.unsqueeze(1)

    def loss(log_power: float) -> float:
        sure = (log * math.exp(log_power)).softmax(1).gather(1, own).squeeze(1)
        likelihood = (reports.other + reports.strength * sure).clamp(min=1e-9)
        return -likelihood.log().sum(dtype=torch.float64).item() + (log_power / PRIOR) ** 2 / 2

    found = minimize_scalar(loss, bounds=(-WIDEST, WIDEST), method="bounded", options={"xatol": 1e-4})
    return math.exp(found.x)


def calibrated(posterior: Tensor, power: float) -> Tensor:
    """The power of a posterior, adding up to 1 again."""
    return (posterior.clamp(min=1e-9).log() * power).softmax(1)
