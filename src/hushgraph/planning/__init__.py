"""What a budget will buy, before anybody is asked: forecasts from a public graph and stated assumptions."""

from hushgraph.planning.planned import Plan
from hushgraph.planning.planner import plan
from hushgraph.planning.splits import BudgetSplit
from hushgraph.planning.statistics import Statistics, Structure

__all__ = ["BudgetSplit", "Plan", "Statistics", "Structure", "plan"]
