"""What a plan comes to, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hushgraph.local.cascade.feature_evidence import ENOUGH
from hushgraph.planning.assumptions import Assumptions
from hushgraph.planning.planned import Theory, percent
from hushgraph.planning.public_graph import POSSIBLE, Found
from hushgraph.planning.splits import BudgetSplit, best
from hushgraph.planning.statistics import Statistics

# Points that are worth a sentence.
NEAR, WIDE, APART = 0.03, 0.2, 0.02


def advice_on(assumed: Assumptions, found: Found, theory: Sequence[Theory]) -> Iterator[str]:
    """From what a budget buys to what to ask for, which comes last."""
    most = "labels alone would give" if assumed.features else "no budget buys more than"
    yield f"Without noise, {most} {percent(found.ceiling)}."
    top = [best([one for one in found.splits if one.epsilon == epsilon]) for epsilon in assumed.epsilons]
    near = [one for one in top if one.accuracy >= found.ceiling.accuracy - NEAR]
    if near:
        yield f"From ε = {near[0].epsilon:g} on it is within {100 * NEAR:.0f} points of that."
    if assumed.lists and not isinstance(assumed.source, Statistics):
        yield "It was computed from the friendships that were given: share it only if these are public."
    least = theory[0]
    yield (
        f"At ε = {least.epsilon:g} a report of a label carries {least.bits:.2g} bits:"
        f" {assumed.reports:,} of them are worth {least.worth:,.0f} labels without noise."
    )
    if assumed.homophily.typical <= assumed.chance:
        yield "Friends are no more alike than strangers: the graph tells nothing about classes."
    elif found.worlds.homophily < assumed.homophily.typical - APART:
        yield (
            f"No labels with a homophily of {assumed.homophily.typical:g} were found on this graph;"
            f" those simulated have {found.worlds.homophily:.2f}, and real ones may be easier."
        )
    if not assumed.homophily.known and any(one.high - one.low > WIDE for one in top):
        yield "Much of the intervals is that homophily is not known: state it, or ask a few people first."
    if assumed.features:
        yield from _on_features(found.splits, top, assumed.lists)


def _on_features(splits: Sequence[BudgetSplit], top: Sequence[BudgetSplit], lists: bool) -> Iterator[str]:
    asking = [one for one in splits if one.epsilon_x]
    promising = max(asking, key=lambda one: one.expected_z)
    tells = (
        f"the test of features can expect z = {promising.expected_z:.1f} at most"
        f" ({promising.expected_z_high:.1f} where they tell most), and takes {ENOUGH:g}"
    )
    if promising.expected_z < POSSIBLE:
        sure = promising.expected_z_high < POSSIBLE
        unless = "" if sure else " unless you know that these few tell as much as that"
        yield f"At these sizes features tell nothing: do not ask for them{unless}; {tells}."
    elif lists:
        yield f"Features may tell something beside private lists, which is not simulated; {tells}."
    elif used := [one for one in top if one.epsilon_x]:
        budgets = ", ".join(f"{one.epsilon:g}" for one in used)
        yield f"Features are worth asking for at ε = {budgets}: {used[0].features:,} of them; {tells}."
    else:
        yield f"Features tell something, but labels more for the same budget: do not ask for them; {tells}."
