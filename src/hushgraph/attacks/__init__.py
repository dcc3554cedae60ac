"""Attacks on what was trained and on what was reported, and what (ε, δ) leaves them."""

from hushgraph.attacks import attributes, extraction, links, membership
from hushgraph.attacks.answers import Answers, Named
from hushgraph.attacks.bounds import largest_advantage, largest_auc, largest_success, largest_tpr
from hushgraph.attacks.decisions import Decisions
from hushgraph.attacks.guesses import Guesses
from hushgraph.attacks.knowledge import KnownPairs, Revealed, Shadow, Shadows
from hushgraph.attacks.limits import Limit, limit_on
from hushgraph.attacks.local import report_card
from hushgraph.attacks.membership.two_views import TwoViews
from hushgraph.attacks.targets import BlackBox, Target, of_module
from hushgraph.attacks.victims import Learned, Victim

__all__ = [
    "Answers",
    "BlackBox",
    "Decisions",
    "Guesses",
    "KnownPairs",
    "Learned",
    "Limit",
    "Named",
    "Revealed",
    "Shadow",
    "Shadows",
    "Target",
    "TwoViews",
    "Victim",
    "attributes",
    "extraction",
    "largest_advantage",
    "largest_auc",
    "largest_success",
    "largest_tpr",
    "limit_on",
    "links",
    "membership",
    "of_module",
    "report_card",
]
