"""Bugs in what attacks ask and what is said to bound them, for :mod:`tests.planted`."""

from __future__ import annotations

from tests.bug import Bug

VIEWS, STAGE, LIMITS = "attacks/membership/two_views.py", "attacks/stage.py", "attacks/limits.py"
ON_INTERFACE, ON_LIMITS = "tests/attacks/test_interface.py", "tests/attacks/test_limits.py"
ON_VIEWS = f"{ON_INTERFACE}::test_two_views_hold_the_members_graph_and_everybodys"
ONE_FRIENDSHIP = f"{ON_INTERFACE}::test_a_withheld_friendship_is_one_edge_of_what_is_learned_from"
RELATIONS = f"{ON_LIMITS}::test_the_relation_decides_what_is_bounded"

BUGS = [
    Bug("who is no member trains", VIEWS, "np.where(members, graph.labels, -1)", "graph.labels", ON_VIEWS),
    Bug("members train with friendships of others", VIEWS, "known[:, members[known].all(0)]",
        "known[:, members[known].any(0)]", ON_VIEWS),
    Bug("a friendship that a coin is about is learned from twice", STAGE, ", self.withheld.others)", ")",
        ONE_FRIENDSHIP),
    Bug("a bound on what no ε is about", LIMITS, 'family == "membership" and relation == "node-removal"',
        'family == "membership"', RELATIONS),
    Bug("a bound from a promise that is refuted", LIMITS, 'promised.status == "refuted"', "False", RELATIONS),
]  # fmt: skip
