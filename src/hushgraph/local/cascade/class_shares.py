"""How common each class is, from noisy labels alone."""

from __future__ import annotations

import torch
from torch import Tensor

from hushgraph.local.cascade.label_reports import LabelReports

# A class is never taken to be rarer than this, or a fifth of an equal share: what nobody reported stays
# possible.
RAREST, OF_EQUAL = 0.02, 0.2


def class_shares(reports: LabelReports) -> Tensor:
    r"""Shares of the classes (c,), drawn towards equal ones as far as they are noise.

    One report is unbiased for its class after :math:`z = (y' - q) / (p - q)`, with a variance of about
    :math:`1 / (p - q)^2`, by whose inverse people with several levels are averaged. Around equal shares
    :math:`1/c` the estimate x̂ is shrunk as by James and Stein,

    .. math:: \pi = 1/c + \max(0, 1 - s^2 / |\hat x - 1/c|^2)\, (\hat x - 1/c)

    where s² is the variance of x̂ in all. At a small budget shares would otherwise be mostly noise, of
    which the whole cascade would learn that one class is everybody's.
    """
    count = reports.num_classes
    weight = reports.strength.double().square()
    total = weight.sum().clamp(min=torch.finfo(torch.float64).tiny)
    one_hot = torch.nn.functional.one_hot(reports.labels, count).double()
    signal, noise = reports.strength.double().unsqueeze(1), reports.other.double().unsqueeze(1)
    estimate = (weight.unsqueeze(1) * (one_hot - noise) / signal).sum(0) / total
    reported = noise + signal * estimate.clamp(0, 1)
    spread = (reported * (1 - reported)).sum(1, keepdim=True) / signal.square()
    variance = (weight.unsqueeze(1).square() * spread).sum() / total.square()
    beyond = estimate - 1 / count
    shrink = (1 - variance / beyond.square().sum().clamp(min=1e-12)).clamp(min=0)
    shares = (1 / count + shrink * beyond).clamp(min=min(RAREST, OF_EQUAL / count))
    return (shares / shares.sum()).float()
