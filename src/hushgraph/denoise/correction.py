"""Forward correction."""

from __future__ import annotations

from torch import Tensor


def forward_correction(
    probability: Tensor, keep_minus_other: Tensor | float, other: Tensor | float
) -> Tensor:
    r"""P(reported label) from P(class), :math:`\hat p(y' | x)` of LPGNN's eq. 13: (p - q)·P + q."""
    return (probability * keep_minus_other).add_(other)
