"""Learning a gate from noisy labels: penalised likelihood of what was reported."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from torch import Tensor

from hushgraph.local.cascade.gate import Gate, columns
from hushgraph.local.cascade.label_reports import LabelReports

# Standard deviations of the priors: of w, v, b and D; and the w that the search starts from.
PRIOR_WEIGHT, PRIOR_DEGREE, PRIOR_BIAS, PRIOR_MIXING = 1.0, 0.05, 1.0, 0.03
FIRST_WEIGHT = 0.1
# The search ends after so many steps, or with a step that lowers the loss by less than this share of it.
STEPS, PRECISION = 150, 1e-6
FLOOR = 1e-9


def fit_gate(
    channels: Tensor,
    degree: Tensor,
    reports: LabelReports,
    shares: Tensor,
    start: NDArray[np.float64] | None = None,
) -> tuple[Gate, NDArray[np.float64]]:
    r"""The gate under which reports are most likely, given priors; and where the search for it ended.

    .. math:: -\sum_i \log\big(q_i + (p_i - q_i)\, P_i(y'_i)\big)
        + \tfrac12 \sum_\theta \big((\theta - \theta_0) / \sigma_\theta\big)^2

    Forward correction: a report is held against what its own channel makes of P. The priors (b around the
    logarithm of the shares, all else around 0) say what is believed without evidence, of which there is
    little at a small budget; w, the belief in a smoother as it is, is never negative. Parameters are
    measured in their standard deviations, so that the penalty is a sphere and L-BFGS needs few steps.

    Args:
        channels: of each report's owner, as seen where it is hidden, (m, S, c).
        degree: theirs, (m,).
        start: a position near which to search, such as that of another draw of folds.
    """
    problem = _Problem(channels, degree, reports, shares)
    position = problem.first if start is None else start
    bounds = [(0, None)] * channels.shape[1] + [(None, None)] * (position.size - channels.shape[1])
    found = minimize(
        problem, position, jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": STEPS, "maxcor": 20, "ftol": PRECISION},
    )  # fmt: skip
    return problem.gate(found.x), found.x


class _Problem:
    """The loss and its gradient at a position; people are columns, along which softmax is fast."""

    def __init__(self, channels: Tensor, degree: Tensor, reports: LabelReports, shares: Tensor) -> None:
        people, self.count, self.classes = channels.shape
        self.inputs = channels.reshape(people, -1).T.contiguous()
        self.degree = degree
        self.labels = reports.labels.unsqueeze(0)
        self.strength, self.other = reports.strength, reports.other
        count, classes = self.count, self.classes
        sizes = (count, count, classes, count * classes * classes)
        widths = (PRIOR_WEIGHT, PRIOR_DEGREE, PRIOR_BIAS, PRIOR_MIXING)
        self.splits = np.cumsum(sizes)[:-1]
        self.width = np.repeat(widths, sizes)
        self.centre = np.zeros(self.width.size)
        self.centre[2 * count : 2 * count + classes] = np.log(shares.cpu().numpy())
        self.first = np.zeros(self.width.size)
        self.first[:count] = FIRST_WEIGHT / PRIOR_WEIGHT
        self.eye = torch.eye(classes, device=channels.device)

    def gate(self, position: NDArray[np.float64]) -> Gate:
        values = (self.centre + self.width * position).astype(np.float32)
        parts = (torch.from_numpy(part).to(self.degree.device) for part in np.split(values, self.splits))
        weight, by_degree, bias, mixing = parts
        mixed = mixing.reshape(self.count, self.classes, self.classes) + weight.reshape(-1, 1, 1) * self.eye
        return Gate(mixed, by_degree, bias)

    def __call__(self, position: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        gate = self.gate(position)
        said = columns(gate.mixing, gate.by_degree).T @ self.inputs
        logits = said[: self.classes]
        logits.addcmul_(self.degree, said[self.classes :]).add_(gate.bias.unsqueeze(1))
        probability = logits.softmax(0)
        of_label = probability.gather(0, self.labels).squeeze(0)
        reported = (self.other + self.strength * of_label).add_(FLOOR)
        loss = -reported.log().sum(dtype=torch.float64).item()
        pull = self.strength * of_label / reported
        slope = probability.mul_(pull)
        slope.scatter_add_(0, self.labels, -pull.unsqueeze(0))
        both = torch.cat([slope, slope * self.degree]) @ self.inputs.T
        to_mixing, to_degree = both.reshape(2, self.classes, self.count, self.classes).unbind()
        parts = (
            to_mixing.diagonal(dim1=0, dim2=2).sum(1),
            to_degree.diagonal(dim1=0, dim2=2).sum(1),
            slope.sum(1),
            to_mixing.permute(1, 2, 0).reshape(-1),
        )
        gradient = torch.cat(parts).double().cpu().numpy() * self.width
        return loss + 0.5 * float(position @ position), gradient + position
