"""Checks of privacy claims: an exact referee over small graphs, and canary tests."""

from hushgraph.audit.canary import Audit, audit, lower_bound
from hushgraph.audit.referee import Finding, worst_answer_loss, worst_laplace_loss

__all__ = ["Audit", "Finding", "audit", "lower_bound", "worst_answer_loss", "worst_laplace_loss"]
