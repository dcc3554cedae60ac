"""What mechanisms state about themselves."""

from __future__ import annotations

import math

from hushgraph.privacy import Guarantee


def stated(
    protects: str, epsilon: float, relation: str, reason: str, public: str, delta: float = 0.0
) -> Guarantee:
    """The guarantee of a mechanism for what one person holds, of which ``public`` is known to all."""
    if math.isinf(epsilon):
        unprotected = "ε = ∞: sent as they are, without randomisation"
        return Guarantee(protects, math.inf, status="none", reason=unprotected)
    return Guarantee._stated(
        protects=protects,
        epsilon=epsilon,
        delta=delta,
        relation=relation,
        reason=reason,
        conditions=("each person answers once", f"{public} is public"),
    )
