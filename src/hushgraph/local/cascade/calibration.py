"""How sure to be: how far to follow the evidence, found on reports that it never saw."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from torch import Tensor

from hushgraph.local.cascade.label_reports import LabelReports

# What is believed of power and doubt before any report: middle and deviation of the logarithm of one, and of
# the log odds of the other.
POWER, DOUBT = (0.0, 0.5), (math.log(0.05 / 0.95), 1.0)
FLOOR = 1e-9


@dataclass(frozen=True, slots=True)
class Calibration:
    r"""Evidence of another strength, and a doubt that no evidence removes.

    .. math:: P'_c = (1 - \lambda) \frac{\pi_c (P_c / \pi_c)^a}{\sum_k \pi_k (P_k / \pi_k)^a} + \lambda \pi_c

    Some people are of no class that friends foretell. Through much noise they hardly cost likelihood, however
    sure one was: a power alone would be found that leaves them impossible.

    Attributes:
        power: a; at 0 nothing but the shares π of the classes is left.
        doubt: λ, in [0, 1].
    """

    power: float
    doubt: float

    def __call__(self, posterior: Tensor, shares: Tensor) -> Tensor:
        """The calibrated posterior (n, c)."""
        prior = shares.log()
        sure = (prior + self.power * (posterior.clamp(min=FLOOR).log() - prior)).softmax(1)
        return sure.mul_(1 - self.doubt).add_(self.doubt * shares)


def fit_calibration(posterior: Tensor, shares: Tensor, reports: LabelReports) -> Calibration:
    r"""The calibration under which held-out reports are most likely, given what is believed before.

    .. math:: \max_{a, \lambda} \sum_i \log\big(q_i + (p_i - q_i) P'_i(y'_i)\big) + \log p(a)\, p(\lambda)

    Two numbers, from all reports: they are estimated well even where each report says little. ``posterior``
    (m, c) must not have seen the reports.
    """

    def loss(position: NDArray[np.float64]) -> float:
        sure = _at(position)(posterior, shares)
        likely = log_likelihoods(sure, reports).sum(dtype=torch.float64).item()
        return -likely + float(np.square(position).sum()) / 2

    options = {"xatol": 1e-3, "fatol": 1e-4}
    return _at(minimize(loss, np.zeros(2), method="Nelder-Mead", options=options).x)


def log_likelihoods(posterior: Tensor, reports: LabelReports) -> Tensor:
    """Of each report (m,), whose owner's posterior (m, c) has not seen it."""
    own = posterior.gather(1, reports.labels.unsqueeze(1)).squeeze(1)
    return (reports.other + reports.strength * own).clamp(min=FLOOR).log()


def _at(position: NDArray[np.float64]) -> Calibration:
    """Power and doubt, so many deviations from what was believed of them."""
    power, doubt = (middle + width * at for (middle, width), at in zip((POWER, DOUBT), position, strict=True))
    return Calibration(math.exp(power), 1 / (1 + math.exp(-doubt)))
