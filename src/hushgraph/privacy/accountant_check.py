"""Accountants are checked before they are relied on, against numerical integration."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import trapezoid

from hushgraph.privacy import accounting
from hushgraph.privacy.accounting import CalibrationError, Releases
from hushgraph.privacy.relations import NeighboringRelation

# Gaussian noise of deviation 1 on a record of norm 1, with everybody in the batch or every fifth person.
RATES = (1.0, 0.2)
DELTA = 1e-5
GRID = np.linspace(-20.0, 20.0, 40_001)
# Integration and rounding: a share of δ.
TOLERANCE = 1e-3
# Coarse losses are fast, and spend more than fine ones: still not less than the truth.
GRID_OF_LOSSES = 1e-2


@cache
def check_accountants() -> None:
    """Refuses accountants of which one spends more than it says."""
    kinds: itertools.product[tuple[float, NeighboringRelation]]
    kinds = itertools.product(RATES, ("node-removal", "node-replacement"))
    for rate, relation in kinds:
        for name, epsilon in _said(relation, rate):
            found = exact_delta(epsilon, relation, rate)
            if not found <= DELTA * (1 + TOLERANCE):
                raise CalibrationError(
                    f"accounting by {name} is wrong for {relation}: it says ε = {epsilon:g} at"
                    f" δ = {DELTA:g}, where δ is {found:g}. Nothing was released. Which versions of"
                    " dp-accounting and opacus are installed?"
                )


def exact_delta(epsilon: float, relation: NeighboringRelation, rate: float) -> float:
    """δ at ε of one Gaussian step of deviation 1 with a Poisson batch, by integration; either direction.

    A person's share of norm 1 is there or not, or points the other way.
    """

    def density(shift: float) -> NDArray[np.float64]:
        with_person = np.exp(-((GRID - shift) ** 2) / 2)
        mixed: NDArray[np.float64] = rate * with_person + (1 - rate) * np.exp(-(GRID**2) / 2)
        return mixed / math.sqrt(2 * math.pi)

    one, other = density(1.0), density(0.0 if relation == "node-removal" else -1.0)
    excess = [np.maximum(0.0, p - np.exp(epsilon) * q) for p, q in ((one, other), (other, one))]
    return float(max(trapezoid(values, GRID) for values in excess))


def _said(relation: NeighboringRelation, rate: float) -> Iterator[tuple[str, float]]:
    """What either accountant says that the step spends."""
    kinds = [(Releases("check", 1, rate, touched=1), 1.0)]
    if rate == 1:
        # The same as four steps with twice the noise, and as releases of the whole, whose noise is over the
        # norm of all that changes.
        all_of_it = 1.0 if relation == "node-removal" else 0.5
        kinds += [(Releases("check", 4, touched=1), 2.0)]
        kinds += [(Releases("check", 1), all_of_it), (Releases("check", 4), 2 * all_of_it)]
    for part, noise in kinds:
        yield "PLD", accounting.pld_of((part,), (noise,), DELTA, relation, GRID_OF_LOSSES)
        yield "RDP", accounting.rdp_of((part,), (noise,), DELTA, relation)
