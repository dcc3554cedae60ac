"""What was protected: guarantees, and the ledger that adds them up."""

from hushgraph.privacy.guarantee import Guarantee
from hushgraph.privacy.ledger import BudgetExceededError, Ledger

__all__ = ["BudgetExceededError", "Guarantee", "Ledger"]
