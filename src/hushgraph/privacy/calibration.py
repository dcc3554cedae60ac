"""How much noise a budget asks for, by dp-accounting's search; failing is an error, never a zero."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from dp_accounting import DpEvent, GaussianDpEvent, PrivacyAccountant
from dp_accounting import NeighboringRelation as Theirs
from dp_accounting.mechanism_calibration import (
    LowerEndpointAndGuess,
    NoBracketIntervalFoundError,
    calibrate_dp_mechanism,
)

from hushgraph.privacy import accounting
from hushgraph.privacy.accountant_check import check_accountants
from hushgraph.privacy.accounting import CalibrationError, Releases
from hushgraph.privacy.relations import NeighboringRelation

# Noise is looked for by its logarithm: not below the first number, in steps of the second up to where it is
# enough, and then to a precision of the third.
LEAST, STEP, PRECISION = -30.0, 2.0, 1e-4


@lru_cache(maxsize=256)
def calibrate(
    parts: tuple[Releases, ...],
    shares: tuple[float, ...],
    epsilon: float,
    delta: float,
    relation: NeighboringRelation,
) -> tuple[float, ...]:
    """The noise multiplier of each part, so that all of them together are (ε, δ)-DP.

    The shares set the proportions: each part's noise is a common factor times what it would need to spend its
    share alone. Composition is better than the sum of its parts, so that the factor is below 1.
    """
    check_accountants()
    alone = [_alone(part, share, delta, relation) for part, share in zip(parts, shares, strict=True)]

    def together(factor: float) -> float:
        return accounting.epsilon_of(parts, tuple(factor * one for one in alone), delta, relation)

    factor = _searched(together, epsilon)
    multipliers = tuple(factor * multiplier for multiplier in alone)
    spent = accounting.epsilon_of(parts, multipliers, delta, relation)
    if not (spent <= epsilon and all(0 < multiplier < math.inf for multiplier in multipliers)):
        raise CalibrationError(
            f"no noise was found that keeps ε = {epsilon:g} at δ = {delta:g}; what was found would spend"
            f" {spent:g}"
        )
    return multipliers


def _alone(part: Releases, share: float, delta: float, relation: NeighboringRelation) -> float:
    """The noise with which a part spends its share alone, by Rényi DP."""
    return _searched(lambda noise: accounting.rdp_of((part,), (noise,), delta, relation), share)


def _searched(spent: Callable[[float], float], epsilon: float) -> float:
    """The least noise with which ``spent(noise)`` is ε, or a little below."""
    least = 0.0
    while spent(math.exp(least)) <= epsilon and least > LEAST:
        least -= STEP
    try:
        found = calibrate_dp_mechanism(
            lambda: _Accountant(spent),
            lambda logarithm: GaussianDpEvent(math.exp(logarithm)),
            epsilon,
            0.0,  # what is spent is at a δ of its own
            LowerEndpointAndGuess(least, least + STEP),
            tol=PRECISION,
        )
    except (ValueError, OverflowError, NoBracketIntervalFoundError) as error:
        raise CalibrationError(f"no amount of noise was found that spends ε = {epsilon:g}") from error
    if found is None:
        raise CalibrationError(f"the search for noise that spends ε = {epsilon:g} did not end")
    return math.exp(found)


class _Accountant(PrivacyAccountant):  # type: ignore[misc]
    """Ours, as dp-accounting's search asks one: of a Gaussian event it reads how much noise there is."""

    def __init__(self, spent: Callable[[float], float]) -> None:
        super().__init__(Theirs.REPLACE_SPECIAL)
        self.spent, self.noise = spent, 0.0

    def _maybe_compose(self, event: DpEvent, count: int, do_compose: bool) -> None:
        if do_compose:
            self.noise = event.noise_multiplier

    def get_epsilon(self, target_delta: float) -> float:
        return self.spent(self.noise)
