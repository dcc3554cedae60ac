"""The cross-fitted posterior cascade: smoothing, and gates that learn what it is worth."""

from hushgraph.local.cascade.method import Cascade

__all__ = ["Cascade"]
