"""Was this person among those whom the target was trained on?"""

from hushgraph.attacks.membership.confidence import by_confidence
from hushgraph.attacks.membership.likelihood_ratio import by_likelihood_ratio
from hushgraph.attacks.membership.shadow import by_shadow

__all__ = ["by_confidence", "by_likelihood_ratio", "by_shadow"]
