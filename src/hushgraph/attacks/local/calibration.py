"""A posterior made as sure as reports bear out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from hushgraph.attacks.local.everything_else import LabelKnowledge


def calibrated(known: LabelKnowledge) -> LabelKnowledge:
    """The same knowledge with P_i(k)^β w_k in the place of what others tell, P_i(k), rows summing to 1.

    A network that learned from a few noisy labels is much too sure. One power β for everybody and one weight
    w_k a class take that back: those under which the reports are likeliest, each seen through its known
    channel, q + (p - q) P_i(y_i). The posterior of a person has not seen their report, so that fitting so few
    numbers to all of them hides none.
    """
    logs = np.log(np.maximum(known.others, 1e-12))
    chosen = np.eye(logs.shape[1])[known.labels]
    gap = known.keep - known.other

    def tempered(at: NDArray[np.float64]) -> NDArray[np.float64]:
        moved = at[0] * logs + np.append(at[1:], 0.0)
        rows = np.exp(moved - moved.max(1, keepdims=True))
        return np.asarray(rows / rows.sum(1, keepdims=True))

    def surprise(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        rows = tempered(at)
        right = (rows * chosen).sum(1)
        chance = np.maximum(known.other + gap * right, 1e-30)
        slope = (gap * right / chance)[:, None] * (rows - chosen)
        steepest = np.append((slope * logs).sum(), slope[:, :-1].sum(0)) / len(rows)
        return -float(np.log(chance).mean()), steepest

    start = np.append(1.0, np.zeros(logs.shape[1] - 1))
    limits = [(0.0, None), *[(None, None)] * (start.size - 1)]
    found = minimize(surprise, start, jac=True, bounds=limits, method="L-BFGS-B")
    return replace(known, others=tempered(found.x))
