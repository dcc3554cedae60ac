"""What (ε, δ) bounds of an attack, and plainly where it bounds nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from hushgraph.attacks import bounds
from hushgraph.attacks.victims import Victim
from hushgraph.curator import CuratorMethod
from hushgraph.local.estimator import LocalEstimator
from hushgraph.privacy import Guarantee
from hushgraph.privacy.relations import NeighboringRelation

Family = Literal["membership", "attribute", "link", "withheld friendship", "extraction"]
NOT_BOUNDED = "not bounded by ε: "
UNPROMISED = Guarantee("nothing", math.inf, status="none", gaps=("nothing is promised",))
"""Of a target that states no guarantee."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The best that any attacker can do, or why there is no such limit.

    Attributes:
        why: to whom it applies, or why none does.
        epsilon, delta: what it follows from; ε is infinite where nothing is bounded.
    """

    why: str
    epsilon: float = math.inf
    delta: float = 0.0

    @property
    def applies(self) -> bool:
        """Whether there is one."""
        return math.isfinite(self.epsilon)

    @property
    def accuracy(self) -> float | None:
        """Of yes or no, where half is either."""
        return (1 + bounds.largest_advantage(self.epsilon, self.delta)) / 2 if self.applies else None

    @property
    def advantage(self) -> float | None:
        """The largest, 2 (accuracy - ½)."""
        return bounds.largest_advantage(self.epsilon, self.delta) if self.applies else None

    @property
    def auc(self) -> float | None:
        """The largest area under the curve."""
        return bounds.largest_auc(self.epsilon, self.delta) if self.applies else None

    def tpr_at(self, fpr: float) -> float | None:
        """The largest share of members found at a share of false alarms."""
        return bounds.largest_tpr(fpr, self.epsilon, self.delta) if self.applies else None


def limit_on(family: Family, victim: Victim, promised: Guarantee, covered: float = 1.0) -> Limit:
    """The limit on a kind of attack on a method that was asked by :class:`TwoViews`.

    ``covered`` is the share of the people asked about whom the method's cap on friendships covers.
    """
    if (none := _of_none(family, promised)) is not None:
        return none
    if isinstance(victim.model, CuratorMethod):
        return _with_a_curator(family, victim.model.relation, promised, covered)
    return Limit(NOT_BOUNDED + LOCAL[family])


def limit_on_saved(family: Family, model: Any, promised: Guarantee) -> Limit:
    """The limit on a kind of attack on what a model says of the people of its own graph."""
    if promised is UNPROMISED:
        return Limit(f"{NOT_BOUNDED}nothing is promised")
    if (none := _of_none(family, promised)) is not None:
        return none
    if isinstance(model, LocalEstimator):
        return Limit(NOT_BOUNDED + LOCAL[family])
    if not isinstance(model, CuratorMethod):
        return Limit(
            f"{NOT_BOUNDED}whether the promise of a model from elsewhere is about this is not known here"
        )
    if family == "membership":
        return Limit(f"{NOT_BOUNDED}who trains is public, and predictions are made with people's own data")
    return _with_a_curator(family, model.relation, promised, 1.0)


def _of_none(family: Family, promised: Guarantee) -> Limit | None:
    if promised.status == "none":
        return Limit(f"{NOT_BOUNDED}nothing is protected")
    if promised.status == "refuted":
        return Limit(f"{NOT_BOUNDED}the method's promise is refuted")
    if family == "extraction":
        return Limit(f"{NOT_BOUNDED}a copy of the model tells what the model tells")
    return None


LOCAL: dict[Family, str] = {
    "membership": "who answered is no secret in a collection; ε is about what they answered",
    "attribute": "ε bounds what a person's own report adds, and friends' reports and the graph tell too",
    "link": "friendships are public here",
    "withheld friendship": "friendships are public here",
}


def _with_a_curator(
    family: Family, relation: NeighboringRelation, promised: Guarantee, covered: float
) -> Limit:
    claim = ", if its claim holds" if promised.status == "claimed" else ""
    if family == "membership" and relation == "node-removal":
        whom = (
            "everybody" if covered == 1 else f"the {100 * covered:.1f} % with few enough friends for the cap"
        )
        return Limit(f"bounded by ε for {whom}{claim}", promised.epsilon, promised.delta)
    if family == "withheld friendship" and relation == "edge":
        why = f"bounded by ε: a coin decided of each whether it was there{claim}"
        return Limit(why, promised.epsilon, promised.delta)
    about = "friendships" if relation == "edge" else "who a member is, not whether there is one"
    own = "a prediction is for that person alone, and made with their own data"
    reasons: dict[Family, str] = {
        "membership": f"it is about {about}",
        "link": "friends are alike, whether or not their friendship was used",
        "withheld friendship": own,
        "attribute": "features and labels are not protected" if relation == "edge" else own,
    }
    return Limit(NOT_BOUNDED + reasons[family])
