"""Bugs in what attacks ask and what is said to bound them, for :mod:`tests.planted`."""

from __future__ import annotations

from tests.bug import Bug

VIEWS, STAGE, LIMITS = "attacks/membership/two_views.py", "attacks/stage.py", "attacks/limits.py"
ON_INTERFACE, ON_LIMITS = "tests/attacks/test_interface.py", "tests/attacks/test_limits.py"
ON_SUITE, ON_DECISIONS = "tests/attacks/test_suite.py", "tests/attacks/test_decisions.py"
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
    Bug("who can be no member counts as another", STAGE, "np.flatnonzero(self.graph.labels >= 0)",
        "self.everybody", f"{ON_SUITE}::test_who_has_no_label_is_asked_about_only_where_they_may_be_members"),
    Bug("networks beside a curator's model are asked about others", "attacks/card.py",
        "anybody = isinstance(model, CuratorMethod)", "anybody = False",
        f"{ON_SUITE}::test_all_targets_of_a_card_are_asked_about_the_same_people"),
    Bug("a mistake in a program leaves an attack out", "attacks/card.py", "except NothingToAskError as error",
        "except ValueError as error",
        f"{ON_SUITE}::test_a_mistake_in_a_program_is_no_attack_that_is_left_out"),
    Bug("an attack that works nowhere passes for a proof", "attacks/card.py", "if not one.works}",
        "if one.works}", f"{ON_SUITE}::test_an_attack_that_works_on_no_network_says_nothing_and_is_marked"),
    Bug("a threshold that few set is taken for certain", "attacks/decisions.py",
        "binom.ppf([0.0125, 0.9875], others.size, fpr)", "np.floor(fpr * others.size + [0, 0])",
        f"{ON_DECISIONS}::test_intervals_of_the_share_found_cover_though_a_threshold_is_set_by_few"),
    Bug("a bound from a promise that is refuted", LIMITS, 'promised.status == "refuted"', "False", RELATIONS),
]  # fmt: skip
